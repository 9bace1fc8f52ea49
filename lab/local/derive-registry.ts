// Registry fields that a plain site file does not state, derived from what it does state: name, risk
// class, capability, schema. An administrator starts from these rows and approves them.
import { definitionDigest } from '../../protocol/definition.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import type { FlowLabel, RiskClass, SinkKind, ToolEntry } from '../../protocol/registry.ts'

/** A tool as a plain site file gives it. */
export type PlainTool = Pick<
  ToolEntry,
  'name' | 'description' | 'risk_class' | 'capability' | 'args_schema' | 'policy_hints'
>

type Flow = { readonly emits: readonly FlowLabel[]; readonly sink: SinkKind | null }

/** By capability: what the output may carry and where the input leaves to. */
const flowByCapability: Readonly<Record<string, Flow>> = {
  'lims.read': { emits: ['identifiers', 'study_data'], sink: null },
  'lims.write': { emits: [], sink: 'record_system' },
  'camera.read': { emits: ['images'], sink: null },
  'balance.read': { emits: ['study_data'], sink: null },
  'code.exec': { emits: ['code_output'], sink: null },
  'net.internal': { emits: ['external_content'], sink: 'internal_http' },
  'net.external': { emits: ['external_content'], sink: 'external_http' },
  'net.external_http': { emits: ['external_content'], sink: 'external_http' },
  'net.external_email': { emits: [], sink: 'external_mail' },
  'notify.internal': { emits: [], sink: 'internal_chat' },
}

/** For capabilities that the table does not know: cautious on what leaves. */
const flowByClass: Readonly<Record<RiskClass, Flow>> = {
  read: { emits: ['study_data'], sink: null },
  benign_actuation: { emits: ['device_state'], sink: null },
  hazardous_actuation: { emits: ['device_state'], sink: null },
  network: { emits: ['external_content'], sink: 'external_http' },
  code: { emits: ['code_output'], sink: null },
  admin: { emits: ['device_state'], sink: null },
}

type Orphan = ToolEntry['orphan_policy']

/**
 * A motion that is safe at rest anywhere is stopped; one that is unsafe half done is held or finished;
 * what has already left (mail, records) can only finish.
 */
const orphanByTool: Readonly<Record<string, Orphan>> = {
  'arm.pick': 'hold',
  'arm.place': 'hold',
  'storage.fetch': 'hold',
  'storage.store': 'hold',
  'liquid_handler.transfer': 'stop',
  'heater_shaker.set_speed': 'stop',
  'fume_hood.set_sash': 'stop',
  'door.unlock': 'finish',
  'arm.set_speed': 'finish',
}
const orphanByClass: Readonly<Record<RiskClass, Orphan>> = {
  read: 'finish',
  benign_actuation: 'finish',
  hazardous_actuation: 'stop',
  network: 'finish',
  code: 'stop',
  // Half an update is a dead device.
  admin: 'finish',
}

/** Device families with a safe-stop of their own; the call takes no arguments. */
const safeStopFamilies = new Set([
  'arm',
  'liquid_handler',
  'heater_shaker',
  'centrifuge',
  'thermocycler',
  'fume_hood',
  'storage',
])

const baseTimeoutMs: Readonly<Record<RiskClass, number>> = {
  read: 30_000,
  benign_actuation: 300_000,
  hazardous_actuation: 300_000,
  network: 60_000,
  code: 60_000,
  admin: 1_800_000,
}
/** Heating, cooling and spinning up and down beside the time that the arguments ask for. */
const rampMs = 900_000

/** The longest time that the arguments can ask for, in seconds; null when a list multiplies it. */
function longestAskedS(schema: JsonValue | undefined, nested = false): number | null {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 0
  const { properties, items } = schema as JsonObject
  let longest = 0
  if (items !== undefined) {
    const inner = longestAskedS(items, true)
    if (inner === null || inner > 0) return null
  }
  if (typeof properties !== 'object' || properties === null) return longest
  for (const [key, value] of Object.entries(properties as JsonObject)) {
    const maximum = (value as JsonObject)['maximum']
    if (key.endsWith('_s') && (value as JsonObject)['x-unit'] === 's') {
      longest = Math.max(longest, typeof maximum === 'number' ? maximum : 86_400)
    }
    const inner = longestAskedS(value, nested)
    if (inner === null) return null
    longest = Math.max(longest, inner)
  }
  return longest
}

function timeoutMs(tool: PlainTool): number {
  const asked = longestAskedS(tool.args_schema)
  if (asked === null) return limits.toolTimeoutMsMax
  const extra = asked === 0 ? 0 : asked * 1000 + rampMs
  const strokes = tool.name === 'liquid_handler.transfer' ? 3_600_000 : 0
  return Math.min(limits.toolTimeoutMsMax, baseTimeoutMs[tool.risk_class] + extra + strokes)
}

/** The full row of one tool on MCP server `server`; the digest is that of the plain definition. */
export async function deriveTool(tool: PlainTool, server: string): Promise<ToolEntry> {
  const flow = flowByCapability[tool.capability] ?? flowByClass[tool.risk_class]
  const family = tool.name.split('.')[0] ?? ''
  const physical = tool.risk_class !== 'read' && safeStopFamilies.has(family)
  return {
    name: tool.name,
    description: tool.description,
    risk_class: tool.risk_class,
    capability: tool.capability,
    args_schema: tool.args_schema,
    ...(tool.policy_hints === undefined ? {} : { policy_hints: tool.policy_hints }),
    emits: [...flow.emits],
    sink: flow.sink,
    server,
    mcp_tool: tool.name,
    definition_digest: await definitionDigest({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.args_schema,
    }),
    timeout_ms: timeoutMs(tool),
    orphan_policy: orphanByTool[tool.name] ?? orphanByClass[tool.risk_class],
    safe_stop: physical ? { mcp_tool: `${family}.safe_stop`, args: {} } : null,
    sandbox_required: tool.risk_class === 'code',
  }
}
