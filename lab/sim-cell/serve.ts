// The MCP face of the cell, over stdio or streamable HTTP. Both share one cell: a second connection
// sees the same arm. Refusals of the device are tool errors, as MCP asks.
import { createServer, type Server as HttpServer } from 'node:http'
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { isObject } from './act.ts'
import type { Cell, CallMeta } from './cell.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'

/** Where the caller's session, node and trace travel. */
export const metaKeys = {
  session: 'portcullis/session',
  node: 'portcullis/node',
  trace: 'traceparent',
} as const

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function metaOf(meta: Record<string, unknown> | undefined): CallMeta {
  return {
    session: textOf(meta?.[metaKeys.session]),
    node: textOf(meta?.[metaKeys.node]),
    trace: textOf(meta?.[metaKeys.trace]),
  }
}

/** One MCP server instance over the shared cell. */
export function buildServer(cell: Cell): Server {
  const server = new Server(
    { name: 'lc7-cell', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  )
  server.setRequestHandler('tools/list', () => ({ tools: cell.tools().map((t) => ({ ...t })) }))
  server.setRequestHandler('tools/call', async (request, ctx) => {
    const given = (request.params.arguments ?? {}) as JsonValue
    const args: JsonObject = isObject(given) ? given : {}
    const { _meta: meta, signal } = ctx.mcpReq
    const outcome = await cell.call(request.params.name, args, metaOf(meta), signal)
    return outcome.ok
      ? {
          content: [{ type: 'text', text: JSON.stringify(outcome.result) }],
          structuredContent: { ...outcome.result },
        }
      : { content: [{ type: 'text', text: outcome.message }], isError: true }
  })
  return server
}

export type Face = { readonly announce: () => void; readonly close: () => Promise<void> }

/** Serves one caller on this process's stdin and stdout. */
export function serveOnStdio(cell: Cell): Face {
  const servers = new Set<Server>()
  const handle = serveStdio(() => {
    const server = buildServer(cell)
    servers.add(server)
    return server
  })
  return {
    announce: () => {
      for (const server of servers) {
        server.sendToolListChanged().catch(() => servers.delete(server))
      }
    },
    close: () => handle.close(),
  }
}

/** Serves on 127.0.0.1; `port` 0 picks one. */
export async function serveOnHttp(cell: Cell, port: number): Promise<Face & { url: string }> {
  const handler = createMcpHandler(() => buildServer(cell))
  const node = toNodeHandler(handler)
  const hostOk = localhostHostValidation()
  const originOk = localhostOriginValidation()
  const http: HttpServer = createServer((req, res) => {
    if (!hostOk(req, res) || !originOk(req, res)) return
    if (req.url !== '/mcp') {
      res.writeHead(404).end()
      return
    }
    // The adapter's type is narrower than IncomingMessage under exactOptionalPropertyTypes.
    void node(req as never, res)
  })
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(port, '127.0.0.1', resolve)
  })
  const address = http.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    announce: () => handler.notify.toolsChanged(),
    close: async () => {
      await handler.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
