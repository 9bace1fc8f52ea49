// The probabilistic half in one call: depth, panel, chief. It gives everything that the packet needs
// and decides nothing; `decide` does, from the packet alone. Rules spoke before: their evidence is
// handed in, and what they refuse is not asked about again.
import { digest } from '../protocol/digest.ts'
import type { Evidence } from '../protocol/evidence.ts'
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
import { rejectionFixed } from './decide/votes.ts'
import { hidingOf } from './hide/index.ts'
import { noKnowledge, type Knowledge } from './panel/context.ts'
import { noUsage, type Clock, type ModelPort } from './panel/port.ts'
import { charsPerToken, judgePrompt } from './panel/prompts.ts'
import { runPanel } from './panel/run.ts'
import { opinionOf } from './panel/samples.ts'

export type JudgePorts = {
  readonly model: ModelPort
  readonly clock: Clock
  /** Fresh random text of at least 120 bits (a-z, 0-9) for a label; unknown to planners. */
  readonly nonce: (label: string) => string
  /** True when a text passes the injection screen and may be shown to the chief. */
  readonly screen: ClaimScreen
  /** What a seat is expected to cost and take for a prompt of that many characters. */
  readonly estimate: (seat: ModelSeat, promptChars: number) => SeatEstimate
  /**
   * Sets aside what the seats may cost at most (US dollars; null when a price is not known) from what
   * the site may spend today. False: it is spent, and nobody is asked.
   */
  readonly reserve: (cost_usd: number | null) => Promise<boolean>
}

/** Who judges, with `auto` resolved: rules alone, or these seats in this order. */
export type Bench = {
  readonly panel: Depth['panel']
  readonly seats: readonly ModelSeat[]
  readonly chief: ModelSeat | null
}

/** Rules alone. */
export const noBench: Bench = { panel: 'rules', seats: [], chief: null }

export type JudgeInput = {
  readonly plan: Plan
  readonly registry: Registry
  readonly policy: Policy
  readonly bench: Bench
  readonly floor: Floor
  /** What rules found; [] of everything when none spoke. */
  readonly evidence: Evidence
  /** Sentences of the dry run and facts of its trace; [] when none was made. */
  readonly steps: readonly string[]
  readonly memory: readonly MemoryMatch[]
  readonly window: readonly WindowEntry[]
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
  const reach = model.reach(seat.endpoint, seat.model)
  return {
    seat: seat.name,
    vendor: reach?.vendor ?? 'unknown',
    wire: reach?.wire ?? null,
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
    // A citation that names the plan itself is no id of the graph.
    for (const { citation } of o.answers) {
      if (citation !== null && citation.length <= 120 && !/^(\/|step:|site:)/.test(citation)) {
        ids.add(citation)
      }
    }
  }
  return [...ids].sort().slice(0, 500)
}

/** True when facts alone refuse the plan: no model can lift that, so none is asked. */
function refusedByFacts({ floor, grounding, evidence }: JudgeInput): boolean {
  return (
    evidence.breaches.some((breach) => breach.verdict === 'reject') ||
    [...floor.findings, ...(grounding?.findings ?? [])].some((f) => f.effect === 'block')
  )
}

type Prompt = ReturnType<typeof judgePrompt>

async function askModels(
  ports: JudgePorts,
  input: JudgeInput,
  asked: readonly ModelSeat[],
  more: {
    readonly prompt: Prompt
    readonly depth: Depth
    readonly checkpoint: (opinion: Opinion) => Promise<void> | void
  },
): Promise<Opinion[]> {
  const { policy } = input
  const { prompt, depth, checkpoint } = more
  if (!prompt.ok) {
    const opinions = asked.map((seat) =>
      opinionOf(
        seat,
        ports.model.reach(seat.endpoint, seat.model),
        [{ outcome: 'failed', failure: prompt.error, usage: noUsage }],
        0,
      ),
    )
    for (const opinion of opinions) await checkpoint(opinion)
    return opinions
  }
  const budget = policy.budget.latency_ms
  const early = input.askAll !== true && (input.earlyStop ?? true)
  return runPanel({
    seats: asked,
    prompt: prompt.value,
    model: ports.model,
    clock: ports.clock,
    deadlineMs: Math.min(
      policy.judge_deadline_ms,
      budget === null ? Infinity : budget * judgeShare,
    ),
    nonce: ports.nonce,
    done: input.done,
    checkpoint,
    signal: input.signal,
    fixed: (opinions) => early && rejectionFixed(opinions, depth.expected, policy.votes),
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
  const seat = input.bench.chief
  if (seat === null) return null
  if (input.askAll !== true && rejectionFixed(opinions, depth.expected, policy.votes)) {
    return chiefNotAsked(seat, ports.model, 'early_stop')
  }
  if (!opinions.some((o) => o.outcome === 'answered')) {
    return chiefNotAsked(seat, ports.model, 'panel_outage')
  }
  const budget = policy.budget.latency_ms
  const left = budget === null ? Infinity : Math.max(0, budget - judged.spentMs)
  return runChief({
    seat,
    promptVersion: policy.prompt_version,
    hiding: hidingOf(policy.hide, input.plan, input.registry),
    source: {
      plan: input.plan,
      registry: input.registry,
      knowledge: input.knowledge ?? noKnowledge,
      floor: input.floor,
      memory: input.memory,
      evidence: input.evidence,
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

/** What the panel gives by itself, which the chief can only raise. */
function withoutChief(input: JudgeInput, opinions: readonly Opinion[], depth: Depth): Verdict {
  const { floor, grounding, evidence, memory, policy } = input
  // What differs in the cell is for the person, whatever the panel says of the plan.
  const none = { chief: null, trace: null }
  const ruled = decide({ floor, grounding, evidence, opinions, memory, depth, policy, ...none })
  return ruled.reasons.every((reason) => reason === 'chief_missing') ? 'accept' : ruled.verdict
}

/** The question of known answer stands where the plan and its doubts put it: the same in a replay. */
const seedOf = (plan: Plan, evidence: Evidence): Promise<string> =>
  digest('body', { plan, doubts: evidence.doubts })

/**
 * Judges one plan. Rules alone ask nobody: what they found decides. A panel of models answers what was
 * read in words and can object to everything. Each new opinion is handed to `checkpoint`, which must
 * make it durable; `done` brings back those of an earlier run.
 */
export async function judgePlan(
  ports: JudgePorts,
  input: JudgeInput,
  checkpoint: (opinion: Opinion) => Promise<void> | void,
): Promise<JudgeResult> {
  const { plan, registry, policy, bench, floor, memory, done } = input
  const started = ports.clock.nowMs()
  const evidence = input.evidence
  const prompt = judgePrompt({
    version: policy.prompt_version,
    plan,
    registry,
    floor,
    memory,
    evidence,
    steps: input.steps,
    knowledge: input.knowledge ?? noKnowledge,
    seed: await seedOf(plan, evidence),
    delimiter: ports.nonce('delimiter/panel'),
    hiding: hidingOf(policy.hide, plan, registry),
  })
  const refused = input.askAll !== true && refusedByFacts(input)
  const chars = prompt.ok ? prompt.value.tokens * charsPerToken : 0
  const common = {
    least: leastDepth({ plan, registry, floor, memory, policy, window: input.window }),
    readsOnly: readsOnly(plan, registry),
    panel: bench.panel,
    budget: policy.budget,
    seats: bench.seats.map((seat) => ports.estimate(seat, chars)),
    chief: bench.chief === null ? null : ports.estimate(bench.chief, chars),
  }
  let depth = planDepth({ ...common, dayLeft: true })
  const asks = bench.panel === 'models' && !refused
  if (asks && done.length === 0 && policy.budget.day_usd !== null) {
    const spending = [...common.seats.slice(0, depth.seats), common.chief]
    const cost = spending.reduce<number | null>(
      (sum, seat) => (sum === null || seat?.cost_usd === null ? null : sum + (seat?.cost_usd ?? 0)),
      0,
    )
    if (!(await ports.reserve(cost))) depth = planDepth({ ...common, dayLeft: false })
  }
  if (!asks) {
    return { opinions: [...done], chief: null, depth, citations: citationsOf(input, done) }
  }
  const asked = bench.seats.slice(0, depth.seats)
  const opinions = await askModels(ports, input, asked, { prompt, depth, checkpoint })
  if (opinions.some((o) => o.outcome === 'cancelled')) {
    depth = { ...depth, short: depth.short ?? 'early_stop' }
  }
  const spentMs = ports.clock.nowMs() - started
  const chief = await askChief(ports, input, { opinions, depth, spentMs })
  return { opinions, chief, depth, citations: citationsOf(input, opinions) }
}
