// Bodies: bounded, lossless, closed. Bytes are counted while they arrive, so that a body without a
// length cannot fill the isolate; a key that occurs twice is refused, not resolved.
import type { z } from 'zod'
import { limits } from '../protocol/limits.ts'
import { parseJson } from '../protocol/parse.ts'
import type { Violation } from '../protocol/reasons.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { issueViolations } from '../protocol/schema-words.ts'
import { capViolations } from '../protocol/violations.ts'
import type { Refusal } from './problems.ts'

function tooLarge(bytesMax: number): Result<never, Refusal> {
  return err({ code: 'body_too_large', detail: `At most ${bytesMax} bytes.` })
}

type Bounds = { bytesMax: number; timeoutMs?: number }

/** The chunks of a stream until its end, or which bound it broke. The stream is then cancelled. */
async function readChunks(
  body: ReadableStream<Uint8Array>,
  { bytesMax, timeoutMs = limits.bodyMsMax }: Bounds,
): Promise<Result<Uint8Array[], 'too_large' | 'too_slow'>> {
  const reader = body.getReader()
  let timer: ReturnType<typeof setTimeout> | null = null
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })
  const chunks: Uint8Array[] = []
  let size = 0
  const give = (why: 'too_large' | 'too_slow') => {
    // The peer may be gone: nobody waits for the end of a stream that is not wanted.
    void reader.cancel(why).catch(() => undefined)
    return err(why)
  }
  try {
    for (;;) {
      const part = await Promise.race([reader.read(), late])
      if (part === null) return give('too_slow')
      if (part.done) return ok(chunks)
      size += part.value.byteLength
      if (size > bytesMax) return give('too_large')
      chunks.push(part.value)
    }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The raw body of a JSON request: 415 for another type or an encoding, 413 above the limit, 408 when
 * it takes too long, since a request that is held open must not outlive what it rests on.
 */
export async function readBytes(
  request: Request,
  bounds: Bounds,
): Promise<Result<Uint8Array<ArrayBuffer>, Refusal>> {
  const type = request.headers.get('content-type') ?? ''
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type.trim())) {
    return err({ code: 'media_type' })
  }
  if (encoding.toLowerCase() !== 'identity') return err({ code: 'media_type' })
  const { bytesMax } = bounds
  if (Number(request.headers.get('content-length') ?? '0') > bytesMax) return tooLarge(bytesMax)
  const body = request.body as ReadableStream<Uint8Array> | null
  const read = body === null ? ok([]) : await readChunks(body, bounds)
  if (!read.ok)
    return read.error === 'too_large' ? tooLarge(bytesMax) : err({ code: 'body_too_slow' })
  const chunks = read.value
  const size = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return ok(bytes)
}

/** zod's issues as violations, each with its JSON pointer. */
export function schemaViolations(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  whole = 'this body',
): Violation[] {
  return capViolations(issues.flatMap((issue) => issueViolations(issue, { value, whole })))
}

/** A JSON body of one closed schema, or every reason why not. */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  bytesMax: number,
): Promise<Result<z.output<Schema>, Refusal>> {
  const bytes = await readBytes(request, { bytesMax })
  if (!bytes.ok) return bytes
  const value = parseJson(bytes.value, {
    bytesMax,
    depthMax: limits.jsonDepthMax,
    valuesMax: limits.registryValuesMax,
  })
  if (!value.ok) return err({ code: 'violations', violations: value.error })
  const parsed = schema.safeParse(value.value)
  return parsed.success
    ? ok(parsed.data)
    : err({ code: 'violations', violations: schemaViolations(parsed.error.issues, value.value) })
}
