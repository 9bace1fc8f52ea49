// Reads the tools of one MCP server, page by page and item by item. One tool that cannot be read hides
// only itself; a name that comes twice has no definition, since nobody could say which one is called.
import { createHash } from 'node:crypto'
import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { definitionDigest, type ToolDefinition } from '../protocol/definition.ts'
import { limits } from '../protocol/limits.ts'
import { AnswerUnreadable } from './answer.ts'
import type { ListText } from './pins.ts'

/** Closed only as far as it is used: what a tool may say of itself grows with the protocol. */
const pageSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional(),
})
const itemSchema = z.looseObject({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.looseObject({}),
  outputSchema: z.looseObject({}).optional(),
  annotations: z.looseObject({}).optional(),
})

export type ToolList = {
  /** MCP tool name → definition digest. */
  readonly digests: ReadonlyMap<string, string>
  /** Definition as text → its digest: an unchanged list costs no hashing the next time. */
  readonly known: ReadonlyMap<string, string>
  /** The readable definitions; null when together they are too long to be sent. */
  readonly text: ListText | null
  /** Names that came twice, and how many items could not be read. */
  readonly twice: readonly string[]
  readonly unreadable: number
}

const endless = (what: string) => new AnswerUnreadable('answer_unreadable', what)

/** Every page, as the server gives it. Throws when it does not answer, or does not come to an end. */
async function itemsOf(client: Client, timeout: number): Promise<unknown[]> {
  const items: unknown[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  do {
    const params = cursor === undefined ? {} : { cursor }
    const page = await client.request({ method: 'tools/list', params }, pageSchema, { timeout })
    items.push(...page.tools)
    cursor = page.nextCursor
    if (cursor !== undefined && cursors.has(cursor)) throw endless('the list repeats a page')
    if (cursor !== undefined) cursors.add(cursor)
    if (items.length > limits.deviceToolsMax || cursors.size > limits.deviceToolPagesMax) {
      throw endless(
        `more than ${limits.deviceToolsMax} tools or ${limits.deviceToolPagesMax} pages`,
      )
    }
  } while (cursor !== undefined)
  return items
}

/** The tools as they are now. `before` is what `known` was the last time. */
export async function readTools(
  client: Client,
  before: ReadonlyMap<string, string>,
  timeoutMs: number,
): Promise<ToolList> {
  const digests = new Map<string, string>()
  const known = new Map<string, string>()
  const twice = new Set<string>()
  let unreadable = 0
  for (const item of await itemsOf(client, timeoutMs)) {
    const named = z.looseObject({ name: z.string() }).safeParse(item)
    const name = named.success ? named.data.name : null
    // A bad twin makes a name as ambiguous as a good one.
    if (name !== null && (digests.has(name) || twice.has(name))) twice.add(name)
    const tool = itemSchema.safeParse(item)
    const digest = tool.success ? await digestOf(tool.data, before, known) : null
    if (digest === null) unreadable += 1
    if (name !== null) digests.set(name, digest ?? '')
  }
  for (const name of twice) digests.delete(name)
  for (const [name, digest] of digests) if (digest === '') digests.delete(name)
  const text = textOf(known, digests)
  return { digests, known, text, twice: [...twice].sort(), unreadable }
}

/** The definitions whose name stands for one tool, in the order of the server, as a JSON array. */
function textOf(
  known: ReadonlyMap<string, string>,
  digests: ReadonlyMap<string, string>,
): ListText | null {
  const shown = new Set(digests.values())
  const own = [...known].filter(([, digest]) => shown.has(digest)).map(([text]) => text)
  const text = Buffer.from(`[${own.join(',')}]`)
  if (text.length > limits.toolListBytesMax) return null
  return { digest: `blob:${createHash('sha256').update(text).digest('base64url')}`, text }
}

async function digestOf(
  tool: ToolDefinition,
  before: ReadonlyMap<string, string>,
  known: Map<string, string>,
): Promise<string | null> {
  const text = JSON.stringify(tool)
  try {
    const digest = before.get(text) ?? (await definitionDigest(tool))
    known.set(text, digest)
    return digest
  } catch {
    // No canonical form: half a surrogate pair, say.
    return null
  }
}
