// Vectors of everything signed: one good text of each kind with its claims, and texts that must be
// refused, each with the reason. All are made with the fixed keys of test/vectors/keys.json.
import { goClaims } from '../../../contain/go.ts'
import type { SigningKey } from '../../../contain/keys.ts'
import { signTrusted } from '../../../contain/sign.ts'
import type { VerifyFailure } from '../../../contain/verify.ts'
import { encodeBase64url } from '../../../protocol/base64url.ts'
import { limits } from '../../../protocol/limits.ts'
import { tokenTypes, type NodeTokenClaims, type TokenKind } from '../../../protocol/tokens.ts'
import type { ToolRow } from '../../../protocol/tool-row.ts'
import { iss, nowMs, vectorSession, type VectorSession } from './session.ts'

/** The key type under this room's own types. */
type CryptoKeyHere = Parameters<typeof crypto.subtle.sign>[1]
type Signer = 'gateway' | 'agent'
export type TokenVectors = {
  /** What both sides are bound to. */
  readonly session: {
    iss: string
    context: object
    ctx: string
    manifest: string
    rows: readonly ToolRow[]
    receipt: string
    now_ms: number
  }
  readonly valid: readonly { kind: TokenKind; signer: Signer; text: string; claims: object }[]
  readonly invalid: readonly {
    name: string
    kind: TokenKind
    signer: Signer
    text: string
    reason: VerifyFailure
  }[]
}

const encode = (text: string): string => encodeBase64url(new TextEncoder().encode(text))

/** The claims of a text that was made here. */
function fromText(text: string): object {
  return JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()) as object
}

function claimsOf(session: VectorSession): Record<TokenKind, [Signer, object]> {
  const { context, ctx, tokens } = session
  const [token] = tokens
  if (token === undefined) throw new Error('the session has no token')
  const payload = fromText(token.token) as NodeTokenClaims
  const start = {
    sub: 'agent-1',
    sid: context.session,
    nid: token.nid,
    jti: token.jti,
    ctx,
    nonce: 'nonce_start',
    cn: 'nonce_connection',
    iat_ms: nowMs + 1_000,
  }
  return {
    node: ['gateway', payload],
    go: ['gateway', goClaims(payload, start, nowMs + 1_010)],
    receipt: ['gateway', fromText(session.receipt)],
    manifest: ['gateway', fromText(session.manifest)],
    start: ['agent', start],
    report: [
      'agent',
      {
        sub: 'agent-1',
        sid: context.session,
        nid: token.nid,
        jti: token.jti,
        ctx,
        outcome: 'succeeded',
        result_digest: null,
        reason: null,
        actuated: true,
        started_ms: nowMs + 1_020,
        ended_ms: nowMs + 2_000,
      },
    ],
    hello: [
      'agent',
      {
        aud: 'gateway.example',
        sub: 'agent-1',
        sid: context.session,
        nonce: 'nonce_connection',
        boot_id: 'boot-1',
        iat_ms: nowMs,
      },
    ],
    rest: [
      'agent',
      {
        sub: 'agent-1',
        sid: context.session,
        ctx,
        boot_id: 'boot-1',
        seq: 1,
        devices: [
          { server: 'arm', state: 'refused', detail: 'servo drive does not answer' },
          { server: 'scale', state: 'at_rest', detail: null },
        ],
        at_ms: nowMs + 3_000,
      },
    ],
    stop: [
      'gateway',
      {
        iss: 'gateway.example',
        aud: context.site,
        sub: 'agent-1',
        cell: context.cell,
        cn: 'nonce_connection',
        stop: 'stop_1',
        kind: 'drill',
        calls: [
          {
            server: 'arm',
            mcp_tool: 'arm.safe_stop',
            args: {},
            place: { group: 0, within_ms: 2_000 },
          },
        ],
        iat_ms: nowMs,
      },
    ],
    stopped: [
      'agent',
      {
        sub: 'agent-1',
        cell: context.cell,
        stop: 'stop_1',
        boot_id: 'boot-1',
        seq: 1,
        calls: [{ state: 'at_rest', detail: null, asked_ms: nowMs, rested_ms: nowMs + 40 }],
        at_ms: nowMs + 50,
      },
    ],
    agent: [
      'agent',
      {
        iss: 'agent-1',
        sub: 'agent-1',
        aud: 'site-1',
        iat: nowMs / 1000,
        exp: nowMs / 1000 + 60,
        jti: 'jti_upgrade',
      },
    ],
  }
}

/** A signature of `key` over any header and payload text, well formed or not. */
async function forge(key: SigningKey, header: string, payload: string): Promise<string> {
  const input = `${encode(header)}.${encode(payload)}`
  const bytes = new TextEncoder().encode(input)
  const signature = await crypto.subtle.sign('Ed25519', key.key as CryptoKeyHere, bytes)
  return `${input}.${encodeBase64url(new Uint8Array(signature))}`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** The same bits for a loose decoder: only the unused ones of the last character differ. */
function loose(text: string, bits: number): string {
  const last = alphabet.indexOf(text.at(-1) ?? '')
  return text.slice(0, -1) + (alphabet[last ^ ((1 << bits) - 1)] ?? '')
}

const swap = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)

type Row = [string, string, VerifyFailure]

/** Bad encodings of a good token. */
function encodings(text: string): Row[] {
  const [h = '', p = '', s = ''] = text.split('.')
  return [
    ['empty', '', 'not_compact'],
    ['two segments', `${h}.${p}`, 'not_compact'],
    ['four segments', `${text}.${s}`, 'not_compact'],
    ['an empty header', `.${p}.${s}`, 'not_compact'],
    ['an empty payload', `${h}..${s}`, 'not_compact'],
    ['an empty signature', `${h}.${p}.`, 'not_compact'],
    ['padding', `${text}==`, 'encoding'],
    ['white space at the end', `${text} `, 'encoding'],
    ['a newline inside', `${h}.${p.slice(0, 8)}\n${p.slice(8)}.${s}`, 'encoding'],
    ['standard base64 in the signature', `${h}.${p}.+/${s.slice(2)}`, 'encoding'],
    ['unused bits of the last signature character', `${h}.${p}.${loose(s, 4)}`, 'encoding'],
    ['one unused bit of the last signature character', `${h}.${p}.${loose(s, 1)}`, 'encoding'],
    ['a short signature', `${h}.${p}.${s.slice(0, -2)}`, 'encoding'],
    ['a changed signature', `${h}.${p}.${swap(s, 0)}`, 'signature'],
    ['a changed last signature byte', `${h}.${p}.${swap(s, 84)}`, 'signature'],
    ['a payload that is not JSON', `${h}.${encode('{')}.${s}`, 'encoding'],
    ['a header that is not JSON', `${encode('{')}.${p}.${s}`, 'header'],
    ['past the longest token', `${h}.${'A'.repeat(limits.tokenCharsMax)}.${s}`, 'too_long'],
  ]
}

/** Good signatures under headers that are not the pinned one. */
async function headers(key: SigningKey, claims: object): Promise<Row[]> {
  const payload = JSON.stringify(claims)
  const { kid } = key
  const typ = tokenTypes.node
  const bad: [string, object | string, VerifyFailure][] = [
    ['alg none', { alg: 'none', kid, typ }, 'header'],
    ['alg HS256', { alg: 'HS256', kid, typ }, 'header'],
    ['alg Ed25519', { alg: 'Ed25519', kid, typ }, 'header'],
    ['no typ', { alg: 'EdDSA', kid }, 'header'],
    ['the typ of a go', { alg: 'EdDSA', kid, typ: tokenTypes.go }, 'header'],
    ['typ in capitals', { alg: 'EdDSA', kid, typ: typ.toUpperCase() }, 'header'],
    ['no kid', { alg: 'EdDSA', typ }, 'header'],
    ['an unknown kid', { alg: 'EdDSA', kid: 'nobody', typ }, 'unknown_key'],
    ['a key in the header', { alg: 'EdDSA', kid, typ, jwk: key.jwk }, 'header'],
    ['a key address in the header', { alg: 'EdDSA', kid, typ, jku: 'https://x.test' }, 'header'],
    ['critical extensions', { alg: 'EdDSA', kid, typ, crit: ['x'], x: 1 }, 'header'],
    ['an unencoded payload', { alg: 'EdDSA', kid, typ, b64: false, crit: ['b64'] }, 'header'],
    ['a repeated member', `{"alg":"none","alg":"EdDSA","kid":"${kid}","typ":"${typ}"}`, 'header'],
  ]
  return Promise.all(
    bad.map(async ([name, header, reason]): Promise<Row> => {
      const text = typeof header === 'string' ? header : JSON.stringify(header)
      return [name, await forge(key, text, payload), reason]
    }),
  )
}

/** Good signatures over claims that are not those of a node token. */
async function badClaims(key: SigningKey, good: NodeTokenClaims): Promise<Row[]> {
  const { exp: _exp, ...noExpiry } = good
  const header = JSON.stringify({ alg: 'EdDSA', kid: key.kid, typ: tokenTypes.node })
  const text = JSON.stringify(good)
  const bad: [string, string, VerifyFailure][] = [
    ['an additional claim', JSON.stringify({ ...good, admin: true }), 'claims'],
    ['no expiry', JSON.stringify(noExpiry), 'claims'],
    ['an expiry in text', JSON.stringify({ ...good, exp: String(good.exp) }), 'claims'],
    ['a fraction of a second', JSON.stringify({ ...good, exp: good.exp + 0.5 }), 'claims'],
    ['a list of sites', JSON.stringify({ ...good, aud: [good.aud] }), 'claims'],
    ['a digest without its prefix', JSON.stringify({ ...good, ctx: 'A'.repeat(43) }), 'claims'],
    ['a repeated claim', `{"nid":"read",${text.slice(1)}`, 'encoding'],
    ['no object', '[]', 'claims'],
  ]
  return Promise.all(
    bad.map(async ([name, payload, reason]): Promise<Row> => [
      name,
      await forge(key, header, payload),
      reason,
    ]),
  )
}

export async function tokenVectors(): Promise<TokenVectors> {
  const session = await vectorSession('sess_a')
  const all = claimsOf(session)
  const valid = await Promise.all(
    (Object.keys(all) as TokenKind[]).map(async (kind) => {
      const [signer, body] = all[kind]
      const text = await signTrusted(session[signer], kind, body)
      return { kind, signer, text, claims: body }
    }),
  )
  const good = session.tokens[0]?.token ?? ''
  const nodeClaims = all.node[1] as NodeTokenClaims
  const rows: Row[] = [
    ...encodings(good),
    ...(await headers(session.gateway, nodeClaims)),
    ...(await badClaims(session.gateway, nodeClaims)),
    [
      "a stranger's signature",
      await signTrusted(session.stranger, 'node', nodeClaims),
      'unknown_key',
    ],
    [
      "a stranger's signature under the gateway's kid",
      await forge(
        session.stranger,
        JSON.stringify({ alg: 'EdDSA', kid: session.gateway.kid, typ: tokenTypes.node }),
        JSON.stringify(nodeClaims),
      ),
      'signature',
    ],
  ]
  const { context, ctx, manifest, receipt, rows: toolRows } = session
  return {
    session: { iss, context, ctx, manifest, receipt, rows: toolRows, now_ms: nowMs },
    valid,
    invalid: rows.map(([name, text, reason]) => ({
      name,
      kind: 'node',
      signer: 'gateway',
      text,
      reason,
    })),
  }
}
