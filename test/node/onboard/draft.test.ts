// Onboarding: from a list of tools to a site file, by answers. What matters most: a guess is never harmless
// where the call acts, half a file is valid and holds its plans, and an answer changes only what it says.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actSpec } from '../../../protocol/acts.ts'
import type { ToolDefinition } from '../../../protocol/definition.ts'
import { registrySchema, type Registry } from '../../../protocol/registry.ts'
import { cellRecordSchema } from '../../../protocol/state.ts'
import { takeAnswer } from '../../../verify/onboard/answer.ts'
import { checkSite } from '../../../verify/onboard/check.ts'
import { proposals } from '../../../verify/onboard/describe.ts'
import { blankSite, draftSite } from '../../../verify/onboard/draft.ts'
import { harmless } from '../../../verify/onboard/guess.ts'
import { questionsOf } from '../../../verify/onboard/questions.ts'
import { trialSite, tryPlan, type Example } from '../../../verify/onboard/trial.ts'
import { approveRegistry } from '../../../verify/screen/approve.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'

const at = Date.UTC(2026, 10, 30)
const root = path.join(import.meta.dirname, '../../..')
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})
const ml = { type: 'number', minimum: 0.1, maximum: 10, description: 'how much (mL)' }
const bench: ToolDefinition[] = [
  { name: 'read_ph', description: 'Read the pH of the beaker.', inputSchema: object({}) },
  {
    name: 'pump_acid',
    description: 'Pump acid from its bottle into the beaker.',
    inputSchema: object({ volume_ml: ml, pump: { type: 'string', enum: ['pump_1'] } }),
  },
]
const drafted = async (tools: ToolDefinition[] = bench): Promise<Registry> =>
  (await draftSite(blankSite(), [{ server: 'bench', tools }])).registry

function answered(registry: Registry, answers: readonly (readonly [string, string])[]): Registry {
  return answers.reduce((file, [id, text]) => {
    const taken = takeAnswer(file, id, text)
    if (!taken.ok) throw new Error(taken.error.message)
    return taken.value
  }, registry)
}

const examples: Example[] = readFileSync(
  path.join(root, 'docs/examples/ph-bench.plans.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => {
    const { id, expect: wanted, state, ...plan } = JSON.parse(line) as Record<string, unknown>
    const record = state === undefined ? null : cellRecordSchema.parse(state)
    return { id: String(id), plan, state: record, expect: wanted as Example['expect'] }
  })

const tutorial = [
  ['does:pump_acid', 'transfer from="acid_bottle" to="beaker" with=/pump'],
  ['does:read_ph', 'measure device="ph_probe" target="beaker"'],
  ['planner:', '1'],
  ['thing:beaker', 'vessel 100 mL'],
  ['thing:acid_bottle', 'vessel 500 mL'],
] as const

describe('a row that approval would refuse', () => {
  it('is in no trial: a pattern that may take for ever is never run on an example', async () => {
    const file = answered(await drafted(), tutorial)
    const text = { type: 'string', maxLength: 100, pattern: '^(a+)+$' }
    const args_schema = { ...object({ note: text }), additionalProperties: false }
    const tools = file.tools.map((tool) =>
      tool.name === 'read_ph' ? { ...tool, args_schema } : tool,
    )
    const plan = {
      goal: 'Read.',
      instructions: ['Read the pH.'],
      nodes: [{ id: 'n1', tool: 'read_ph', args: { note: `${'a'.repeat(60)}!` } }],
    }
    const example: Example = { id: 'slow', plan, state: null, expect: 'accept' }
    const check = await checkSite(registrySchema.parse({ ...file, tools }), [example], at)
    expect(check.violations.map(({ code }) => code)).toContain('pattern_not_linear')
    expect(check.trials.map(({ verdict }) => verdict)).toEqual([null])
    expect(check.held).toBe(1)
  }, 10_000)
})

describe('a draft', () => {
  it('is valid, closed all the way down, pinned, and holds every plan', async () => {
    const registry = await drafted()
    expect(approveRegistry(registry).violations).toEqual([])
    expect(registry.tools.map(({ definition_digest }) => definition_digest.slice(0, 4))).toEqual([
      'def:',
      'def:',
    ])
    const known = answered(registry, [['planner:', '1']])
    const file = await trialSite(known)
    const verdicts = await Promise.all(examples.map((one) => tryPlan(file, one, at)))
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['escalate', 'escalate', 'escalate'])
    expect(verdicts[0]?.evidence.unknowns.map(({ code }) => code)).toContain('TOOL_NOT_DESCRIBED')
  })

  it('asks again about a call whose definition changed, and keeps the rest', async () => {
    const before = answered(await drafted(), tutorial)
    const changed = bench.map((tool) =>
      tool.name === 'read_ph' ? { ...tool, description: 'Read it.' } : tool,
    )
    const again = await draftSite(before, [{ server: 'bench', tools: changed }])
    expect(again.drafted).toEqual([
      { tool: 'read_ph', what: 'changed' },
      { tool: 'pump_acid', what: 'same' },
    ])
    expect(again.registry.tools.map(({ meaning }) => meaning === undefined)).toEqual([true, false])
    expect((await draftSite(before, [{ server: 'bench', tools: bench }])).registry).toEqual(before)
    expect(
      (await draftSite(before, [{ server: 'bench', tools: [] }])).drafted.map(({ what }) => what),
    ).toEqual(['gone', 'gone'])
  })
})

describe('answers', () => {
  it('lead from two tools to plans that come out as expected, in at most ten', async () => {
    const registry = answered(await drafted(), tutorial)
    const check = await checkSite(registry, examples, at)
    expect(tutorial.length).toBeLessThanOrEqual(10)
    expect(check.trials.map(({ verdict }) => verdict)).toEqual(['accept', 'accept', 'reject'])
    expect(check.held).toBe(0)
  })

  it('never make a file invalid, whatever is answered in whatever order', async () => {
    const blank = await drafted()
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(30), fc.nat(3)), { maxLength: 12 }), (picks) => {
        let registry = blank
        for (const [which, choice] of picks) {
          const questions = questionsOf(registry)
          const question = questions[which % Math.max(questions.length, 1)]
          if (question === undefined) break
          const taken = takeAnswer(registry, question.id, String(choice + 1))
          if (taken.ok) registry = taken.value
        }
        expect(registrySchema.safeParse(registry).success).toBe(true)
        expect(approveRegistry(registry).violations).toEqual([])
      }),
      { numRuns: 40, seed: 14 },
    )
  })

  it('a gas in litres a minute is asked about as a flow, and a stop of one vessel is no stop of all', async () => {
    const line = { type: 'string', enum: ['line_1', 'line_2'] }
    const air = { type: 'number', minimum: 0, maximum: 20 }
    const tools = [
      { name: 'set_air', description: 'Sets the air.', inputSchema: object({ line, air }) },
      { name: 'halt_line', description: 'Stops a line.', inputSchema: object({ line }) },
    ]
    const registry = answered(await drafted(tools), [
      ['does:set_air', 'set_gas device=/line substance="air" amount=/air,L/min'],
      ['does:halt_line', 'stop device=/line'],
      ['thing:line_1', 'device gas'],
    ])
    const questions = questionsOf(registry)
    const limits = questions.filter(({ kind }) => kind === 'limit').map(({ id }) => id)
    expect(limits).toEqual(['limit:line_1/flow'])
    const stop = questions.find(({ id }) => id === 'stop:bench')
    expect(stop?.ask).toContain('it would stop one of line_1, line_2 and not the others')
    expect(stop?.proposals).toHaveLength(1)
  })

  it.each([
    ['does:nothing', '1', 'no_such_question'],
    ['does:pump_acid', '9', 'not_understood'],
    ['does:pump_acid', 'teleport', 'not_understood'],
    ['does:pump_acid', 'transfer colour=/pump', 'not_understood'],
    ['stop:bench', 'no_such_call', 'no_such_question'],
  ])('%s=%s is refused with what may be written', async (id, text, code) => {
    const taken = takeAnswer(await drafted(), id, text)
    expect(taken.ok ? null : taken.error.code).toBe(code)
    expect(taken.ok ? '' : taken.error.message).not.toBe('')
  })

  it('take a unit from its name or its text, as people write it, and offer no role that it does not fit', async () => {
    const dose = {
      name: 'dose',
      description: 'Dispense from the burette into the flask.',
      inputSchema: object(
        {
          microlitres: { type: 'number', description: 'Volume to dispense in µL' },
          stirrer_rpm: { type: 'number', description: 'Speed of the stirrer' },
        },
        ['microlitres'],
      ),
    }
    const registry = answered(await drafted([dose]), [
      ['does:dose', 'transfer from="burette" to="flask"'],
    ])
    const acts = (file: Registry) => file.tools[0]?.meaning?.acts ?? []
    expect(acts(registry)[0]?.bind['volume']).toEqual({ arg: '/microlitres', unit: 'uL' })
    const asks = questionsOf(registry).find(({ id }) => id === 'argument:dose/stirrer_rpm')
    expect(asks?.proposals.map(({ label }) => label)).not.toContainEqual(
      expect.stringContaining('of transfer'),
    )
    // It brings an act of its own, where it is given.
    const both = answered(registry, [['argument:dose/stirrer_rpm', 'shake']])
    expect(acts(both).map(({ act, when }) => [act, when])).toEqual([
      ['transfer', undefined],
      ['shake', { arg: '/stirrer_rpm', given: true }],
    ])
    expect(takeAnswer(registry, 'argument:dose/stirrer_rpm', 'open').ok).toBe(false)
  })

  it('ask what is left of a call: an argument that nothing binds, and inert only with a reason', async () => {
    const odd = [
      {
        ...bench[1],
        inputSchema: object({
          volume_ml: ml,
          pump: { type: 'string', enum: ['pump_1'] },
          ramp: { type: 'string' },
        }),
      } as ToolDefinition,
    ]
    const registry = answered(await drafted(odd), [tutorial[0]])
    const asked = questionsOf(registry).find(({ id }) => id === 'argument:pump_acid/ramp')
    expect(asked?.server_says).toContain('/ramp')
    expect(asked?.proposals.some(({ label }) => label.startsWith('inert'))).toBe(false)
    expect(takeAnswer(registry, 'argument:pump_acid/ramp', 'inert:').ok).toBe(false)
    const settled = answered(registry, [
      ['argument:pump_acid/ramp', 'inert: only how soft it starts'],
    ])
    expect(questionsOf(settled).some(({ id }) => id.startsWith('argument:'))).toBe(false)
  })
})

describe('proposals', () => {
  it('come most dangerous first, and what is most dangerous is asked first', async () => {
    const dangers = questionsOf(await drafted()).map(({ danger }) => danger)
    expect(dangers).toEqual(dangers.toSorted((a, b) => b - a))
  })

  it.each([
    ['get_plate', 'Get the plate from the hotel.', {}],
    ['readAndReset', 'Read the counter and reset it.', {}],
    ['status', 'Show the status, then restart the pump.', { readOnlyHint: true }],
    ['check_seal', 'Pressurize the vessel and check the seal.', { readOnlyHint: true }],
    ['list_files', 'List files.', { readOnlyHint: false }],
    ['scan_plate', 'Move the arm over the plate and scan it.', {}],
    ['measure', 'Heat the cell to 60 degrees and measure.', {}],
  ])('never take %s for reading', async (name, description, annotations) => {
    const registry = await drafted([{ name, description, annotations, inputSchema: object({}) }])
    const found = registry.tools
      .flatMap((row) => proposals(registry, row))
      .flatMap(({ acts }) => acts)
    expect(found.filter(({ act }) => harmless.has(act))).toEqual([])
  })

  it('for the calls of the demo lab hold the right act, and no act that is milder than it', async () => {
    const { registry: described } = await loadSite()
    const list = JSON.parse(
      readFileSync(path.join(root, 'lab/sim-cell/tools.json'), 'utf8'),
    ) as ToolDefinition[]
    const registry = await drafted(list)
    const rows = described.tools.map((row) => {
      const right = new Set((row.meaning?.acts ?? []).map(({ act }) => act))
      const blank = registry.tools.find(({ mcp_tool }) => mcp_tool === row.mcp_tool)
      const offered =
        blank === undefined ? [] : proposals(registry, blank).flatMap(({ acts }) => acts)
      const acts = offered.map(({ act }) => act)
      const acting = [...right].some(
        (act) => actSpec(act).family !== 'knowing' && act !== 'read_record',
      )
      return {
        first: acts[0] !== undefined && right.has(acts[0]),
        any: acts.some((act) => right.has(act)),
        mild: acting && acts.some((act) => harmless.has(act)),
      }
    })
    expect(rows.filter(({ mild }) => mild)).toEqual([])
    expect(rows.filter(({ first }) => first).length / rows.length).toBeGreaterThanOrEqual(0.9)
  })
})
