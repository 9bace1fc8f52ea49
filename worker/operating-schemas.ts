// Bodies about operating: site files before they are in force, what a site keeps, draining, health.
import { z } from 'zod'
import { drainSchema } from '../protocol/drain.ts'
import { incidentSchema } from '../protocol/incident.ts'
import { keepingSchema } from '../protocol/keeping.ts'
import { planIdSchema } from './ids.ts'
import { siteFileSchemas } from './site-file-schemas.ts'

const why = z.string().min(1).max(500)

const hold = z.strictObject({
  plan: z.string().nullable().describe('The plan that is held; null: the whole site.'),
  reason: why.describe('Why it is held.'),
  set_ms: z.number().min(0).describe('When it was set (milliseconds since the epoch).'),
  set_by: z.string().describe('Who set it.'),
})

/** Why the site binds no plan; null when it does. */
export const draining = drainSchema.nullable().describe('Set while no plan is bound.')

export const operatingSchemas = {
  ...siteFileSchemas,
  KeepingInput: keepingSchema,
  Keeping: z.strictObject({
    periods: keepingSchema.describe('How long the site keeps what.'),
    holds: z.array(hold).describe('What legal holds keep beyond that.'),
  }),
  HoldInput: z.strictObject({
    plan: planIdSchema.nullable().describe('The plan to hold; null: the whole site.'),
    reason: why.describe('Why it is held.'),
  }),
  HoldRelease: z.strictObject({
    plan: planIdSchema.nullable().describe('The plan that is let go; null: the hold of the site.'),
    reason: why.describe('Why it is let go.'),
  }),
  PlanDeletion: z.strictObject({ reason: why.describe('Why it is deleted.') }),
  DrainInput: z.strictObject({
    on: z.boolean().describe('True: bind nothing from now on; false: bind again.'),
    reason: why.describe('Why, for whoever waits.'),
  }),
  Incidents: z.strictObject({
    incidents: z.array(incidentSchema).describe('Each stands until what it tells of is over.'),
  }),
  Drained: z.strictObject({ site: z.string(), draining }),
  Moving: z.strictObject({
    sites: z.int().describe('How many sites the deployment has.'),
    draining: z.int().describe('How many of them bind no plan.'),
    running: z
      .array(z.strictObject({ site: z.string(), cell: z.string(), session: z.string() }))
      .describe('Runs that have not ended.'),
    silent: z
      .array(z.string())
      .describe('Sites that did not answer: nobody knows what moves there.'),
  }),
  PlanDeleted: z.strictObject({
    plan: z.string(),
    deleted: z.literal(true).describe('It is gone.'),
  }),
  Health: z.strictObject({
    status: z.enum(['ok', 'down']),
    deployment: z.string(),
    checks: z.record(z.string(), z.string()),
    versions: z
      .record(z.string(), z.int())
      .describe('Numbers of stored rows and frames: a deployment moves by one at a time.'),
  }),
} as const
