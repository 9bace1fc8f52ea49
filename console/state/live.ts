// Server-sent events over fetch, since the browser's own reader cannot say whose sign-in it uses. It connects
// again by itself; while it is not connected the page says so.
import { signal } from '@preact/signals'
import { headersOf } from '../api.ts'
import { me, noteRefused } from './who.ts'

/** Whether the list is live now. */
export const isLive = signal(false)

const againMs = 2_000

/** Events of one text chunk; a rest without its blank line waits for the next. */
export function eventsOf(buffer: string): {
  events: { event: string; data: string }[]
  rest: string
} {
  const blocks = buffer.split('\n\n')
  const rest = blocks.pop() ?? ''
  const events = blocks.flatMap((block) => {
    const lines = block.split('\n')
    const field = (name: string): string =>
      lines
        .filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trimStart())
        .join('\n')
    const event = field('event')
    return event === '' ? [] : [{ event, data: field('data') }]
  })
  return { events, rest }
}

async function read(
  path: string,
  tell: (event: string, data: unknown) => void,
  signal_: AbortSignal,
): Promise<void> {
  const asked = me.peek()
  const response = await fetch(path, {
    headers: headersOf(asked),
    credentials: 'same-origin',
    redirect: 'error',
    signal: signal_,
  })
  if (response.status === 401) noteRefused(asked)
  if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`)
  isLive.value = true
  let rest = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parsed = eventsOf(rest + value)
    rest = parsed.rest
    for (const { event, data } of parsed.events) tell(event, JSON.parse(data))
  }
}

/** Listens until stopped. `tell` gets each event with its parsed data. */
export function listen(path: string, tell: (event: string, data: unknown) => void): () => void {
  const stop = new AbortController()
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await read(path, tell, stop.signal).catch(() => undefined)
      isLive.value = false
      await new Promise((resolve) => setTimeout(resolve, againMs))
    }
  }
  void loop()
  return () => stop.abort()
}
