// Which tool definitions differ from what the registry pins. A tool that changed its description or
// schema after approval is another tool (MITRE ATLAS AML.T0110), whatever its name.
import type { PinnedTool } from '../protocol/tool-row.ts'

/** What one MCP server shows now. */
export type ServerView = {
  readonly up: boolean
  /** True from a `list_changed` until the list has been read again. */
  readonly stale: boolean
  /** MCP tool name → definition digest. */
  readonly digests: ReadonlyMap<string, string>
}

export type PinProblem = 'server_lost' | 'pin_changed'

/** Why this tool must not be called now; null when everything is as pinned. */
export function pinProblem(tool: PinnedTool, view: ServerView | undefined): PinProblem | null {
  if (view === undefined || !view.up) return 'server_lost'
  if (view.stale || view.digests.get(tool.mcp_tool) !== tool.definition_digest) return 'pin_changed'
  return null
}

/** Names of the registry's tools on a running server that are not as pinned. */
export function changedTools(
  tools: readonly PinnedTool[],
  views: ReadonlyMap<string, ServerView>,
): string[] {
  return tools
    .filter((tool) => pinProblem(tool, views.get(tool.server)) === 'pin_changed')
    .map((tool) => tool.tool)
}

/** MCP tool names that the registry uses on `server`: what the health report names. */
export function namesOn(tools: readonly PinnedTool[], server: string): Set<string> {
  const names = new Set<string>()
  for (const tool of tools) {
    if (tool.server !== server) continue
    names.add(tool.mcp_tool)
    if (tool.safe_stop !== null) names.add(tool.safe_stop.mcp_tool)
  }
  return names
}
