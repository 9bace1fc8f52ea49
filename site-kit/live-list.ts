// The tools of a running MCP server, as it lists them now: so that nobody has to find out a digest by hand.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Offer } from '../verify/onboard/draft.ts'
import { offerOf, UsageError } from './files.ts'

export type Where = { readonly url: string } | { readonly command: readonly string[] }

const listTimeoutMs = 60_000

/** Connects, lists every page, and closes. Calls no tool. */
export async function listTools(server: string, where: Where): Promise<Offer> {
  const client = new Client(
    { name: 'portcullis-site', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const [program = '', ...args] = 'command' in where ? where.command : []
  const transport =
    'url' in where
      ? new StreamableHTTPClientTransport(new URL(where.url))
      : new StdioClientTransport({ command: program, args, stderr: 'ignore' })
  try {
    await client.connect(transport)
    const { tools } = await client.listTools(undefined, { timeout: listTimeoutMs })
    return offerOf(server, tools, server)
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`${server}: its tools cannot be listed: ${why}`)
  } finally {
    await client.close().catch(() => null)
  }
}
