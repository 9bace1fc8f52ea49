// What a cell that is simulated from a site file lists: the calls of one server as the file describes them.
// It runs on the same description as the judgement, so it proves nothing about the device.
import { definitionDigest, type ToolDefinition } from '../../protocol/definition.ts'
import { registrySchema, type Registry } from '../../protocol/registry.ts'

/** The calls of one server: every row, and the safe-stops that no row describes. */
export function simulatedTools(registry: Registry, server: string): ToolDefinition[] {
  const rows = registry.tools.filter((row) => row.server === server)
  const listed = new Map<string, ToolDefinition>(
    rows.map(({ mcp_tool: name, description, args_schema: inputSchema }) => [
      name,
      { name, description: `Simulated. ${description}`, inputSchema },
    ]),
  )
  for (const { safe_stop: stop } of rows) {
    if (stop === null || listed.has(stop.mcp_tool)) continue
    const inputSchema = { type: 'object' }
    listed.set(stop.mcp_tool, { name: stop.mcp_tool, description: 'Simulated stop.', inputSchema })
  }
  return [...listed.values()]
}

export const serversOf = (registry: Registry): string[] => [
  ...new Set(registry.tools.map(({ server }) => server)),
]

/** The file pinned to the simulated calls instead of the real ones: for a rehearsal and nothing else. */
export async function rehearsalOf(registry: Registry): Promise<Registry> {
  const digests = new Map<string, string>()
  for (const server of serversOf(registry)) {
    for (const tool of simulatedTools(registry, server)) {
      digests.set(`${server}\n${tool.name}`, await definitionDigest(tool))
    }
  }
  const tools = registry.tools.map((row) => {
    const definition_digest = digests.get(`${row.server}\n${row.mcp_tool}`)
    if (definition_digest === undefined) throw new TypeError(`${row.mcp_tool} is not listed`)
    return { ...row, definition_digest }
  })
  return registrySchema.parse({ ...registry, tools })
}
