// A tool's row is proven once a run that a person approved has shown that the device does what the row says.
// The state is kept by the site, for one digest of the row: a row that changes is unproven again.
import { z } from 'zod'
import { digest } from './digest.ts'
import type { Plan } from './plan.ts'
import { digestSchema, type ToolEntry } from './registry.ts'
import { limits } from './limits.ts'

/** Tool → digest of the row that is proven. */
export const provenRowsSchema = z.record(
  z.string().min(1).max(limits.toolNameCharsMax),
  digestSchema,
)
export type ProvenRows = z.infer<typeof provenRowsSchema>

/** Rows are parsed once and judged often. */
const known = new WeakMap<ToolEntry, Promise<string>>()

/**
 * `row:<base64url>` over what is called and what the row says that it does. How it is described, who may
 * use it and how long it may take are left out: they say nothing about the device.
 */
export function provenDigest(entry: ToolEntry): Promise<string> {
  const before = known.get(entry)
  if (before !== undefined) return before
  const { server, mcp_tool, definition_digest, args_schema, safe_stop } = entry
  const { output_schema = null, meaning = null } = entry
  const call = { server, mcp_tool, definition_digest, args_schema, safe_stop }
  const made = digest('tool-row', { proven: { ...call, output_schema, meaning } })
  known.set(entry, made)
  return made
}

/** Digest of every row, by the tool's name. */
export async function provenDigests(tools: readonly ToolEntry[]): Promise<ProvenRows> {
  const pairs = tools.map(async (tool) => [tool.name, await provenDigest(tool)] as const)
  return Object.fromEntries(await Promise.all(pairs))
}

/** Of rows that somebody calls proven those that still are what they were. */
export async function stillProven(
  tools: readonly ToolEntry[],
  proven: Readonly<ProvenRows>,
): Promise<ProvenRows> {
  const now = Object.entries(await provenDigests(tools))
  return Object.fromEntries(
    now.filter(([tool, row]) => Object.hasOwn(proven, tool) && proven[tool] === row),
  )
}

/** The tools that a node calls: its own, and those that read its preconditions and see it settle. */
function calledBy({ name, meaning }: ToolEntry): string[] {
  const done = meaning?.done
  return [
    name,
    ...(meaning?.preconditions ?? []).map(({ tool }) => tool),
    ...(typeof done === 'object' && 'settles_by' in done ? [done.settles_by] : []),
  ]
}

/** Every row that a plan calls → the indexes of the nodes that call it. */
export function rowsCalled(
  nodes: Plan['nodes'],
  tools: readonly ToolEntry[],
): Map<ToolEntry, number[]> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const called = new Map<ToolEntry, number[]>()
  for (const [i, { tool }] of nodes.entries()) {
    const entry = byName.get(tool)
    if (entry === undefined) continue
    for (const name of calledBy(entry)) {
      const row = byName.get(name)
      if (row !== undefined) called.set(row, [...(called.get(row) ?? []), i])
    }
  }
  return called
}

/** A row that is proven: its digest, by whom, and the run that showed it; null: a person's word. */
export type ProvenRow = {
  readonly tool: string
  readonly row: string
  readonly by: string
  readonly session: string | null
  readonly at_ms: number
}

/** Rows that have been seen to be right, all by one run or one person. */
export type ProvenWord = Omit<ProvenRow, 'tool' | 'row'> & { readonly rows: ProvenRows }

/** The device did not do what the row of this tool says. */
export type TakenBack = { readonly taken_back: string; readonly by: string }
