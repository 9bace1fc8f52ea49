// Which tool definitions differ from what the registry pins. A tool that changed its description or
// schema after approval is another tool (MITRE ATLAS AML.T0110), whatever its name.
import type { ServerReason } from '../protocol/snapshot.ts'
import type { PinnedTool } from '../protocol/tool-row.ts'

/** `stale`: it said that its list changed, and the list has not been read since. */
export type ListState = 'ok' | 'stale' | 'server_lost' | 'list_unreadable' | 'not_answering'

/** A list of tools as canonical text, and what names it. */
export type ListText = { readonly digest: string; readonly text: Buffer }

/** What one MCP server shows now. */
export type ServerView = {
  readonly up: boolean
  readonly state: ListState
  /** MCP tool name → definition digest; a name without one cannot be called. */
  readonly digests: ReadonlyMap<string, string>
  /** The definitions as text, for whoever drafts a site file; null while none was read, or it is too long. */
  readonly list: ListText | null
  /** Counts the connections of this server: another number is another process, or may be. */
  readonly instance: number
}

export type PinProblem = 'server_lost' | 'pin_changed' | 'list_unreadable'

/** A tool that is shown with another definition than the pinned one. */
const isChanged = (tool: PinnedTool, view: ServerView): boolean => {
  const shown = view.digests.get(tool.mcp_tool)
  return shown !== undefined && shown !== tool.definition_digest
}

/**
 * Why this tool must not be called now; null when everything is as pinned. A server that changed one of
 * the tools that are pinned on it (`others`) is not trusted with this one either.
 */
export function pinProblem(
  tool: PinnedTool,
  view: ServerView | undefined,
  others: readonly PinnedTool[] = [],
): PinProblem | null {
  if (view === undefined || !view.up) return 'server_lost'
  if (view.state === 'stale') return 'pin_changed'
  if (view.state !== 'ok') return 'list_unreadable'
  if (view.digests.get(tool.mcp_tool) !== tool.definition_digest) return 'pin_changed'
  const changed = others.some((one) => one.server === tool.server && isChanged(one, view))
  return changed ? 'pin_changed' : null
}

/** Why a whole server is down in health; null when it is up. */
export function serverReason(
  server: string,
  view: ServerView,
  pins: readonly PinnedTool[],
): ServerReason | null {
  if (!view.up) return view.state === 'ok' || view.state === 'stale' ? 'server_lost' : view.state
  if (view.state === 'stale') return 'list_unreadable'
  if (view.state !== 'ok') return view.state
  const changed = pins.some((pin) => pin.server === server && isChanged(pin, view))
  return changed ? 'definitions_changed' : null
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
