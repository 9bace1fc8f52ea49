// A connection on which an answer does not come is made anew: a frame was lost, and nobody else would notice.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { Connection } from '../../../robot-agent/connection.ts'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** A gateway that takes connections and answers pings alone; `times` are those of its connections. */
async function gateway(onText: (socket: WebSocket, text: string) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  const times: number[] = []
  server.on('connection', (socket) => {
    times.push(performance.now())
    socket.on('message', (data) => {
      const text = Buffer.isBuffer(data) ? data.toString('utf8') : ''
      if (text === 'ping') socket.send('pong')
      else onText(socket, text)
    })
  })
  await once(server, 'listening')
  open.push(() => server.close())
  return { times, url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function connect(url: string) {
  const lost: number[] = []
  const connection = new Connection({
    name: 'test',
    url,
    schema: z.object({ type: z.string() }),
    authorization: () => Promise.resolve('Bearer none'),
    backoff: { baseMs: 10, maxMs: 10 },
    random: () => 0.5,
    log: () => {},
    asks: (frame) => 'asks' in frame,
    answers: ({ type }) => type === 'answer',
    onFrame: ({ type }) => {
      if (type === 'answer') connection.settled()
    },
    onLost: () => lost.push(performance.now()),
    onRefused: () => false,
  })
  connection.start()
  open.push(() => connection.close())
  return { connection, lost }
}

const soon = { timeout: 15_000, interval: 50 }

it('is made anew when nobody says a word after it was opened, although pings are answered', async () => {
  const { url, times } = await gateway(() => {})
  const { lost } = connect(url)
  await expect.poll(() => times.length, soon).toBeGreaterThan(1)
  expect(lost.length).toBeGreaterThan(0)
}, 30_000)

it('is made anew when one answer is lost, and stays while each comes', async () => {
  let answers = 2
  const { url, times } = await gateway((socket) => {
    answers -= 1
    if (answers >= 0) socket.send('{"type":"answer"}')
  })
  const { connection, lost } = connect(url)
  const ask = () => connection.send({ asks: true })
  await expect.poll(ask, soon).toBe(true)
  // Longer than an answer is waited for: both came, and nothing was dropped.
  await new Promise((done) => setTimeout(done, 3_500))
  ask()
  await new Promise((done) => setTimeout(done, 3_500))
  expect([times.length, lost.length]).toEqual([1, 0])
  ask()
  await expect.poll(() => times.length, soon).toBe(2)
}, 40_000)
