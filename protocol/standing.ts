// A standing approval: the exact graph of an accepted plan with named holes, shown to people once and then
// good for so many runs until a time. What is here is what they sign, what a run brings, and what is told.
import { z } from 'zod'
import { evidenceSchema, factsSchema } from './evidence.ts'
import { floorSchema } from './finding.ts'
import { limits } from './limits.ts'
import { packetTraceSchema } from './packet-trace.ts'
import { nodeIdSchema, planSchema } from './plan.ts'
import { groundingRecordSchema } from './grounding-record.ts'
import { digestSchema } from './registry.ts'
import { cellStateSchema } from './state.ts'

/** Holes of one template; a graph with more is another plan each time. */
export const holesMax = 16
/** Runs that one approval may cover. */
export const runsMax = 1_000
/** Longest life of an approval: a quarter, then people look again. */
export const lifeMsMax = 92 * 86_400_000

const valueSchema = z.union([z.number(), z.string().max(200), z.boolean()])
/** One value for each hole, by its name. */
export const holeValuesSchema = z.record(z.string().max(40), valueSchema)
export type HoleValues = z.infer<typeof holeValuesSchema>

/** What may stand in a hole: a number of a range, or one of a closed list. No free text, no pattern. */
export const withinSchema = z.union([
  z
    .strictObject({
      min: z.number().describe("In the argument's own unit."),
      max: z.number().describe('Not below `min`.'),
    })
    .refine((range) => range.min <= range.max, 'min is above max'),
  z.strictObject({
    enum: z
      .array(z.union([z.string().min(1).max(200), z.boolean()]))
      .min(1)
      .max(64)
      .describe('Values that may stand there: known things, or choices of the tool.'),
  }),
])
export type Within = z.infer<typeof withinSchema>

export const holeSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/, 'a name is 1 to 40 of a-z 0-9 _, beginning with a letter')
    .describe('In the words of the template, `{name}` stands for the value.'),
  node: nodeIdSchema.describe('The step whose argument is open.'),
  pointer: z
    .string()
    .max(300)
    .regex(/^(\/[^/]{0,200})+$/, 'a JSON pointer')
    .describe('The argument inside `args`, as a JSON pointer.'),
  within: withinSchema.describe('What may stand there.'),
})
export type Hole = z.infer<typeof holeSchema>

/** What a person asks for. */
export const standingTermsSchema = z.strictObject({
  plan: z
    .string()
    .min(1)
    .max(limits.idCharsMax)
    .describe('The accepted plan that it is made from.'),
  holes: z.array(holeSchema).max(holesMax).describe('Arguments that may differ from run to run.'),
  goal: planSchema.shape.goal
    .optional()
    .describe('The goal of every run; that of the plan where left out.'),
  instructions: planSchema.shape.instructions
    .optional()
    .describe('The instructions of every run; those of the plan where left out.'),
  planners: z
    .array(z.string().min(1).max(limits.idCharsMax))
    .min(1)
    .max(20)
    .describe('Planners that may ask for a run.'),
  agent: planSchema.shape.agent.describe('The one agent, hence cell, that may run it.'),
  runs: z.int().min(1).max(runsMax).describe('How many runs it covers.'),
  until_ms: z.number().min(0).describe('When it ends.'),
  look_every: z
    .int()
    .min(2)
    .max(runsMax)
    .nullable()
    .default(null)
    .describe('Every so many runs one waits for a person, as a sample; null: none does.'),
})
export type StandingTerms = z.infer<typeof standingTermsSchema>

/** Everything that is signed. Its digest is what an approval names. */
export const standingRecordSchema = z.strictObject({
  template: z.string().max(limits.idCharsMax).describe('Its id.'),
  site: z.string().max(limits.idCharsMax),
  terms: standingTermsSchema,
  base: z
    .strictObject({
      plan: z.string().max(limits.idCharsMax),
      plan_digest: digestSchema,
      decision_digest: digestSchema.nullable(),
    })
    .describe('The accepted plan.'),
  plan: planSchema.describe('The graph with the values of that plan, and the words with `{name}`.'),
  values: holeValuesSchema.describe('The values of that plan.'),
  floor: floorSchema.describe('What the deterministic checks found.'),
  grounding: groundingRecordSchema.describe('What the graph gave.'),
  evidence: evidenceSchema.describe('What rules found over all values of all holes.'),
  trace: packetTraceSchema.describe('The dry run over all values of all holes.'),
  cell_state: cellStateSchema.describe('The cell that it was run over.'),
  at_ms: z.number().describe('When that was.'),
  registry_digest: digestSchema,
  policy_version: digestSchema,
  graph_version: z.string().max(120).nullable(),
  owners: z
    .array(z.string().max(limits.idCharsMax))
    .max(40)
    .describe('The people who answer for its planners: none of them may approve it.'),
  approvals_required: z.int().min(1).max(limits.reviewApproversMax),
  proposed_by: z.string().max(limits.idCharsMax),
})
export type StandingRecord = z.infer<typeof standingRecordSchema>

/** Why a standing approval does not cover a run. */
export const standingRefusalSchema = z.enum([
  'not_approved',
  'suspended',
  'revoked',
  'expired',
  'used_up',
  'planner_not_named',
  'conflict_of_interest',
  'approver_revoked',
  'site_changed',
  'unreachable',
])
export type StandingRefusal = z.infer<typeof standingRefusalSchema>

/** In the packet of a run: what it rests on, and whether it fits. */
export const standingUseSchema = z.strictObject({
  template: z.string().max(limits.idCharsMax).describe('The standing approval.'),
  digest: digestSchema.describe('Of what its approvers were shown.'),
  values: holeValuesSchema.describe('What stands in its holes.'),
  nth: z.int().min(1).nullable().describe('Which run it is; null when it did not count as one.'),
  of: z.int().min(1).describe('How many it covers.'),
  look: z.boolean().describe('Whether a person looks at this one, as a sample.'),
  refused: standingRefusalSchema.nullable().describe('Why it does not cover the run at all.'),
  differences: z
    .array(factsSchema)
    .max(50)
    .describe('What is outside of what its approvers were shown; empty when it fits.'),
  approvers: z.array(z.string().max(limits.idCharsMax)).max(limits.reviewApproversMax),
})
export type StandingUse = z.infer<typeof standingUseSchema>

export const standingApprovalSchema = z.strictObject({
  approver: z.string().max(limits.idCharsMax),
  credential: z.string().max(limits.idCharsMax).describe('It falls with this credential.'),
  digest: digestSchema.describe('Of the record that was displayed.'),
  rationale: z.string().max(limits.rationaleCharsMax),
  at_ms: z.number(),
})
export type StandingSignature = z.infer<typeof standingApprovalSchema>

/** What takes it out of force until people sign again. */
export const suspensionSchema = z.enum([
  'memory_match',
  'run_ended',
  'run_rejected',
  'sample_unseen',
])
export type Suspension = z.infer<typeof suspensionSchema>

/** What took it out of force: one of these, or a person for good. */
export const stoppedSchema = z.strictObject({
  why: z.enum([...suspensionSchema.options, 'person']).describe('What took it out of force.'),
  plan: z.string().max(limits.idCharsMax).nullable().describe('The run that did, if one did.'),
  by: z.string().max(limits.idCharsMax),
  at_ms: z.number(),
})

/** `standing` is the only state in which it covers anything, and then until its time or its last run. */
export const standingStateSchema = z.enum(['proposed', 'standing', 'suspended', 'revoked'])
