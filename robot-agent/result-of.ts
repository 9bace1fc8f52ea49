// From an MCP tool result to what travels with the report: data that fits the bounds of a node's result,
// and everything else by digest. The danger: an answer of any size, depth or spelling is a stranger's,
// and must neither block the session nor mean one thing here and another at the gateway.
import { createHash } from 'node:crypto'
import { canonicalForm } from '../protocol/digest.ts'
import type { JsonValue } from '../protocol/json.ts'
import { limits } from '../protocol/limits.ts'
import { resultBounds, type KeptPart, type NodeResult } from '../protocol/node-result.ts'
import { parseJsonText } from '../protocol/parse.ts'

/** Bytes that stay on this machine, under the digest that the result names. */
export type Part = { readonly digest: string; readonly bytes: Buffer }
type Taken = { readonly result: NodeResult; readonly parts: readonly Part[] }

type Answer = { readonly content?: unknown; readonly structuredContent?: unknown }
type Content = {
  readonly type?: unknown
  readonly text?: unknown
  readonly data?: unknown
  readonly blob?: unknown
  readonly mimeType?: unknown
  readonly resource?: unknown
}

/** The value as it will be read on the other side; undefined when it is over a bound or not exact. */
function exact(text: string): JsonValue | undefined {
  const read = parseJsonText(text, resultBounds)
  if (!read.ok) return undefined
  // What fits as it was written may not fit as it is sent.
  return Buffer.byteLength(canonicalForm(read.value)) <= limits.resultBytesMax
    ? read.value
    : undefined
}

/** Canonical text of a value, or null when it has none: a lone surrogate, or too deep to walk. */
function canonical(value: unknown): string | null {
  try {
    return canonicalForm(value)
  } catch {
    return null
  }
}

/** JSON writes −0 as 0, which is another number: a reading below zero that nobody saw. */
function holdsMinusZero(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0)
  return Object.values(value).some(holdsMinusZero)
}

/** A text as data: JSON where it reads without loss (no key twice, no number changed), else itself. */
function textData(text: string): Pick<NodeResult, 'data' | 'from'> | null {
  const json = exact(text)
  if (json !== undefined && typeof json !== 'string') return { data: json, from: 'json_text' }
  const plain = canonical(text)
  if (plain === null || Buffer.byteLength(plain) > limits.resultBytesMax) return null
  return { data: text, from: 'text' }
}

class Taking {
  readonly parts: Part[] = []
  readonly kept: KeptPart[] = []
  leftOut = 0

  keep(type: unknown, bytes: Buffer): void {
    const named = typeof type === 'string' && /^[!-~]{1,120}$/.test(type)
    if (this.kept.length >= limits.resultPartsMax) {
      this.leftOut += 1
      return
    }
    const digest = `blob:${createHash('sha256').update(bytes).digest('base64url')}`
    this.kept.push({
      type: named ? type : 'application/octet-stream',
      bytes: bytes.length,
      digest,
    })
    this.parts.push({ digest, bytes })
  }

  /** An image, a sound or a file; anything else, a link for one, is only counted. */
  part({ data, mimeType, resource }: Content): void {
    const inner = (resource ?? {}) as Content
    if (typeof data === 'string') this.keep(mimeType, Buffer.from(data, 'base64'))
    else if (typeof inner.blob === 'string') {
      this.keep(inner.mimeType, Buffer.from(inner.blob, 'base64'))
    } else if (typeof inner.text === 'string') {
      this.keep(inner.mimeType ?? 'text/plain', Buffer.from(inner.text))
    } else this.leftOut += 1
  }
}

/** Takes one answer apart; total: whatever the answer is, it becomes a result. */
export function resultOf(answer: Answer): Taken {
  const taking = new Taking()
  const parts = (Array.isArray(answer.content) ? answer.content : []) as (Content | null)[]
  const texts: string[] = []
  for (const part of parts) {
    if (part?.type === 'text' && typeof part.text === 'string') texts.push(part.text)
    else if (typeof part === 'object' && part !== null) taking.part(part)
    else taking.leftOut += 1
  }
  const said = dataOf(answer, texts, taking)
  return {
    result: { ...said, kept: taking.kept, left_out: taking.leftOut },
    parts: taking.parts,
  }
}

const none = { data: null, from: 'none' } as const

function dataOf(
  { structuredContent }: Answer,
  texts: readonly string[],
  taking: Taking,
): Pick<NodeResult, 'data' | 'from'> {
  if (structuredContent !== undefined) {
    const text = canonical(structuredContent)
    const data = text === null ? undefined : exact(text)
    if (data !== undefined && !holdsMinusZero(structuredContent))
      return { data, from: 'structured' }
    if (text === null) taking.leftOut += 1
    else taking.keep('application/json', Buffer.from(text))
    return none
  }
  if (texts.length === 0) return none
  const text = texts.join('\n')
  const data = textData(text)
  if (data !== null) return data
  taking.keep('text/plain', Buffer.from(text))
  return none
}
