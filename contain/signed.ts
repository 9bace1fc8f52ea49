// Every signed kind and the claims it carries: one table, so that a signature made for one purpose
// can never be read as another (the `typ` differs, and so does the schema).
import type { z } from 'zod'
import {
  agentJwtClaimsSchema,
  goClaimsSchema,
  helloClaimsSchema,
  manifestClaimsSchema,
  nodeTokenClaimsSchema,
  receiptClaimsSchema,
  reportClaimsSchema,
  restClaimsSchema,
  startClaimsSchema,
  type TokenKind,
} from '../protocol/tokens.ts'
import { stopAnswerClaimsSchema, stopOrderClaimsSchema } from '../protocol/stop-order.ts'

/** The claims schema of each kind; all are closed. */
export const claimsSchemas = {
  node: nodeTokenClaimsSchema,
  go: goClaimsSchema,
  receipt: receiptClaimsSchema,
  manifest: manifestClaimsSchema,
  start: startClaimsSchema,
  report: reportClaimsSchema,
  hello: helloClaimsSchema,
  rest: restClaimsSchema,
  stop: stopOrderClaimsSchema,
  stopped: stopAnswerClaimsSchema,
  agent: agentJwtClaimsSchema,
} as const satisfies Record<TokenKind, z.ZodType>

/** The claims of one kind. */
export type ClaimsOf<K extends TokenKind> = z.infer<(typeof claimsSchemas)[K]>
