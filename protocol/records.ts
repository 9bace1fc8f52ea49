// The records that digests bind: packet P, decision D, context C (DESIGN: Words on the wire).
// Neither P nor D holds the session id S or the context hash H.
import { z } from 'zod'
import { conversionSchema } from './conversion.ts'
import { evidenceSchema, noEvidence } from './evidence.ts'
import { floorSchema } from './finding.ts'
import { groundingRecordSchema } from './grounding-record.ts'
import { limits } from './limits.ts'
import { memoryMatchSchema } from './memory.ts'
import { chiefOpinionSchema, opinionSchema } from './opinion.ts'
import { packetTraceSchema } from './packet-trace.ts'
import { planSchema } from './plan.ts'
import { digestSchema } from './registry.ts'
import { standingUseSchema } from './standing.ts'
import { verdictSchema } from './verdict.ts'

/** How deep the plan had to be judged and how deep it was. */
export const depthSchema = z.strictObject({
  /** Who judged: `auto` is resolved before anybody is asked. */
  panel: z.enum(['rules', 'models']).default('rules'),
  required: z.int().min(1).max(7),
  seats: z.int().min(0).max(7),
  /** Why the required depth was not reached; null when it was. */
  short: z
    .enum([
      'budget_cost',
      'budget_latency',
      'budget_day',
      'too_few_seats',
      'early_stop',
      'judging_failed',
    ])
    .nullable(),
  /** Every model seat that has to answer, fixed before any was asked; empty where rules judge alone. */
  expected: z.array(z.string().max(60)).max(limits.judgesMax + 3),
  /** True when no node of the plan does more than read (or when it has no node). */
  reads_only: z.boolean(),
})
export type Depth = z.infer<typeof depthSchema>

/** P: exactly what a reviewer sees. A review names its digest; a stale one is answered 409. */
export const packetSchema = z.strictObject({
  plan_digest: digestSchema,
  floor: floorSchema,
  /** null when the floor blocked before grounding, or when the knowledge store was down. */
  grounding: groundingRecordSchema.nullable(),
  depth: depthSchema,
  /** What the dry run showed, from which state: null when no dry run was made. */
  trace: packetTraceSchema.nullable().default(null),
  /** What rules found: breaches, unknowns and doubts. */
  evidence: evidenceSchema.default(noEvidence),
  opinions: z.array(opinionSchema).max(limits.judgesMax + 3),
  chief: chiefOpinionSchema.nullable(),
  citations: z.array(z.string().max(120)).max(500),
  memory: z.array(memoryMatchSchema).max(50),
  /** The standing approval that the plan names; left out for every other plan. */
  standing: standingUseSchema.optional(),
  registry_digest: digestSchema,
  policy_version: digestSchema,
  graph_version: z.string().max(120).nullable(),
  /** Milliseconds since the epoch; after it the packet can no longer be approved. */
  expires: z.number(),
})
export type Packet = z.infer<typeof packetSchema>

export const approvalSchema = z.strictObject({
  approver: z.string().max(limits.idCharsMax),
  packet_digest: digestSchema,
  verdict: verdictSchema.exclude(['escalate']),
  rationale: z.string().max(limits.rationaleCharsMax),
  at_ms: z.number(),
})
export type Approval = z.infer<typeof approvalSchema>

/** Reasons that no decision gives any more; stored ones are still read. */
const retiredReasons = [
  'judge_high_risk',
  'judge_reject_unsubstantiated',
  'tail_risk',
  'too_few_judges',
] as const

/** Why `decide` or `resolve` gave its verdict: a closed union, most restrictive first. */
export const decisionReasonSchema = z.enum([
  'floor_block',
  'breach_reject',
  'panel_reject',
  'veto_reject',
  'chief_reject',
  'person_reject',
  'review_expired',
  'floor_flag',
  'knowledge_finding',
  'breach_flag',
  'unknown',
  'state_changed',
  'standing_misfit',
  'standing_look',
  'doubt_open',
  'doubts_unasked',
  'judge_reject_alone',
  'judge_severe_finding',
  'judge_escalate',
  'judging_failed',
  'judge_missing',
  'chief_reject_alone',
  'chief_escalate',
  'chief_missing',
  'memory_match',
  'knowledge_down',
  'depth_short',
  'panel_outage',
  'person_accept',
  'standing_approval',
  'all_accept',
  ...retiredReasons,
])
export type DecisionReason = z.infer<typeof decisionReasonSchema>

/** D: the decision. Its digest is inside the context, hence inside every token. */
export const decisionSchema = z.strictObject({
  packet_digest: digestSchema,
  verdict: verdictSchema,
  reasons: z.array(decisionReasonSchema).max(20),
  approvals: z.array(approvalSchema).max(limits.reviewApproversMax),
  valid_until: z.number(),
})
export type Decision = z.infer<typeof decisionSchema>

/** C: what one session is bound to. Its digest is the context hash H. */
export const contextSchema = z.strictObject({
  session: z.string().max(limits.idCharsMax),
  site: z.string().max(limits.idCharsMax),
  cell: z.string().max(limits.idCharsMax),
  agent: z.string().max(limits.idCharsMax),
  /** RFC 7638 thumbprint of the agent's key. */
  agent_jkt: z.string().max(60),
  /** The agent process that the session is bound to; another one gets no session and no `go`. */
  boot_id: z.string().max(limits.idCharsMax).optional(),
  plan: planSchema,
  /** Node ids in the one order in which they may run. */
  order: z.array(z.string().max(limits.idCharsMax)).max(limits.nodesMax),
  /**
   * Tool → digest of its row: every row that the agent may call or read in this session, and no other.
   * Absent only for an agent that was built before rows were signed.
   */
  tools: z.record(z.string().max(limits.toolNameCharsMax), digestSchema).optional(),
  /** One for each number that a reference or a comparison in a unit takes; absent where there is none. */
  conversions: z.array(conversionSchema).max(limits.referencesMax).optional(),
  registry_digest: digestSchema,
  policy_version: digestSchema,
  decision_digest: digestSchema,
  /** Milliseconds since the epoch. */
  deadline: z.number(),
})
export type Context = z.infer<typeof contextSchema>
