// Writes into lab/site/lc7/registry.json the digests of the tool definitions that the cell really
// publishes over MCP. `--check` only compares.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { demoSiteFiles, loadSite } from '../local/demo-site.ts'
import { definitionDigest } from '../../protocol/definition.ts'
import { registrySchema, type Registry } from '../../protocol/registry.ts'

/** Digest of every tool that the simulated cell lists, by its MCP name. */
export async function liveDigests(): Promise<Map<string, string>> {
  const main = path.join(import.meta.dirname, '..', 'sim-cell', 'main.ts')
  const client = new Client(
    { name: 'pin-site', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, '--stdio'] }),
  )
  try {
    const { tools } = await client.listTools()
    const out = new Map<string, string>()
    for (const tool of tools) out.set(tool.name, await definitionDigest(tool))
    return out
  } finally {
    await client.close()
  }
}

/** The site file with the descriptions, schemas and digests that the cell really publishes. */
export async function pinnedRegistry(): Promise<Registry> {
  const digests = await liveDigests()
  const { registry } = await loadSite()
  const tools = registry.tools.map((tool) => {
    const found = digests.get(tool.mcp_tool)
    if (found === undefined) throw new Error(`the cell does not publish ${tool.mcp_tool}`)
    if (tool.safe_stop !== null && !digests.has(tool.safe_stop.mcp_tool)) {
      throw new Error(`the cell does not publish ${tool.safe_stop.mcp_tool}`)
    }
    return { ...tool, definition_digest: found }
  })
  return registrySchema.parse({ ...registry, tools })
}

if (import.meta.main) {
  const text = `${JSON.stringify(await pinnedRegistry(), null, 2)}\n`
  if (process.argv.includes('--check')) {
    const { registry } = await loadSite()
    const ok = `${JSON.stringify(registry, null, 2)}\n` === text
    process.stderr.write(ok ? 'pins agree\n' : 'pins differ: run node lab/tools/pin-site.ts\n')
    process.exitCode = ok ? 0 : 1
  } else {
    await writeFile(demoSiteFiles.registry, text)
    process.stderr.write(`wrote ${demoSiteFiles.registry}\n`)
  }
}
