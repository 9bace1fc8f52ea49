// The wire of the platform's own binding (`env.AI.run`). It needs no key. Its JSON mode is a wish, not a
// promise, and older models tell no stop reason: what comes back counts only as one whole JSON text of
// our schema, which the reply reader checks again.
import { z } from 'zod'
import type { ModelReply, ModelRequest } from '../../verify/panel/port.ts'
import { limits } from '../../protocol/limits.ts'
import { bad } from './outcome.ts'
import { usageOf, type Prices } from './prices.ts'
import type { Attempt } from './retry.ts'

/** As much of the binding as judges use. */
export type ModelBinding = {
  run(model: string, input: Record<string, unknown>, options?: object): Promise<unknown>
}

/** The platform's gateway in front of the binding: its cache is refused, a copy is no second opinion. */
export type AiGateway = { readonly id: string } | null

const usageSchema = z.object({
  prompt_tokens: z.number().min(0),
  completion_tokens: z.number().min(0),
})

/** Newer models answer as chat completions do. */
const chatSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullable(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .length(1),
  usage: usageSchema.nullish(),
})

/** Older ones give a text, or the object of their JSON mode. */
const plainSchema = z.object({
  response: z.union([z.string(), z.record(z.string(), z.unknown())]).nullable(),
  usage: usageSchema.nullish(),
})

/** Codes of the platform that may pass by themselves: no capacity, timeout, aborted by it. */
const passing: ReadonlySet<string> = new Set(['3040', '3007', '3008'])

function inputOf(request: ModelRequest): Record<string, unknown> {
  return {
    messages: [
      { role: 'system', content: request.system },
      { role: 'user', content: request.prompt.map((part) => part.text).join('\n\n') },
    ],
    max_tokens: request.max_tokens,
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    response_format: { type: 'json_schema', json_schema: { ...request.schema } },
    stream: false,
  }
}

type Usage = z.infer<typeof usageSchema>

function counted(usage: Usage | null | undefined, request: ModelRequest, prices: Prices) {
  if (usage === null || usage === undefined) {
    return { input_tokens: 0, output_tokens: 0, cost_usd: null }
  }
  const tokens = {
    input: usage.prompt_tokens,
    cacheRead: 0,
    cacheWrite: 0,
    output: usage.completion_tokens,
  }
  return usageOf(request.model, tokens, prices)
}

function readAnswer(body: unknown, request: ModelRequest, prices: Prices): ModelReply {
  const chat = chatSchema.safeParse(body)
  if (chat.success) {
    const usage = counted(chat.data.usage, request, prices)
    const [choice] = chat.data.choices
    if (choice === undefined) return bad('malformed', 'wrong_wire', usage)
    const { finish_reason, message } = choice
    if (finish_reason === 'content_filter') return bad('refused', 'content_filter', usage)
    if (typeof message.refusal === 'string' && message.refusal !== '') {
      return bad('refused', 'refusal', usage)
    }
    if (finish_reason === 'length') return bad('malformed', 'truncated', usage)
    if (finish_reason !== 'stop') return bad('malformed', 'no_stop', usage)
    return textReply(message.content ?? '', usage)
  }
  const plain = plainSchema.safeParse(body)
  if (!plain.success) return bad('malformed', 'wrong_wire')
  const usage = counted(plain.data.usage, request, prices)
  // Without a stop reason, an answer of the longest allowed length was cut.
  if ((plain.data.usage?.completion_tokens ?? 0) >= request.max_tokens) {
    return bad('malformed', 'truncated', usage)
  }
  const { response } = plain.data
  return textReply(typeof response === 'string' ? response : textOf(response), usage)
}

const textOf = (value: object | null): string => (value === null ? '' : JSON.stringify(value))

function textReply(text: string, usage: ReturnType<typeof counted>): ModelReply {
  if (text === '') return bad('malformed', 'empty', usage)
  if (text.length > limits.modelBodyBytesMax) return bad('malformed', 'too_large', usage)
  return { ok: true, text, usage }
}

/** The platform's own code in a thrown error (`3040: …`, with prefixes); null when there is none. */
function codeOf(cause: unknown): string | null {
  const message = cause instanceof Error ? cause.message : ''
  return /(?:^|\b)(\d{4}):/.exec(message.slice(0, 200))?.[1] ?? null
}

/** One attempt through the binding. Nothing of an error's text reaches a record. */
export async function askWorkersAi(
  ai: ModelBinding,
  request: ModelRequest,
  call: {
    readonly prices: Prices
    readonly signal: AbortSignal
    readonly onHeaders: () => void
    readonly gateway: AiGateway
  },
): Promise<Attempt<ModelReply>> {
  const { signal, gateway } = call
  const options = {
    signal,
    ...(gateway === null ? {} : { gateway: { id: gateway.id, skipCache: true } }),
  }
  try {
    const body = await ai.run(request.model, inputOf(request), options)
    call.onHeaders()
    if (signal.aborted) return { done: bad('cancelled', 'aborted') }
    return { done: readAnswer(body, request, call.prices) }
  } catch (cause) {
    if (signal.aborted) return { done: bad('cancelled', 'aborted') }
    const code = codeOf(cause)
    if (code === null) return { retry: bad('failed', 'no_connection'), retryAfterMs: null }
    const reply = bad('failed', `ai_${code}`)
    return passing.has(code) ? { retry: reply, retryAfterMs: null } : { done: reply }
  }
}
