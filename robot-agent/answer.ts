// What a server's answer to one call means. Only its own clear word is success or failure; everything
// else leaves open what the device did, with a reason that says who was at fault.
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { valueAt } from '../protocol/pointer.ts'
import type { ToolRow } from '../protocol/tool-row.ts'
import { misfitOf } from './result-fit.ts'

export type CallOutcome = {
  readonly outcome: 'succeeded' | 'failed' | 'unknown'
  /** Stable word; null when succeeded, except for a result that does not fit where the site only notes it. */
  readonly reason: string | null
  /** The server's own words when it refused; null otherwise. For people, never for a decision. */
  readonly detail: string | null
  /** What the tool answered, as it came; null when it did not. */
  readonly result: object | null
}

/** A result before it is believed; what has neither content nor data says nothing of the call. */
export const resultSchema = z.looseObject({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})
type CallResult = z.infer<typeof resultSchema>

export const unknownEnd = (reason: string, detail: string | null = null): CallOutcome => ({
  outcome: 'unknown',
  reason,
  detail,
  result: null,
})

/** An answer that came and cannot be read: not JSON, a NaN in a reading, longer than what is taken in. */
export class AnswerUnreadable extends Error {
  readonly reason: 'answer_unreadable' | 'answer_too_large'

  constructor(reason: 'answer_unreadable' | 'answer_too_large', what: string) {
    super(what)
    this.reason = reason
  }
}

/** The first text of an answer, short enough for a line in a trail. */
function wordsOf(content: readonly unknown[] | undefined): string | null {
  for (const part of content ?? []) {
    const { text } = part as { text?: unknown }
    if (typeof text === 'string' && text !== '') return text.slice(0, 200)
  }
  return null
}

/** What the tool's row says of its answers; `checked` only where the gateway knows `result_invalid`. */
export type Expected = Pick<ToolRow, 'success' | 'results' | 'output_schema' | 'result_invalid'> & {
  readonly checked: boolean
}

/** How a call ended that was answered. Without `expected` only the device's own word counts. */
export function endOfResult(result: CallResult, expected: Expected | null): CallOutcome {
  const { content, structuredContent, isError } = result
  if (isError === true) {
    return { outcome: 'failed', reason: 'tool_error', detail: wordsOf(content), result }
  }
  if (content === undefined && structuredContent === undefined) {
    return unknownEnd('answer_unreadable', 'neither content nor data')
  }
  if (expected === null) return { outcome: 'succeeded', reason: null, detail: null, result }
  const { success } = expected
  const data = dataOf(result)
  if (success !== undefined && valueAt(data, success.pointer) !== success.eq) {
    return { outcome: 'unknown', reason: 'not_as_success', detail: wordsOf(content), result }
  }
  const misfit = expected.checked
    ? misfitOf({ structured: structuredContent, data }, expected)
    : null
  if (misfit !== null) {
    const outcome = expected.result_invalid === 'noted' ? 'succeeded' : 'unknown'
    return { outcome, reason: 'result_invalid', detail: misfit, result }
  }
  return { outcome: 'succeeded', reason: null, detail: null, result }
}

/** The data of a result: structured, or the JSON in its first text. */
function dataOf({ structuredContent, content }: CallResult): unknown {
  if (structuredContent !== undefined) return structuredContent
  const text = (content?.[0] as { text?: unknown } | undefined)?.text
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined
  } catch {
    return undefined
  }
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A call that was written and brought no result. */
export function endOfError(error: unknown): CallOutcome {
  const words = message(error).slice(0, 200)
  if (error instanceof AnswerUnreadable) return unknownEnd(error.reason, words)
  if (error instanceof ProtocolError) {
    // The server answered. Only "no such method" is said before anything can have been done.
    return error.code === -32_601
      ? { outcome: 'failed', reason: 'tool_refused', detail: words, result: null }
      : unknownEnd('protocol_error', words)
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return unknownEnd('timeout')
  }
  const unread = error instanceof SdkError && error.code === SdkErrorCode.InvalidResult
  if (unread || isUnreadable(error)) return unknownEnd('answer_unreadable', words)
  return unknownEnd('server_lost')
}

/** What the SDK throws over bytes that are no message. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof AnswerUnreadable || error instanceof SyntaxError || error instanceof z.ZodError
  )
}
