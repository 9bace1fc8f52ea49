// One finding of a check: a stable code, the place, the risk's public ids and the facts.
import { z } from 'zod'
import { limits } from './limits.ts'
import { floorLevelSchema } from './verdict.ts'
import { findingCodes, type FindingCode } from './finding-codes.ts'

const codeNames = Object.keys(findingCodes) as [FindingCode, ...FindingCode[]]

export const findingSchema = z.strictObject({
  code: z.enum(codeNames),
  /** What it does to the floor. A finding of level `pass` does not exist. */
  effect: floorLevelSchema.exclude(['pass']),
  /** JSON pointer (RFC 6901) into the plan; '' is the whole plan. */
  at: z.string().max(300),
  /** UTF-16 span in the string at `at`; null when the place is not text. */
  span: z.tuple([z.int().min(0), z.int().min(0)]).nullable(),
  /** Knowledge-graph ids that a reader can look up. */
  kg: z.array(z.string().max(120)).max(20),
  /** Small facts that explain it (numbers, ids, names). Never long plan text. */
  facts: z.record(z.string().max(40), z.union([z.string().max(200), z.number(), z.boolean()])),
})
export type Finding = z.infer<typeof findingSchema>

/** The outcome of V_det over one plan and one snapshot. */
export const floorSchema = z.strictObject({
  level: floorLevelSchema,
  findings: z.array(findingSchema).max(limits.findingsMax),
  /** σ(T) in [0, 1], and the two thresholds that were in force. */
  sigma: z.number().min(0).max(1),
  tau_advisory: z.number(),
  tau_warning: z.number(),
  snapshot_digest: z.string(),
})
export type Floor = z.infer<typeof floorSchema>

/** Builds a finding with defaults for the optional parts. */
export function finding(
  code: FindingCode,
  effect: Finding['effect'],
  at: string,
  more: Partial<Pick<Finding, 'span' | 'kg' | 'facts'>> = {},
): Finding {
  return { code, effect, at, span: more.span ?? null, kg: more.kg ?? [], facts: more.facts ?? {} }
}
