// A man in the middle between agent and gateway: forwards HTTP as it is and WebSocket frames through
// a hook that may change, drop, delay, repeat or hold them, or cut the connection. For demo and tests.
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { featuresHeader } from '../../protocol/features.ts'

export type Direction = 'to_agent' | 'to_gateway'

/** What happens to one frame: the texts to pass on, each after a delay. `cut` ends the connection. */
export type Passing = { send: readonly { text: string; afterMs?: number }[]; cut?: boolean }

/** Sees every text frame; `path` tells presence (`/v1/agent`) and session sockets apart. */
export type FrameHook = (frame: { direction: Direction; path: string; text: string }) => Passing

export const passOn: FrameHook = ({ text }) => ({ send: [{ text }] })

export type Proxy = {
  readonly url: string
  /** Replaces the hook for all connections, also open ones. */
  setHook: (hook: FrameHook) => void
  /** Changes what the agent offers at its next upgrades: an older or a newer agent, as the gateway sees it. */
  setOffer: (change: (offer: string) => string) => void
  /** Cuts every open connection without a close frame. */
  cutAll: () => void
  /** While blocked, new connections are refused (a lost gateway). */
  setBlocked: (blocked: boolean) => void
  close: () => Promise<void>
}

/** Starts a proxy in front of `target` on a free port. */
export async function startProxy(target: string, hook: FrameHook = passOn): Promise<Proxy> {
  let current = hook
  let blocked = false
  let offered = (offer: string): string => offer
  const open = new Set<WebSocket>()
  const server = createServer((incoming, outgoing) => {
    if (blocked) {
      outgoing.destroy()
      return
    }
    const url = new URL(incoming.url ?? '/', target)
    const forwarded = httpRequest(
      url,
      { method: incoming.method ?? 'GET', headers: { ...incoming.headers, host: url.host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  const upgrades = new WebSocketServer({ noServer: true })
  server.on('upgrade', (incoming: IncomingMessage, socket, head) => {
    if (blocked) {
      socket.destroy()
      return
    }
    const path = incoming.url ?? '/'
    const passed = ['authorization', featuresHeader].flatMap((name) => {
      const value = incoming.headers[name]
      if (typeof value !== 'string') return []
      return [[name, name === featuresHeader ? offered(value) : value] as const]
    })
    const upstream = new WebSocket(`${target.replace(/^http/, 'ws')}${path}`, {
      headers: Object.fromEntries(passed),
    })
    upstream.once('error', () => socket.destroy())
    upstream.once('unexpected-response', (_request, answer) => {
      socket.end(`HTTP/1.1 ${answer.statusCode ?? 502} refused\r\n\r\n`)
    })
    // Frames that arrive before the agent's side is open are kept in order.
    const early: string[] = []
    const onEarly = (data: Buffer): void => void early.push(data.toString('utf8'))
    upstream.on('message', onEarly)
    upstream.once('open', () => {
      upgrades.handleUpgrade(incoming, socket, head, (agent) => {
        upstream.off('message', onEarly)
        join(agent, upstream, { path, early })
      })
    })
  })

  function join(agent: WebSocket, gateway: WebSocket, at: { path: string; early: string[] }): void {
    open.add(agent)
    open.add(gateway)
    const pass = (direction: Direction, text: string): void => {
      const to = direction === 'to_agent' ? agent : gateway
      // A sign of life is no frame.
      const alive = text === 'ping' || text === 'pong'
      const passing = alive
        ? passOn({ direction, path: at.path, text })
        : current({ direction, path: at.path, text })
      for (const item of passing.send) {
        const send = (): void => {
          if (to.readyState === WebSocket.OPEN) to.send(item.text)
        }
        if (item.afterMs === undefined) send()
        else setTimeout(send, item.afterMs)
      }
      if (passing.cut === true) {
        // The frames passed on reach the wire before the cut.
        setTimeout(() => {
          agent.terminate()
          gateway.terminate()
        }, 5)
      }
    }
    agent.on('message', (data: Buffer) => pass('to_gateway', data.toString('utf8')))
    gateway.on('message', (data: Buffer) => pass('to_agent', data.toString('utf8')))
    const end = (other: WebSocket) => (code: number, reason: Buffer) => {
      open.delete(agent)
      open.delete(gateway)
      // 1005 and 1006 may not be sent; a cut stays a cut.
      if (code === 1005 || code === 1006) other.terminate()
      else other.close(code, reason)
    }
    agent.on('close', end(gateway))
    gateway.on('close', end(agent))
    agent.on('error', () => undefined)
    gateway.on('error', () => undefined)
    for (const text of at.early) pass('to_agent', text)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    setHook: (next) => {
      current = next
    },
    setOffer: (change) => {
      offered = change
    },
    cutAll: () => {
      for (const socket of open) socket.terminate()
    },
    setBlocked: (value) => {
      blocked = value
      if (value) for (const socket of open) socket.terminate()
    },
    close: async () => {
      for (const socket of open) socket.terminate()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
