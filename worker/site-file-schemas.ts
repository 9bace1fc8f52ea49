// Bodies about site files that are not in force: the draft with its questions, and what another file or policy
// would change.
import { z } from 'zod'
import { limits } from '../protocol/limits.ts'
import { policySchema } from '../protocol/policy.ts'
import { registrySchema } from '../protocol/registry.ts'
import { verdictSchema } from '../protocol/verdict.ts'
import { draftAnswerSchema } from '../adapters/drafts-d1.ts'
import { violationSchema } from '../protocol/reasons.ts'
import { closedExampleSchema } from '../verify/onboard/example.ts'
import { planIdSchema } from './ids.ts'

const ruleVerdict = z.enum([...verdictSchema.options, 'not_well_formed'])

const why = z.strictObject({
  code: z.string().describe('What was found.'),
  at: z.string().describe('JSON pointer to the place in the plan.'),
  effect: z
    .enum(['not_well_formed', 'reject', 'escalate', 'unknown', 'doubt'])
    .describe('What it does to the verdict.'),
})

const changed = z.strictObject({
  plan: z.string(),
  before: ruleVerdict.describe('By rules alone, under what it was judged by.'),
  after: ruleVerdict.describe('By rules alone, under what is proposed.'),
  stands: verdictSchema.nullable().describe('The verdict that stands, judges and people included.'),
  gained: z.array(why).describe('What is found only under what is proposed.'),
  lost: z.array(why).describe('What was found only under what it was judged by.'),
})

const question = z.strictObject({
  id: z.string().describe('Stable as long as the question is open.'),
  kind: z.enum([
    'does',
    'argument',
    'values',
    'thing',
    'limit',
    'people',
    'rest',
    'stop',
    'rule',
    'planner',
  ]),
  ask: z.string().describe('The question.'),
  server_says: z.string().describe("The server's own words: a claim, never a fact."),
  proposals: z.array(z.string()).describe('Answer with the number of one, from 1.'),
  own: z.string().describe('What may be written instead of a number.'),
  danger: z.number().describe('Greater is asked first.'),
  about: z.array(z.string()).describe('Tools and things whose plans wait for it.'),
})

const siteDraft = z.strictObject({
  version: z.int().describe('Rises with every change.'),
  registry: registrySchema.describe('The draft itself: what PUT /v1/tools takes.'),
  sources: z
    .array(
      z.strictObject({
        agent: z.string(),
        server: z.string(),
        what: z.enum([
          'taken',
          'same',
          'another',
          'not_told',
          'agent_away',
          'unreadable',
          'too_much',
        ]),
        tools: z.int(),
      }),
    )
    .describe('What became of each list of tools, where lists were asked for.'),
  violations: z.array(violationSchema).describe('What approval would refuse.'),
  quarantined: z.array(z.string()).describe('Tools that approval would block.'),
  tools: z.strictObject({
    all: z.int(),
    described: z.int().describe('Calls of which the file says what they do.'),
    open: z.array(z.string()).describe('A person decides on every plan that uses one of them.'),
  }),
  questions: z.array(question).describe('Every open question, most dangerous first.'),
  free_most: z
    .array(
      z.strictObject({
        id: z.string(),
        plans: z.int().describe('Held example plans that wait for it.'),
      }),
    )
    .describe('The answers that free most example plans, at most ten.'),
  trials: z
    .array(
      z.strictObject({
        id: z.string(),
        expect: verdictSchema.nullable().describe('What should come out; null: accept.'),
        verdict: ruleVerdict,
        why: z.array(why),
      }),
    )
    .describe('The example plans by dry run and rules alone; it proves nothing about a device.'),
  held: z.int().describe('Example plans that do not come out as expected.'),
  answers: z
    .array(draftAnswerSchema)
    .describe('What was answered, oldest first, with how many example plans were then held.'),
})

const examplesInput = z
  .strictObject({
    examples: z
      .array(closedExampleSchema)
      .max(limits.draftExamplesMax)
      .describe('Plans; beside each `expect` and the `state` that a person recorded.'),
  })
  .refine(({ examples }) => JSON.stringify(examples).length <= limits.draftExamplesBytesMax, {
    message: `at most ${limits.draftExamplesBytesMax} characters together`,
  })

export const siteFileSchemas = {
  SiteDraft: siteDraft,
  SiteExamplesInput: examplesInput,
  SiteAnswersInput: z.strictObject({
    answers: z
      .array(
        z.strictObject({
          id: z.string().max(400).describe('Id of the question.'),
          answer: z.string().min(1).max(2_000).describe('The number of a proposal, or own words.'),
        }),
      )
      .min(1)
      .max(limits.draftAnswersMax),
  }),
  SiteDraftDropped: z.strictObject({ dropped: z.literal(true) }),
  SitePreviewInput: z
    .strictObject({
      registry: registrySchema
        .optional()
        .describe('The proposed site file; left out: the one that is in force.'),
      policy: policySchema
        .optional()
        .describe('The proposed policy; left out: the one that is in force.'),
      after: planIdSchema
        .optional()
        .describe('`next` of the answer before: where to go on. Left out: with the newest plan.'),
    })
    .refine(({ registry, policy }) => registry !== undefined || policy !== undefined, {
      message: 'a site file or a policy is needed',
    }),
  SitePreview: z.strictObject({
    tried: z.int().describe(`Plans that were run again, at most ${limits.previewPlansPerCall}.`),
    unreadable: z
      .array(z.string())
      .describe('Plans that could not be run again: their text is gone, or they did not answer.'),
    changed: z.array(changed).describe('Plans whose verdict by rules would be another one.'),
    to_judge_again: z
      .array(z.string())
      .describe(
        'Plans on which judges spoke and which rules would let pass: judges were not asked.',
      ),
    next: planIdSchema.nullable().describe('Where to go on; null: the last 200 plans were tried.'),
  }),
} as const
