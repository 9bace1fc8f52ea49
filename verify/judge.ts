// The probabilistic half in one call: depth, rule-based judges, panel, chief. It gives everything
// that the packet needs and decides nothing; `decide` does, from the packet alone.
import type { Floor } from '../protocol/finding.ts'
import type { MemoryMatch } from '../protocol/memory.ts'
import type { ChiefOpinion, Opinion } from '../protocol/opinion.ts'
import type { Plan } from '../protocol/plan.ts'
import type { ModelSeat, Policy } from '../protocol/policy.ts'
import type { Depth } from '../protocol/records.ts'
import type { Registry } from '../protocol/registry.ts'
import type { WindowEntry } from '../protocol/snapshot.ts'
import type { Verdict } from '../protocol/verdict.ts'
import type { ClaimScreen } from './chief/input.ts'
import { runChief } from './chief/run.ts'
import { decide, type Grounding } from './decide/decide.ts'
import { leastDepth, planDepth, readsOnly, type SeatEstimate } from './decide/depth.ts'
import { fixesRejection } from './decide/evidence.ts'
import { noKnowledge, type Knowledge } from './panel/context.ts'
import { noUsage, type Clock, type ModelPort } from './panel/port.ts'
import { judgePrompt } from './panel/prompts.ts'
import { runPanel } from './panel/run.ts'
import { opinionOf } from './panel/samples.ts'

export type JudgePorts = {
  /** The rule-based chief: pure, always at hand. */
  readonly ruleChief: (opinions: readonly Opinion[]) => ChiefOpinion
  readonly model: ModelPort
  readonly clock: Clock
  /** Fresh random text of at least 120 bits (a-z, 0-9) for a label; unknown to planners. */
  readonly nonce: (label: string) => string
  /** True when a text passes the injection screen and may be shown to the chief. */
  readonly screen: ClaimScreen
  /** What a seat is expected to cost and take for a prompt of that many characters. */
  readonly estimate: (seat: ModelSeat, promptChars: number) => SeatEstimate
}

export type JudgeInput = {
  readonly plan: Plan
  readonly registry: Registry
  readonly policy: Policy
  readonly floor: Floor
  readonly memory: readonly MemoryMatch[]
  readonly window: readonly WindowEntry[]
  /** What the rule-based judges said of this very plan: they are pure and were asked before. */
  readonly rules: readonly Opinion[]
  /** null when the knowledge store was down; the plan can then not be accepted. */
  readonly grounding: Grounding | null
  /** The text behind the grounding's ids. */
  readonly knowledge: Knowledge | null
  /** Opinions that an earlier run of the same plan has recorded. */
  readonly done: readonly Opinion[]
  readonly signal: AbortSignal
  /** False lets every judge finish although a rejection is certain; for replays. True by default. */
  readonly earlyStop?: boolean
  /** True asks every judge and the chief although a rejection is certain; for experiments. */
  readonly askAll?: boolean
}

export type JudgeResult = {
  readonly opinions: Opinion[]
  readonly chief: ChiefOpinion | null
  readonly depth: Depth
  /** Every graph id that something in the record rests on. */
  readonly citations: string[]
}

/** Share of a latency budget that judges may use; the rest is the chief's. */
const judgeShare = 0.7

function chiefNotAsked(seat: ModelSeat, model: ModelPort, why: string): ChiefOpinion {
  return {
    seat: seat.name,
    vendor: model.wireOf(seat.endpoint) ?? 'openai',
    model: seat.model,
    outcome: 'cancelled',
    failure: why,
    verdict: 'escalate',
    classification: 'none',
    weights: {},
    reasons: [],
    input_digest: '',
    usage: { ...noUsage },
    ms: 0,
  }
}

function citationsOf(input: JudgeInput, opinions: readonly Opinion[]): string[] {
  const ids = new Set<string>()
  const findings = [...input.floor.findings, ...(input.grounding?.findings ?? [])]
  for (const f of findings) for (const id of f.kg) ids.add(id)
  for (const o of opinions) {
    for (const f of o.findings) if (f.substantiated) for (const id of f.cites) ids.add(id)
  }
  return [...ids].sort().slice(0, 500)
}

async function askModels(
  ports: JudgePorts,
  input: JudgeInput,
  asked: readonly ModelSeat[],
  more: {
    readonly prompt: ReturnType<typeof judgePrompt>
    readonly done: readonly Opinion[]
    readonly checkpoint: (opinion: Opinion) => Promise<void> | void
  },
): Promise<Opinion[]> {
  const { policy } = input
  if (!more.prompt.ok) {
    const failure = more.prompt.error
    const opinions = asked.map((seat) =>
      opinionOf(
        seat,
        ports.model.wireOf(seat.endpoint) ?? 'openai',
        [{ outcome: 'failed', failure, usage: noUsage }],
        0,
      ),
    )
    for (const opinion of opinions) await more.checkpoint(opinion)
    return opinions
  }
  const budget = policy.budget.latency_ms
  return runPanel({
    seats: asked,
    prompt: more.prompt.value,
    context: { plan: input.plan, citable: more.prompt.value.citable },
    model: ports.model,
    clock: ports.clock,
    deadlineMs: Math.min(
      policy.judge_deadline_ms,
      budget === null ? Infinity : budget * judgeShare,
    ),
    nonce: ports.nonce,
    done: more.done,
    checkpoint: more.checkpoint,
    signal: input.signal,
    earlyStop: input.askAll !== true && (input.earlyStop ?? true),
  })
}

async function askChief(
  ports: JudgePorts,
  input: JudgeInput,
  judged: {
    readonly opinions: readonly Opinion[]
    readonly depth: Depth
    readonly spentMs: number
  },
): Promise<ChiefOpinion | null> {
  const { policy } = input
  const { opinions, depth } = judged
  const seat = policy.chief
  if (seat === null) return null
  if (input.askAll !== true && opinions.some(fixesRejection))
    return chiefNotAsked(seat, ports.model, 'early_stop')
  const answered = opinions.some((o) => o.vendor !== 'offline' && o.outcome === 'answered')
  if (!answered) return chiefNotAsked(seat, ports.model, 'panel_outage')
  const budget = policy.budget.latency_ms
  const left = budget === null ? Infinity : Math.max(0, budget - judged.spentMs)
  return runChief({
    seat,
    promptVersion: policy.prompt_version,
    source: {
      plan: input.plan,
      registry: input.registry,
      knowledge: input.knowledge ?? noKnowledge,
      floor: input.floor,
      memory: input.memory,
      opinions,
      panelVerdict: withoutChief(input, opinions, depth),
      screen: ports.screen,
    },
    model: ports.model,
    clock: ports.clock,
    deadlineMs: Math.min(policy.judge_deadline_ms, left),
    nonce: ports.nonce,
    signal: input.signal,
  })
}

/** What the rule over the panel gives by itself, which the chief can only raise. */
function withoutChief(input: JudgeInput, opinions: readonly Opinion[], depth: Depth): Verdict {
  const { floor, grounding, memory, policy } = input
  const ruled = decide({ floor, grounding, opinions, chief: null, memory, depth, policy })
  return ruled.reasons.every((reason) => reason === 'chief_missing') ? 'accept' : ruled.verdict
}

/**
 * Judges one plan. In `offline` the rule-based judges and chief are all there is; in `live` they are
 * three more voices that can object, and neither they nor an outage can accept. Each new opinion is
 * handed to `checkpoint`, which must make it durable; `done` brings back those of an earlier run.
 */
export async function judgePlan(
  ports: JudgePorts,
  input: JudgeInput,
  checkpoint: (opinion: Opinion) => Promise<void> | void,
): Promise<JudgeResult> {
  const { plan, registry, policy, floor, memory, rules, done } = input
  const live = policy.panel === 'live'
  const started = ports.clock.nowMs()
  const knowledge = input.knowledge ?? noKnowledge
  const prompt = judgePrompt({
    version: policy.prompt_version,
    plan,
    registry,
    floor,
    memory,
    knowledge,
    delimiter: ports.nonce('delimiter/panel'),
  })
  const chars = prompt.ok
    ? prompt.value.system.length + prompt.value.parts.reduce((sum, p) => sum + p.text.length, 0)
    : 0
  let depth = planDepth({
    least: leastDepth({ plan, registry, floor, memory, policy, window: input.window }),
    readsOnly: readsOnly(plan, registry),
    panel: policy.panel,
    budget: policy.budget,
    seats: live ? policy.judges.map((seat) => ports.estimate(seat, chars)) : [],
    chief: live && policy.chief !== null ? ports.estimate(policy.chief, chars) : null,
    offlineJudges: rules.map((opinion) => opinion.judge),
  })
  const known = new Set(done.map((opinion) => opinion.judge))
  for (const opinion of rules) if (!known.has(opinion.judge)) await checkpoint(opinion)
  if (!live) {
    const chief = ports.ruleChief(rules)
    return { opinions: [...rules], chief, depth, citations: citationsOf(input, rules) }
  }
  const asked = policy.judges.slice(0, depth.seats)
  const models = await askModels(ports, input, asked, {
    prompt,
    done: [...rules, ...done],
    checkpoint,
  })
  const opinions = [...rules, ...models]
  if (models.some((o) => o.outcome === 'cancelled')) {
    depth = { ...depth, short: depth.short ?? 'early_stop' }
  }
  const spentMs = ports.clock.nowMs() - started
  const chief = await askChief(ports, input, { opinions, depth, spentMs })
  return { opinions, chief, depth, citations: citationsOf(input, opinions) }
}
