// `fetch` for an MCP server over HTTP, with the same care as over stdio: no answer longer than what is
// taken in, and none that says a key twice. Whoever waits is told at once, since the SDK gives up a stream
// that fails and says nothing of the call behind it.
import { limits } from '../protocol/limits.ts'
import { AnswerUnreadable } from './answer.ts'
import { keyTwice } from './key-twice.ts'

type Told = (error: AnswerUnreadable) => void

/** One message as text. What is no JSON is left to the SDK, which refuses it under its own name. */
function faultOf(text: string): AnswerUnreadable | null {
  try {
    JSON.parse(text)
  } catch {
    return null
  }
  const twice = keyTwice(text)
  if (twice === null) return null
  const what = `the key ${JSON.stringify(twice.slice(0, 60))} twice`
  return new AnswerUnreadable('answer_unreadable', what)
}

type Out = TransformStreamDefaultController<Uint8Array>

/** Passes a body on line by line (an event stream) or as one text (JSON). */
function checking(lines: boolean, told: Told): TransformStream<Uint8Array, Uint8Array> {
  let kept: Uint8Array[] = []
  let size = 0
  const refuse = (fault: AnswerUnreadable, out: Out): void => {
    kept = []
    told(fault)
    out.error(fault)
  }
  const keep = (part: Uint8Array, out: Out): boolean => {
    size += part.length
    kept.push(part)
    if (size <= limits.deviceAnswerBytesMax) return true
    refuse(new AnswerUnreadable('answer_too_large', `more than ${size} bytes`), out)
    return false
  }
  const pass = (out: Out): boolean => {
    const whole = Buffer.concat(kept)
    kept = []
    size = 0
    const text = whole.toString('utf8')
    const fault = lines && !text.startsWith('data:') ? null : faultOf(text.replace(/^data:/, ''))
    if (fault === null) out.enqueue(whole)
    else refuse(fault, out)
    return fault === null
  }
  return new TransformStream({
    transform(chunk, out) {
      let rest = chunk
      for (let end = lines ? rest.indexOf(0x0a) : -1; end !== -1; end = rest.indexOf(0x0a)) {
        if (!keep(rest.subarray(0, end + 1), out) || !pass(out)) return
        rest = rest.subarray(end + 1)
      }
      keep(rest, out)
    },
    flush: (out) => void pass(out),
  })
}

/** As `fetch`; `told` hears of an answer that cannot be taken before its reader does. */
export function checkedFetch(told: Told): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { body, status, statusText, headers } = response
    if (body === null) return response
    const lines = headers.get('content-type')?.includes('text/event-stream') === true
    const checked = body.pipeThrough(checking(lines, told))
    return new Response(checked, { status, statusText, headers })
  }
}
