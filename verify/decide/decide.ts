// The decision: one total pure function from the record to a verdict. Facts bind; what is not known
// waits for a person; only what was read in words is for models, and only all of them together settle
// it. Everything it reads is in the packet, so it can be run again (invariants 3, 4 and 8).
import type { z } from 'zod'
import type { Evidence } from '../../protocol/evidence.ts'
import type { Floor } from '../../protocol/finding.ts'
import type { groundingRecordSchema } from '../../protocol/grounding-record.ts'
import type { MemoryMatch } from '../../protocol/memory.ts'
import type { ChiefOpinion, Opinion } from '../../protocol/opinion.ts'
import type { Policy } from '../../protocol/policy.ts'
import {
  decisionReasonSchema,
  type DecisionReason,
  type Depth,
  type Packet,
} from '../../protocol/records.ts'
import {
  floorVerdict,
  worse,
  worseLevel,
  type Concern,
  type FloorLevel,
  type Verdict,
} from '../../protocol/verdict.ts'
import { classify } from './classify.ts'
import { rulesDepthMax } from './depth.ts'
import { openDoubts } from './doubts.ts'
import { majorityRejects, objections, rejectingSeats, vetoRejects } from './votes.ts'

export type Grounding = z.infer<typeof groundingRecordSchema>

/** The parts of the policy that decide; the rest does not matter here. */
export type DecidePolicy = Pick<Policy, 'panel' | 'votes' | 'least_depth'>

export type DecideInput = {
  readonly floor: Floor
  /** null: the knowledge store was down (or the floor blocked before it was asked). */
  readonly grounding: Grounding | null
  readonly evidence: Evidence
  /** Of model seats; rules have no vote. */
  readonly opinions: readonly Opinion[]
  readonly chief: ChiefOpinion | null
  readonly memory: readonly MemoryMatch[]
  readonly depth: Depth
  /** The dry run that is shown; null when none was made. */
  readonly trace: Packet['trace']
  /** The standing approval that the plan is a run of; left out or undefined for every other plan. */
  readonly standing?: Packet['standing']
  readonly policy: DecidePolicy
}

export type MachineDecision = {
  readonly verdict: Verdict
  /** Distinct, most restrictive first. */
  readonly reasons: DecisionReason[]
  readonly classification: Concern
}

type Raised = Map<DecisionReason, Verdict>

/** Who judges: a policy that names one kind of panel is not overruled by what was recorded. */
export function panelOf(
  policy: Pick<Policy, 'panel'>,
  depth: Pick<Depth, 'panel'>,
): Depth['panel'] {
  if (policy.panel === 'offline') return 'rules'
  return policy.panel === 'live' ? 'models' : depth.panel
}

/**
 * A run that a standing approval covers: what was found was shown to its approvers. What they cannot have
 * seen stands against it as ever: a block, a memory, a store that is down, another cell than it was judged for.
 */
function underStanding(input: DecideInput, { look }: { look: boolean }): Raised {
  const raised: Raised = new Map()
  if (input.floor.level === 'block') raised.set('floor_block', 'reject')
  if (input.evidence.breaches.some(({ verdict }) => verdict === 'reject')) {
    raised.set('breach_reject', 'reject')
  }
  if ((input.trace?.changed.length ?? 0) > 0) raised.set('state_changed', 'escalate')
  if (look) raised.set('standing_look', 'escalate')
  if (input.memory.some((m) => m.effect === 'escalates')) raised.set('memory_match', 'escalate')
  if (input.trace === null) raised.set('unknown', 'escalate')
  if (input.grounding === null) raised.set('knowledge_down', 'escalate')
  return raised
}

/** Whether a standing approval covers the plan, by what its packet says of it. */
export const coveredBy = ({
  refused,
  differences,
  nth,
}: NonNullable<Packet['standing']>): boolean =>
  refused === null && differences.length === 0 && nth !== null

/** Floor, graph, rules and memory: what binds in every mode. */
function facts(input: DecideInput, raised: Raised): void {
  let level: FloorLevel = input.floor.level
  for (const f of input.floor.findings) level = worseLevel(level, f.effect)
  const verdict = floorVerdict(level)
  if (verdict === 'reject') raised.set('floor_block', 'reject')
  if (verdict === 'escalate') raised.set('floor_flag', 'escalate')
  for (const f of input.grounding?.findings ?? []) {
    const found = floorVerdict(f.effect)
    if (found === 'reject') raised.set('floor_block', 'reject')
    else if (found === 'escalate') raised.set('knowledge_finding', 'escalate')
  }
  for (const breach of input.evidence.breaches) {
    if (breach.verdict === 'reject') raised.set('breach_reject', 'reject')
    else raised.set('breach_flag', 'escalate')
  }
  if (input.evidence.unknowns.length > 0) raised.set('unknown', 'escalate')
  // Decided once for another state of the cell: whoever lets it run sees the difference first.
  if ((input.trace?.changed.length ?? 0) > 0) raised.set('state_changed', 'escalate')
  if (input.memory.some((m) => m.effect === 'escalates')) raised.set('memory_match', 'escalate')
}

function doubts(input: DecideInput, panel: Depth['panel'], raised: Raised): void {
  const expected = panel === 'models' ? input.depth.expected : []
  const { votes } = input.policy
  const { open, unasked } = openDoubts(input.evidence.doubts, input.opinions, expected, votes)
  if (open.length > 0) raised.set('doubt_open', 'escalate')
  if (unasked.length > 0) raised.set('doubts_unasked', 'escalate')
}

function depthReached(input: DecideInput, panel: Depth['panel'], raised: Raised): void {
  const { depth, policy } = input
  const required = Math.max(depth.required, policy.least_depth)
  // Rules say the same however often they are asked: what needs seven opinions needs a person.
  const reach = panel === 'rules' ? rulesDepthMax : new Set(depth.expected).size
  if (depth.short !== null || reach < required) raised.set('depth_short', 'escalate')
}

function models(input: DecideInput, raised: Raised): void {
  const { opinions, chief, depth } = input
  const { votes } = input.policy
  if (majorityRejects(opinions, depth.expected, votes)) raised.set('panel_reject', 'reject')
  if (vetoRejects(opinions, votes)) raised.set('veto_reject', 'reject')
  for (const objection of objections(opinions, depth.expected)) raised.set(objection, 'escalate')
  if (!opinions.some((o) => o.outcome === 'answered')) raised.set('panel_outage', 'escalate')
  if (chief?.outcome !== 'answered') raised.set('chief_missing', 'escalate')
  else if (chief.verdict === 'escalate') raised.set('chief_escalate', 'escalate')
  else if (chief.verdict === 'reject') {
    // The chief never saw the plan: alone it can ask for a person, not refuse.
    if (rejectingSeats(opinions, votes).size > 0) raised.set('chief_reject', 'reject')
    else raised.set('chief_reject_alone', 'escalate')
  }
  // A rejection that carried is not alone.
  if ([...raised.values()].includes('reject')) raised.delete('judge_reject_alone')
}

/**
 * The machine's verdict.
 *
 * Reject: a rejecting fact, a majority of the expected seats with substance, a veto, or the chief
 * together with a seat. Accept: no fact, no unknown, no open doubt, and, where models judge, every
 * expected seat and the chief accept. Escalate: everything else.
 */
export function decide(input: DecideInput): MachineDecision {
  const { standing } = input
  if (standing !== undefined && coveredBy(standing)) {
    return concluded(input, underStanding(input, standing), 'standing_approval')
  }
  const raised: Raised = new Map()
  const panel = panelOf(input.policy, input.depth)
  facts(input, raised)
  // Asked for as a run of what people approved, and it is something else: a person looks at it.
  if (standing !== undefined) raised.set('standing_misfit', 'escalate')
  const refused = [...raised.values()].includes('reject')
  // After a refusal by facts nobody is asked: what is absent then is no reason of its own.
  if (!refused || input.opinions.length > 0) {
    doubts(input, panel, raised)
    depthReached(input, panel, raised)
    // What models said counts whoever was to judge: evidence of risk is never dropped.
    if (panel === 'models' || input.opinions.length > 0) models(input, raised)
    if (input.grounding === null) raised.set('knowledge_down', 'escalate')
    if (input.depth.short === 'judging_failed') raised.set('judging_failed', 'escalate')
  }
  return concluded(input, raised, 'all_accept')
}

/** The worst of what was raised; `otherwise` is the reason of an acceptance. */
function concluded(
  input: DecideInput,
  raised: Raised,
  otherwise: 'all_accept' | 'standing_approval',
): MachineDecision {
  let verdict: Verdict = 'accept'
  for (const one of raised.values()) verdict = worse(verdict, one)
  const accepted = verdict === 'accept'
  return {
    verdict,
    reasons: accepted
      ? [otherwise]
      : decisionReasonSchema.options.filter((reason) => raised.has(reason)),
    classification: classify({
      findings: [...input.floor.findings, ...(input.grounding?.findings ?? [])],
      evidence: input.evidence,
      opinions: input.opinions,
      chief: input.chief,
      accepted,
    }),
  }
}

/**
 * The machine's verdict again, from the stored packet and the policy whose digest it names
 * (invariant 8). The caller checks the digests.
 */
export function rederive(packet: Packet, policy: DecidePolicy): MachineDecision {
  const { floor, grounding, evidence, opinions, chief, memory, depth, trace, standing } = packet
  const found = { floor, grounding, evidence, opinions, chief, memory, depth, trace }
  return decide({ ...found, policy, ...(standing === undefined ? {} : { standing }) })
}
