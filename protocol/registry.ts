// What administrators approve for a site: the tools, the planners, the rules and what the lab means
// by its devices, places and kinds of labware.
// One row says everything about a tool; absence is the refusal.
import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'
import { limits } from './limits.ts'
import { ruleSchema, siteMeaningShape } from './site-file.ts'
import { toolMeaningSchema } from './tool-meaning.ts'

export const riskClassSchema = z.enum([
  'read',
  'benign_actuation',
  'hazardous_actuation',
  'network',
  'code',
  'admin',
])
export type RiskClass = z.infer<typeof riskClassSchema>

/** What a tool's output may carry (information flow). */
export const flowLabelSchema = z.enum([
  'identifiers',
  'credentials',
  'study_data',
  'images',
  'images_of_people',
  'device_state',
  'code_output',
  'external_content',
])
export type FlowLabel = z.infer<typeof flowLabelSchema>

/** Where a tool's input leaves to. `internal_chat` stays in the organisation, the others need not. */
export const sinkSchema = z.enum([
  'external_mail',
  'internal_http',
  'external_http',
  'internal_chat',
  'removable_store',
  'record_system',
])
export type SinkKind = z.infer<typeof sinkSchema>

export const digestSchema = z.string().regex(/^[a-z]+:[A-Za-z0-9_-]{43}$/)

export const toolEntrySchema = z.strictObject({
  name: z.string().min(1).max(limits.toolNameCharsMax),
  description: z.string().min(1).max(2_000),
  risk_class: riskClassSchema,
  capability: z.string().min(1).max(limits.idCharsMax),
  args_schema: jsonObjectSchema,
  emits: z.array(flowLabelSchema).max(16),
  sink: sinkSchema.nullable(),
  /** The MCP server that owns the tool, the tool's name there, and its pinned definition. */
  server: z.string().min(1).max(limits.idCharsMax),
  mcp_tool: z.string().min(1).max(limits.toolNameCharsMax),
  definition_digest: digestSchema,
  timeout_ms: z.int().min(1).max(limits.toolTimeoutMsMax),
  /** What the agent does with a running call when it loses its authority. */
  orphan_policy: z.enum(['stop', 'hold', 'finish']),
  /** The call that brings the device to its declared safe state; null when it has none. */
  safe_stop: z
    .strictObject({
      mcp_tool: z.string().min(1).max(limits.toolNameCharsMax),
      args: jsonObjectSchema,
    })
    .nullable(),
  sandbox_required: z.boolean(),
  /** The server's `outputSchema`, where it gives one: what every result must look like. */
  output_schema: jsonObjectSchema.optional(),
  /** Milliseconds that a running call may say nothing: past them people are told of a stuck step. */
  quiet_ms: z
    .int()
    .min(1_000)
    .max(limits.toolTimeoutMsMax)
    .optional()
    .describe('Milliseconds that a running call may say nothing before people are told of it.'),
  /** A result that does not fit `output_schema` or `meaning.results` ends the run, or is only noted. */
  result_invalid: z.enum(['ends', 'noted']).optional(),
  /** What the call does; a row without it is opaque, and a person decides on its plans. */
  meaning: toolMeaningSchema.optional(),
})
export type ToolEntry = z.infer<typeof toolEntrySchema>

/** True for classes that move, heat, spin or open: they need an armed cell. */
export function isPhysical(risk: RiskClass): boolean {
  return risk === 'benign_actuation' || risk === 'hazardous_actuation' || risk === 'admin'
}

export const plannerEntrySchema = z.strictObject({
  capabilities: z.array(z.string().min(1).max(limits.idCharsMax)).max(200),
  /** Labels of results that it may read; one that is not named here it may not. */
  reads: z.array(flowLabelSchema).max(flowLabelSchema.options.length).optional(),
})

export const registrySchema = z.strictObject({
  registry_version: z.string().min(1).max(40),
  tools: z.array(toolEntrySchema).max(limits.toolsMax),
  planners: z.record(z.string().max(limits.idCharsMax), plannerEntrySchema),
  /** The site's rules, for judges and reviewers; with conditions also for the dry run. */
  rules: z.array(ruleSchema).max(500),
  ...siteMeaningShape,
})
/** The approved registry of one site; its digest is `registry_digest`. */
export type Registry = z.infer<typeof registrySchema>
