// What a planner reads of its plans beyond their status: what each waits for, how far its steps are,
// what a person wrote to it, and what the rules alone say of a plan that nobody has submitted.
import { z } from 'zod'
import { limits } from '../protocol/limits.ts'
import { factsSchema } from '../protocol/evidence.ts'

const timeMs = z.number().min(0)

/** Everything that a plan can wait for. Closed: a client may act on each. */
export const waitingForSchema = z.strictObject({
  what: z
    .enum([
      'judges',
      'reviewer',
      'other_plan',
      'shared_thing',
      'person_release',
      'agent',
      'arming',
      'clearance',
      'operator_release',
      'free_cell',
      'dispatch',
      'run',
      'nothing_runs',
    ])
    .describe('What it waits for; the set is closed.'),
  says: z.string().describe('The same as one plain sentence.'),
  person: z.boolean().describe('True when only a person can move it on.'),
})
export type WaitingFor = z.infer<typeof waitingForSchema>

export const nodeViewSchema = z.strictObject({
  id: z.string().describe('Id of the node in the plan.'),
  tool: z.string().describe('The tool that the node calls.'),
  state: z
    .string()
    .describe('pending, released, executing, succeeded, failed, unknown or skipped.'),
  reason: z.string().nullable().describe('Why it failed, as a code; null otherwise.'),
  started_ms: timeMs
    .nullable()
    .describe('When the gateway allowed the call, in milliseconds since the epoch; null before.'),
  ended_ms: timeMs
    .nullable()
    .describe(
      'When its report arrived or, without one, the session ended; milliseconds since the epoch, null before.',
    ),
  progress: z
    .strictObject({
      done: z.number().nullable().describe('How far the device says that it is.'),
      of: z.number().nullable().describe('Of how much, where it says so.'),
      at_ms: timeMs.describe('When it said so, in milliseconds since the epoch.'),
    })
    .optional()
    .describe('What the device last said while it ran; left out when it said nothing.'),
  stuck_since_ms: timeMs
    .optional()
    .describe('Since when the device says nothing, once that is longer than the site allows.'),
  late_since_ms: timeMs
    .optional()
    .describe(
      'When the step should have been over by the time it states, once it is well past it.',
    ),
})
export type NodeView = z.infer<typeof nodeViewSchema>

/** What a planner is told of one finding: where, and what to change. No score, span or quote. */
export const findingViewSchema = z.strictObject({
  code: z.string().describe('Stable code of the finding.'),
  at: z.string().describe('JSON pointer into the plan; the empty text is the whole plan.'),
  remedy: z.string().describe('What to change.'),
  facts: factsSchema
    .optional()
    .describe(
      'Limits that the site approved and the values that break them, where they are no secret.',
    ),
})

/** What a plan's view has beside its status. */
export const progressSchema = z.strictObject({
  waiting_for: waitingForSchema
    .nullable()
    .describe('What the plan waits for now; null once its state is final.'),
  nodes: z.array(nodeViewSchema).describe('Every step, in the order of the run once there is one.'),
})
export type Progress = z.infer<typeof progressSchema>

export const saidSchema = z
  .array(
    z.strictObject({
      reason: z.string().max(limits.rationaleCharsMax).describe('The words of the reviewer.'),
      at_ms: timeMs.describe('When it was written, in milliseconds since the epoch.'),
    }),
  )
  .describe('Why a person rejected the plan, in that person’s words; empty otherwise.')

export const planCheckSchema = z.strictObject({
  would: z
    .enum(['reject', 'escalate', 'judge'])
    .describe(
      'What the rules alone would do: reject, escalate to a person, or leave it to the judges. Never a promise of acceptance.',
    ),
  findings: z.array(findingViewSchema).describe('What the rules found, as a submission tells it.'),
})

export const meSchema = z.strictObject({
  site: z.string().describe('The site of the credential.'),
  role: z.string().describe('planner, reviewer, operator or administrator.'),
  subject: z.string().describe('The name of the holder; a planner writes it into `planner.id`.'),
  owner: z.string().describe('The person who answers for the credential.'),
  credential: z.string().describe('Id of the credential; an administrator revokes it by this.'),
  sign_in: z
    .string()
    .nullable()
    .describe('Id of the sign-in at the console that asks; null for a token.'),
  expires_ms: timeMs
    .nullable()
    .describe('When the credential ends, in milliseconds since the epoch; null for never.'),
  capabilities: z
    .array(z.string())
    .describe('Capabilities that the registry gives to this planner; empty for every other role.'),
  mode: z
    .enum(['enforce', 'shadow'])
    .nullable()
    .describe('In `shadow` plans are judged and never run; null while the site has no policy.'),
})
