// What is told of a plan, a session, a cell and an agent: one schema for each thing. Types are inferred
// from these; lists, views and rows are picks of them, so that a new field is written once.
import { z } from 'zod'
import { nodeProgressSchema } from './frames.ts'
import { planSummarySchema } from './plan-summary.ts'
import { stepProgressSchema } from './progress.ts'
import { bindRefusalSchema, terminationReasonSchema } from './reasons.ts'
import { decisionReasonSchema, decisionSchema } from './records.ts'
import { digestSchema } from './registry.ts'
import { stopCallStateSchema, stopKindSchema } from './stop-order.ts'
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

/** One row of the index of plans, from which lists are read: a field more here is a column more there. */
export const planIndexRowSchema = planStatusSchema
  .pick({
    site: true,
    plan: true,
    planner: true,
    owner: true,
    state: true,
    verdict: true,
    reasons: true,
    packet_digest: true,
    supersedes: true,
    session: true,
    session_reason: true,
    received_ms: true,
    decided_ms: true,
  })
  .extend({
    /** Rises with every change of the plan's state: a late copy never overwrites a newer one. */
    version: z.int().min(1),
    concern: concernSchema.nullable(),
    review_expires_ms: timeMs.nullable(),
    assignee: z.string().nullable().describe('Who looks at it; null for nobody.'),
    summary: planSummarySchema.nullable().describe('In words; null for older plans.'),
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
      progress: stepProgressSchema
        .optional()
        .describe('What the running call last said of itself, screened.'),
      stuck_since_ms: timeMs
        .optional()
        .describe('Since when it has said nothing, once that is longer than its row allows.'),
      late_since_ms: timeMs
        .optional()
        .describe(
          'When it should have been over by the time that it states, once it is well past it.',
        ),
    }),
  ),
  opened_ms: timeMs,
  ended_ms: timeMs.nullable(),
  deadline_ms: timeMs,
})
export type SessionStatus = z.infer<typeof sessionStatusSchema>

/**
 * How far a stop has come: `stopped` – the session has ended and nothing that it moved is unaccounted
 * for; `not_reached_yet` – the session has not answered, the wish is kept and repeated;
 * `unconfirmed_at_device` – it has ended, and its devices have not been reported at rest.
 */
export const stopStateSchema = z.enum(['stopped', 'not_reached_yet', 'unconfirmed_at_device'])
export type StopState = z.infer<typeof stopStateSchema>

export const sessionStopSchema = z.strictObject({
  session: z.string(),
  cell: z.string(),
  stop: stopStateSchema,
  devices: z.array(z.string()).describe('Devices that have not been reported at rest, by name.'),
})
export type SessionStop = z.infer<typeof sessionStopSchema>

/** Why a stop of a cell could not call all of it, and so is never confirmed. */
export const cellStopWhySchema = z.enum([
  'no_agent',
  'agent_outdated',
  'agent_revoked',
  'nothing_to_call',
  'too_many_calls',
  'held_elsewhere',
  'unreadable',
  'failed',
])
export type CellStopWhy = z.infer<typeof cellStopWhySchema>

/** One stop of a whole cell, or one drill of it: what was called, and what came of it. */
const cellStopSchema = z.strictObject({
  stop: z.string().describe('Its name in the trail.'),
  kind: stopKindSchema.describe('A stop, or a drill of it while nothing runs.'),
  by: z.string().describe('Who pressed.'),
  at_ms: timeMs,
  state: stopStateSchema.describe(
    'Of the devices of the cell: all at rest, not asked yet, or asked and not all confirmed.',
  ),
  why: cellStopWhySchema
    .nullable()
    .describe(
      'Why it cannot be confirmed: not all of the cell could be called, or nothing; null: it can be.',
    ),
  ended_ms: timeMs
    .nullable()
    .describe('When every device had confirmed, or when it was given up; null before.'),
  calls: z
    .array(
      z.strictObject({
        server: z.string(),
        tool: z.string().describe('The safe-stop of the device server.'),
        devices: z.array(z.string()).describe('What it brings to rest, by the site file.'),
        group: z
          .int()
          .nullable()
          .describe(
            'Its group in the sequence of the site file; null: at once, waited for by none.',
          ),
        state: stopCallStateSchema.describe(
          '`absent`: the agent of this cell has no such device server, and no group names it.',
        ),
        detail: z
          .string()
          .nullable()
          .describe("A stable word, or the device's own words when it refused."),
        after_ms: z
          .number()
          .nullable()
          .describe('From the order to when the device was asked; null before that.'),
        took_ms: z
          .number()
          .nullable()
          .describe('From when the device was asked to when it confirmed its rest; null before.'),
      }),
    )
    .describe('In the order in which they are called.'),
})
export type CellStopStatus = z.infer<typeof cellStopSchema>

/** Why a person must look at a cell: how a session ended, or what the site learned of itself. */
export const latchReasonSchema = z.enum([
  ...terminationReasonSchema.options,
  'session_missing',
  'forced_clear',
  'site_restored',
  'device_not_at_rest',
])
export type LatchReason = z.infer<typeof latchReasonSchema>

/** The last thing about a cell that a person may have to know before acting on it. */
export const cellChangeSchema = z.enum([
  'armed',
  'disarmed',
  'stopped',
  'latched',
  'rest_reported',
  'cleared',
  'forced_clear',
  'queue_held',
  'queue_released',
  'agent_restarted',
  'device_restarted',
  'agent_duplicate',
  'server_restarted',
  'local_latch',
  'credential_revoked',
  'site_restored',
])
export type CellChange = z.infer<typeof cellChangeSchema>

/** Why an accepted plan is not handed to any cell; `person` when only a person can let it run. */
export const planWaitSchema = z.strictObject({
  why: z.enum([
    'duplicate_of',
    'repeats_ended_run',
    'follows',
    'follows_broken',
    'supersedes',
    'superseded_completed',
    'shared_thing',
  ]),
  plan: z.string().describe('The other plan.'),
  thing: z.string().optional().describe('What the other plan holds, where that is why.'),
  session: z.string().nullable().describe('The run of it, where that matters.'),
  person: z.boolean(),
  done: z
    .array(z.strictObject({ nid: z.string(), tool: z.string(), state: z.string() }))
    .describe('Calls of the ended run that this plan would make again, and how they went.'),
})
export type PlanWait = z.infer<typeof planWaitSchema>

export const queueLineSchema = z.strictObject({
  plan: z.string(),
  planner: z.string(),
  physical: z.boolean(),
  valid_until_ms: timeMs,
  not_now: z.string().nullable().describe('Why the cell does not take it now; null when it could.'),
  waits: z.array(planWaitSchema),
})
export type QueueLine = z.infer<typeof queueLineSchema>

export const cellStatusSchema = z.strictObject({
  cell: z.string(),
  agent: z.string().nullable(),
  armed_until_ms: timeMs.nullable(),
  armed_by: z.string().nullable(),
  needs_clearance: z.boolean(),
  latch_reason: latchReasonSchema.nullable(),
  session: z.string().nullable(),
  /** Plans waiting for this cell's agent. */
  queued: z.int(),
  change: z
    .int()
    .min(0)
    .describe('Number of the latest change; arming and clearing name the one that was seen.'),
  changed: z
    .strictObject({ what: cellChangeSchema, by: z.string(), at_ms: timeMs })
    .nullable()
    .describe('What the latest change was.'),
  held_by: z
    .string()
    .nullable()
    .describe('Who stopped the cell; nothing starts in it before a person arms or releases it.'),
  holds: z
    .array(
      z.strictObject({
        planner: z.string(),
        session: z.string(),
        plan: z.string(),
        reason: z.string(),
        at_ms: timeMs,
      }),
    )
    .describe('Planners whose plans wait here because a run of theirs did not complete.'),
  not_at_rest: z.array(z.string()).describe('Devices that have not been reported at rest.'),
  stops: z.array(sessionStopSchema).describe('Stops that are not confirmed yet.'),
  cell_stop: cellStopSchema
    .nullable()
    .describe('The latest stop of the whole cell: how the devices of its sequence stand.'),
  drill: cellStopSchema.nullable().describe('The latest drill of the stop.'),
  last_drill: z
    .string()
    .nullable()
    .describe(
      'When the stop was last drilled with every device at rest at its end, ISO 8601; else what the site file says.',
    ),
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
  /** Milliseconds that the step lasts at least: the arming has to last as long. */
  told_ms?: number
}
