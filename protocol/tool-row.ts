// One row of a site's tools as the robot agent uses it. The danger: whoever holds only the connection
// chooses the call that a tool's name stands for. So every row is digested into the context, the rows
// come with the welcome, and the agent uses these and no others.
import { z } from 'zod'
import { digest } from './digest.ts'
import { jsonObjectSchema } from './json.ts'
import { limits } from './limits.ts'
import type { ToolEntry } from './registry.ts'
import {
  doneSchema,
  preconditionSchema,
  resultMeaningSchema,
  toolMeaningSchema,
} from './tool-meaning.ts'

const name = z.string().max(limits.toolNameCharsMax)

/** What an agent checks one tool of its MCP servers against, and how it calls it. */
export const pinnedToolSchema = z.strictObject({
  tool: name,
  server: z.string().max(limits.idCharsMax),
  mcp_tool: name,
  definition_digest: z.string().max(60),
  timeout_ms: z.int(),
  orphan_policy: z.enum(['stop', 'hold', 'finish']),
  safe_stop: z.strictObject({ mcp_tool: name, args: jsonObjectSchema }).nullable(),
})
export type PinnedTool = z.infer<typeof pinnedToolSchema>

/** Closed, and without defaults: what is digested is exactly what was sent. */
export const toolRowSchema = pinnedToolSchema.extend({
  args_schema: jsonObjectSchema,
  results: z.record(z.string().max(300), resultMeaningSchema).optional(),
  success: toolMeaningSchema.shape.success,
  done: doneSchema.optional(),
  preconditions: z.array(preconditionSchema).max(16).optional(),
})
export type ToolRow = z.infer<typeof toolRowSchema>

/** The pins of one tool of the registry. */
export function pinnedToolOf(entry: ToolEntry): PinnedTool {
  const { name: tool, server, mcp_tool, definition_digest } = entry
  const { timeout_ms, orphan_policy, safe_stop } = entry
  return { tool, server, mcp_tool, definition_digest, timeout_ms, orphan_policy, safe_stop }
}

/** The part of a registry row that decides what an agent calls and how it takes the answer. */
export function toolRowOf(entry: ToolEntry): ToolRow {
  const { meaning, args_schema } = entry
  return {
    ...pinnedToolOf(entry),
    args_schema,
    ...(meaning === undefined
      ? {}
      : { results: meaning.results, done: meaning.done, preconditions: meaning.preconditions }),
    ...(meaning?.success === undefined ? {} : { success: meaning.success }),
  }
}

/** `row:<base64url>` over the row, or over any other part of a tool's entry that must not change. */
export function toolRowDigest(row: ToolRow | ToolEntry): Promise<string> {
  return digest('tool-row', row)
}

/** Digest of every row by the tool's name: what a context names. */
export async function toolRowDigests(rows: readonly ToolRow[]): Promise<Record<string, string>> {
  const out: Record<string, string> = {}
  for (const row of rows) out[row.tool] = await toolRowDigest(row)
  return out
}

/**
 * The entries that an agent may call or read for a plan with these tools: the tools themselves, those
 * that read a precondition or say that an effect is there, and those behind a safe-stop.
 */
export function entriesFor(used: Iterable<string>, all: readonly ToolEntry[]): ToolEntry[] {
  const wanted = new Set(used)
  for (;;) {
    const before = wanted.size
    for (const entry of all) {
      if (!wanted.has(entry.name)) continue
      const { meaning, safe_stop: stop, server } = entry
      for (const { tool } of meaning?.preconditions ?? []) wanted.add(tool)
      const done = meaning?.done
      if (typeof done === 'object' && 'settles_by' in done) wanted.add(done.settles_by)
      if (stop === null) continue
      const behind = all.find((one) => one.server === server && one.mcp_tool === stop.mcp_tool)
      if (behind !== undefined) wanted.add(behind.name)
    }
    if (wanted.size === before) return all.filter((entry) => wanted.has(entry.name))
  }
}
