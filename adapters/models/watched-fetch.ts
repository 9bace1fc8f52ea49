// The fetch that the vendor SDKs get: no redirects (a redirect could carry the key to another
// host), a cap on what is read, and a signal when the headers of a good answer have arrived.
import { limits } from '../../protocol/limits.ts'

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** What became visible of one call, beside what the SDK reports. */
export type Watch = { headers: boolean; tooLarge: boolean }

/** Wraps `base` for one request. At `bytesMax` + 1 the body fails and `watch.tooLarge` is set. */
export function watchedFetch(
  base: Fetch,
  watch: Watch,
  onHeaders: () => void,
  bytesMax: number = limits.modelBodyBytesMax,
): Fetch {
  return async (input, init) => {
    const response = await base(input, { ...init, redirect: 'manual' })
    if (response.ok) {
      watch.headers = true
      onHeaders()
    }
    if (response.body === null) return response
    let left = bytesMax
    const capped = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          left -= chunk.byteLength
          if (left < 0) {
            watch.tooLarge = true
            controller.error(new RangeError('answer too large'))
            return
          }
          controller.enqueue(chunk)
        },
      }),
    )
    const headers = new Headers(response.headers)
    // The body is decoded already; these would make the next reader decode it again.
    headers.delete('content-encoding')
    headers.delete('content-length')
    return new Response(capped, {
      status: response.status,
      statusText: response.statusText,
      headers,
    })
  }
}
