// The port to models over fetch: resolves the endpoint by the site's policy, speaks its wire, retries
// within bounds. Every failure is a reply with a name; a missing key is one of them.
import type { Clock, ModelPort, ModelReply } from '../../verify/panel/port.ts'
import { askAnthropic } from './anthropic.ts'
import { resolveEndpoint, wireOf, type EndpointSource } from './endpoints.ts'
import { askOpenai } from './openai.ts'
import { bad } from './outcome.ts'
import type { Prices } from './prices.ts'
import { withRetries } from './retry.ts'
import type { Fetch } from './watched-fetch.ts'

export type ModelPortOptions = EndpointSource & {
  readonly prices: Prices
  readonly fetch: Fetch
  readonly clock: Clock
}

/** A `ModelPort` for one site. Keys are looked up per request, so a removed key works no more. */
export function createModelPort(options: ModelPortOptions): ModelPort {
  const { fetch, clock, prices } = options
  return {
    wireOf: (name) => wireOf(name, options),
    async ask(request, signal, onHeaders): Promise<ModelReply> {
      const endpoint = await resolveEndpoint(request.endpoint, request.model, options)
      if (!endpoint.ok) return bad('failed', endpoint.error)
      const call = { fetch, clock, prices, signal, onHeaders }
      const speak = endpoint.value.wire === 'anthropic' ? askAnthropic : askOpenai
      return withRetries(() => speak(endpoint.value, request, call), clock, signal)
    },
  }
}

/** The wall clock with timers that a signal ends. */
export const wallClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve()
        return
      }
      const wake = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      // Longer than a timer can be is for ever (setTimeout would fire at once).
      const timer = setTimeout(wake, Math.min(ms, 2_147_483_647))
      signal.addEventListener('abort', wake, { once: true })
    }),
}
