// The two wire formats, streamed and whole, as the vendors document them.
import type { ServerResponse } from 'node:http'
import type { SimRequest } from './types.ts'

/** How an answer ends: complete, for its length, or as a refusal. */
export type Ending = 'stop' | 'length' | 'refusal'

const tokens = (text: string): number => Math.ceil(text.length / 4)
const anthropicStop = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' }
const openaiStop = { stop: 'stop', length: 'length', refusal: 'stop' }

/** The whole body of an answer that is not streamed. */
export function wholeBody(request: SimRequest, text: string, ending: Ending): object {
  const input = tokens(request.system + request.prompt)
  if (request.wire === 'anthropic') {
    return {
      id: `msg_${request.n}`,
      type: 'message',
      role: 'assistant',
      model: request.model,
      content: [{ type: 'text', text }],
      stop_reason: anthropicStop[ending],
      stop_sequence: null,
      usage: { input_tokens: input, output_tokens: tokens(text) },
    }
  }
  const refused = ending === 'refusal'
  return {
    id: `chatcmpl-${request.n}`,
    object: 'chat.completion',
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: refused ? null : text,
          refusal: refused ? text : null,
        },
        finish_reason: openaiStop[ending],
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: input,
      completion_tokens: tokens(text),
      total_tokens: input + tokens(text),
    },
  }
}

/** Text in pieces of about sixty characters, as models send it. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,60}/g) ?? []
}

const event = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const chunk = (data: object): string => `data: ${JSON.stringify(data)}\n\n`

/** Everything of a streamed answer before its text. */
export function streamHead(request: SimRequest): string {
  if (request.wire === 'openai')
    return chunk(openaiChunk(request, { role: 'assistant', content: '' }))
  const usage = { input_tokens: tokens(request.system + request.prompt), output_tokens: 0 }
  return (
    event('message_start', {
      message: {
        id: `msg_${request.n}`,
        type: 'message',
        role: 'assistant',
        model: request.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    }) + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
  )
}

function openaiChunk(request: SimRequest, delta: object, finish: string | null = null): object {
  return {
    id: `chatcmpl-${request.n}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: request.model,
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  }
}

/** The text of a streamed answer, piece by piece. */
export function streamText(request: SimRequest, text: string, ending: Ending): string[] {
  return pieces(text).map((piece) => {
    if (request.wire === 'anthropic') {
      return event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } })
    }
    return chunk(
      openaiChunk(request, ending === 'refusal' ? { refusal: piece } : { content: piece }),
    )
  })
}

/** What ends a streamed answer. */
export function streamTail(request: SimRequest, text: string, ending: Ending): string {
  if (request.wire === 'anthropic') {
    return (
      event('content_block_stop', { index: 0 }) +
      event('message_delta', {
        delta: { stop_reason: anthropicStop[ending], stop_sequence: null },
        usage: { output_tokens: tokens(text) },
      }) +
      event('message_stop', {})
    )
  }
  const input = tokens(request.system + request.prompt)
  const usage = {
    prompt_tokens: input,
    completion_tokens: tokens(text),
    total_tokens: input + tokens(text),
  }
  const last = { ...openaiChunk(request, {}), choices: [], usage }
  return `${chunk(openaiChunk(request, {}, openaiStop[ending]))}${chunk(last)}data: [DONE]\n\n`
}

/** An error body as the vendor sends it. */
export function errorBody(request: SimRequest, status: number): object {
  const type = status === 529 ? 'overloaded_error' : 'api_error'
  return request.wire === 'anthropic'
    ? { type: 'error', error: { type, message: `simulated ${status}` } }
    : { error: { message: `simulated ${status}`, type, code: null, param: null } }
}

/** Sends a JSON body with a status. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
