// A site that has nothing to do with the demonstration lab: a small brewery with a cleaning skid.
// Its tools shape their arguments in other ways: units beside numbers, defaults, arrays, choices.
import { registrySchema, type Registry } from '../../../protocol/registry.ts'
import { cellStateSchema, type CellState } from '../../../protocol/state.ts'
import type { Plan, PlanNode } from '../../../protocol/plan.ts'
import { topologicalOrder } from '../../../protocol/graph.ts'
import { readScene } from '../../../verify/read/index.ts'
import type { Scene } from '../../../verify/read/scene.ts'
import { vocabulary } from '../../../verify/read/vocabulary.ts'

const digest = `def:${'A'.repeat(43)}`
const common = {
  capability: 'plant',
  emits: [],
  sink: null,
  server: 'plant',
  definition_digest: digest,
  timeout_ms: 60_000,
  orphan_policy: 'stop',
  safe_stop: null,
  sandbox_required: false,
} as const

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const tool = (name: string, risk_class: string, args_schema: object, meaning?: object) => ({
  ...common,
  name,
  mcp_tool: name,
  description: name,
  risk_class,
  args_schema,
  ...(meaning === undefined ? {} : { meaning }),
})

export const breweryInput = {
  registry_version: 'b1',
  tools: [
    tool(
      'dose',
      'hazardous_actuation',
      object({
        tank: object({ id: { type: 'string' }, port: { type: 'string' } }),
        amount: { type: 'number' },
        amount_unit: { type: 'string' },
        fluid: { type: 'string' },
        note: { type: 'string' },
      }),
      {
        acts: [
          {
            act: 'transfer',
            bind: {
              from: { const: 'caustic tank' },
              to: '/tank/id',
              to_part: '/tank/port',
              volume: { arg: '/amount', unit_arg: '/amount_unit' },
              substance: { arg: '/fluid', default: 'sodium hydroxide 2 %' },
            },
          },
        ],
        inert: [{ at: '/note', reason: 'printed on the batch sheet only' }],
      },
    ),
    tool(
      'jacket',
      'hazardous_actuation',
      object({
        tank: { type: 'string' },
        setpoint: { type: 'number', 'x-unit': 'degF' },
        program: { type: 'string', enum: ['mash', 'sparge', 'off'] },
      }),
      {
        acts: [
          {
            act: 'set_temperature',
            bind: { device: '/tank', temperature: '/setpoint' },
            when: { arg: '/program', eq: 'mash' },
          },
          {
            act: 'set_flow',
            bind: { device: { const: 'PUMP-2' }, flow: { const: 40, unit: 'L/h' } },
            when: { arg: '/program', eq: 'sparge' },
          },
          { act: 'stop', bind: { device: '/tank' }, when: { arg: '/program', eq: 'off' } },
        ],
      },
    ),
    tool(
      'spin_samples',
      'hazardous_actuation',
      object({
        force: { type: 'number', 'x-unit': 'g_n' },
        time_min: { type: 'number', 'x-unit': 'min' },
        tubes: {
          type: 'array',
          items: object({ pos: { type: 'integer' }, mg: { type: 'number', 'x-unit': 'mg' } }),
        },
      }),
      {
        acts: [
          {
            act: 'spin',
            bind: {
              device: { const: 'fuge' },
              rotation: '/force',
              duration: '/time_min',
              positions: '/tubes/*/pos',
              masses: '/tubes/*/mg',
            },
          },
        ],
      },
    ),
    tool(
      'valve',
      'hazardous_actuation',
      object({ name: { type: 'string' }, state: { type: 'string', enum: ['open', 'shut'] } }),
      {
        acts: [
          { act: 'open', bind: { barrier: '/name' }, when: { arg: '/state', eq: 'open' } },
          { act: 'close', bind: { barrier: '/name' }, when: { arg: '/state', eq: 'shut' } },
        ],
      },
    ),
    tool(
      'inlet',
      'hazardous_actuation',
      object({ line: { type: 'string' }, air: { type: 'number' }, steam: { type: 'number' } }),
      {
        acts: ['air', 'steam'].map((gas) => ({
          act: 'set_gas',
          bind: {
            device: '/line',
            substance: { const: gas },
            amount: { arg: `/${gas}`, unit: 'L/min' },
          },
          when: { arg: `/${gas}`, given: true },
        })),
      },
    ),
    tool(
      'mixer_mode',
      'benign_actuation',
      object({ level: { type: 'string', enum: ['slow', 'fast', 'turbo'] } }),
      {
        acts: [{ act: 'shake', bind: { device: { const: 'agitator' }, rotation: '/level' } }],
        choices: [{ at: '/level', means: { slow: '20 {rev}/min', fast: '60 {rev}/min' } }],
      },
    ),
    tool('plc_write', 'hazardous_actuation', object({ command: { type: 'string' } }), {
      acts: [{ act: 'load_program', bind: { device: { const: 'plc' }, program: '/command' } }],
    }),
    tool('analyse', 'code', object({ script: { type: 'string' } }), {
      acts: [{ act: 'run_code', bind: { code: '/script' } }],
      reaches: [],
    }),
    tool('gravity', 'read', object({ tank: { type: 'string' }, hint: { type: 'string' } }), {
      acts: [{ act: 'measure', bind: { device: { const: 'hydrometer' }, target: '/tank' } }],
    }),
    tool('mystery', 'benign_actuation', object({ x: { type: 'number' } })),
    tool(
      'vent',
      'hazardous_actuation',
      object({ tank: { type: 'string' }, force: { type: 'boolean' } }),
      {
        acts: [{ act: 'open', bind: { barrier: { const: 'vent 3' } } }],
        inert: [{ at: '/tank', reason: 'the panel shows it' }],
      },
    ),
  ],
  planners: { brewer: { capabilities: ['plant'] } },
  rules: [],
  zones: [{ id: 'cellar', people: 'when_open', names: ['the cellar'] }],
  places: [{ id: 'bay 4', zone: 'cellar' }],
  devices: [
    { id: 'FV-01', class: 'reactor', names: ['fermenter 1'] },
    { id: 'FV-02', class: 'reactor' },
    { id: 'PUMP-2', class: 'pump' },
    { id: 'fuge', class: 'centrifuge', names: ['the bench spinner'] },
    { id: 'agitator', class: 'shaker' },
    { id: 'plc', class: 'computer' },
    { id: 'hydrometer', class: 'meter' },
  ],
  barriers: [
    { id: 'cellar', guards: ['cellar'], names: ['cellar hatch'] },
    { id: 'vent 3', device: 'FV-01' },
  ],
  kinds: [{ id: 'crate', class: 'tray', rows: 4, columns: 6 }],
  things: [{ id: 'caustic_tank', kind: 'crate', names: ['caustic tank'] }],
  streams: [{ id: 'drain', says: 'neutral water only' }],
  substances: [
    {
      id: 'divos',
      names: ['Divos 110', 'tank soap'],
      groups: ['base'],
      hazards: ['corrosive'],
      graph: 'sodium_hydroxide',
    },
    { id: 'yeast_w34', names: ['W-34/70'], risk_group: 1 },
  ],
}

export const brewery: Registry = registrySchema.parse(breweryInput)

export const breweryState: CellState = cellStateSchema.parse({
  cell: 'c1',
  version: 1,
  inventory: [{ thing: 'KEG_007', kind: 'crate', names: ['the blue keg'] }],
  facts: [],
  approvals: [],
})

export type NodeInput = Pick<PlanNode, 'tool' | 'args'> & Partial<PlanNode>

/** A plan of the brewery. */
export function planOf(
  nodes: readonly NodeInput[],
  instructions: readonly string[] = ['Brew.'],
): Plan {
  return {
    goal: 'Brew a batch',
    instructions: [...instructions],
    planner: { id: 'brewer' },
    nodes: nodes.map((node, i) => ({ id: `n${i}`, depends_on: [], sandbox: null, ...node })),
  }
}

/** The scene of a plan in its execution order. */
export function sceneOf(
  plan: Plan,
  site: Registry = brewery,
  state: CellState = breweryState,
): Scene {
  return readScene(plan, topologicalOrder(plan.nodes), site, state, vocabulary)
}
