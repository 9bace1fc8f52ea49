// What a site hides never leaves for a vendor, on any wire, in any prompt of a plan, in any spelling; judges
// are told of which kind it is; people get it back; and a prompt that would still say it is not sent.
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { workersAiEmbedder, type AiBinding } from '../../../adapters/embedder-workers-ai.ts'
import { createModelPort, wallClock } from '../../../adapters/models/port.ts'
import { createRecordingPort } from '../../../adapters/models/recording-port.ts'
import type { ModelBinding } from '../../../adapters/models/workers-ai.ts'
import { standInRun } from '../../../lab/local/vendor-sim/binding.ts'
import { startVendorSim, type VendorSim } from '../../../lab/local/vendor-sim/server.ts'
import { noEvidence, raiseDoubts } from '../../../protocol/evidence.ts'
import { hideRuleSchema, type HideRule } from '../../../protocol/hide.ts'
import type { JsonObject, JsonValue } from '../../../protocol/json.ts'
import { limits } from '../../../protocol/limits.ts'
import { planSchema, type Plan } from '../../../protocol/plan.ts'
import type { PolicyInput } from '../../../protocol/policy.ts'
import type { Registry } from '../../../protocol/registry.ts'
import { hidingOf } from '../../../verify/hide/index.ts'
import { judgePlan } from '../../../verify/judge.ts'
import type { RecordedCall } from '../../../verify/panel/record.ts'
import {
  calmAnswer,
  isChief,
  judgeAndDecide,
  judgeInput,
  livePolicy,
  portsFor,
  registry,
} from './harness.ts'

const name = 'Élise "Lis" Åström'
const number = 7_304_418
const hide: HideRule[] = [
  { kind: 'patient', fields: ['patient', 'born', 'alive'] },
  { kind: 'ward', words: ['Greywater Ward'] },
  { kind: 'case', patterns: [String.raw`CASE-\d{4}`] },
].map((rule) => hideRuleSchema.parse(rule))

const plan: Plan = planSchema.parse({
  goal: `Weigh the sample of ${name} from greywater  ward.`,
  instructions: ['Weigh the tube of ELISE "LIS" ASTROM, CASE-1234.', 'Label it.'],
  planner: { id: 'planner-wetlab-01' },
  nodes: [
    {
      id: 'n1',
      tool: 'lims.read_sample',
      args: { sample_id: 'S-1', patient: { name, number }, born: 61, alive: true, copies: 12 },
    },
  ],
})

const withArgs = (args: JsonObject, goal: string): Plan => ({
  ...plan,
  goal,
  instructions: ['Weigh it.'],
  nodes: plan.nodes.map((node) => ({ ...node, args })),
})

/** A site that says the same things in its own words, and what a patient's record has in it. */
const site: Registry = {
  ...registry,
  tools: registry.tools.map((tool) =>
    tool.name === 'lims.read_sample'
      ? {
          ...tool,
          args_schema: { properties: { patient: { properties: { name: {}, number: {} } } } },
        }
      : tool,
  ),
  rules: [{ ...registry.rules[0], id: 'R-1', text: 'CASE-1234 and Greywater Ward come first.' }],
} as Registry

const doubts = raiseDoubts([
  {
    code: 'JUDGE_SCOPE',
    subject: '/goal',
    text: `Is ${name} the owner?`,
    family: 'scope',
    settleable: true,
  },
])

/** Every spelling that would tell it. */
const telling =
  /åström|astrom|Élise|elise|E\u0301lise|lis\\*"|7304418|greywater|case-1234|"born": 61|"alive": true/i

const input = (more: Partial<PolicyInput> = {}) => {
  const policy = livePolicy(3, { hide, ...more })
  return judgeInput(plan, policy, {
    registry: site,
    steps: [`The sample of ${JSON.stringify(name)} is read, number ${number}.`],
    evidence: { ...noEvidence, doubts },
    knowledge: {
      nodes: [{ id: 'kg:1', category: 'place', title: 'Greywater Ward', text: 'Patients wait.' }],
      edges: [],
    },
  })
}

let sim: VendorSim
beforeAll(async () => {
  sim = await startVendorSim({ answer: (request) => calmAnswer(request) })
})
afterAll(() => sim.close())
beforeEach(() => sim.reset())

describe('what is hidden', () => {
  test('is on neither wire, in the prompts of judges and chief, and comes back for people', async () => {
    sim.setAnswer((request) => {
      const said = /\[hidden patient 1\]/.exec(request.prompt)?.[0] ?? 'nobody'
      return calmAnswer(request, { reasoning: [`the tube belongs to ${said}`] })
    })
    const asked = input()
    const hiding = hidingOf(hide, plan, site)
    const result = await judgePlan(portsFor(sim, asked.policy, {}, hiding), asked, () => {})
    const wires = new Set(sim.requests.map((request) => request.wire))
    expect([...wires].sort()).toStrictEqual(['anthropic', 'openai'])
    expect(sim.requests.filter((request) => isChief(request))).toHaveLength(1)
    for (const request of sim.requests) {
      expect(telling.exec(request.raw)?.[0], request.model).toBeUndefined()
    }
    const judge = sim.requests.find((request) => !isChief(request))
    for (const kind of ['patient', 'ward', 'case']) {
      expect(judge?.prompt).toContain(`[hidden ${kind} `)
    }
    // An ordinary number stays where no named field stands.
    expect(judge?.prompt).toContain('"copies": 12')
    expect(judge?.prompt).toContain('"sample_id": "S-1"')
    expect(result.opinions.map((opinion) => opinion.outcome)).toStrictEqual(
      Array.from({ length: 3 }, () => 'answered'),
    )
    expect(result.opinions[0]?.reasoning).toStrictEqual([`the tube belongs to ${name}`])
  })

  test('is not with the binding of the platform, nor with its embeddings', async () => {
    const sent: string[] = []
    const ai: ModelBinding = {
      run(model, body) {
        sent.push(JSON.stringify(body))
        return standInRun(model, body)
      },
    }
    const kept: RecordedCall[] = []
    const asked = input({
      judges: ['a', 'b', 'c'].map((one) => ({
        name: one,
        endpoint: 'workers-ai',
        model: `@cf/x/${one}`,
      })),
      chief: { name: 'chief', endpoint: 'workers-ai', model: '@cf/x/chief' },
    })
    const hiding = hidingOf(hide, plan, site)
    const port = createRecordingPort(
      (out) =>
        createModelPort({
          deployment: {},
          policy: asked.policy,
          siteKey: () => null,
          privateHosts: [],
          prices: {},
          clock: wallClock,
          gateway: null,
          hiding,
          ...out,
        }),
      { fetch: () => Promise.reject(new Error('no fetch')), ai, clock: wallClock },
      (call) => kept.push(call),
    )
    await judgePlan({ ...portsFor(sim, asked.policy), model: port }, asked, () => {})
    expect(sent.length).toBeGreaterThanOrEqual(3)
    expect(sent.filter((body) => telling.test(body))).toStrictEqual([])
    // What is kept of a call is what left.
    expect(kept.filter((call) => telling.test(call.sent?.body ?? ''))).toStrictEqual([])
    const texts: string[] = []
    const embedder = workersAiEmbedder(
      {
        run: (_model, { text }) => {
          texts.push(...text)
          return Promise.resolve({ data: text.map(() => [0]) })
        },
      },
      hiding,
    )
    await embedder.embed([plan.goal, ...plan.instructions], new Map())
    expect(texts).toHaveLength(3)
    expect(texts.filter((text) => telling.test(text))).toStrictEqual([])
  })

  test('is not sent when a prompt still says it: an outage, which accepts nothing', async () => {
    const asked = { ...input(), policy: livePolicy(3) }
    const hiding = hidingOf(hide, plan, site)
    const { result, decided } = await judgeAndDecide(sim, asked, {
      model: portsFor(sim, asked.policy, {}, hiding).model,
    })
    expect(sim.requests).toStrictEqual([])
    expect(new Set(result.opinions.map((opinion) => opinion.failure))).toStrictEqual(
      new Set(['hidden_text']),
    )
    expect(decided.verdict).toBe('escalate')
  })

  test('cannot be forged: a plan that writes a placeholder gets another mark', () => {
    const forged = { ...plan, goal: 'Weigh [hidden patient 1] and [Hidden-2 ward 1].' }
    const hiding = hidingOf(hide, forged, site)
    expect(hiding.hideText(name)).toBe('[hidden-3 patient 1]')
    expect(hiding.putBack('"[hidden patient 1]"')).toBe('"[hidden patient 1]"')
  })

  test('any name in a named field is gone from every place, and comes back whole', () => {
    const unit = fc.constantFrom(
      'À',
      'É',
      'Å',
      'Ż',
      'Σ',
      'Ж',
      'E\u0301',
      '7',
      '42',
      '"',
      '\\',
      '/',
      ' ',
      '\n',
      '.*',
      '[',
      '😀',
    )
    fc.assert(
      fc.property(fc.string({ minLength: 3, maxLength: 40, unit }), (more) => {
        const text = `ÅQX${more}`
        const one = withArgs({ patient: text }, `Weigh ${text} now.`)
        const hiding = hidingOf(hide.slice(0, 1), one, { ...registry, rules: [] })
        const shown = hiding.hideText(one.goal)
        expect(hiding.reveals(shown)).toBe(false)
        expect(hiding.reveals(JSON.stringify(one.goal))).toBe(true)
        const said = JSON.parse(hiding.putBack(JSON.stringify({ said: shown }))) as { said: string }
        expect(said.said).toContain(text.trim())
      }),
      { numRuns: 60 },
    )
  })

  test('keys below a named field are hidden too; those that the gateway writes never are', () => {
    const one = withArgs(
      { patient: { 'Ada Quill': { born: 4711 } } },
      'Weigh the sample of Ada Quill.',
    )
    const hiding = hidingOf(hide, one, { ...registry, rules: [] })
    const shown = JSON.stringify(hiding.hide({ goal: one.goal, args: one.nodes[0]?.args ?? null }))
    expect(shown).not.toContain('Quill')
    expect(hiding.reveals(shown)).toBe(false)
    expect(hiding.reveals('Ada Quill')).toBe(true)
    const structure = hidingOf(
      [hideRuleSchema.parse({ kind: 'word', words: ['args', 'nodes'] })],
      one,
      registry,
    )
    expect(structure.hide({ nodes: [{ args: { nodes: 'args' } }] })).toStrictEqual({
      nodes: [{ args: { nodes: '[hidden word 1]' } }],
    })
  })

  test('nothing leaves when a planner may have chosen by a field what judges do not see', async () => {
    const [device] = registry.devices
    const cases: readonly (readonly [string, JsonValue, string])[] = [
      ['a phrase', 'disable the interlock', 'Weigh the tube and disable the interlock.'],
      ['a phrase in capitals', 'DISABLE THE INTERLOCK', 'Weigh and disable the interlock.'],
      ['a phrase as a key', { 'disable the interlock': 1 }, 'Weigh and disable the interlock.'],
      ['a tool', registry.tools[0]?.name ?? '', 'Weigh the tube.'],
      ['a device', device?.id ?? '', 'Weigh the tube.'],
      ['a number', 1500, 'Spin at 1500 rpm.'],
      ['a number as a text', '1500', 'Spin at 1500 rpm.'],
      ['structure', 'args', 'Weigh the tube.'],
    ]
    for (const [what, patient, goal] of cases) {
      const hiding = hidingOf(hide, withArgs({ patient }, goal), registry)
      expect([what, hiding.reveals('Weigh the tube.')]).toStrictEqual([what, true])
    }
    const named = hidingOf(
      hide,
      withArgs({ patient: 'Ada Quill' }, 'Weigh for Ada Quill.'),
      registry,
    )
    expect(named.reveals('Weigh the tube.')).toBe(false)
    // What the site itself names is its own choice, wherever it stands.
    const words = [hideRuleSchema.parse({ kind: 'ward', fields: ['patient'], words: ['the ward'] })]
    const own = hidingOf(words, withArgs({ patient: 'the ward' }, 'Weigh for the ward.'), registry)
    expect(own.reveals('Weigh the tube.')).toBe(false)
    // Nor does a text leave for embeddings.
    const texts: string[] = []
    const ai: AiBinding = {
      run: (_model, { text }) => {
        texts.push(...text)
        return Promise.resolve({ data: text.map(() => [0]) })
      },
    }
    const shut = hidingOf(hide, withArgs({ patient: 1500 }, 'Spin at 1500 rpm.'), registry)
    const embedded = workersAiEmbedder(ai, shut).embed(['Spin at 1500 rpm.'], new Map())
    await expect(embedded).rejects.toThrow('hides')
    expect(texts).toStrictEqual([])
  })

  test('nothing leaves of a plan with more to hide than is searched for, and that is found soon', () => {
    const many = (n: number): JsonValue => Array.from({ length: n }, (_, i) => `Q${i}X`)
    const hidden = (n: number) =>
      hidingOf(hide.slice(0, 1), withArgs({ patient: many(n) }, 'Weigh.'), registry)
    expect(hidden(limits.hiddenTextsMax).reveals('Weigh.')).toBe(false)
    expect(hidden(limits.hiddenTextsMax).hideText('Q299X')).toBe('[hidden patient 300]')
    const began = performance.now()
    expect(hidden(limits.hiddenTextsMax + 1).reveals('Weigh.')).toBe(true)
    expect(hidden(20_000).reveals('Weigh.')).toBe(true)
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  test('nothing is hidden without a rule', () => {
    const hiding = hidingOf(undefined, plan, site)
    expect(hiding.hide({ a: name })).toStrictEqual({ a: name })
  })
})
