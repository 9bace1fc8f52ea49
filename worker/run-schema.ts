// One session as it is told to the people at the cell: the body of `GET /v1/sessions/{session}/run`.
import { z } from 'zod'
import { sessionStatusSchema } from '../protocol/status.ts'
import { deviceRestSchema } from '../protocol/tokens.ts'

const timeMs = z.number().min(0)

/** One session for the people at the cell: what runs, ran and comes, in words and with times. */
export const runSchema = z.strictObject({
  session: z.string(),
  plan: z.string(),
  cell: z.string(),
  agent: z.string(),
  planner: z.string().nullable(),
  goal: z.string().nullable(),
  status: sessionStatusSchema.shape.status,
  reason: sessionStatusSchema.shape.reason,
  stopped_by: z.string().nullable().describe('Who ended it, where a person did.'),
  as_of_ms: timeMs,
  opened_ms: timeMs,
  ended_ms: timeMs.nullable(),
  deadline_ms: timeMs,
  moving_at_end: z.string().nullable().describe('The step that was under way when it was ended.'),
  steps: z.array(
    z.strictObject({
      nid: z.string(),
      tool: z.string(),
      sentence: z.string().nullable(),
      state: sessionStatusSchema.shape.nodes.element.shape.state,
      reason: z.string().nullable(),
      progress: sessionStatusSchema.shape.nodes.element.shape.progress,
      stuck_since_ms: sessionStatusSchema.shape.nodes.element.shape.stuck_since_ms,
      late_since_ms: sessionStatusSchema.shape.nodes.element.shape.late_since_ms,
      started_ms: timeMs.nullable(),
      ended_ms: timeMs.nullable(),
    }),
  ),
  devices: z
    .array(deviceRestSchema)
    .describe('Devices as last reported on their way to rest; empty while it runs.'),
})
