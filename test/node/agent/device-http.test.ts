// A device server over HTTP that is away, comes back, or forgets whom it knew: nothing closes when it goes, so
// only the agent's own probe can tell, and only a new connection helps.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { Device } from '../../../robot-agent/device.ts'
import { until } from '../sim-cell/harness.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const one of cleanUps.splice(0).toReversed()) await one()
})

type Message = { id?: number; method?: string }

/** Sessions in memory, as many servers keep them: an unknown one is 404. */
class StatefulServer {
  readonly known = new Set<string>()
  #server: Server | null = null
  port = 0

  async open(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response))
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
    this.#server = server
  }

  /** The process ends: nothing answers, and what it knew is gone. */
  async close(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    this.known.clear()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    let text = ''
    for await (const part of request) text += String(part)
    const { id, method } = JSON.parse(text) as Message
    const given = request.headers['mcp-session-id']
    if (method !== 'initialize' && !this.known.has(String(given))) {
      return void response.writeHead(404).end()
    }
    if (id === undefined) return void response.writeHead(202).end()
    response.setHeader('content-type', 'application/json')
    if (method === 'initialize') {
      const session = randomUUID()
      this.known.add(session)
      response.setHeader('mcp-session-id', session)
    }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method) }))
  }
}

function resultOf(method: string | undefined): object {
  if (method === 'initialize') {
    const serverInfo = { name: 'stateful', version: '1' }
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') return { tools: [{ name: 't0', inputSchema: { type: 'object' } }] }
  return { content: [{ type: 'text', text: 'done' }] }
}

async function connected() {
  const server = new StatefulServer()
  await server.open()
  const device = new Device({
    name: 'stateful',
    config: { url: `http://127.0.0.1:${server.port}/mcp`, headers: {} },
    backoff: { baseMs: 20, maxMs: 50 },
    probeMs: 50,
    random: () => 0,
    log: () => {},
    onChange: () => {},
  })
  cleanUps.push(
    () => server.close(),
    () => device.close(),
  )
  device.start()
  await until(() => device.view.up)
  expect(await called(device)).toMatchObject({ outcome: 'succeeded' })
  return { server, device }
}

const called = (device: Device) =>
  device.call({
    tool: 't0',
    args: {},
    meta: {},
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    expected: null,
  })

test('a server that is away is down, and is found again when it is back, under the next number', async () => {
  const { server, device } = await connected()
  await server.close()
  await until(() => device.view.state === 'server_lost')
  expect(device.view.up).toBe(false)
  expect(await called(device)).toMatchObject({ outcome: 'unknown', reason: 'server_lost' })
  await server.open()
  await until(() => device.view.up)
  expect(device.view).toMatchObject({ instance: 2, state: 'ok' })
  expect([...device.view.digests.keys()]).toEqual(['t0'])
  expect(await called(device)).toMatchObject({ outcome: 'succeeded' })
})

test('a server that no longer knows the session is connected to anew', async () => {
  const { server, device } = await connected()
  server.known.clear()
  await until(() => device.view.instance === 2 && device.view.up)
  expect(await called(device)).toMatchObject({ outcome: 'succeeded' })
})
