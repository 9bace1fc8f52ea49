// A draft of a site file from the tool lists that servers give: pins, schemas closed all the way down, and
// every call undescribed. A drafted row is valid and opaque: a person decides on its plans until an
// administrator has said what it does. What has been answered before is kept.
import { definitionDigest, type ToolDefinition } from '../../protocol/definition.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import { registrySchema, type Registry, type ToolEntry } from '../../protocol/registry.ts'
import { closedSchema } from './leaves.ts'

/** What one MCP server lists. */
export type Offer = { readonly server: string; readonly tools: readonly ToolDefinition[] }

/** A site file that says nothing yet. */
export const blankSite = (): Registry =>
  registrySchema.parse({ registry_version: '1', tools: [], planners: {}, rules: [] })

/** What drafting did to one row. */
export type Drafted = {
  readonly tool: string
  /** `changed`: the server's definition is another one than the row was described from. */
  readonly what: 'new' | 'same' | 'changed' | 'gone'
}

/** A name in the form that a registry takes. */
export function rowName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const clean = (text: string): string =>
    text
      .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
      .replaceAll(/([._-])[._-]+/g, '$1')
      .replaceAll(/^[^A-Za-z]+|[^A-Za-z0-9]+$/g, '')
  const plain = clean(tool) || 'tool'
  const name = taken.has(plain) ? `${clean(server) || 'server'}.${plain}` : plain
  return name.slice(0, limits.toolNameCharsMax)
}

const timeoutMs = 60_000

/** Labels of an undescribed call: it may tell anything. */
const anything = ['identifiers', 'study_data', 'device_state', 'external_content'] as const

function freshRow(server: string, tool: ToolDefinition, name: string, digest: string): ToolEntry {
  return {
    name,
    description: (tool.description ?? tool.title ?? tool.name).slice(0, 2_000) || tool.name,
    // Until somebody says what it does it may do the worst that a cell can.
    risk_class: 'hazardous_actuation',
    capability: `${server}.use`.slice(0, limits.idCharsMax),
    args_schema: closedSchema({ type: 'object', ...tool.inputSchema }) as JsonObject,
    emits: [...anything],
    sink: null,
    server,
    mcp_tool: tool.name,
    definition_digest: digest,
    timeout_ms: timeoutMs,
    orphan_policy: 'stop',
    safe_stop: null,
    sandbox_required: false,
    ...(tool.outputSchema === undefined ? {} : { output_schema: tool.outputSchema as JsonObject }),
  }
}

/** The hints of a server, kept beside the row: untrusted, and only ever read towards more care. */
function hintsOf(tool: ToolDefinition): JsonObject {
  const hints = (tool.annotations ?? {}) as Record<string, JsonValue>
  const kept = ['readOnlyHint', 'destructiveHint'].filter((key) => typeof hints[key] === 'boolean')
  return Object.fromEntries(kept.map((key) => [key, hints[key] as boolean]))
}

/**
 * Adds what the servers list to a site file. A row whose server now gives another definition loses its
 * description: it is asked about again (a changed description is a changed tool).
 */
export async function draftSite(
  before: Registry,
  offers: readonly Offer[],
): Promise<{ readonly registry: Registry; readonly drafted: readonly Drafted[] }> {
  const tools = [...before.tools]
  const drafted: Drafted[] = []
  const hints: Record<string, JsonValue> = {
    ...(before.notes?.['server_hints'] as JsonObject | undefined),
  }
  for (const { server, tools: offered } of offers) {
    for (const tool of offered) {
      const digest = await definitionDigest(tool)
      const at = tools.findIndex((row) => row.server === server && row.mcp_tool === tool.name)
      const old = tools[at]
      const name = old?.name ?? rowName(server, tool.name, new Set(tools.map((row) => row.name)))
      hints[name] = hintsOf(tool)
      if (old?.definition_digest === digest) {
        drafted.push({ tool: name, what: 'same' })
        continue
      }
      const row = freshRow(server, tool, name, digest)
      if (old === undefined) tools.push(row)
      else tools[at] = { ...row, safe_stop: old.safe_stop, capability: old.capability }
      drafted.push({ tool: name, what: old === undefined ? 'new' : 'changed' })
    }
    const listed = new Set(offered.map((tool) => tool.name))
    for (const row of tools) {
      if (row.server === server && !listed.has(row.mcp_tool)) {
        drafted.push({ tool: row.name, what: 'gone' })
      }
    }
  }
  const notes = { ...before.notes, server_hints: hints }
  return { registry: registrySchema.parse({ ...before, tools, notes }), drafted }
}
