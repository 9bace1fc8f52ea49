// Serves a recording of model calls to a local gateway (MODEL_REPLAY), on the loopback interface. It
// asks nobody; a request that it does not hold is answered 404 and counted.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordedReaches, type RecordedCall } from '../../verify/panel/record.ts'

export type ReplayServer = {
  /** The value of MODEL_REPLAY. */
  readonly replay: string
  /** Requests that the recording does not hold, by seat. */
  readonly missed: ReadonlyMap<string, number>
  /** Calls of the recording that were used. */
  readonly used: () => number
  close(): Promise<void>
}

/**
 * Picks recordings. The same request asked again takes the next one, the last one for ever. Seats with
 * the same model send the same request: each takes its own recordings first.
 */
export function picker(calls: readonly RecordedCall[]) {
  const queues = new Map<string, RecordedCall[]>()
  const add = (key: string, call: RecordedCall): void => {
    queues.set(key, [...(queues.get(key) ?? []), call])
  }
  for (const call of calls) {
    add(`${call.request} ${call.sample} ${call.seat}`, call)
    add(`${call.request} ${call.sample}`, call)
  }
  return (request: string, sample: string, seat: string): RecordedCall | null => {
    const own = queues.get(`${request} ${sample} ${seat}`)
    const queue = own ?? queues.get(`${request} ${sample}`)
    return (queue !== undefined && queue.length > 1 ? queue.shift() : queue?.[0]) ?? null
  }
}

/** Starts the server on a free port. */
export async function startReplayServer(calls: readonly RecordedCall[]): Promise<ReplayServer> {
  const pick = picker(calls)
  const missed = new Map<string, number>()
  let used = 0
  const server = createServer((incoming, response) => {
    const [, request = '', sample = '', seat = ''] = (incoming.url ?? '')
      .split('/')
      .map(decodeURIComponent)
    const call = pick(request, sample, seat)
    if (call === null) missed.set(seat, (missed.get(seat) ?? 0) + 1)
    else used += 1
    response.writeHead(call === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(call?.reply ?? null))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reaches = recordedReaches(calls)
  return {
    replay: JSON.stringify({ url, reaches }),
    missed,
    used: () => used,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
