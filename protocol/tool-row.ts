// One row of a site's tools as the robot agent uses it. The danger: whoever holds only the connection
// chooses the call that a tool's name stands for. So every row is digested into the context, the rows
// come with the welcome, and the agent uses these and no others.
import { z } from 'zod'
import { digest } from './digest.ts'
import { features, type Feature } from './features.ts'
import { jsonObjectSchema } from './json.ts'
import { limits } from './limits.ts'
import type { ToolEntry } from './registry.ts'
import { stopPlaceSchema, type StopPlace } from './stop-order.ts'
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
  preconditions: z.array(preconditionSchema).max(limits.preconditionsMax).optional(),
  /** Only with the feature `result-checks`, as `unit_at` of a result: older agents read no such member. */
  output_schema: jsonObjectSchema.optional(),
  result_invalid: z.enum(['ends', 'noted']).optional(),
  /** Only with the feature `stop-order`: when its safe-stop has its turn in the stop of the cell. */
  stop_place: stopPlaceSchema.optional(),
})
export type ToolRow = z.infer<typeof toolRowSchema>

/** The pins of one tool of the registry. */
export function pinnedToolOf(entry: ToolEntry): PinnedTool {
  const { name: tool, server, mcp_tool, definition_digest } = entry
  const { timeout_ms, orphan_policy, safe_stop } = entry
  return { tool, server, mcp_tool, definition_digest, timeout_ms, orphan_policy, safe_stop }
}

type Results = NonNullable<ToolRow['results']>

const withoutUnitAt = (results: Results): Results =>
  Object.fromEntries(
    Object.entries(results).map(([at, { unit_at: _place, ...meaning }]) => [at, meaning]),
  )

/** What a result of the tool must look like, beyond what an agent of the version before can read. */
const checksOf = ({ output_schema, result_invalid }: ToolEntry) => ({
  ...(output_schema === undefined ? {} : { output_schema }),
  ...(result_invalid === undefined ? {} : { result_invalid }),
})

/** Tool → its turn in the stop of one cell; a tool that the site's sequence does not name has none. */
export type StopPlaces = Readonly<Record<string, StopPlace>>

/**
 * The part of a registry row that decides what an agent calls and how it takes the answer, in the words
 * that an agent with these features reads.
 */
export function toolRowOf(
  entry: ToolEntry,
  agent: readonly Feature[] = features,
  places: StopPlaces = {},
): ToolRow {
  const { meaning, args_schema } = entry
  const checked = agent.includes('result-checks')
  const results = meaning && (checked ? meaning.results : withoutUnitAt(meaning.results))
  const place = agent.includes('stop-order') ? places[entry.name] : undefined
  return {
    ...pinnedToolOf(entry),
    args_schema,
    ...(meaning === undefined
      ? {}
      : { results, done: meaning.done, preconditions: meaning.preconditions }),
    ...(meaning?.success === undefined ? {} : { success: meaning.success }),
    ...(checked ? checksOf(entry) : {}),
    ...(place === undefined ? {} : { stop_place: place }),
  }
}

/** What an agent may read of a row beyond the first version, newest first. */
const forms: readonly (readonly Feature[])[] = [features, ['result-checks'], ['stop-order'], []]

/**
 * The rows whose digests a context names: as the newest agents read them, or as the agent does for which
 * it was bound. One that it names in no form stays in the first, and fits nothing.
 */
export async function rowsNamed(
  entries: readonly ToolEntry[],
  named: Readonly<Record<string, string>> | undefined,
  places: StopPlaces = {},
): Promise<ToolRow[]> {
  const out: ToolRow[] = []
  for (const entry of entries) {
    let row = toolRowOf(entry, features, places)
    for (const form of forms) {
      const other = toolRowOf(entry, form, places)
      if ((await toolRowDigest(other)) !== named?.[entry.name]) continue
      row = other
      break
    }
    out.push(row)
  }
  return out
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
