// What reviewers send and read beside the record of a plan.
import { z } from 'zod'
import { limits } from '../protocol/limits.ts'
import { digestSchema } from '../protocol/registry.ts'
import { recordedCallSchema } from '../verify/panel/record.ts'
import { passkeyAnswerSchema } from './passkey-schemas.ts'

const rationale = z.string().trim().min(1).max(limits.rationaleCharsMax)
const person = z.string().min(1).max(64)

export const reviewSchemas = {
  Citations: z.strictObject({
    graph_version: z.string().nullable(),
    items: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string().nullable().describe('Null when the graph of today has no such entry.'),
        category: z.string().nullable(),
        text: z.string().nullable(),
      }),
    ),
  }),
  ReviewInput: z.strictObject({
    verdict: z.enum(['accept', 'reject']),
    rationale: rationale.describe('Kept with the decision; of a rejection the planner reads it.'),
    /** Of the packet that was displayed; another one is answered 409. */
    packet_digest: digestSchema,
    touch: passkeyAnswerSchema
      .optional()
      .describe('The answer to `POST /v1/touches`, where the policy asks for one to accept.'),
  }),
  AssigneeInput: z.strictObject({
    assignee: person.nullable().describe('A reviewer of the site; null lets it go.'),
    seen: person.nullable().describe('Who had it when you looked; another one is answered 409.'),
  }),
  Assigned: z.strictObject({ plan: z.string(), assignee: z.string().nullable() }),
  /** Model calls of one plan; `dropped` counts those that went beyond the bounds. */
  CallPage: z.strictObject({
    items: z.array(recordedCallSchema.extend({ seq: z.int().min(0) })),
    next: z.int().nullable(),
    dropped: z.int().min(0),
  }),
} as const
