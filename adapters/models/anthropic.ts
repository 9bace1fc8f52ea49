// The Anthropic Messages wire. Streams, because a connection counts against the invocation's six
// until headers arrive, but only the assembled message counts: a stream that ends early looks like
// a short answer to anyone who reads it piece by piece, so a stop reason is demanded.
import Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages'
import { z } from 'zod'
import type { Clock, ModelReply, ModelRequest } from '../../verify/panel/port.ts'
import { gatewayHeaders, type UrlEndpoint } from './endpoints.ts'
import { bad, fromError } from './outcome.ts'
import { usageOf, type Prices } from './prices.ts'
import type { Attempt } from './retry.ts'
import { watchedFetch, type Fetch, type Watch } from './watched-fetch.ts'

/** The SDK does not validate bodies: this is what we rely on, nothing else is read. */
const messageSchema = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullable(),
  usage: z.object({
    input_tokens: z.number().min(0),
    output_tokens: z.number().min(0),
    cache_read_input_tokens: z.number().min(0).nullish(),
    cache_creation_input_tokens: z.number().min(0).nullish(),
  }),
})

function paramsOf(request: ModelRequest): MessageCreateParamsNonStreaming {
  const ephemeral = { type: 'ephemeral' as const }
  return {
    model: request.model,
    max_tokens: request.max_tokens,
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    system: [{ type: 'text', text: request.system, cache_control: ephemeral }],
    messages: [
      {
        role: 'user',
        content: request.prompt.map((part) => ({
          type: 'text' as const,
          text: part.text,
          ...(part.cache ? { cache_control: ephemeral } : {}),
        })),
      },
    ],
    output_config: { format: { type: 'json_schema', schema: { ...request.schema } } },
  }
}

/** Reads the assembled message. Errors as stable words; refusals and cut answers are no answers. */
function readMessage(body: unknown, request: ModelRequest, prices: Prices): ModelReply {
  const message = messageSchema.safeParse(body)
  if (!message.success) return bad('malformed', 'wrong_wire')
  const { content, stop_reason, usage } = message.data
  const counted = usageOf(
    request.model,
    {
      input: usage.input_tokens,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
      output: usage.output_tokens,
    },
    prices,
  )
  if (stop_reason === 'refusal') return bad('refused', 'refusal', counted)
  if (stop_reason === 'max_tokens' || stop_reason === 'model_context_window_exceeded') {
    return bad('malformed', 'truncated', counted)
  }
  if (stop_reason !== 'end_turn') return bad('malformed', 'no_stop', counted)
  const text = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('')
  return text === '' ? bad('malformed', 'empty', counted) : { ok: true, text, usage: counted }
}

/** One attempt over the Messages API. */
export async function askAnthropic(
  endpoint: UrlEndpoint,
  request: ModelRequest,
  call: {
    readonly fetch: Fetch
    readonly clock: Clock
    readonly prices: Prices
    readonly signal: AbortSignal
    readonly onHeaders: () => void
  },
): Promise<Attempt<ModelReply>> {
  const watch: Watch = { headers: false, tooLarge: false }
  try {
    const client = new Anthropic({
      apiKey: endpoint.key,
      // Nothing is taken from the environment: a key has one source.
      authToken: null,
      baseURL: endpoint.url,
      maxRetries: 0,
      timeout: 600_000,
      logLevel: 'off',
      defaultHeaders: gatewayHeaders(endpoint.url),
      fetch: watchedFetch(call.fetch, watch, call.onHeaders),
    })
    const params = paramsOf(request)
    const options = { signal: call.signal }
    const body: unknown = endpoint.stream
      ? await client.messages.stream(params, options).finalMessage()
      : await client.messages.create(params, options)
    if (call.signal.aborted) return { done: bad('cancelled', 'aborted') }
    return { done: readMessage(body, request, call.prices) }
  } catch (cause) {
    return fromError(cause, watch, call.signal, call.clock.nowMs())
  }
}
