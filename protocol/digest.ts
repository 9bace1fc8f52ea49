// SHA-256 over "portcullis/<what>/v1\n" ‖ JCS(value) (RFC 8785), base64url, with a prefix per kind.
// The label keeps two kinds apart: no value of one kind can be passed off as another.
import canonicalize from 'canonicalize'
import { encodeBase64url } from './base64url.ts'
import type { JsonValue } from './json.ts'

/** What is digested → the prefix of the digest. */
export const digestKinds = {
  plan: 'plan',
  packet: 'packet',
  decision: 'decision',
  context: 'ctx',
  args: 'args',
  registry: 'reg',
  policy: 'pol',
  definition: 'def',
  snapshot: 'snap',
  result: 'result',
  chief: 'chief',
  audit: 'audit',
  body: 'body',
  graph: 'graph',
  'tool-row': 'row',
  state: 'state',
  trace: 'trace',
  standing: 'standing',
  export: 'export',
} as const
export type DigestKind = keyof typeof digestKinds

/** The canonical form of a JSON value (RFC 8785). Throws on what JSON cannot hold exactly. */
export function canonicalForm(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('value has no canonical form')
  return text
}

/** Digest of an already canonical text; for callers that keep the canonical form. */
export async function digestCanonical(kind: DigestKind, canonical: string): Promise<string> {
  const bytes = new TextEncoder().encode(`portcullis/${kind}/v1\n${canonical}`)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `${digestKinds[kind]}:${encodeBase64url(hash)}`
}

/** Digest of a JSON value: `<prefix>:<43 base64url characters>`. */
export function digest(kind: DigestKind, value: JsonValue | object): Promise<string> {
  return digestCanonical(kind, canonicalForm(value))
}
