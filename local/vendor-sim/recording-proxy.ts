// Records a live evaluation: a server on the loopback interface that passes each call on to the real
// vendor and writes what was asked (as a digest) and answered, in the form that a replay reads. The
// vendor's key stays here; the gateway under test gets a name and this address.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { withHoles, type RecordedCall } from '../../verify/panel/record.ts'
import { digestOf, freshOf } from './replay.ts'
import { readRequest } from './read-request.ts'
import type { SimRequest, SimWire } from './types.ts'

export type Target = { readonly wire: SimWire; readonly url: string; readonly key: string }

export type RecordingProxy = {
  /** The same names with the proxy's address, in the form of MODEL_ENDPOINTS. */
  readonly endpoints: Record<string, Target>
  close(): Promise<void>
}

type Usage = { input_tokens: number; output_tokens: number }
type Answer = { text: string; ending: string | null; usage: Usage }

type AnthropicEvent = {
  type?: string
  message?: { usage?: Usage }
  delta?: { text?: string; stop_reason?: string }
  usage?: Partial<Usage>
  content?: { text?: string }[]
  stop_reason?: string
}
type OpenaiEvent = {
  choices?: {
    delta?: { content?: string | null }
    message?: { content?: string | null }
    finish_reason?: string | null
  }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null
}

function addAnthropic(answer: Answer, event: AnthropicEvent): void {
  const usage = event.message?.usage ?? event.usage
  answer.usage.input_tokens = usage?.input_tokens ?? answer.usage.input_tokens
  answer.usage.output_tokens = usage?.output_tokens ?? answer.usage.output_tokens
  for (const block of event.content ?? []) answer.text += block.text ?? ''
  answer.text += event.delta?.text ?? ''
  answer.ending = event.delta?.stop_reason ?? event.stop_reason ?? answer.ending
}

function addOpenai(answer: Answer, event: OpenaiEvent): void {
  const choice = event.choices?.[0]
  answer.text += choice?.delta?.content ?? choice?.message?.content ?? ''
  answer.ending = choice?.finish_reason ?? answer.ending
  answer.usage.input_tokens = event.usage?.prompt_tokens ?? answer.usage.input_tokens
  answer.usage.output_tokens = event.usage?.completion_tokens ?? answer.usage.output_tokens
}

/** The text of a body, streamed or whole. */
export function answerOf(wire: SimWire, body: string, streamed: boolean): Answer {
  const answer: Answer = { text: '', ending: null, usage: { input_tokens: 0, output_tokens: 0 } }
  const events = streamed
    ? body
        .split('\n')
        .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
        .map((line) => line.slice('data: '.length))
    : [body]
  for (const text of events) {
    const event: unknown = JSON.parse(text)
    if (wire === 'anthropic') addAnthropic(answer, event as AnthropicEvent)
    else addOpenai(answer, event as OpenaiEvent)
  }
  return answer
}

const complete = { anthropic: 'end_turn', openai: 'stop' }

/** What the gateway will make of this answer, as one line of a recording. */
function replyOf(request: SimRequest, status: number, body: string): RecordedCall['reply'] {
  const usage = { input_tokens: 0, output_tokens: 0, cost_usd: null }
  const bad = (outcome: 'failed' | 'malformed' | 'refused', failure: string) =>
    ({ ok: false, outcome, failure, usage }) as const
  if (status !== 200) return bad('failed', `http_${status}`)
  let answer: Answer
  try {
    answer = answerOf(request.wire, body, request.stream)
  } catch {
    return bad('malformed', 'wrong_wire')
  }
  const { ending } = answer
  if (ending === 'refusal' || ending === 'content_filter') return bad('refused', ending)
  if (ending === 'max_tokens' || ending === 'length') return bad('malformed', 'truncated')
  if (ending !== complete[request.wire]) return bad('failed', 'stream_broken')
  return {
    ok: true,
    text: withHoles(answer.text, freshOf(request.prompt)),
    usage: { ...answer.usage, cost_usd: null },
  }
}

async function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  n: number,
  proxy: { targets: Readonly<Record<string, Target>>; line: (call: RecordedCall) => void },
): Promise<void> {
  const [, name = '', ...rest] = (incoming.url ?? '').split('/')
  const target = Object.hasOwn(proxy.targets, name) ? proxy.targets[name] : undefined
  incoming.url = `/${rest.join('/')}`
  const request = target === undefined ? null : await readRequest(incoming, n)
  if (target === undefined || request === null) {
    response.writeHead(404).end()
    return
  }
  const call = request.wire === 'anthropic' ? '/v1/messages' : '/chat/completions'
  const answered = await fetch(`${target.url}${call}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${target.key}`,
      ...(request.wire === 'anthropic'
        ? { 'anthropic-version': String(incoming.headers['anthropic-version'] ?? '') }
        : {}),
    },
    body: request.raw,
  })
  const body = await answered.text()
  proxy.line({
    v: 1,
    request: await digestOf(request),
    seat: 'http',
    sample: 0,
    endpoint: name,
    wire: request.wire,
    model: request.model,
    reply: replyOf(request, answered.status, body),
  })
  const retry = answered.headers.get('retry-after')
  response.writeHead(answered.status, {
    'content-type': answered.headers.get('content-type') ?? 'application/json',
    ...(retry === null ? {} : { 'retry-after': retry }),
  })
  response.end(body)
}

/** Starts the proxy; each answered call is handed to `line` before the gateway gets it. */
export async function startRecordingProxy(
  targets: Readonly<Record<string, Target>>,
  line: (call: RecordedCall) => void,
): Promise<RecordingProxy> {
  let n = 0
  const server = createServer((incoming, response) => {
    pass(incoming, response, n++, { targets, line }).catch(() => {
      // The vendor could not be reached: the gateway sees a broken connection, nothing is recorded.
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoints: Object.fromEntries(
      Object.entries(targets).map(([name, { wire }]) => [
        name,
        // The Anthropic SDK adds /v1 itself, the OpenAI SDK does not.
        { wire, url: wire === 'anthropic' ? `${url}/${name}` : `${url}/${name}/v1`, key: 'local' },
      ]),
    ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
