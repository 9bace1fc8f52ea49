// What the vendor simulator sees and can be told to do. It speaks the wires of two vendors over real
// sockets, so that the SDKs talk to it unchanged; it is no model and judges nothing well.

export type SimWire = 'anthropic' | 'openai'

/** One request as a vendor would see it. */
export type SimRequest = {
  /** Counts from 0 in the order of arrival. */
  readonly n: number
  readonly wire: SimWire
  readonly model: string
  readonly stream: boolean
  /** The bearer token; a vendor knows its customers by it. */
  readonly key: string
  readonly system: string
  /** All user text, parts joined as the wire joins them. */
  readonly prompt: string
  /** The request body, byte for byte. */
  readonly raw: string
  readonly at_ms: number
  /** Set when the client went away before the answer was complete. */
  aborted: boolean
  /** HTTP status that was sent; 0 while none was. */
  status: number
}

/** What can go wrong. `n` in `ms` are milliseconds. */
export type SimFault =
  | { readonly kind: 'reset' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** Headers at once, then nothing. */
  | { readonly kind: 'stall' }
  /** Half of the answer, then the socket is cut. */
  | { readonly kind: 'cut' }
  /** Half of the answer, then a clean end without a stop event. */
  | { readonly kind: 'early_end' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS?: number }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Stops for its length with half of the JSON. */
  | { readonly kind: 'truncated' }
  /** Says that it is complete although the JSON is cut. */
  | { readonly kind: 'truncated_json' }
  | { readonly kind: 'wrong_shape' }
  | { readonly kind: 'wrong_wire' }
  | { readonly kind: 'refusal' }
  | { readonly kind: 'other_plan' }
  | { readonly kind: 'smuggled' }
  | { readonly kind: 'duplicate_key' }
  | { readonly kind: 'huge'; readonly bytes: number }

export type SimAnswer = {
  readonly text: string
  /** Pause before the headers. */
  readonly delayMs?: number
  /** Pause between the headers and the rest of a streamed answer. */
  readonly thinkMs?: number
  /** The rest of a streamed answer waits for this too. */
  readonly until?: Promise<unknown>
}

export type Answerer = (request: SimRequest) => string | SimAnswer | Promise<string | SimAnswer>

/** Which fault a request meets; null for none. */
export type FaultPlan = (request: SimRequest) => SimFault | null | Promise<SimFault | null>
