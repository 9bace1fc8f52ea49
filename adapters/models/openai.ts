// The OpenAI chat/completions wire, for OpenAI and everything compatible with it. Streams, and counts
// only the assembled completion with the finish reason `stop`.
import OpenAI from 'openai'
import { ContentFilterFinishReasonError, LengthFinishReasonError } from 'openai/core/error'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { z } from 'zod'
import type { Clock, ModelReply, ModelRequest } from '../../verify/panel/port.ts'
import { gatewayHeaders, type UrlEndpoint } from './endpoints.ts'
import { bad, fromError } from './outcome.ts'
import { usageOf, type Prices } from './prices.ts'
import type { Attempt } from './retry.ts'
import { watchedFetch, type Fetch, type Watch } from './watched-fetch.ts'

/** The SDK does not validate bodies: this is what we rely on, nothing else is read. */
const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullable(),
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
        }),
      }),
    )
    .length(1),
  usage: z
    .object({
      prompt_tokens: z.number().min(0),
      completion_tokens: z.number().min(0),
      prompt_tokens_details: z.object({ cached_tokens: z.number().min(0).nullish() }).nullish(),
    })
    .nullish(),
})

function paramsOf(
  endpoint: UrlEndpoint,
  request: ModelRequest,
): ChatCompletionCreateParamsNonStreaming {
  return {
    model: request.model,
    ...(endpoint.tokensField === 'max_tokens'
      ? { max_tokens: request.max_tokens }
      : { max_completion_tokens: request.max_tokens }),
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    messages: [
      { role: 'system', content: request.system },
      // One string: caching here is by common prefix, and compatible servers may not take parts.
      { role: 'user', content: request.prompt.map((part) => part.text).join('\n\n') },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name: request.schema_name, schema: { ...request.schema }, strict: true },
    },
  }
}

function readCompletion(body: unknown, request: ModelRequest, prices: Prices): ModelReply {
  const completion = completionSchema.safeParse(body)
  if (!completion.success) return bad('malformed', 'wrong_wire')
  const { choices, usage } = completion.data
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? 0
  const counted =
    usage === null || usage === undefined
      ? { input_tokens: 0, output_tokens: 0, cost_usd: null }
      : usageOf(
          request.model,
          {
            input: Math.max(0, usage.prompt_tokens - cached),
            cacheRead: cached,
            cacheWrite: 0,
            output: usage.completion_tokens,
          },
          prices,
        )
  const choice = choices[0]
  if (choice === undefined) return bad('malformed', 'wrong_wire')
  const { finish_reason, message } = choice
  if (finish_reason === 'content_filter') return bad('refused', 'content_filter', counted)
  if (typeof message.refusal === 'string' && message.refusal !== '') {
    return bad('refused', 'refusal', counted)
  }
  if (finish_reason === 'length') return bad('malformed', 'truncated', counted)
  if (finish_reason !== 'stop') return bad('malformed', 'no_stop', counted)
  const text = message.content ?? ''
  return text === '' ? bad('malformed', 'empty', counted) : { ok: true, text, usage: counted }
}

/** One attempt over chat/completions. */
export async function askOpenai(
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
    const client = new OpenAI({
      apiKey: endpoint.key,
      // Nothing is taken from the environment: a key has one source.
      organization: null,
      project: null,
      baseURL: endpoint.url,
      maxRetries: 0,
      timeout: 600_000,
      logLevel: 'off',
      defaultHeaders: gatewayHeaders(endpoint.url),
      fetch: watchedFetch(call.fetch, watch, call.onHeaders),
    })
    const params = paramsOf(endpoint, request)
    const options = { signal: call.signal }
    const body: unknown = endpoint.stream
      ? await client.chat.completions
          .stream({ ...params, stream: true, stream_options: { include_usage: true } }, options)
          .finalChatCompletion()
      : await client.chat.completions.create(params, options)
    if (call.signal.aborted) return { done: bad('cancelled', 'aborted') }
    return { done: readCompletion(body, request, call.prices) }
  } catch (cause) {
    if (!call.signal.aborted && !watch.tooLarge) {
      // The stream helper throws for these instead of returning them.
      if (cause instanceof LengthFinishReasonError) {
        return { done: bad('malformed', 'truncated') }
      }
      if (cause instanceof ContentFilterFinishReasonError) {
        return { done: bad('refused', 'content_filter') }
      }
    }
    return fromError(cause, watch, call.signal, call.clock.nowMs())
  }
}
