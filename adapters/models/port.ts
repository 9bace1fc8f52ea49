// The port to models: resolves the endpoint by the site's policy, speaks its wire, retries within
// bounds. Every failure is a reply with a name; a missing key is one of them. It is the one way to a vendor,
// so that what a site hides is looked for here once more: a prompt that still says it is not sent.
import type { Wire } from '../../protocol/opinion.ts'
import type { Hiding } from '../../verify/hide/index.ts'
import type { Clock, ModelPort, ModelReply, ModelRequest } from '../../verify/panel/port.ts'
import { askAnthropic } from './anthropic.ts'
import { reachOf, resolveEndpoint, type Endpoint, type EndpointSource } from './endpoints.ts'
import { askOpenai } from './openai.ts'
import { bad } from './outcome.ts'
import type { Prices } from './prices.ts'
import { withRetries, type Attempt } from './retry.ts'
import type { Fetch } from './watched-fetch.ts'
import { askWorkersAi, type AiGateway, type ModelBinding } from './workers-ai.ts'

/** The ways out: what a recorder puts itself around. */
export type Outlets = { readonly fetch: Fetch; readonly ai: ModelBinding | null }

export type ModelPortOptions = Omit<EndpointSource, 'binding'> &
  Outlets & {
    readonly prices: Prices
    readonly clock: Clock
    /** What of the plan no vendor may read. */
    readonly hiding: Hiding
    /** Optional, in front of the binding. */
    readonly gateway: AiGateway
  }

type Call = Outlets & {
  readonly clock: Clock
  readonly prices: Prices
  readonly gateway: AiGateway
  readonly signal: AbortSignal
  readonly onHeaders: () => void
}
type Speak<W extends Wire> = (
  endpoint: Extract<Endpoint, { wire: W }>,
  request: ModelRequest,
  call: Call,
) => Promise<Attempt<ModelReply>>

/** Every wire, each with its own speaker: one that is missing does not compile. */
const speakers: { readonly [W in Wire]: Speak<W> } = {
  anthropic: askAnthropic,
  openai: askOpenai,
  'workers-ai': (_endpoint, request, call) =>
    call.ai === null
      ? Promise.resolve({ done: bad('failed', 'endpoint_unknown') })
      : askWorkersAi(call.ai, request, call),
}

function speak<W extends Wire>(
  endpoint: Extract<Endpoint, { wire: W }>,
  request: ModelRequest,
  call: Call,
): Promise<Attempt<ModelReply>> {
  const speaker: Speak<W> = speakers[endpoint.wire]
  return speaker(endpoint, request, call)
}

/** Fences are ours, and so are the marks that begin each line of data. */
const fencePattern = /^<<<(?:END )?[A-Z]+ [a-z0-9]+>>>$/

/** True when a prompt says what is hidden from vendors. */
function reveals({ prompt, fresh }: ModelRequest, hiding: Hiding): boolean {
  const mark = `${fresh.delimiter.slice(-8)}| `
  return prompt.some(
    ({ text, ours }) =>
      ours !== true &&
      text
        .split('\n')
        .filter((line) => !fencePattern.test(line))
        .map((line) => (line.startsWith(mark) ? line.slice(mark.length) : line))
        .some((line) => hiding.reveals(line)),
  )
}

/** A `ModelPort` for one plan. Keys are looked up per request, so a removed key works no more. */
export function createModelPort(options: ModelPortOptions): ModelPort {
  const { fetch, ai, clock, prices, gateway, hiding } = options
  const source: EndpointSource = { ...options, binding: ai !== null }
  return {
    reach: (name, model) => reachOf(name, model, source),
    async ask(request, signal, onHeaders): Promise<ModelReply> {
      if (reveals(request, hiding)) return bad('failed', 'hidden_text')
      const endpoint = await resolveEndpoint(request.endpoint, request.model, source)
      if (!endpoint.ok) return bad('failed', endpoint.error)
      const call = { fetch, ai, clock, prices, gateway, signal, onHeaders }
      const reply = await withRetries(() => speak(endpoint.value, request, call), clock, signal)
      return reply.ok ? { ...reply, text: hiding.putBack(reply.text) } : reply
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
