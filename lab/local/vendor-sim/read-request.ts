// Reads a request of either wire as a vendor would: who asks, which model, which prompts.
import type { IncomingMessage } from 'node:http'
import type { SimRequest } from './types.ts'

type Part = string | { text?: string }
const textOf = (content: string | Part[] | undefined, join: string): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((p) => (typeof p === 'string' ? p : (p.text ?? ''))).join(join)

/** Reads one call of either wire; null when it is no such call. `n` counts requests. */
export async function readRequest(
  incoming: IncomingMessage,
  n: number,
): Promise<SimRequest | null> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const raw = Buffer.concat(chunks).toString('utf8')
  const wire =
    incoming.url === '/v1/messages'
      ? 'anthropic'
      : incoming.url === '/v1/chat/completions'
        ? 'openai'
        : null
  if (wire === null || incoming.method !== 'POST') return null
  const body = JSON.parse(raw) as {
    model: string
    stream?: boolean
    system?: string | Part[]
    messages: { role: string; content: string | Part[] }[]
  }
  const of = (role: string) =>
    body.messages
      .filter((message) => message.role === role)
      .map((message) => textOf(message.content, '\n\n'))
      .join('\n\n')
  return {
    n,
    wire,
    model: body.model,
    stream: body.stream === true,
    key: (incoming.headers.authorization ?? '').replace(/^Bearer /, ''),
    system: wire === 'anthropic' ? textOf(body.system, '\n\n') : of('system'),
    prompt: of('user'),
    raw,
    at_ms: performance.now(),
    aborted: false,
    status: 0,
  }
}
