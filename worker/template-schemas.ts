// Standing approvals as the door takes and shows them.
import { z } from 'zod'
import { limits } from '../protocol/limits.ts'
import { digestSchema } from '../protocol/registry.ts'
import {
  holeSchema,
  holeValuesSchema,
  standingRecordSchema,
  standingStateSchema,
  standingTermsSchema,
  stoppedSchema,
} from '../protocol/standing.ts'
import { passkeyAnswerSchema } from './passkey-schemas.ts'

const rationale = z.string().min(1).max(limits.rationaleCharsMax)
const timeMs = z.number().min(0)

/** What a planner needs to ask for a run, and everybody to know how it stands. */
const templateView = z.strictObject({
  template: z.string(),
  state: standingStateSchema,
  in_force: z.boolean().describe('Whether a run would be covered now, by state, time and count.'),
  goal: z.string(),
  holes: z.array(holeSchema),
  planners: z.array(z.string()),
  agent: z.string().nullable(),
  runs: z.int().describe('How many runs it covers.'),
  used: z.int().describe('How many were counted.'),
  until_ms: timeMs,
  digest: digestSchema.describe('Of what its approvers were shown.'),
})

/** The same with what is signed, and by whom: for those who decide. */
const templateRecord = templateView.extend({
  record: standingRecordSchema,
  approvals: z.array(
    z.strictObject({ approver: z.string(), rationale: z.string(), at_ms: timeMs }),
  ),
  stopped: stoppedSchema.nullable().describe('What took it out of force.'),
})

export const templateSchemas = {
  TemplateInput: standingTermsSchema,
  Template: templateView,
  TemplateList: z.strictObject({ items: z.array(templateView), next: z.string().nullable() }),
  TemplateRecord: templateRecord,
  TemplateApproval: z.strictObject({
    digest: digestSchema.describe('Of the record that was displayed.'),
    rationale,
    touch: passkeyAnswerSchema
      .optional()
      .describe('The answer to `POST /v1/touches`, where the policy asks for one to accept.'),
  }),
  TemplateRevoked: z.strictObject({ template: z.string(), revoked: z.literal(true) }),
  RunInput: z.strictObject({
    values: holeValuesSchema.describe('One value for each hole, by its name.'),
  }),
} as const
