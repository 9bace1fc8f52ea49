// Frames between gateway and agent: JSON, closed, versioned. Two sockets speak them:
// presence (`GET /v1/agent`, with SiteHub) and session (`GET /v1/sessions/:id/agent`, with
// ExecutionSession). The first frame on either is the gateway's `challenge`.
import { z } from 'zod'
import { jsonObjectSchema } from './json.ts'
import { limits } from './limits.ts'
import { agentHealthSchema } from './snapshot.ts'
import { contextSchema } from './records.ts'
import { features } from './features.ts'
import { frameErrorSchema, haltReasonSchema } from './reasons.ts'
import { nodeResultSchema } from './node-result.ts'
import { partShape, partWantedShape } from './part-frames.ts'
import { toldSchema } from './progress.ts'
import { traceparentCharsMax } from './trace.ts'
import { pinnedToolSchema, toolRowSchema } from './tool-row.ts'

const id = z.string().min(1).max(limits.idCharsMax)
const jws = z.string().max(limits.tokenCharsMax)
/** A manifest of 256 nodes is larger than one token. */
const longJws = z.string().max(limits.manifestCharsMax)

const head = {
  v: z.literal(1),
  /** Chosen by the sender, unique in the session; an identical one is answered from the record. */
  fid: id,
  /** The nonce of this connection's challenge. */
  nonce: id,
} as const

// ---- from the agent, session socket ----
export const helloFrame = z.strictObject({
  ...head,
  type: z.literal('hello'),
  session: id,
  boot_id: id,
  /** Head of the agent's own ledger for this session: node ids with their local state. */
  ledger_head: z
    .array(z.strictObject({ nid: id, state: z.enum(['received', 'started', 'actuated', 'ended']) }))
    .max(limits.nodesMax),
  /** JWS `hello` over the challenge nonce, by the bound key. */
  proof: jws,
})
export const pullFrame = z.strictObject({ ...head, type: z.literal('pull') })
export const startFrame = z.strictObject({
  ...head,
  type: z.literal('start'),
  nid: id,
  token: jws,
  start: z.string().max(limits.startCharsMax),
})
export const reportFrame = z.strictObject({
  ...head,
  type: z.literal('report'),
  nid: id,
  /** The report of a skipped node carries what its condition compared. */
  report: z.string().max(limits.reportCharsMax),
  /** Only with the feature `results`: what `result_digest` of the report is the digest of. */
  result: nodeResultSchema.optional(),
})
/** Only with the feature `rest`; also after the end, which is when devices come to rest. */
export const restFrame = z.strictObject({ ...head, type: z.literal('rest'), rest: longJws })
/** Only with the feature `progress`; not answered, not recorded, and only of the node that runs. */
export const progressFrame = z.strictObject({
  ...head,
  type: z.literal('progress'),
  nid: id,
  told: toldSchema,
})
/** The agent ends the session itself (local stop, pin changed, SIGTERM). No node follows. */
export const abortFrame = z.strictObject({
  ...head,
  type: z.literal('abort'),
  reason: z.enum([
    'local_stop',
    'shutdown',
    'pin_changed',
    'server_lost',
    'receipt_invalid',
    'context_mismatch',
    'token_invalid',
    'go_invalid',
    // Only with the feature `reasons`.
    'server_restarted',
    'list_unreadable',
    'ledger_failed',
    // Only with the feature `references`.
    'reference_missed',
    'require_not_met',
  ]),
  detail: z.string().max(300),
})
export const agentSessionFrame = z.discriminatedUnion('type', [
  helloFrame,
  pullFrame,
  startFrame,
  reportFrame,
  restFrame,
  abortFrame,
  progressFrame,
])
export type AgentSessionFrame = z.infer<typeof agentSessionFrame>

// ---- from the gateway, session socket ----
const answer = {
  v: z.literal(1),
  /** The frame that it answers; null when unasked. */ re: id.nullable(),
}

/** Only sent to an agent that offered features: older ones read a challenge without them. */
const challenge = {
  ...answer,
  type: z.literal('challenge'),
  nonce: id,
  now_ms: z.number(),
  features: z.array(z.enum(features)).max(features.length).optional(),
}

/** A halt for a word of a later release is still a halt: it only makes safer. */
const readHalt = haltReasonSchema.catch('authority_unreachable')

export const nodeProgressSchema = z.enum([
  'pending',
  'released',
  'executing',
  'succeeded',
  'failed',
  'unknown',
  // Only with the feature `references`: its condition, or one that it depends on, did not hold.
  'skipped',
])
export type NodeProgress = z.infer<typeof nodeProgressSchema>

export const gatewaySessionFrame = z.discriminatedUnion('type', [
  z.strictObject(challenge),
  z.strictObject({
    ...answer,
    type: z.literal('welcome'),
    context: contextSchema,
    /** H as the gateway computed it; the agent computes it again. */
    ctx: z.string(),
    /** The rows whose digests the context names. */
    rows: z.array(toolRowSchema).max(limits.toolsMax).optional(),
    receipt: jws,
    manifest: longJws,
    progress: z.array(z.strictObject({ nid: id, state: nodeProgressSchema })),
    /** Only with the feature `trace`: the run's place in the trace of its plan (W3C). */
    traceparent: z.string().max(traceparentCharsMax).optional(),
  }),
  z.strictObject({
    ...answer,
    type: z.literal('token'),
    nid: id,
    token: jws,
    args: jsonObjectSchema,
  }),
  z.strictObject({ ...answer, type: z.literal('wait'), ms: z.int() }),
  z.strictObject({
    ...answer,
    type: z.literal('done'),
    status: z.enum(['completed', 'terminated']),
  }),
  z.strictObject({ ...answer, type: z.literal('go'), nid: id, go: jws }),
  /** The `start` was seen before and its `go` left once: it is never sent again. */
  z.strictObject({ ...answer, type: z.literal('go_spent'), nid: id }),
  z.strictObject({ ...answer, type: z.literal('ack'), nid: id.nullable() }),
  z.strictObject({ ...answer, type: z.literal('halt'), reason: readHalt }),
  z.strictObject({
    ...answer,
    type: z.literal('error'),
    code: frameErrorSchema,
    detail: z.string(),
  }),
])
export type GatewaySessionFrame = z.infer<typeof gatewaySessionFrame>

// ---- presence socket ----
/** Only with the feature `parts`: how long the site wants parts of results kept; left out: not said. */
const partKeepMs = z.int().optional()

export const agentPresenceFrame = z.discriminatedUnion('type', [
  z.strictObject({
    ...head,
    type: z.literal('hello'),
    boot_id: id,
    cell: id,
    proof: jws,
  }),
  z.strictObject({
    ...head,
    type: z.literal('health'),
    health: agentHealthSchema.omit({ agent: true, cell: true, reported_at_ms: true }),
  }),
  /** Only with the feature `parts`. */
  z.strictObject({ ...head, ...partShape }),
  /** Only with the feature `stop-order`: how a stop of the cell stands. */
  z.strictObject({ ...head, type: z.literal('stopped'), report: longJws }),
])
export type AgentPresenceFrame = z.infer<typeof agentPresenceFrame>

export const gatewayPresenceFrame = z.discriminatedUnion('type', [
  z.strictObject(challenge),
  z.strictObject({
    ...answer,
    type: z.literal('welcome'),
    site: id,
    registry_digest: z.string(),
    tools: z.array(pinnedToolSchema).max(limits.toolsMax),
    sandboxes: z.array(z.string()),
    health_every_ms: z.int(),
    part_keep_ms: partKeepMs,
  }),
  z.strictObject({
    ...answer,
    type: z.literal('registry'),
    registry_digest: z.string(),
    tools: z.array(pinnedToolSchema).max(limits.toolsMax),
    sandboxes: z.array(z.string()),
    part_keep_ms: partKeepMs,
  }),
  /** Only with the feature `parts`. */
  z.strictObject({ ...answer, ...partWantedShape }),
  z.strictObject({ ...answer, type: z.literal('assigned'), session: id }),
  /** Only with the feature `stop-order`. */
  z.strictObject({ ...answer, type: z.literal('stop_order'), order: longJws }),
  z.strictObject({ ...answer, type: z.literal('ack') }),
  z.strictObject({ ...answer, type: z.literal('halt'), reason: readHalt }),
  z.strictObject({
    ...answer,
    type: z.literal('error'),
    code: frameErrorSchema,
    detail: z.string(),
  }),
])
export type GatewayPresenceFrame = z.infer<typeof gatewayPresenceFrame>
