// A kept part on its way from an agent to a reader: piece by piece, as fast as it is taken, with its length
// and its digest checked. The last piece is held back until the whole is what was signed, so that nobody
// ever has all of something else.
import type { PartAnswer, PartAsk } from '../durable-objects/contracts.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { KeptPart } from '../protocol/node-result.ts'
import signatures from './media-signatures.json' with { type: 'json' }
import type { ProblemCode } from './problems.ts'

type Ask = (ask: PartAsk) => Promise<PartAnswer>
type Bytes = Uint8Array<ArrayBuffer>

const refusals = {
  agent_away: 'part_unreachable',
  agent_outdated: 'part_unreachable',
  absent: 'part_expired',
  too_many: 'too_many_parts',
} as const satisfies Record<string, ProblemCode>

/** Asked once more where somebody else was just being served. */
const againMs = 250
const triesMax = 40

async function pieceOf(ask: Ask, at: PartAsk, total: number): Promise<Result<Bytes, ProblemCode>> {
  for (let tried = 1; ; tried++) {
    const answer = await ask(at)
    if (answer.ok) {
      const bytes = Uint8Array.from(atob(answer.value.data), (c) => c.codePointAt(0) ?? 0)
      const empty = bytes.length === 0 && at.offset < total
      const fits = answer.value.total === total && at.offset + bytes.length <= total && !empty
      return fits ? ok(bytes) : err('part_changed')
    }
    const { reason } = answer.error
    // Before the first piece the reader is told; in the middle it waits for its turn.
    const wait = reason === 'too_many' && at.offset > 0 && tried < triesMax
    if (!wait) return err(refusals[reason])
    await scheduler.wait(againMs)
  }
}

const textOf = (digest: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The rest after the first piece; throws where the reader must not get a whole. */
async function pump(
  ask: Ask,
  { agent, part, first }: { agent: string; part: KeptPart; first: Bytes },
  out: WritableStreamDefaultWriter<Bytes>,
): Promise<void> {
  const hash = new crypto.DigestStream('SHA-256')
  const hashed = hash.getWriter()
  let piece = first
  let offset = 0
  for (;;) {
    await hashed.write(piece)
    offset += piece.length
    if (offset >= part.bytes) break
    await out.write(piece)
    const next = await pieceOf(ask, { agent, digest: part.digest, offset }, part.bytes)
    if (!next.ok) throw new Error(next.error)
    piece = next.value
  }
  await hashed.close()
  if (`blob:${textOf(await hash.digest)}` !== part.digest) throw new Error('part_changed')
  await out.write(piece)
  await out.close()
}

/**
 * The bytes of a part, or why there are none. What goes wrong later breaks the stream off before its end:
 * its length was announced, so the reader sees that something is missing.
 */
export async function partStream(
  ask: Ask,
  {
    agent,
    part,
    mediaOnly,
    background,
  }: {
    readonly agent: string
    readonly part: KeptPart
    /** The reader gets nothing that may be text. */
    readonly mediaOnly: boolean
    readonly background: (work: Promise<void>) => void
  },
): Promise<Result<ReadableStream<Bytes>, ProblemCode>> {
  const first = await pieceOf(ask, { agent, digest: part.digest, offset: 0 }, part.bytes)
  if (!first.ok) return first
  if (mediaOnly && !beginsAs(part, first.value)) return err('part_withheld')
  if (first.value.length === part.bytes) {
    const digest = textOf(await crypto.subtle.digest('SHA-256', first.value))
    if (`blob:${digest}` !== part.digest) return err('part_changed')
  }
  const { readable, writable } = new FixedLengthStream(part.bytes)
  const out = writable.getWriter() as WritableStreamDefaultWriter<Bytes>
  const work = pump(ask, { agent, part, first: first.value }, out).catch((cause: unknown) =>
    out.abort(cause).catch(() => {}),
  )
  background(work)
  return ok(readable as ReadableStream<Bytes>)
}

/** Types that a browser only ever shows, each with the bytes that such a file begins with; `.`: any. */
const shownTypes = new Map<string, readonly string[]>(Object.entries(signatures))

/** True for a part that calls itself no text: text goes to a planner only screened, as the data of a result. */
export const isMedia = ({ type }: KeptPart): boolean => shownTypes.has(type.toLowerCase())

/** Whether bytes begin as the type says: a device that calls a text a picture is not believed. */
function beginsAs({ type }: KeptPart, bytes: Bytes): boolean {
  const hex = [...bytes.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const known = shownTypes.get(type.toLowerCase()) ?? []
  return known.some((sign) => new RegExp(`^${sign}`).test(hex))
}

/** Headers under which a stranger's bytes are a file to keep and nothing that runs. */
export function partHeaders(part: KeptPart): Record<string, string> {
  return {
    'content-type': isMedia(part) ? part.type.toLowerCase() : 'application/octet-stream',
    'content-disposition': `attachment; filename="${part.digest.slice('blob:'.length)}"`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'no-store',
    'content-length': String(part.bytes),
  }
}
