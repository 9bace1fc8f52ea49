// What a device answered to one call, as it travels with the signed report. The danger: an answer is a
// stranger's text and may be of any size or shape. So it is bounded before it leaves the agent, what is
// too large or no data goes by digest, and its digest is in the report that the agent signs.
import { z } from 'zod'
import { jsonValueSchema } from './json.ts'
import { limits } from './limits.ts'
import type { ParseBounds } from './parse.ts'
import { digestSchema, flowLabelSchema } from './registry.ts'

/** A part of an answer that stays on the agent's disk: an image, a file, data over the bound. */
const keptPartSchema = z.strictObject({
  type: z.string().max(limits.resultTypeCharsMax).describe('Its media type, as the device said.'),
  bytes: z.int().min(0).describe('Its length.'),
  digest: digestSchema.describe('`blob:` and the SHA-256 of the bytes, base64url.'),
})
export type KeptPart = z.infer<typeof keptPartSchema>

/** Reason of a node whose answer did not fit its row: evidence, and no value to go on with. */
export const resultInvalid = 'result_invalid'

export const nodeResultSchema = z.strictObject({
  data: jsonValueSchema.describe('The answer; null when there is none or it is kept by digest.'),
  from: z
    .enum(['structured', 'json_text', 'text', 'none'])
    .describe('Structured content, JSON that was its only text, plain text, or nothing of these.'),
  kept: z
    .array(keptPartSchema)
    .max(limits.resultPartsMax)
    .describe('Parts that stay on the disk of the agent.'),
  left_out: z.int().min(0).describe('Parts that are neither here nor kept.'),
})
/** The answer of one node; `report.result_digest` is the digest of exactly this value. */
export type NodeResult = z.infer<typeof nodeResultSchema>

/** Bounds of `data` in its canonical form. */
export const resultBounds: ParseBounds = {
  bytesMax: limits.resultBytesMax,
  depthMax: limits.resultDepthMax,
  valuesMax: limits.resultValuesMax,
}

/** A result as a session keeps it, with the labels that its tool's row had when the session was bound. */
export const storedResultSchema = z.looseObject({
  nid: z.string(),
  tool: z.string(),
  /** null: bound by a release that did not keep them; then nobody knows what the result may carry. */
  labels: z.array(flowLabelSchema).nullable(),
  digest: z.string(),
  at_ms: z.number(),
  result: nodeResultSchema.loose(),
})
export type StoredResult = z.infer<typeof storedResultSchema>
