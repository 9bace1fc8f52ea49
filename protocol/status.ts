// What is told of a plan, a session, a cell and an agent: one schema for each thing. Types are inferred
// from these; lists, views and rows are picks of them, so that a new field is written once.
import { z } from 'zod'
import { nodeProgressSchema } from './frames.ts'
import { bindRefusalSchema, terminationReasonSchema } from './reasons.ts'
import { decisionReasonSchema, decisionSchema } from './records.ts'
import { digestSchema } from './registry.ts'
import { agentHealthSchema } from './snapshot.ts'
import { concernSchema, verdictSchema } from './verdict.ts'

/** Milliseconds since the epoch. */
const timeMs = z.number().min(0)

/** The ten states of a plan. `rejected`, `completed`, `terminated`, `withdrawn`, `expired` are final. */
export const planStateSchema = z.enum([
  'judging',
  'rejected',
  'escalated',
  'accepted',
  'queued',
  'bound',
  'completed',
  'terminated',
  'withdrawn',
  'expired',
])
export type PlanState = z.infer<typeof planStateSchema>

export const planStatusSchema = z.strictObject({
  plan: z.string(),
  site: z.string(),
  planner: z.string(),
  /** The person who answers for the planner. */
  owner: z.string(),
  state: planStateSchema,
  /** null until the first decision. */
  verdict: verdictSchema.nullable(),
  reasons: z.array(decisionReasonSchema),
  packet_digest: digestSchema.nullable().describe('Of the packet that a reviewer sees.'),
  decision: decisionSchema.nullable(),
  decision_digest: digestSchema.nullable(),
  session: z.string().nullable().describe('The one session that runs or ran the plan.'),
  session_reason: terminationReasonSchema.nullable().describe('Why the session was terminated.'),
  bind_refusal: bindRefusalSchema
    .nullable()
    .describe('Why an accepted plan could not be bound; null when nothing stood against it.'),
  supersedes: z.string().nullable().describe('The earlier plan that this one replaces.'),
  received_ms: timeMs,
  decided_ms: timeMs.nullable(),
  valid_until_ms: timeMs
    .nullable()
    .describe('Until when an acceptance may be bound, or an open review be answered.'),
})
export type PlanStatus = z.infer<typeof planStatusSchema>

/** One row of the index of plans, from which lists are read. */
export const planIndexRowSchema = planStatusSchema
  .omit({ decision: true, decision_digest: true, bind_refusal: true, valid_until_ms: true })
  .extend({
    /** Rises with every change of the plan's state: a late copy never overwrites a newer one. */
    version: z.int().min(1),
    concern: concernSchema.nullable(),
    review_expires_ms: timeMs.nullable(),
    ended_ms: timeMs.nullable(),
  })
export type PlanIndexRow = z.infer<typeof planIndexRowSchema>

export const sessionStatusSchema = z.strictObject({
  session: z.string(),
  plan: z.string(),
  site: z.string(),
  cell: z.string(),
  agent: z.string(),
  status: z.enum(['bound', 'active', 'completed', 'terminated']),
  reason: terminationReasonSchema.nullable(),
  /** The context hash that every token carries. */
  ctx: z.string(),
  /** Node ids in the one order in which they may run. */
  order: z.array(z.string()),
  nodes: z.array(
    z.strictObject({
      nid: z.string(),
      tool: z.string(),
      state: nodeProgressSchema,
      reason: z.string().nullable(),
    }),
  ),
  opened_ms: timeMs,
  ended_ms: timeMs.nullable(),
  deadline_ms: timeMs,
})
export type SessionStatus = z.infer<typeof sessionStatusSchema>

export const cellStatusSchema = z.strictObject({
  cell: z.string(),
  agent: z.string().nullable(),
  armed_until_ms: timeMs.nullable(),
  armed_by: z.string().nullable(),
  needs_clearance: z.boolean(),
  latch_reason: terminationReasonSchema.nullable(),
  session: z.string().nullable(),
  /** Plans waiting for this cell's agent. */
  queued: z.int(),
})
export type CellStatus = z.infer<typeof cellStatusSchema>

export const agentStatusSchema = z.strictObject({
  agent: z.string(),
  cell: z.string(),
  /** RFC 7638 thumbprint of the agent's key. */
  jkt: z.string(),
  online: z.boolean(),
  revoked: z.boolean(),
  last_seen_ms: timeMs.nullable(),
  boot_id: z.string().nullable(),
  health: agentHealthSchema.nullable(),
})
export type AgentStatus = z.infer<typeof agentStatusSchema>

/** What a session asks the site before every `go`. */
export type AuthorityQuestion = {
  session: string
  cell: string
  agent_jkt: string
  planner: string
  tool: string
  /** The revocation epoch under which the session was bound. */
  epoch: number
}
