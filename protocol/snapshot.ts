// The one value through which V_det sees the site: registry, pins, health, window, revocation epoch.
// Its digest goes into the record, so that every floor can be derived again (invariant 8).
import { z } from 'zod'
import { limits } from './limits.ts'
import { policySchema } from './policy.ts'
import { provenRowsSchema } from './proven.ts'
import { digestSchema, registrySchema } from './registry.ts'
import { cellStateSchema, unknownState } from './state.ts'
import { verdictSchema } from './verdict.ts'

/** Names of servers, sandboxes and tools as an agent reports them: plain, so that they can be kept. */
const plainNameSchema = z.string().regex(/^[!-~]{1,128}$/, 'plain ASCII without blanks')

export const healthStateSchema = z.enum(['up', 'down'])

/**
 * `list_unreadable`: its tools cannot be read. `server_lost`: no connection. `not_answering`: connected, and
 * a ping is not answered. `definitions_changed`: a tool is not as pinned, so none is trusted. `not_at_rest`: a
 * device has not confirmed its safe-stop.
 */
export const serverReasonSchema = z.enum([
  'list_unreadable',
  'server_lost',
  'not_answering',
  'definitions_changed',
  'protocol_error',
  'not_at_rest',
  'out_of_service',
])
export type ServerReason = z.infer<typeof serverReasonSchema>

export const outOfServiceSchema = z.enum([
  'clock_skew',
  'ledger_failed',
  'not_at_rest',
  'local_latch',
])
export type OutOfService = z.infer<typeof outOfServiceSchema>

/** What one agent last said of itself. Unknown or stale counts as not operable. */
export const agentHealthSchema = z.strictObject({
  agent: z.string().max(limits.idCharsMax),
  cell: z.string().max(limits.idCharsMax),
  reported_at_ms: z.number(),
  servers: z.record(
    plainNameSchema,
    z.strictObject({
      state: healthStateSchema,
      /** Why it is down; left out when it is up, and by agents of the first version. */
      reason: serverReasonSchema.optional(),
      /** Number of the connection to it in this life of the agent; rises when the server restarts. */
      instance: z.int().min(0).max(0x7fffffff).optional(),
      /** Where it is reached, as a digest; left out for a process that the agent itself starts. */
      address: digestSchema.optional(),
      /** To be asked for like a kept part; left out by older agents. */
      list: z
        .strictObject({
          digest: digestSchema.describe('`blob:` and the SHA-256 of the list, base64url.'),
          bytes: z.int().min(0).max(limits.toolListBytesMax).describe('Its length.'),
        })
        .optional()
        .describe('Its whole list of tools as text, which the site may ask for.'),
      /** Digest of each MCP tool definition as the agent sees it now. */
      tools: z.record(plainNameSchema, digestSchema),
    }),
  ),
  sandboxes: z.record(plainNameSchema, healthStateSchema),
  /** Why the agent takes no session now; left out when it does. */
  out_of_service: outOfServiceSchema.optional(),
  /** Milliseconds that the agent's wall clock is ahead of the gateway's. */
  clock_skew_ms: z.number().optional(),
})
export type AgentHealth = z.infer<typeof agentHealthSchema>

/** One recent plan as the long-window monitor keeps it: sketches and codes, never text. */
export const windowEntrySchema = z.strictObject({
  plan: z.string().max(limits.idCharsMax),
  planner: z.string().max(limits.idCharsMax),
  owner: z.string().max(limits.idCharsMax),
  at_ms: z.number(),
  verdict: verdictSchema.nullable(),
  /** When the verdict fell; a plan runs after it, however long a person took. */
  decided_ms: z.number().optional(),
  supersedes: z.string().max(limits.idCharsMax).nullable(),
  /** MinHash sketch of the plan's word shingles (32-bit values). */
  sketch: z.array(z.int().min(0).max(0xffffffff)).max(64),
  capabilities: z.array(z.string().max(limits.idCharsMax)).max(200),
  tools: z.array(z.string().max(limits.toolNameCharsMax)).max(256),
  codes: z.array(z.string().max(60)).max(50),
  /** σ of the plan's own text, so that split instructions can be summed. */
  sigma: z.number().min(0).max(1),
  /** Partial-pattern marks: which halves of multi-part risks this plan showed. */
  marks: z.array(z.string().max(60)).max(80),
})
export type WindowEntry = z.infer<typeof windowEntrySchema>

export const siteSnapshotSchema = z.strictObject({
  site: z.string().max(limits.idCharsMax),
  taken_at_ms: z.number(),
  registry: registrySchema,
  registry_digest: digestSchema,
  policy: policySchema,
  policy_version: digestSchema,
  /** Rises with every revocation; a session bound under a lower epoch may not go on. */
  epoch: z.int().min(0),
  /** Tools whose approved texts were found to carry instructions. */
  quarantined: z.array(z.string().max(limits.toolNameCharsMax)).max(limits.toolsMax),
  /** Rows that have been seen to be right here; left out by releases that did not ask. */
  proven: provenRowsSchema.optional(),
  agents: z.array(agentHealthSchema).max(limits.agentsPerSiteMax),
  window: z.array(windowEntrySchema).max(2_000),
  /** The state of the cell in which the plan would run; nothing is known of it where none is named. */
  cell_state: cellStateSchema.default(unknownState),
})
export type SiteSnapshot = z.infer<typeof siteSnapshotSchema>

/** Who submits, as the credential says. */
export type Submitter = {
  readonly site: string
  readonly planner: string
  /** The person who answers for the planner's credential. */
  readonly owner: string
}
