// The decision: one total pure function from the recorded facts to a verdict. It is never below the
// floor; a missing, late or malformed judge pushes towards `escalate`; evidence of risk only raises
// (invariants 3 and 4). Everything it reads is in the packet, so it can be run again (invariant 8).
import type { Floor } from '../../protocol/finding.ts'
import type { MemoryMatch } from '../../protocol/memory.ts'
import type { ChiefOpinion, Opinion } from '../../protocol/opinion.ts'
import type { Policy } from '../../protocol/policy.ts'
import {
  decisionReasonSchema,
  type DecisionReason,
  type Depth,
  type groundingRecordSchema,
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
import type { z } from 'zod'
import { classify } from './classify.ts'
import { offlineDepthMax } from './depth.ts'
import { demandOf, riskHeld } from './evidence.ts'
import { tailRisk } from './tail.ts'

export type Grounding = z.infer<typeof groundingRecordSchema>

/** The parts of the policy that decide; the rest does not matter here. */
export type DecidePolicy = Pick<Policy, 'panel' | 'judges' | 'risk_budget' | 'least_depth'>

export type DecideInput = {
  readonly floor: Floor
  /** null: the knowledge store was down (or the floor blocked before it was asked). */
  readonly grounding: Grounding | null
  readonly opinions: readonly Opinion[]
  readonly chief: ChiefOpinion | null
  readonly memory: readonly MemoryMatch[]
  readonly depth: Depth
  readonly policy: DecidePolicy
}

export type MachineDecision = {
  readonly verdict: Verdict
  /** Distinct, most restrictive first. */
  readonly reasons: DecisionReason[]
  readonly classification: Concern
}

/** Fewer judges than this may accept only plans that merely read. */
export const judgesForActuation = 3

type Doubts = Map<DecisionReason, Verdict>

function floorDoubts(input: DecideInput, doubts: Doubts): void {
  let level: FloorLevel = input.floor.level
  for (const f of input.floor.findings) level = worseLevel(level, f.effect)
  const verdict = floorVerdict(level)
  if (verdict === 'reject') doubts.set('floor_block', 'reject')
  if (verdict === 'escalate') doubts.set('floor_flag', 'escalate')
  for (const f of input.grounding?.findings ?? []) {
    const raised = floorVerdict(f.effect)
    if (raised === 'reject') doubts.set('floor_block', 'reject')
    else if (raised === 'escalate') doubts.set('knowledge_finding', 'escalate')
  }
}

function panelDoubts(input: DecideInput, doubts: Doubts): void {
  const { opinions, policy, depth } = input
  const answered = new Set<string>()
  const models = new Set<string>()
  for (const o of opinions) {
    const demand = demandOf(o)
    if (demand.reason !== 'none') doubts.set(demand.reason, demand.verdict)
    if (o.outcome !== 'answered') continue
    answered.add(o.judge)
    if (o.vendor !== 'offline') models.add(o.judge)
  }
  if (depth.expected.length === 0 || depth.expected.some((name) => !answered.has(name))) {
    doubts.set('judge_missing', 'escalate')
  }
  const live = policy.panel === 'live'
  if (live && models.size === 0) doubts.set('panel_outage', 'escalate')
  const counted = live ? models.size : answered.size
  if (counted < judgesForActuation && !(depth.reads_only && counted > 0)) {
    doubts.set('too_few_judges', 'escalate')
  }
  const offlineReach = counted >= judgesForActuation ? offlineDepthMax : counted
  const reach = live ? counted : offlineReach
  const required = Math.max(depth.required, policy.least_depth)
  if (depth.short !== null || reach < required) doubts.set('depth_short', 'escalate')
  const { alpha, cvar_max } = policy.risk_budget
  const risks = opinions.filter((o) => o.outcome === 'answered').map(riskHeld)
  if (tailRisk(risks, alpha) > cvar_max) doubts.set('tail_risk', 'escalate')
}

function chiefDoubts(input: DecideInput, doubts: Doubts): void {
  const { chief, policy } = input
  const missing =
    chief === null ||
    chief.outcome !== 'answered' ||
    // In `live` a rule-based chief is no substitute for the one that policy names.
    (policy.panel === 'live' && chief.vendor === 'offline')
  if (missing) doubts.set('chief_missing', 'escalate')
  if (chief === null) return
  if (chief.outcome !== 'answered') return
  if (chief.verdict === 'reject') doubts.set('chief_reject', 'reject')
  if (chief.verdict === 'escalate') doubts.set('chief_escalate', 'escalate')
}

/**
 * The machine's verdict. Reject: the floor blocks, a judge flags a high risk with substance, or the
 * chief rejects. Accept: nothing at all speaks against it, every expected judge and the chief
 * accept, the depth was reached, the knowledge store answered and no memory matches. Else escalate.
 */
export function decide(input: DecideInput): MachineDecision {
  const doubts: Doubts = new Map()
  floorDoubts(input, doubts)
  // After a block no model is called: what is absent then is no reason of its own.
  if (!doubts.has('floor_block') || input.opinions.length > 0) {
    panelDoubts(input, doubts)
    chiefDoubts(input, doubts)
    if (input.grounding === null) doubts.set('knowledge_down', 'escalate')
    if (input.depth.short === 'judging_failed') doubts.set('judging_failed', 'escalate')
  }
  if (input.memory.some((m) => m.effect === 'escalates')) doubts.set('memory_match', 'escalate')
  let verdict: Verdict = 'accept'
  for (const raised of doubts.values()) verdict = worse(verdict, raised)
  const accepted = verdict === 'accept'
  const findings = [...input.floor.findings, ...(input.grounding?.findings ?? [])]
  return {
    verdict,
    reasons: accepted
      ? ['all_accept']
      : decisionReasonSchema.options.filter((reason) => doubts.has(reason)),
    classification: classify({
      findings,
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
  return decide({
    floor: packet.floor,
    grounding: packet.grounding,
    opinions: packet.opinions,
    chief: packet.chief,
    memory: packet.memory,
    depth: packet.depth,
    policy,
  })
}
