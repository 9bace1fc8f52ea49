// Admission: what is answered 422 and what may be judged; every limit at its value and one past it.
import { emptyMeaning } from '../../../protocol/site-file.ts'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'
import type { Registry, ToolEntry } from '../../../protocol/registry.ts'
import { digest } from '../../../protocol/digest.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { admit, parse } from '../../../verify/admit/index.ts'

function tool(name: string, args_schema: JsonObject): ToolEntry {
  return {
    name,
    description: name,
    risk_class: 'read',
    capability: 'c',
    args_schema,
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

const registry: Registry = {
  registry_version: '1',
  tools: [
    tool('any', { type: 'object' }),
    tool('move', {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        to: { type: 'object', properties: { 'x/y': { type: 'number', maximum: 5 } } },
        list: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
      },
      required: ['to'],
      additionalProperties: false,
    }),
    tool('dangling', { $ref: '#/$defs/nowhere' }),
  ],
  planners: {},
  rules: [],
  ...emptyMeaning,
}

const node = (id: string, name = 'any', args: unknown = {}, depends_on: string[] = []) => ({
  id,
  tool: name,
  args,
  depends_on,
  sandbox: null,
})
const plan = (nodes: unknown[], more: object = {}) => ({
  goal: 'g',
  instructions: ['i'],
  planner: { id: 'planner-1' },
  nodes,
  ...more,
})

/** Both stages that a body passes through. */
async function admitBytes(...[bytes, of, planner]: [Uint8Array, Registry, string]) {
  const parsed = parse(bytes)
  return parsed.ok ? admit(parsed.value, of, planner) : parsed
}

async function outcome(value: unknown, planner = 'planner-1') {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const admitted = await admitBytes(bytes, registry, planner)
  return admitted.ok ? 'ok' : admitted.error.map(({ code, at }) => `${code} ${at}`)
}

describe('admission', () => {
  test('gives the plan with its canonical form, digest and order', async () => {
    const value = plan([node('b', 'any', {}, ['a']), node('a', 'any', { z: 1, y: [2] })])
    const bytes = new TextEncoder().encode(JSON.stringify(value, null, 3))
    const admitted = await admitBytes(bytes, registry, 'planner-1')
    if (!admitted.ok) throw new Error(JSON.stringify(admitted.error))
    expect(admitted.value.plan).toEqual(value)
    expect(admitted.value.order).toEqual(['a', 'b'])
    expect(admitted.value.plan_digest).toBe(await digest('plan', value))
    expect(admitted.value.canonical.startsWith('{"goal":"g","instructions":["i"],"nodes":')).toBe(
      true,
    )
  })

  test('refuses an unknown tool, and a name that only looks like a member of every object', async () => {
    expect(await outcome(plan([node('a', 'nope')]))).toEqual(['tool_unknown /nodes/0/tool'])
    expect(await outcome(plan([node('a', 'toString')]))).toEqual(['tool_unknown /nodes/0/tool'])
  })

  test.each<[string, unknown, string[]]>([
    ['good ones', { to: { 'x/y': 5 }, list: ['a', 1] }, []],
    ['a missing one', {}, ['args_invalid /nodes/0/args']],
    ['an additional one', { to: {}, more: 1 }, ['args_invalid /nodes/0/args/more']],
    ['a wrong type', { to: 1 }, ['args_invalid /nodes/0/args/to']],
    ['a value past its bound', { to: { 'x/y': 6 } }, ['args_invalid /nodes/0/args/to/x~1y']],
    ['a wrong item', { to: {}, list: ['a', 1.5] }, ['args_invalid /nodes/0/args/list/1']],
    ['a wrong first item', { to: {}, list: [1] }, ['args_invalid /nodes/0/args/list/0']],
  ])('points at arguments: %s', async (_, args, expected) => {
    const found = await outcome(plan([node('a', 'move', args)]))
    expect(found === 'ok' ? [] : found).toEqual(expected)
  })

  test('refuses arguments that cannot be checked', async () => {
    expect(await outcome(plan([node('a', 'dangling', {})]))).toEqual(['args_invalid /nodes/0/args'])
  })

  test("refuses another planner's name", async () => {
    expect(await outcome(plan([]), 'planner-2')).toEqual(['planner_mismatch /planner/id'])
  })

  test('lists faults of graph, tools and arguments together', async () => {
    const value = plan([node('a', 'nope', {}, ['a']), node('b', 'move', {})])
    expect(await outcome(value)).toEqual([
      'dependency_self /nodes/0/depends_on/0',
      'tool_unknown /nodes/0/tool',
      'args_invalid /nodes/1/args',
    ])
  })
})

const many = (count: number) => Array.from({ length: count }, (_, i) => node(`n${i}`))

const named = (over: number) => plan([node('a', 'x'.repeat(limits.toolNameCharsMax + over))])

const wrong = (count: number) => plan(Array.from({ length: count }, (_, i) => node(`n${i}`, 'no')))

describe('at a limit a plan is admitted, one past it refused:', () => {
  test.each<[string, (over: number) => object, string]>([
    ['nodes', (over) => plan(many(limits.nodesMax + over)), 'schema /nodes'],
    ['goal', (over) => plan([], { goal: 'g'.repeat(limits.goalCharsMax + over) }), 'schema /goal'],
    [
      'instructions',
      (over) =>
        plan([], {
          instructions: Array.from({ length: limits.instructionsMax + over }, () => 'i'),
        }),
      'schema /instructions',
    ],
    [
      'one instruction',
      (over) => plan([], { instructions: ['i'.repeat(limits.instructionCharsMax + over)] }),
      'schema /instructions/0',
    ],
    [
      'a node id',
      (over) => plan([node('a'.repeat(limits.idCharsMax + over))]),
      'id_not_plain /nodes/0/id',
    ],
    [
      'arguments',
      // {"a":"…"} in canonical form is eight bytes longer than its text.
      (over) => plan([node('a', 'any', { a: 'x'.repeat(limits.argsBytesMax - 8 + over) })]),
      'args_too_large /nodes/0/args',
    ],
    [
      'arguments beyond ASCII',
      (over) =>
        plan([
          node('a', 'any', { a: `${'é'.repeat(limits.argsBytesMax / 2 - 4)}${'x'.repeat(over)}` }),
        ]),
      'args_too_large /nodes/0/args',
    ],
  ])('%s', async (_, at, refusal) => {
    expect(await outcome(at(0))).toBe('ok')
    expect(await outcome(at(1))).toEqual([refusal])
  })

  test('a tool name', async () => {
    expect(await outcome(named(0))).toEqual(['tool_unknown /nodes/0/tool'])
    expect(await outcome(named(1))).toEqual(['schema /nodes/0/tool'])
  })

  test('violations are cut at their limit and say so', async () => {
    const all = await outcome(wrong(limits.violationsMax))
    expect(all).toHaveLength(limits.violationsMax)
    expect(all.at(-1)).toMatch(/^tool_unknown/)
    const cut = await outcome(wrong(limits.violationsMax + 1))
    expect(cut).toHaveLength(limits.violationsMax)
    expect(cut.at(-1)).toBe('too_many_violations ')
  })
})
