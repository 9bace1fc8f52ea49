// Digest of an MCP tool definition: what a site pins, and what the agent checks at connect, on
// list_changed and before each call. A changed description is a changed tool (tool poisoning,
// MITRE ATLAS AML.T0110), so every part that a model or a caller reads is covered.
import { digest } from './digest.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** The covered members of a tool as `tools/list` gives it. */
const covered = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
] as const

export type ToolDefinition = {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: object
  readonly outputSchema?: object | undefined
  readonly annotations?: object | undefined
}

/** `def:<base64url>` over the covered members that are present; `_meta` and icons are not covered. */
export function definitionDigest(tool: ToolDefinition): Promise<string> {
  const kept: Record<string, JsonValue> = {}
  for (const key of covered) {
    const value = tool[key]
    if (value !== undefined) kept[key] = value as JsonObject | string
  }
  return digest('definition', kept)
}
