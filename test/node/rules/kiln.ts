// A pottery that shares nothing with any other site: two kilns, a glaze bench, a gas burner. Its rules
// are written as an integrator would write them, from the grammar of conditions alone.
import { topologicalOrder } from '../../../protocol/graph.ts'
import { planSchema } from '../../../protocol/plan.ts'
import { registrySchema, type Registry } from '../../../protocol/registry.ts'
import { cellStateSchema, type CellState } from '../../../protocol/state.ts'
import { readScene } from '../../../verify/read/index.ts'
import { vocabulary } from '../../../verify/read/vocabulary.ts'
import { runWithRules } from '../../../verify/rules/run.ts'
import type { Trace } from '../../../verify/simulate/trace.ts'

export const now_ms = Date.UTC(2026, 10, 30)

const tool = (name: string, properties: object, meaning: object) => ({
  name,
  mcp_tool: name,
  description: name,
  capability: 'pottery',
  risk_class: 'hazardous_actuation',
  emits: [],
  sink: null,
  server: 'pottery',
  definition_digest: `def:${'A'.repeat(43)}`,
  timeout_ms: 60_000,
  orphan_policy: 'stop',
  safe_stop: null,
  sandbox_required: false,
  args_schema: { type: 'object', properties, additionalProperties: false },
  meaning,
})

const text = { type: 'string' }
const list = (items: object) => ({ type: 'array', items })

const site = {
  registry_version: 'k1',
  tools: [
    tool(
      'fire',
      { kiln: text, ramp: list({ type: 'number', 'x-unit': 'Cel' }) },
      { acts: [{ act: 'run_profile', bind: { device: '/kiln', temperatures: '/ramp/*' } }] },
    ),
    tool(
      'heat',
      { kiln: text, to: { type: 'number', 'x-unit': 'Cel' } },
      { acts: [{ act: 'set_temperature', bind: { device: '/kiln', temperature: '/to' } }] },
    ),
    tool(
      'pour',
      { from: text, to: list(text), ml: { type: 'number', 'x-unit': 'mL' }, glaze: text },
      {
        acts: [
          {
            act: 'transfer',
            bind: { from: '/from', to: '/to/*', volume: '/ml', substance: '/glaze' },
          },
        ],
      },
    ),
    tool(
      'weigh',
      { pot: text },
      { acts: [{ act: 'measure', bind: { device: { const: 'scale' }, target: '/pot' } }] },
    ),
    tool(
      'damper',
      { flap: text, mm: { type: 'number', 'x-unit': 'mm' } },
      { acts: [{ act: 'set_opening', bind: { barrier: '/flap', opening: '/mm' } }] },
    ),
  ],
  planners: { potter: { capabilities: ['pottery'] } },
  zones: [{ id: 'yard', people: 'always' }],
  places: [
    { id: 'shelf', zone: 'yard', device: 'kiln-1', holds: 4 },
    { id: 'bench', zone: 'yard', holds: 8 },
  ],
  devices: [
    { id: 'kiln-1', class: 'furnace', zone: 'yard', limits: { temperature: { max: '1300 Cel' } } },
    { id: 'kiln-2', class: 'furnace', zone: 'yard' },
    { id: 'scale', class: 'balance', zone: 'yard' },
  ],
  barriers: [{ id: 'flap-1', device: 'kiln-1' }],
  kinds: [{ id: 'crock', class: 'vessel', capacity: '1 L' }],
}

export function pottery(rules: readonly object[], more: object = {}): Registry {
  return registrySchema.parse({ ...site, ...more, rules })
}

export function stateOf(
  inventory: readonly object[] = [],
  facts: readonly object[] = [],
): CellState {
  const given = { source: 'person', by: 'olga', at_ms: now_ms - 60_000 }
  return cellStateSchema.parse({
    cell: 'c',
    version: 1,
    inventory,
    facts: facts.map((fact) => ({ ...given, ...fact })),
    approvals: [],
  })
}

type Node = { readonly tool: string; readonly args: object }

/** The trace of a plan whose nodes follow each other. */
export function traceOf(registry: Registry, state: CellState, nodes: readonly Node[]): Trace {
  const plan = planSchema.parse({
    goal: 'Fire the pots',
    instructions: ['Fire the pots.'],
    planner: { id: 'potter' },
    nodes: nodes.map((node, i) => ({
      id: `n${i}`,
      depends_on: i === 0 ? [] : [`n${i - 1}`],
      sandbox: null,
      ...node,
    })),
  })
  const scene = readScene(plan, topologicalOrder(plan.nodes), registry, state, vocabulary)
  return runWithRules(scene, registry, state, { now_ms })
}

/** How one rule came out: what it found, and whether it permitted an act. */
export function ruled(trace: Trace, id: string): { found: string[]; permits: boolean } {
  return {
    found: trace.findings.filter(({ rule }) => rule === id).map(({ kind }) => kind),
    permits: trace.covered.some(({ by }) => by === `rule:${id}`),
  }
}
