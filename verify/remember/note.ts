// What is remembered of an outcome, and for whom it counts. Outages and transport errors never
// become memory; what only models refused counts for its own planner until a person confirms it, so
// that nobody can poison another's protocol.
import { windowCodes } from '../../protocol/codes/window.ts'
import type { Finding } from '../../protocol/finding.ts'
import type { Opinion } from '../../protocol/opinion.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { DecisionReason, Packet } from '../../protocol/records.ts'
import type { TerminationReason } from '../../protocol/reasons.ts'
import type { Registry } from '../../protocol/registry.ts'
import { floorVerdict } from '../../protocol/verdict.ts'
import { culpritFeatures, planFeatures, wordingCannotHide, type Linked } from './features.ts'

export type MemoryBasis = 'floor' | 'person' | 'execution' | 'models'

export type MemoryNote = {
  /** `failure` is remembered against plans, `precedent` is a person's approval of an exact plan. */
  readonly kind: 'failure' | 'precedent'
  /** Stable per plan and event: writing it again changes nothing. */
  readonly id: string
  readonly event: 'decision' | 'review' | 'session'
  readonly site: string
  readonly plan: string
  readonly plan_digest: string
  readonly planner: string
  readonly owner: string
  readonly policy_version: string
  readonly basis: MemoryBasis
  readonly codes: readonly string[]
  readonly features: readonly string[]
  readonly culprits: readonly string[]
  /**
   * True when rules found all that was wrong, in arguments that no wording can hide: a plan without
   * these codes is then known not to repeat it.
   */
  readonly exact: boolean
  /** The version before this one, if it named one. */
  readonly supersedes: string | null
  readonly at_ms: number
  readonly expires_ms: number
}

/** How long a failure is remembered: a quarter, the usual period of a safety review. */
export const memoryLifeMs = 90 * 86_400_000

/** Reasons that tell of an outage or of the cell, not of the plan. */
const outages: ReadonlySet<DecisionReason> = new Set([
  'judging_failed',
  'judge_missing',
  'chief_missing',
  'knowledge_down',
  'panel_outage',
  'depth_short',
  'state_changed',
  // What a standing approval does not cover is no fault of the plan: a person may accept it as it is.
  'standing_misfit',
  'standing_look',
])

/** Ends of a session that tell of the run's transport or of people, not of the plan. */
const executionFailures: ReadonlySet<TerminationReason> = new Set(['node_failed', 'node_unknown'])

/** Codes that speak of who submitted or of its text, not of what the nodes do. */
export const planCodesOfPlanner: ReadonlySet<string> = new Set([
  'CAPABILITY_MISSING',
  'PLANNER_UNKNOWN',
  'NAME_NOT_CANONICAL',
  'SANDBOX_NOT_OPERABLE',
  'SERVER_NOT_OPERABLE',
  'INJECTION_WARNING',
  'INJECTION_ADVISORY',
  'INJECTION_LIMIT',
  'MEMORY_MATCH',
  'MEMORY_RESOLVED_LINEAGE',
  'FINDINGS_TRUNCATED',
  // The long-window monitor speaks of a planner's history.
  ...Object.keys(windowCodes),
])

export type OutcomeFacts = {
  readonly site: string
  readonly plan_id: string
  readonly plan: Plan
  readonly plan_digest: string
  readonly planner: string
  readonly owner: string
  readonly registry: Registry
  readonly linked: Linked
  readonly packet: Packet
  readonly now_ms: number
}

type Place = { code: string; at: string }

const raising = (findings: readonly Finding[]): Place[] =>
  findings.filter((found) => floorVerdict(found.effect) !== 'accept')

/** What rules found: breaches, unknowns and doubts alike asked for a person or refused. */
const ruled = ({ evidence }: Packet): Place[] => [
  ...evidence.breaches,
  ...evidence.unknowns,
  ...evidence.doubts.map(({ code, subject }) => ({ code, at: subject })),
]

const held = (opinions: readonly Opinion[]): Place[] =>
  opinions
    .filter((opinion) => opinion.outcome === 'answered' && opinion.verdict !== 'accept')
    .flatMap((opinion) => opinion.findings)

function base(facts: OutcomeFacts) {
  return {
    site: facts.site,
    plan: facts.plan_id,
    plan_digest: facts.plan_digest,
    planner: facts.planner,
    owner: facts.owner,
    policy_version: facts.packet.policy_version,
    supersedes: facts.plan.supersedes ?? null,
    at_ms: facts.now_ms,
    expires_ms: facts.now_ms + memoryLifeMs,
    features: planFeatures(facts.plan, facts),
  }
}

/** The memory of a verdict, or null when there is nothing of the plan to remember. */
export function noteOfDecision(
  facts: OutcomeFacts,
  decision: { verdict: string; reasons: readonly DecisionReason[]; by_person: boolean },
): MemoryNote | null {
  const { packet } = facts
  if (decision.verdict === 'accept') {
    if (!decision.by_person) return null
    return {
      ...base(facts),
      kind: 'precedent',
      id: `precedent:${facts.plan_id}`,
      event: 'review',
      basis: 'person',
      codes: [],
      culprits: [],
      exact: false,
    }
  }
  const reasons = decision.reasons.filter((reason) => !outages.has(reason))
  const onlyMemory = reasons.every((reason) => reason === 'memory_match')
  if (reasons.length === 0 || onlyMemory || decision.reasons.includes('review_expired')) return null
  const floorPlaces = [
    ...raising(packet.floor.findings),
    ...raising(packet.grounding?.findings ?? []),
  ]
  const places = [...floorPlaces, ...ruled(packet), ...held(packet.opinions)]
  const byFloor = floorPlaces.length > 0
  const pointers = places.map((place) => place.at)
  const ofContent = places.filter((place) => !planCodesOfPlanner.has(place.code))
  const byRules = packet.opinions.length === 0
  return {
    ...base(facts),
    kind: 'failure',
    id: `failure:${facts.plan_id}`,
    event: decision.by_person ? 'review' : 'decision',
    basis: decision.by_person ? 'person' : byFloor ? 'floor' : 'models',
    codes: [...new Set(places.map((place) => place.code))].slice(0, 20),
    culprits: culpritFeatures(facts.plan, pointers, facts),
    // A person may have had other reasons than the rules.
    exact:
      byRules &&
      !decision.by_person &&
      ofContent.length > 0 &&
      wordingCannotHide(
        facts.plan,
        ofContent.map((place) => place.at),
        facts.registry,
      ),
  }
}

/** The memory of a run that failed in a node or whose outcome is unknown. */
export function noteOfSession(
  facts: OutcomeFacts,
  end: { reason: TerminationReason | null; node: string | null },
): MemoryNote | null {
  if (end.node === null || end.reason === null) return null
  if (!executionFailures.has(end.reason)) return null
  const index = facts.plan.nodes.findIndex((node) => node.id === end.node)
  return {
    ...base(facts),
    kind: 'failure',
    id: `failure:${facts.plan_id}:run`,
    event: 'session',
    basis: 'execution',
    codes: [end.reason === 'node_failed' ? 'EXECUTION_FAILED' : 'EXECUTION_UNKNOWN'],
    exact: false,
    culprits: index < 0 ? [] : culpritFeatures(facts.plan, [`/nodes/${index}`], facts),
  }
}
