// What a plan may take from its own run (invariant 15): declared results of nodes before it, in units that
// convert, inside what the argument's schema takes; everything else is answered 422 with what to do.
import { describe, expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Registry, ToolEntry } from '../../../protocol/registry.ts'
import { emptyMeaning } from '../../../protocol/site-file.ts'
import { toolMeaningSchema } from '../../../protocol/tool-meaning.ts'
import { conversionsOf } from '../../../verify/admit/conversions.ts'
import { admit, parse } from '../../../verify/admit/index.ts'

function tool(name: string, properties: JsonObject, more: object = {}): ToolEntry {
  return {
    name,
    description: name,
    risk_class: 'read',
    capability: 'c',
    args_schema: { type: 'object', additionalProperties: false, properties, ...more },
    emits: [],
    sink: null,
    server: 's',
    mcp_tool: name,
    definition_digest: `def:${'A'.repeat(43)}`,
    timeout_ms: 1_000,
    orphan_policy: 'stop',
    safe_stop: null,
    sandbox_required: false,
  }
}

const weigh: ToolEntry = {
  ...tool('weigh', {}),
  meaning: toolMeaningSchema.parse({
    acts: [{ act: 'measure', bind: {} }],
    results: {
      '/mass': { quantity: 'mass', unit: 'mg', kind: 'observed' },
      '/ph': { quantity: null, kind: 'observed' },
      '/state': { quantity: null, kind: 'observed', values: ['stable', 'drifting'] },
    },
  }),
}

const dispense = tool(
  'dispense',
  {
    amount: { type: 'number', minimum: 0, exclusiveMaximum: 5_000, 'x-unit': 'ug' },
    cycles: { type: 'integer', maximum: 10 },
    maybe: { anyOf: [{ type: 'number', maximum: 5 }, { type: 'null' }] },
    listed: { enum: ['stable', 'other'] },
    on: { type: 'boolean' },
    step: { type: 'number', multipleOf: 5 },
    either: {
      oneOf: [
        { type: 'number', maximum: 1 },
        { type: 'number', minimum: 2 },
      ],
    },
    places: { type: 'array', items: { $ref: '#/$defs/place' }, maxItems: 2 },
    once: { type: 'array', items: { type: 'number' }, uniqueItems: true },
  },
  {
    $defs: {
      place: {
        type: 'object',
        additionalProperties: false,
        properties: { volume: { type: 'number', 'x-unit': 'uL' }, mass: { type: 'number' } },
      },
    },
  },
)

const place = (over: number) => 'p'.repeat(limits.conversionAtCharsMax - '/args/'.length + over)
const named = tool('named', { [place(0)]: { type: 'number' }, [place(1)]: { type: 'number' } })

const long = tool('long', {
  list: { type: 'array', items: { type: 'number' } },
  on: { type: 'boolean' },
  states: { type: 'array', items: { type: 'string' } },
})

const registry: Registry = {
  registry_version: '1',
  tools: [weigh, dispense, named, long],
  planners: {},
  rules: [],
  ...emptyMeaning,
}

const node = (id: string, name: string, more: object = {}) => ({
  id,
  tool: name,
  args: {},
  depends_on: [],
  sandbox: null,
  ...more,
})

/** A plan that weighs and then does `more`. */
function plan(more: object, before: unknown[] = [node('n1', 'weigh')]) {
  const last = node('n9', 'dispense', { depends_on: ['n1'], ...more })
  return { goal: 'g', instructions: ['i'], planner: { id: 'p' }, nodes: [...before, last] }
}

async function admitted(value: unknown) {
  const parsed = parse(new TextEncoder().encode(JSON.stringify(value)))
  if (!parsed.ok) throw new Error('not JSON')
  return admit(parsed.value, registry, 'p')
}

async function faults(value: unknown): Promise<string[]> {
  const out = await admitted(value)
  return out.ok ? [] : out.error.map(({ code, at, message }) => `${code} ${at}: ${message}`)
}

const mass = { node: 'n1', pointer: '/mass', unit: 'ug', min: 100, max: 4_000 }
const from = (more: object = {}) => ({ $from: { ...mass, ...more } })
const ph = { $from: { node: 'n1', pointer: '/ph', min: 0, max: 10 } }
const state = { $from: { node: 'n1', pointer: '/state', enum: ['stable'] } }

describe('a reference', () => {
  test.each<[string, JsonObject]>([
    ['in the unit of the argument', { amount: from() }],
    ['where the schema also takes null', { maybe: from({ max: 5, min: 0 }) }],
    ['where a whole number is wanted', { cycles: ph }],
    ['to a closed text', { listed: state }],
    ['to a flag', { on: { $from: { node: 'n1', pointer: '/ph', enum: [true, false] } } }],
    ['inside a list of objects', { places: [{ mass: from() }, { mass: ph }] }],
  ])('is taken %s', async (_, args) => {
    expect(await faults(plan({ args }))).toEqual([])
  })

  test.each<[string, JsonObject, string]>([
    ['a node that is none', { amount: from({ node: 'n7' }) }, 'no node has the id n7'],
    ['itself', { amount: from({ node: 'n9' }) }, 'n9 does not depend on n9: add n9'],
    [
      'an undeclared pointer',
      { amount: from({ pointer: '/raw' }) },
      'it declares /mass, /ph, /state',
    ],
    [
      'no unit',
      { amount: { $from: { node: 'n1', pointer: '/mass', min: 0, max: 1 } } },
      'is in mg',
    ],
    ['another dimension', { amount: from({ unit: 'uL' }) }, 'does not convert to uL'],
    ['another unit than the argument has', { amount: from({ unit: 'mg' }) }, 'argument is in ug'],
    ['a result without unit', { amount: ph }, 'the site declares no unit of this result'],
    [
      'a unit that nobody declared',
      { cycles: { $from: { ...ph.$from, unit: 'mg' } } },
      'leave unit',
    ],
    [
      'a list of texts as a number',
      { cycles: { $from: { ...ph.$from, pointer: '/state' } } },
      '"enum"',
    ],
    [
      'a number as a closed text',
      { listed: { $from: { node: 'n1', pointer: '/mass', enum: ['a'] } } },
      'min and max',
    ],
    [
      'a text that is not listed',
      { listed: { $from: { ...state.$from, enum: ['bad'] } } },
      'does not list',
    ],
    ['a place with steps', { step: ph }, 'plain range'],
    ['a place of two ranges', { either: ph }, 'plain range'],
    ['a place whose values are joined', { once: [1, ph] }, 'plain range'],
    ['a place of texts', { listed: ph }, 'plain range'],
  ])('is refused: %s', async (_, args, words) => {
    const [first, ...more] = (await faults(plan({ args }))).filter((x) =>
      x.startsWith('reference_'),
    )
    expect(first).toContain(words)
    expect(more).toEqual([])
  })

  test('must be inside the schema at both ends', async () => {
    const at = 'args_invalid /nodes/1/args/amount'
    expect((await faults(plan({ args: { amount: from({ max: 5_000 }) } })))[0]).toContain(at)
    expect((await faults(plan({ args: { amount: from({ min: -1 }) } })))[0]).toContain(at)
    const texts = { $from: { ...state.$from, enum: ['stable', 'drifting'] } }
    const listed = await faults(plan({ args: { listed: texts } }))
    expect(listed[0]).toContain('args_invalid /nodes/1/args/listed')
  })

  test('comes from a node that is sure to be before, not from one that the ids put there', async () => {
    const out = await faults(plan({ args: { amount: from() }, depends_on: [] }))
    expect(out).toEqual([
      'reference_invalid /nodes/1/args/amount: n9 does not depend on n1: add n1 to its depends_on',
    ])
  })

  test('that is not well formed is no constant either', async () => {
    const [first] = await faults(plan({ args: { amount: { $from: { node: 'n1' } } } }))
    expect(first).toContain('reference_malformed /nodes/1/args/amount')
  })

  test('has its conversion fixed, and a whole number where the schema wants one', async () => {
    const args = { amount: from(), cycles: ph }
    const when = { result: { node: 'n1', pointer: '/mass' }, unit: 'g', gt: 0.001 }
    const out = await admitted(plan({ args, when }))
    if (!out.ok) throw new Error(JSON.stringify(out.error))
    expect(conversionsOf(out.value.plan, registry)).toEqual([
      { node: 'n9', at: '/args/amount', scale: ['1000', '1'], offset: ['0', '1'], whole: false },
      { node: 'n9', at: '/args/cycles', scale: ['1', '1'], offset: ['0', '1'], whole: true },
      { node: 'n9', at: '/when', scale: ['1', '1000'], offset: ['0', '1'], whole: false },
    ])
  })
})

describe('a condition', () => {
  const heavy = { result: { node: 'n1', pointer: '/mass' }, unit: 'mg', gt: 1 }

  test('over declared results is taken', async () => {
    const stable = { result: { node: 'n1', pointer: '/state' }, eq: 'stable' }
    expect(await faults(plan({ when: { all: [heavy, stable] }, require: { not: heavy } }))).toEqual(
      [],
    )
  })

  test.each<[string, object, string]>([
    ['of a later node', { ...heavy, result: { node: 'n9', pointer: '/mass' } }, 'does not depend'],
    [
      'of an undeclared result',
      { ...heavy, result: { node: 'n1', pointer: '/x' } },
      'no result /x',
    ],
    ['without the unit', { result: heavy.result, gt: 1 }, 'name the unit'],
    ['of two types', { ...heavy, eq: 'a' }, 'one type'],
    [
      'with a text that is not listed',
      { result: { node: 'n1', pointer: '/state' }, eq: 'x' },
      'not list',
    ],
    [
      'of a text as a number',
      { result: { node: 'n1', pointer: '/state' }, gt: 1 },
      'list of texts',
    ],
  ])('is refused: %s', async (_, when, words) => {
    const out = await faults(plan({ when: { any: [when] } }))
    expect(out).toHaveLength(1)
    expect(out[0]).toContain('condition_invalid /nodes/1/when/any/0')
    expect(out[0]).toContain(words)
  })

  test('`always` hangs on nothing that may be skipped', async () => {
    const before = [node('n1', 'weigh'), node('n2', 'weigh', { depends_on: ['n1'], when: heavy })]
    expect(await faults(plan({ always: true }, before))).toEqual([])
    const out = await faults(plan({ always: true, depends_on: ['n2'] }, before))
    expect(out).toEqual([
      'always_conditional /nodes/2/always: it happens in every run, and n2 may be skipped',
    ])
    const own = await faults(plan({ always: true, when: heavy }, before))
    expect(own[0]).toContain('n9 may be skipped')
  })
})

const heavy = { result: { node: 'n1', pointer: '/ph' }, gt: 1 }
const conditional = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    node(`c${i}`, 'weigh', { depends_on: ['n1'], when: heavy }),
  )
const texts = (count: number) => ({
  places: [],
  cycles: 1,
  on: { $from: { node: 'n1', pointer: '/ph', enum: Array.from({ length: count }, () => true) } },
})

describe('at a limit a plan is admitted, one past it refused:', () => {
  test.each<[string, (over: number) => unknown, string]>([
    [
      'conditions',
      (over) => plan({}, [node('n1', 'weigh'), ...conditional(limits.conditionsMax + over)]),
      'condition_invalid /nodes:',
    ],
    [
      'comparisons',
      (over) =>
        plan({
          when: {
            all: [
              heavy,
              { all: Array.from({ length: limits.comparisonsMax - 1 + over }, () => heavy) },
            ],
          },
        }),
      'condition_invalid /nodes/1/when:',
    ],
    [
      'the place of a reference',
      (over) => {
        const { nodes, ...rest } = plan({ args: { [place(over)]: ph } })
        return {
          ...rest,
          nodes: nodes.map((one) =>
            'args' in (one as object) && (one as { id: string }).id === 'n9'
              ? { ...(one as object), tool: 'named' }
              : one,
          ),
        }
      },
      'reference_invalid /nodes/1/args/p',
    ],
    [
      'references and closed values',
      (over) =>
        plan({ args: texts(1 + over) }, [
          node('n1', 'weigh'),
          ...Array.from({ length: 16 }, (_, i) =>
            node(`d${i}`, 'dispense', { depends_on: ['n1'], args: texts(i === 0 ? 63 : 64) }),
          ),
        ]),
      'reference_invalid /nodes:',
    ],
    [
      'values of arguments that are looked at for closed values',
      (over) => {
        const flags = Array.from({ length: 49 }, () => true)
        const on = { $from: { node: 'n1', pointer: '/ph', enum: flags } }
        // 50 fillings: two for the ends, one for each further value. Values beside the list: three.
        const list = Array.from({ length: limits.referenceTrialValuesMax / 50 - 3 + over }, () => 1)
        return plan({}, [
          node('n1', 'weigh'),
          node('n2', 'long', { depends_on: ['n1'], args: { list, on } }),
        ])
      },
      'reference_invalid /nodes: trying every closed value',
    ],
  ])('%s', async (_, at, code) => {
    expect(await faults(at(0))).toEqual([])
    expect((await faults(at(1))).some((x) => x.startsWith(code))).toBe(true)
  })
})

describe('a body that would bring much work', () => {
  const flag = (count: number) => ({
    $from: { node: 'n7', pointer: '/ph', enum: Array.from({ length: count }, () => true) },
  })

  test('is refused by the count of its values, before any of them is tried or looked up', async () => {
    const args = Object.fromEntries(Array.from({ length: 250 }, (_, i) => [`a${i}`, flag(63)]))
    const out = await faults(plan({ args }))
    expect(out).toHaveLength(2)
    expect(out[0]).toContain('15750 references and closed values')
    expect(out[1]).toContain('trying every closed value')
  })

  test('is refused by its conditions, before they are looked up', async () => {
    const when = { result: { node: 'n7', pointer: '/ph' }, gt: 1 }
    const many = Array.from({ length: limits.conditionsMax + 1 }, (_, i) =>
      node(`c${i}`, 'weigh', { when }),
    )
    expect(await faults(plan({}, [node('n1', 'weigh'), ...many]))).toEqual([
      `condition_invalid /nodes: ${limits.conditionsMax + 1} conditions; at most ${limits.conditionsMax} in a plan`,
    ])
  })

  test('does not count a reference by the length of its list: a plate of them is taken', async () => {
    const on = { $from: { node: 'n1', pointer: '/state', enum: ['stable'] } }
    const places = { $from: { node: 'n1', pointer: '/state', enum: ['stable', 'drifting'] } }
    const states = Array.from({ length: 96 }, (_, i) => (i % 2 === 0 ? on : places))
    const args = { states }
    expect(
      await faults(
        plan({}, [node('n1', 'weigh'), node('n2', 'long', { depends_on: ['n1'], args })]),
      ),
    ).toEqual([])
  })
})
