// Bodies: bounded, lossless, closed. Bytes are counted while they arrive, so that a body without a
// length cannot fill the isolate; a key that occurs twice is refused, not resolved.
import type { z } from 'zod'
import { limits } from '../protocol/limits.ts'
import { parseJson } from '../protocol/parse.ts'
import { toPointer } from '../protocol/pointer.ts'
import type { Violation } from '../protocol/reasons.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { capViolations } from '../protocol/violations.ts'
import type { Refusal } from './problems.ts'

function tooLarge(bytesMax: number): Result<never, Refusal> {
  return err({ code: 'body_too_large', detail: `At most ${bytesMax} bytes.` })
}

/** The raw body of a JSON request: 415 for another type or an encoding, 413 above the limit. */
export async function readBytes(
  request: Request,
  bytesMax: number,
): Promise<Result<Uint8Array<ArrayBuffer>, Refusal>> {
  const type = request.headers.get('content-type') ?? ''
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type.trim())) {
    return err({ code: 'media_type' })
  }
  if (encoding.toLowerCase() !== 'identity') return err({ code: 'media_type' })
  if (Number(request.headers.get('content-length') ?? '0') > bytesMax) return tooLarge(bytesMax)
  const chunks: Uint8Array[] = []
  let size = 0
  if (request.body !== null) {
    const body = request.body as ReadableStream<Uint8Array>
    // Leaving the loop early cancels the stream.
    for await (const chunk of body) {
      size += chunk.byteLength
      if (size > bytesMax) return tooLarge(bytesMax)
      chunks.push(chunk)
    }
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return ok(bytes)
}

function violationsOf(issue: z.core.$ZodIssue): Violation[] {
  if (issue.code !== 'unrecognized_keys') {
    return [{ code: 'schema', at: toPointer(issue.path), message: issue.message }]
  }
  return issue.keys.map((key) => ({
    code: 'unknown_field',
    at: toPointer([...issue.path, key]),
    message: `there is no field ${key}`,
  }))
}

/** zod's issues as violations, each with its JSON pointer. */
export function schemaViolations(issues: readonly z.core.$ZodIssue[]): Violation[] {
  return capViolations(issues.flatMap(violationsOf))
}

/** A JSON body of one closed schema, or every reason why not. */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  bytesMax: number,
): Promise<Result<z.output<Schema>, Refusal>> {
  const bytes = await readBytes(request, bytesMax)
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
    : err({ code: 'violations', violations: schemaViolations(parsed.error.issues) })
}
