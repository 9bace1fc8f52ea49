// A small site: two cells, one agent each, tools of every orphan policy, and plans over them.
import { registrySchema, type ToolEntry } from '../../../protocol/registry.ts'

export const site = 'site-1'
export const planner = 'planner-1'
export const cells = ['cell-1', 'cell-2'] as const
export type Cell = (typeof cells)[number]
export const agentOf = (cell: Cell): string => `agent-${cell.slice(5)}`

export const definition = `def:${'A'.repeat(43)}`

function tool(
  name: string,
  risk_class: ToolEntry['risk_class'],
  orphan_policy: ToolEntry['orphan_policy'],
): ToolEntry {
  const moves = risk_class !== 'read'
  return {
    name,
    description: name,
    risk_class,
    capability: 'c',
    args_schema: {
      type: 'object',
      properties: { step: { type: 'integer', minimum: 0, maximum: 1_000_000 } },
      required: ['step'],
      additionalProperties: false,
    },
    emits: [],
    sink: null,
    server: 'bench',
    mcp_tool: name,
    definition_digest: definition,
    timeout_ms: 20_000,
    orphan_policy,
    safe_stop: moves ? { mcp_tool: 'halt', args: {} } : null,
    sandbox_required: false,
  }
}

export const registry = registrySchema.parse({
  registry_version: '1',
  tools: [
    tool('arm.move', 'benign_actuation', 'stop'),
    tool('mixer.hold', 'benign_actuation', 'hold'),
    tool('camera.read', 'read', 'stop'),
    { ...tool('bench.halt', 'benign_actuation', 'stop'), mcp_tool: 'halt' },
  ],
  planners: { [planner]: { capabilities: ['c'] } },
  rules: [],
})

/** One of a few shapes, with a step number in every call, so that no two plans ask for the same. */
export function planOf(n: number, shape: number, cell: Cell): object {
  const kinds = ['arm.move', 'mixer.hold', 'camera.read', 'arm.move'] as const
  const length = 1 + (shape % 4)
  const nodes = Array.from({ length }, (_, i) => ({
    id: `n${i}`,
    tool: kinds[(shape + i) % kinds.length],
    args: { step: n * 10 + i },
    depends_on: i === 0 ? [] : shape % 3 === 0 && i > 1 ? ['n0'] : [`n${i - 1}`],
    sandbox: null,
  }))
  return {
    goal: `Run ${n}`,
    instructions: [`Do the steps of run ${n}.`],
    planner: { id: planner },
    agent: agentOf(cell),
    nodes,
  }
}
