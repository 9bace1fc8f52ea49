// The port to language models: one request, one reply as a value. An outage is a reply with a name,
// never an exception, so that no failure of a vendor can surface as anything but a missing judge.
import type { JsonObject } from '../../protocol/json.ts'
import type { SeatOutcome, Wire } from '../../protocol/opinion.ts'

/** How a seat's model is reached, and whose it is. */
export type Reach = { readonly wire: Wire; readonly vendor: string }

/** One stretch of the prompt; a cacheable one is the same for many requests. */
export type PromptPart = {
  readonly text: string
  readonly cache: boolean
  /** True for a text of ours that is the same for every plan. */
  readonly ours?: true
}

export type ModelRequest = {
  /** Seat and sample, for records only; never sent. */
  readonly seat: string
  readonly sample: number
  /** Name of an endpoint of the site or of the deployment. */
  readonly endpoint: string
  readonly model: string
  readonly max_tokens: number
  readonly temperature: number | null
  readonly system: string
  readonly prompt: readonly PromptPart[]
  /** JSON schema that the reply must satisfy; validated again by us. */
  readonly schema: JsonObject
  readonly schema_name: string
  /** Values that are fresh for each request and stand in the prompt: left out of its digest. */
  readonly fresh: { readonly delimiter: string; readonly echo: string }
}

export type ModelUsage = {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number | null
}

export const noUsage: ModelUsage = { input_tokens: 0, output_tokens: 0, cost_usd: null }

export type ModelReply =
  | { readonly ok: true; readonly text: string; readonly usage: ModelUsage }
  | {
      readonly ok: false
      readonly outcome: Exclude<SeatOutcome, 'answered'>
      /** Stable word, e.g. `key_missing`, `http_429`, `cut`, `truncated`. */
      readonly failure: string
      readonly usage: ModelUsage
    }

export interface ModelPort {
  /** How a model at an endpoint is reached; null when there is no such endpoint. */
  reach(endpoint: string, model: string): Reach | null
  /**
   * Asks once (retries are the port's own, within the signal). Resolves, never rejects, for every
   * outage. `onHeaders` is called at most once, when the response headers have arrived: from then
   * on the request no longer holds one of the invocation's connections.
   */
  ask(request: ModelRequest, signal: AbortSignal, onHeaders: () => void): Promise<ModelReply>
}

/** Time as a port: nothing in this room reads a clock or sets a timer by itself. */
export interface Clock {
  nowMs(): number
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}
