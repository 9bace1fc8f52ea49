// A model port that keeps what was sent and answered. The body is taken where it leaves us, so that the
// record is the request itself; the key travels in a header and is never seen here.
import { limits } from '../../protocol/limits.ts'
import { recorder, type RecordedCall } from '../../verify/panel/record.ts'
import type { Clock, ModelPort } from '../../verify/panel/port.ts'
import type { Outlets } from './port.ts'
import type { Fetch } from './watched-fetch.ts'
import type { ModelBinding } from './workers-ai.ts'

export type RecordingPort = ModelPort & {
  /** Waits until every call that was begun is kept, at most `waitMs`. */
  settled(waitMs: number): Promise<void>
}

/**
 * Wraps the port that `over` makes for the ways out. `keep` gets each call once, before its reply is used;
 * a call that was cut off by a deadline or an early stop is kept a moment after that.
 */
export function createRecordingPort(
  over: (out: Outlets) => ModelPort,
  base: Outlets & { readonly clock: Clock },
  keep: (call: RecordedCall) => void,
): RecordingPort {
  const { fetch, ai, clock } = base
  const plain = over({ fetch, ai })
  const open = new Set<Promise<unknown>>()
  return {
    reach: (endpoint, model) => plain.reach(endpoint, model),
    ask(request, signal, onHeaders) {
      const at_ms = clock.nowMs()
      let attempts = 0
      let body: string | null = null
      const watched: Fetch = (input, init) => {
        attempts += 1
        if (typeof init?.body === 'string') body = init.body
        return fetch(input, init)
      }
      const watchedAi: ModelBinding | null =
        ai === null
          ? null
          : {
              run(model, input, options) {
                attempts += 1
                body = JSON.stringify({ model, ...input })
                return ai.run(model, input, options)
              },
            }
      const kept = (call: RecordedCall): void => {
        const body_bytes = body === null ? 0 : new TextEncoder().encode(body).length
        const whole = body_bytes <= limits.callBodyBytesMax ? body : null
        const ms = Math.max(0, clock.nowMs() - at_ms)
        keep({ ...call, sent: { at_ms, ms, attempts, body: whole, body_bytes } })
      }
      const asked = recorder(over({ fetch: watched, ai: watchedAi }), kept).ask(
        request,
        signal,
        onHeaders,
      )
      open.add(asked)
      const closed = (): void => void open.delete(asked)
      asked.then(closed, closed)
      return asked
    },
    async settled(waitMs) {
      const enough = new AbortController()
      await Promise.race([Promise.allSettled(open), clock.sleep(waitMs, enough.signal)])
      enough.abort()
    },
  }
}
