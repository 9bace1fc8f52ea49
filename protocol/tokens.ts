// Claims of everything that is signed. JWS compact, EdDSA (RFC 8037), `typ` pinned per kind,
// `kid` pinned to a published key. Times are seconds (RFC 7519) unless the name ends in `_ms`.
import { z } from 'zod'
import { limits } from './limits.ts'
import { digestSchema } from './registry.ts'

export const tokenTypes = {
  node: 'portcullis-node+jwt',
  go: 'portcullis-go+jwt',
  receipt: 'portcullis-receipt+jwt',
  manifest: 'portcullis-manifest+jwt',
  start: 'portcullis-start+jwt',
  report: 'portcullis-report+jwt',
  hello: 'portcullis-hello+jwt',
  rest: 'portcullis-rest+jwt',
  stop: 'portcullis-stop+jwt',
  stopped: 'portcullis-stopped+jwt',
  agent: 'portcullis-agent+jwt',
} as const
export type TokenKind = keyof typeof tokenTypes

const id = z.string().min(1).max(limits.idCharsMax)
const seconds = z.int().min(0)

/** One per node, minted at binding, released one at a time. The agent can verify, never mint. */
export const nodeTokenClaimsSchema = z.strictObject({
  iss: z.string().max(300),
  /** The site. */
  aud: id,
  /** The agent. */
  sub: id,
  sid: id,
  nid: id,
  tool: z.string().max(limits.toolNameCharsMax),
  /** Position in the order, from 0. */
  seq: z.int().min(0),
  /** Digest of the node's arguments as they stand in the plan: of the template, where they have references. */
  args: digestSchema,
  /** H. */
  ctx: digestSchema,
  iat: seconds,
  nbf: seconds,
  exp: seconds,
  jti: id,
  cnf: z.strictObject({ jkt: z.string().max(60) }),
})
export type NodeTokenClaims = z.infer<typeof nodeTokenClaimsSchema>

/** Permission to actuate now: fresh for 500 ms from the agent's own `start`. */
export const goClaimsSchema = z.strictObject({
  iss: z.string().max(300),
  aud: id,
  sub: id,
  jti: id,
  sid: id,
  nid: id,
  ctx: digestSchema,
  /** Digest of the arguments of the call: every reference is a value by now. */
  args: digestSchema,
  /** The nonce of the agent's `start`. */
  nonce: id,
  iat_ms: z.number(),
  exp_ms: z.number(),
})
export type GoClaims = z.infer<typeof goClaimsSchema>

/** The signed decision that the agent checks before anything else. */
export const receiptClaimsSchema = z.strictObject({
  iss: z.string().max(300),
  aud: id,
  sub: id,
  sid: id,
  ctx: digestSchema,
  verdict: z.literal('accept'),
  plan_digest: digestSchema,
  decision_digest: digestSchema,
  valid_until_ms: z.number(),
  approvers: z.array(id).max(limits.reviewApproversMax),
  iat: seconds,
  exp: seconds,
})
export type ReceiptClaims = z.infer<typeof receiptClaimsSchema>

/** Which jti belongs to which node, so that no token can be swapped in later. */
export const manifestClaimsSchema = z.strictObject({
  iss: z.string().max(300),
  aud: id,
  sub: id,
  sid: id,
  ctx: digestSchema,
  nodes: z.array(z.strictObject({ nid: id, jti: id, seq: z.int().min(0) })).max(limits.nodesMax),
  iat: seconds,
  exp: seconds,
})
export type ManifestClaims = z.infer<typeof manifestClaimsSchema>

/** Why a reading does not meet its precondition. */
export const readMissSchema = z.enum([
  'not_read',
  'error',
  'result_invalid',
  'missing',
  'null',
  'type',
  'unit',
  'range',
  'stale',
])
export type ReadMiss = z.infer<typeof readMissSchema>

/** What a sensor said, in the order of the row's preconditions. */
export const preconditionReadSchema = z.strictObject({
  value: z.union([z.number(), z.boolean(), z.string().max(200)]).nullable(),
  /** Of the whole answer, as `result_digest` of a report; null when there was none. */
  digest: digestSchema.nullable(),
  /** From the request of the reading to the moment of signing, by the slower of two clocks. */
  age_ms: z.number().min(0),
})
export type PreconditionRead = z.infer<typeof preconditionReadSchema>

/** The reading that was missed: its place among the preconditions of the row, and why. */
export const missedReadSchema = z.strictObject({
  precondition: z.int().min(0),
  miss: readMissSchema,
  read: preconditionReadSchema.nullable(),
})
export type MissedRead = z.infer<typeof missedReadSchema>

/** Signed by the agent's key: it intends to actuate this node now. */
export const startClaimsSchema = z.strictObject({
  sub: id,
  sid: id,
  nid: id,
  jti: id,
  ctx: digestSchema,
  /** Fresh per start; the `go` must repeat it. */
  nonce: id,
  /** The connection nonce of the socket that it is sent on. */
  cn: id,
  iat_ms: z.number(),
  /** Only with the feature `preconditions`, and only where the row has some. */
  reads: z.array(preconditionReadSchema).max(limits.preconditionsMax).optional(),
})
export type StartClaims = z.infer<typeof startClaimsSchema>

/** `skipped`: only with the feature `references`; nothing was called. */
export const outcomeSchema = z.enum(['succeeded', 'failed', 'unknown', 'skipped'])
export type Outcome = z.infer<typeof outcomeSchema>

/** Signed by the agent's key: what became of the node. May be re-sent on a later connection. */
export const reportClaimsSchema = z.strictObject({
  sub: id,
  sid: id,
  nid: id,
  jti: id,
  ctx: digestSchema,
  outcome: outcomeSchema,
  /** Digest of the tool's result; null when there is none. */
  result_digest: digestSchema.nullable(),
  /** Stable word; null when succeeded. */
  reason: z.string().max(60).nullable(),
  /** Whether the call was handed to the device; false means that nothing can have moved. */
  actuated: z.boolean(),
  started_ms: z.number(),
  ended_ms: z.number(),
  /** Only with the feature `preconditions`: what kept the node from starting. */
  missed: missedReadSchema.optional(),
  /** Of a skipped node alone: what its `when` compared, converted, in the order of the text. */
  values: z
    .array(z.union([z.number(), z.boolean(), z.string().max(limits.comparedCharsMax)]))
    .max(limits.comparisonsMax)
    .optional(),
})
export type ReportClaims = z.infer<typeof reportClaimsSchema>

/** `refused`: the device answered that it did not stop. `unreachable`: nobody could be asked, or ask. */
export const restStateSchema = z.enum(['at_rest', 'pending', 'refused', 'unreachable'])
export type RestState = z.infer<typeof restStateSchema>

/** How one device (MCP server) of a session stands on its way to rest. */
export const deviceRestSchema = z.strictObject({
  server: id,
  state: restStateSchema,
  /** A stable word, or the device's own words when it refused. */
  detail: z.string().max(limits.restDetailCharsMax).nullable(),
})
export type DeviceRest = z.infer<typeof deviceRestSchema>

/** Signed by the agent's key: which devices of a session that is over have come to rest. */
export const restClaimsSchema = z.strictObject({
  sub: id,
  sid: id,
  ctx: digestSchema,
  boot_id: id,
  /** Counts the reports of one agent process on one session; a later one replaces the earlier. */
  seq: z.int().min(0),
  devices: z.array(deviceRestSchema).max(limits.restDevicesMax),
  at_ms: z.number(),
})
export type RestClaims = z.infer<typeof restClaimsSchema>

/** Binds the connection: the agent's key over the challenge nonce. */
export const helloClaimsSchema = z.strictObject({
  /** The gateway's name as this agent knows it, so that no other gateway can pass the proof on. */
  aud: z.string().min(1).max(300).optional(),
  sub: id,
  sid: id.nullable(),
  nonce: id,
  boot_id: id,
  iat_ms: z.number(),
})

/** In `Authorization: Bearer` at the upgrade, signed by the agent's key, at most 60 s old. */
export const agentJwtClaimsSchema = z.strictObject({
  iss: id,
  sub: id,
  /** The site. */
  aud: id,
  iat: seconds,
  exp: seconds,
  jti: id,
})
