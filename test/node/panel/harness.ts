// A whole panel over real sockets: the development plans, the demo site, the vendor SDKs and the
// simulator. Rules are silent unless a test lets them speak, so that what the models do is what is seen.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createModelPort, wallClock } from '../../../adapters/models/port.ts'
import { estimateSeat } from '../../../adapters/models/prices.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { requestIdOf, sectionOf } from '../../../lab/local/vendor-sim/read-prompt.ts'
import type { VendorSim } from '../../../lab/local/vendor-sim/server.ts'
import type { SimRequest } from '../../../lab/local/vendor-sim/types.ts'
import { noEvidence } from '../../../protocol/evidence.ts'
import type { Opinion } from '../../../protocol/opinion.ts'
import { planSchema, type Plan } from '../../../protocol/plan.ts'
import { policySchema, type Policy, type PolicyInput } from '../../../protocol/policy.ts'
import { decide, type MachineDecision } from '../../../verify/decide/decide.ts'
import {
  judgePlan,
  type JudgeInput,
  type JudgePorts,
  type JudgeResult,
} from '../../../verify/judge.ts'
import { nothingHidden, type Hiding } from '../../../verify/hide/index.ts'
import type { Knowledge } from '../../../verify/panel/context.ts'
import { calmInput, calmOpinion } from '../decide/arbitraries.ts'

export const { registry } = await loadSite()

type Row = { id: string; label: string; plan: Plan }
const file = path.join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'lab',
  'eval',
  'data',
  'dev-40.v2.jsonl',
)
/** The development plans in their wire form. */
export const devPlans: Row[] = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const row = JSON.parse(line) as Record<string, unknown>
    const { goal, instructions, planner, nodes } = row
    return {
      id: String(row['id']),
      label: String(row['label']),
      plan: planSchema.parse({ goal, instructions, planner, nodes }),
    }
  })

export const plainPlan: Plan = planSchema.parse({
  goal: 'Read the sample and weigh it.',
  instructions: ['Read sample S-1.', 'Weigh the tube.'],
  planner: { id: 'planner-wetlab-01' },
  nodes: [
    {
      id: 'n1',
      tool: 'lims.read_sample',
      args: { sample_id: 'S-1' },
      depends_on: [],
      sandbox: null,
    },
  ],
})

const calm = calmInput('offline')
export const calmFloor = calm.floor

/** Three judges that object to nothing. */
export const calmJudges = (): Opinion[] =>
  ['calm-1', 'calm-2', 'calm-3'].map((name) => calmOpinion(name, 'openai'))

/** 128 random bits, fresh in every call, as in production. */
export const testNonce = (): string => randomBytes(16).toString('hex')

export const knowledge: Knowledge = {
  nodes: [
    {
      id: 'kg:device-1',
      category: 'device',
      title: 'balance',
      text: 'A balance weighs up to 220 g.',
    },
    {
      id: 'kg:hazard-1',
      category: 'hazard',
      title: 'spill',
      text: 'A spill exposes people nearby.',
    },
  ],
  edges: [{ from: 'kg:device-1', to: 'kg:hazard-1', kind: 'has_hazard', derived: false }],
}

/** A live policy with `n` judges over both wires and a chief, all at the simulator. */
export function livePolicy(n: number, more: Partial<PolicyInput> = {}): Policy {
  return policySchema.parse({
    panel: 'live',
    judges: Array.from({ length: n }, (_, i) => ({
      name: `judge-${i + 1}`,
      endpoint: i % 2 === 0 ? 'openai' : 'anthropic',
      model: `sim-${i + 1}`,
    })),
    chief: { name: 'chief', endpoint: 'anthropic', model: 'sim-chief' },
    judge_deadline_ms: 5_000,
    // The plain plan merely reads; three seats are asked all the same, so that there is a panel.
    least_depth: n >= 3 ? 3 : 1,
    ...more,
  })
}

export function portsFor(
  sim: VendorSim,
  policy: Policy,
  more: Partial<JudgePorts> = {},
  hiding: Hiding = nothingHidden,
): JudgePorts {
  return {
    model: createModelPort({
      deployment: Object.fromEntries(
        Object.entries(sim.endpoints()).map(([name, endpoint]) => [
          name,
          { ...endpoint, stream: true },
        ]),
      ),
      policy,
      siteKey: () => null,
      privateHosts: [],
      prices: {},
      fetch: (input, init) => fetch(input, init),
      ai: null,
      gateway: null,
      hiding,
      clock: wallClock,
    }),
    clock: wallClock,
    nonce: testNonce,
    screen: () => true,
    estimate: (seat, chars) => estimateSeat(seat, chars, {}),
    reserve: () => Promise.resolve(true),
    ...more,
  }
}

export function judgeInput(plan: Plan, policy: Policy, more: Partial<JudgeInput> = {}): JudgeInput {
  return {
    plan,
    registry,
    policy,
    bench: { panel: 'models', seats: policy.judges, chief: policy.chief },
    floor: calmFloor,
    evidence: noEvidence,
    steps: [],
    memory: [],
    window: [],
    grounding: { degraded: null, nodes: [], findings: [] },
    knowledge,
    done: [],
    signal: new AbortController().signal,
    ...more,
  }
}

export type Run = {
  input: JudgeInput
  result: JudgeResult
  decided: MachineDecision
  checkpointed: Opinion[]
}

/** Judges and decides one plan at the simulator. */
export async function judgeAndDecide(
  sim: VendorSim,
  input: JudgeInput,
  more: Partial<JudgePorts> = {},
): Promise<Run> {
  const checkpointed: Opinion[] = []
  const result = await judgePlan(portsFor(sim, input.policy, more), input, (opinion) => {
    checkpointed.push(opinion)
  })
  return { input, result, decided: decideOn(input, result), checkpointed }
}

export function decideOn(input: JudgeInput, result: JudgeResult): MachineDecision {
  return decide({
    trace: null,
    floor: input.floor,
    grounding: input.grounding,
    evidence: input.evidence,
    memory: input.memory,
    policy: input.policy,
    opinions: result.opinions,
    chief: result.chief,
    depth: result.depth,
  })
}

export const isChief = (request: SimRequest): boolean =>
  sectionOf(request.prompt, 'CLAIMS') !== null

type Change = {
  verdict?: string
  findings?: object[]
  answers?: object[]
  reasoning?: string[]
  classification?: string
}

/** An answer that accepts, or what `change` makes of it, for either role. */
export function calmAnswer(request: SimRequest, change: Change = {}): string {
  const id = requestIdOf(request.prompt)
  if (!isChief(request)) {
    return JSON.stringify({
      request: id,
      verdict: change.verdict ?? 'accept',
      confidence: 0.9,
      concern: change.verdict === undefined ? 'none' : 'safety',
      findings: change.findings ?? [],
      answers: change.answers ?? [],
      reasoning: change.reasoning ?? ['every step is known and within its limits'],
    })
  }
  const claims = JSON.parse(sectionOf(request.prompt, 'CLAIMS') ?? '{}') as {
    judges: { judge: string }[]
  }
  return JSON.stringify({
    request: id,
    verdict: change.verdict ?? 'accept',
    classification: change.classification ?? 'none',
    weights: claims.judges.map(({ judge }) => ({ judge, weight: 1 })),
    reasons: change.reasoning ?? ['the judges agree'],
  })
}

/** A severe finding with substance at the first instruction. */
export const severeFinding = {
  code: 'JUDGE_PHYSICAL_RISK',
  concern: 'safety',
  at: '/instructions/0',
  severity: 'high',
  likelihood: 0.9,
  claim: 'a guard is open while a person is inside',
  cites: ['rule:POL-01'],
}
