// The records that digests bind: packet P, decision D, context C (DESIGN: Words on the wire).
// Neither P nor D holds the session id S or the context hash H.
import { z } from 'zod'
import { findingSchema, floorSchema } from './finding.ts'
import { limits } from './limits.ts'
import { memoryMatchSchema } from './memory.ts'
import { chiefOpinionSchema, opinionSchema } from './opinion.ts'
import { planSchema } from './plan.ts'
import { digestSchema } from './registry.ts'
import { verdictSchema } from './verdict.ts'

/** What the knowledge graph gave: ids only; the text is in the graph at `graph_version`. */
export const groundingRecordSchema = z.strictObject({
  degraded: z.enum(['vectors']).nullable(),
  nodes: z.array(z.string().max(120)).max(500),
  findings: z.array(findingSchema).max(100),
})

/** How deep the plan had to be judged and how deep it was. */
export const depthSchema = z.strictObject({
  required: z.int().min(1).max(7),
  seats: z.int().min(0).max(7),
  /** Why the required depth was not reached; null when it was. */
  short: z
    .enum(['budget_cost', 'budget_latency', 'too_few_seats', 'early_stop', 'judging_failed'])
    .nullable(),
  /** Every judge that has to answer, fixed before any was asked: a missing one is seen later. */
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
  opinions: z.array(opinionSchema).max(limits.judgesMax + 3),
  chief: chiefOpinionSchema.nullable(),
  citations: z.array(z.string().max(120)).max(500),
  memory: z.array(memoryMatchSchema).max(50),
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

/** Why `decide` or `resolve` gave its verdict: a closed union, most restrictive first. */
export const decisionReasonSchema = z.enum([
  'floor_block',
  'judge_high_risk',
  'chief_reject',
  'person_reject',
  'review_expired',
  'floor_flag',
  'judge_reject_unsubstantiated',
  'judge_escalate',
  'judging_failed',
  'judge_missing',
  'chief_escalate',
  'chief_missing',
  'memory_match',
  'knowledge_down',
  'knowledge_finding',
  'tail_risk',
  'depth_short',
  'too_few_judges',
  'panel_outage',
  'person_accept',
  'all_accept',
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
  plan: planSchema,
  /** Node ids in the one order in which they may run. */
  order: z.array(z.string().max(limits.idCharsMax)).max(limits.nodesMax),
  /**
   * Tool → digest of its row: every row that the agent may call or read in this session, and no other.
   * Absent only for an agent that was built before rows were signed.
   */
  tools: z.record(z.string().max(limits.toolNameCharsMax), digestSchema).optional(),
  registry_digest: digestSchema,
  policy_version: digestSchema,
  decision_digest: digestSchema,
  /** Milliseconds since the epoch. */
  deadline: z.number(),
})
export type Context = z.infer<typeof contextSchema>
