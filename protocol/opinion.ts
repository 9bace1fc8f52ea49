// What a judge and the chief said, after validation. A judge that did not answer has verdict
// `escalate` by construction: a missing judge never helps (invariant 4).
import { z } from 'zod'
import { answerSchema } from './evidence.ts'
import { findingCodes, type FindingCode } from './finding-codes.ts'
import { limits } from './limits.ts'
import { concernSchema, verdictSchema } from './verdict.ts'

const codeNames = Object.keys(findingCodes) as [FindingCode, ...FindingCode[]]

/** How a seat's call ended. Everything but `answered` is an outage or a breach of the format. */
export const seatOutcomeSchema = z.enum([
  'answered',
  'failed',
  'late',
  'malformed',
  'refused',
  'cancelled',
])
export type SeatOutcome = z.infer<typeof seatOutcomeSchema>

/** How a model is spoken to. A table over it is complete or does not compile. */
export const wireSchema = z.enum(['anthropic', 'openai', 'workers-ai'])
export type Wire = z.infer<typeof wireSchema>

export const severitySchema = z.enum(['low', 'medium', 'high', 'critical'])
export type Severity = z.infer<typeof severitySchema>

/** One claim of a judge about one place of the plan. */
export const judgeFindingSchema = z.strictObject({
  code: z.enum(codeNames),
  concern: concernSchema.exclude(['none']),
  /** JSON pointer to the node or instruction. */
  at: z.string().max(300),
  severity: severitySchema,
  likelihood: z.number().min(0).max(1),
  claim: z.string().max(limits.claimCharsMax),
  cites: z.array(z.string().max(120)).max(20),
  /** Set by us: it names an existing place and cites only ids that were in its context. */
  substantiated: z.boolean(),
})
export type JudgeFinding = z.infer<typeof judgeFindingSchema>

export const usageSchema = z.strictObject({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
  /** US dollars by the operator's price table; null when the price is not known. */
  cost_usd: z.number().min(0).nullable(),
})

export const opinionSchema = z.strictObject({
  judge: z.string().max(60),
  /** Whose model it is (`anthropic`, `meta`, …), never how it is reached. */
  vendor: z.string().max(40),
  /** null when no endpoint of that name can be reached. */
  wire: wireSchema.nullable().default(null),
  model: z.string().max(120).nullable(),
  outcome: seatOutcomeSchema,
  /** Stable word for what went wrong; null when answered. */
  failure: z.string().max(200).nullable(),
  verdict: verdictSchema,
  confidence: z.number().min(0).max(1),
  concern: concernSchema,
  /** The judge's risk estimate in [0, 1]: highest severity × likelihood over its findings. */
  risk: z.number().min(0).max(1),
  findings: z.array(judgeFindingSchema).max(50),
  /** To the doubts it was asked about; one that is not here is open. */
  answers: z.array(answerSchema).max(limits.findingsMax).default([]),
  reasoning: z.array(z.string().max(limits.claimCharsMax)).max(limits.reasoningStepsMax),
  usage: usageSchema,
  ms: z.number().min(0),
})
export type Opinion = z.infer<typeof opinionSchema>

export const chiefOpinionSchema = z.strictObject({
  seat: z.string().max(60),
  vendor: z.string().max(40),
  wire: wireSchema.nullable().default(null),
  model: z.string().max(120).nullable(),
  outcome: seatOutcomeSchema,
  failure: z.string().max(200).nullable(),
  verdict: verdictSchema,
  classification: concernSchema,
  /** How much weight each judge's reasoning got, by judge name, in [0, 1]. */
  weights: z.record(z.string().max(60), z.number().min(0).max(1)),
  reasons: z.array(z.string().max(limits.claimCharsMax)).max(20),
  /** Digest of the exact input that the chief got; it holds no plan text (invariant 5). */
  input_digest: z.string().max(60),
  usage: usageSchema,
  ms: z.number().min(0),
})
export type ChiefOpinion = z.infer<typeof chiefOpinionSchema>
