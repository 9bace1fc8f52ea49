// A cell simulated from any site file: `node lab/sim-cell/site-main.ts --site FILE --server NAME`. Every
// call that fits its schema succeeds and is written to the journal; declared results are made up, unless
// `--answers FILE` says what a call answers.
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { readFile } from 'node:fs/promises'
import { Validator } from '@cfworker/json-schema'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { digest } from '../../protocol/digest.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { registrySchema, type ToolEntry } from '../../protocol/registry.ts'
import { Journal } from './journal.ts'
import { metaKeys } from './serve.ts'
import { simulatedTools } from './site-definitions.ts'

const { values } = parseArgs({
  options: {
    site: { type: 'string' },
    server: { type: 'string' },
    journal: { type: 'string' },
    answers: { type: 'string' },
  },
})
if (values.site === undefined || values.server === undefined) {
  process.stderr.write(
    'usage: node lab/sim-cell/site-main.ts --site FILE --server NAME [--journal FILE] [--answers FILE]\n',
  )
  process.exit(2)
}
const registry = registrySchema.parse(JSON.parse(await readFile(values.site, 'utf8')))
const server = values.server
const tools = simulatedTools(registry, server)
const rows = new Map(
  registry.tools.filter((row) => row.server === server).map((row) => [row.mcp_tool, row]),
)
const journal = new Journal(values.journal ?? null, () => Date.now())

/** Puts a value at a pointer of objects. */
function put(target: Record<string, JsonValue>, steps: readonly string[], value: JsonValue): void {
  const [step, ...rest] = steps
  if (step === undefined) return
  if (rest.length === 0) {
    target[step] = value
    return
  }
  const inner = (target[step] ?? {}) as Record<string, JsonValue>
  target[step] = inner
  put(inner, rest, value)
}

/** A result of the declared shape: the first closed text, else a number that means nothing. */
function resultOf(row: ToolEntry | undefined): JsonObject {
  const out: Record<string, JsonValue> = { simulated: true }
  for (const [pointer, { values: texts, quantity }] of Object.entries(
    row?.meaning?.results ?? {},
  )) {
    const value = texts?.[0] ?? (quantity === null ? 'simulated' : 1)
    put(out, pointer.split('/').slice(1), value)
  }
  const success = row?.meaning?.success
  if (success !== undefined) put(out, success.pointer.split('/').slice(1), success.eq)
  return out
}

/** Of the file, read at every call: call → a text as it is, or an object as structured content. */
async function answerOf(call: string): Promise<JsonObject | string | null> {
  if (values.answers === undefined) return null
  const text = await readFile(values.answers, 'utf8')
  return (JSON.parse(text) as Record<string, JsonObject | string>)[call] ?? null
}

function build(): Server {
  const mcp = new Server({ name: server, version: '1.0.0' }, { capabilities: { tools: {} } })
  mcp.setRequestHandler('tools/list', () => ({
    tools: tools.map((tool) => ({ ...tool })) as never,
  }))
  mcp.setRequestHandler('tools/call', async (request) => {
    const tool = tools.find(({ name }) => name === request.params.name)
    const args = (request.params.arguments ?? {}) as JsonObject
    const fail = (text: string) => ({ content: [{ type: 'text' as const, text }], isError: true })
    if (tool === undefined) return fail('there is no such call')
    const checked = new Validator(tool.inputSchema, '2020-12').validate(args)
    if (!checked.valid) return fail(checked.errors.map(({ error }) => error).join('; '))
    const { _meta: meta } = request.params
    const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
    const entry = {
      call: randomUUID(),
      tool: tool.name,
      device: server,
      args_digest: await digest('args', args),
      session: text(meta?.[metaKeys.session]),
      node: text(meta?.[metaKeys.node]),
      cause: null,
      change: null,
    }
    journal.write({ ...entry, phase: 'begin', outcome: null })
    journal.write({ ...entry, phase: 'end', outcome: 'done' })
    const told = await answerOf(tool.name)
    if (typeof told === 'string') return { content: [{ type: 'text', text: told }] }
    const result = told ?? resultOf(rows.get(tool.name))
    return {
      content: [{ type: 'text', text: JSON.stringify(result) }],
      structuredContent: { ...result },
    }
  })
  return mcp
}

serveStdio(build)
