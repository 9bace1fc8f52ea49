// A site's policy: which panel judges, how strict the thresholds are, how long things stay valid.
// Versioned by digest (`policy_version`); every decision names the version it was made under.
import { z } from 'zod'
import { hideRuleSchema } from './hide.ts'
import { limits } from './limits.ts'
import { severitySchema, wireSchema } from './opinion.ts'

/** A judge or chief in the cloud, reached through an endpoint that the operator or site defined. */
export const modelSeatSchema = z.strictObject({
  /** Stable name used in records, e.g. `judge-1`. */
  name: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** Name of an endpoint of the deployment, or of the site's own endpoints. */
  endpoint: z.string().regex(/^[a-z0-9-]{1,40}$/),
  model: z.string().min(1).max(120),
  samples: z.int().min(1).max(5).default(1),
  max_tokens: z.int().min(256).max(32_768).default(4_096),
  temperature: z.number().min(0).max(2).optional(),
})
export type ModelSeat = z.infer<typeof modelSeatSchema>

/** A site's own endpoint: it must bring its own key; the key itself is stored apart, encrypted at rest. */
export const siteEndpointSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** A binding has no URL and belongs to the deployment, so a site cannot bring one. */
  wire: wireSchema.exclude(['workers-ai']),
  url: z.url({ protocol: /^https?$/ }).max(300),
  key_name: z.string().regex(/^[a-z0-9-]{1,40}$/),
})

export const policySchema = z.strictObject({
  /** `shadow` judges and reports and dispatches nothing. */
  mode: z.enum(['enforce', 'shadow']).default('enforce'),
  /**
   * Who judges. `offline`: rules alone, closed-world. `live`: models; a missing key is an outage that
   * escalates. `auto`: models where any are configured (seats, binding or endpoint), rules alone where
   * none are; a key that is missing then is an outage too.
   */
  panel: z.enum(['offline', 'live', 'auto']).default('auto'),
  judges: z.array(modelSeatSchema).max(limits.judgesMax).default([]),
  chief: modelSeatSchema.nullable().default(null),
  endpoints: z.array(siteEndpointSchema).max(10).default([]),
  forbidden_vendors: z.array(z.string().max(40)).max(20).default([]),
  /** Version of the prompts: another wording is another version. Under `1` no doubt is asked about. */
  prompt_version: z.enum(['1', '2']).default('2'),
  /** The site may ask for more judges than the plan's risk does, never for fewer. */
  least_depth: z.literal([1, 3, 5, 7]).default(1),
  judge_deadline_ms: z.int().min(100).max(300_000).default(60_000),
  /** What a decision may cost and take; a budget that does not reach the least depth escalates. */
  budget: z
    .strictObject({
      cost_usd: z.number().min(0).max(1_000).nullable(),
      latency_ms: z.int().min(100).max(600_000).nullable(),
      /** What all judges of the site may cost in one day (UTC); spent, every plan goes to a person. */
      day_usd: z.number().min(0).max(100_000).nullable().default(null),
    })
    .default({ cost_usd: null, latency_ms: null, day_usd: null }),
  /** The thresholds of the decision; docs/decisions tells what each was chosen against. */
  votes: z
    .strictObject({
      /** Share of the expected seats that must reject with substance, exceeded, to reject. */
      majority: z.number().min(0.5).max(0.95).default(0.5),
      /** Least severity of a substantiated finding that a rejection needs. */
      reject_severity: severitySchema.exclude(['low']).default('high'),
      /** Seats whose substantiated rejection rejects by itself. */
      veto: z
        .array(z.string().regex(/^[a-z0-9-]{1,40}$/))
        .max(limits.judgesMax)
        .default([]),
      /** Vendors that the expected seats must come from before they can settle a doubt. */
      families: z.int().min(2).max(7).default(2),
    })
    .default({ majority: 0.5, reject_severity: 'high', veto: [], families: 2 }),
  /** σ thresholds, set at a bound on false alarms. The alert level may tighten them, never loosen. */
  injection: z
    .strictObject({ advisory: z.number().min(0).max(1), warning: z.number().min(0).max(1) })
    .default({ advisory: 0.25, warning: 0.35 }),
  /** Retired: stored policies may name it; nothing reads it. */
  risk_budget: z.unknown().optional(),
  alert_level: z.enum(['normal', 'elevated', 'high']).default('normal'),
  approvals_required: z.int().min(1).max(2).default(1),
  /** To accept a plan or to sign a standing approval takes a fresh touch of a passkey; left out: it does not. */
  touch_to_accept: z.boolean().optional(),
  review_expiry_ms: z
    .strictObject({
      safety: z.int().min(1_000).max(2_592_000_000),
      alignment: z.int().min(1_000).max(2_592_000_000),
      adversarial: z.int().min(1_000).max(2_592_000_000),
    })
    .default({ safety: 86_400_000, alignment: 259_200_000, adversarial: 86_400_000 }),
  review_webhook: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .nullable()
    .default(null),
  /** Mail to reviewers whose credential carries an address; left out: none. */
  review_mail: z
    .strictObject({
      /** How long before a review expires everybody is told again, the second reviewers too. */
      near_expiry_ms: z.int().min(60_000).max(604_800_000),
      /** People who are written to only then. */
      second: z.array(z.string().min(1).max(limits.idCharsMax)).max(limits.secondReviewersMax),
    })
    .optional(),
  reminder_ms: z.int().min(1_000).max(604_800_000).default(3_600_000),
  decision_valid_ms: z.int().min(1_000).max(limits.decisionValidMsMax).default(3_600_000),
  /** How long a session keeps what devices answered, after its end; left out: 90 days. */
  result_keep_ms: z.int().min(0).max(limits.resultKeepMsMax).optional(),
  /** How long agents keep parts of results on their disk; left out: as each agent's configuration says. */
  part_keep_ms: z.int().min(60_000).max(limits.resultKeepMsMax).optional(),
  /** What no vendor of models may read; left out: nothing is hidden. */
  hide: z.array(hideRuleSchema).max(50).optional(),
  session_deadline_ms: z.int().min(1_000).max(limits.sessionMsMax).default(14_400_000),
})
export type Policy = z.infer<typeof policySchema>
export type PolicyInput = z.input<typeof policySchema>
