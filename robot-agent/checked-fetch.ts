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

/** What an event carries: its `data` lines, as a reader puts them together (HTML, 9.2.6). */
function dataOf(event: string): string {
  return event
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line === 'data' || line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n')
}

const cr = 0x0d
const lf = 0x0a

/** Finds the ends of events in a stream: the empty lines, whichever of the three line ends is used. */
class EventEnds {
  #inLine = 0
  #afterCr = false

  /** Index behind the first event that ends in `bytes` from `from` on, or -1. */
  next(bytes: Uint8Array, from: number): number {
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i]
      const second = byte === lf && this.#afterCr
      this.#afterCr = byte === cr
      if (second) continue
      if (byte !== cr && byte !== lf) this.#inLine += 1
      else if (this.#inLine === 0) return i + 1
      else this.#inLine = 0
    }
    return -1
  }
}

/** Passes a body on event by event (an event stream) or as one text (JSON). */
function checking(events: boolean, told: Told): TransformStream<Uint8Array, Uint8Array> {
  const ends = new EventEnds()
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
    const fault = faultOf(events ? dataOf(text) : text)
    if (fault === null) out.enqueue(whole)
    else refuse(fault, out)
    return fault === null
  }
  return new TransformStream({
    transform(chunk, out) {
      let from = 0
      for (
        let end = events ? ends.next(chunk, from) : -1;
        end !== -1;
        end = ends.next(chunk, from)
      ) {
        if (!keep(chunk.subarray(from, end), out) || !pass(out)) return
        from = end
      }
      keep(chunk.subarray(from), out)
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
    const events = headers.get('content-type')?.includes('text/event-stream') === true
    const checked = body.pipeThrough(checking(events, told))
    return new Response(checked, { status, statusText, headers })
  }
}
