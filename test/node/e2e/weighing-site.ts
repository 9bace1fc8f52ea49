// A bench of its own that weighs, computes and dispenses: a balance, a computer, a pump, records. Its calls
// answer what a test writes into a file.
import { writeFile } from 'node:fs/promises'
import type { JsonObject } from '../../../protocol/json.ts'
import { registrySchema } from '../../../protocol/registry.ts'
import { cellRecordSchema } from '../../../protocol/state.ts'
import { threeNodes } from './harness.ts'

const tool = (name: string, properties: object, more: object) => ({
  name,
  mcp_tool: name,
  description: `The call ${name} of the bench.`,
  capability: 'bench',
  risk_class: 'read',
  emits: [],
  sink: null,
  server: 'bench',
  definition_digest: `def:${'A'.repeat(43)}`,
  timeout_ms: 10_000,
  orphan_policy: 'stop',
  safe_stop: null,
  result_invalid: 'noted',
  sandbox_required: false,
  args_schema: {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  },
  ...more,
})

const number = (unit: string, maximum: number) => {
  return { type: 'number', minimum: 0, maximum, 'x-unit': unit }
}

export const weighingSite = registrySchema.parse({
  registry_version: 'w1',
  tools: [
    tool(
      'weigh',
      { pan: { type: 'string', enum: ['pan_1'] } },
      {
        meaning: {
          acts: [{ act: 'measure', bind: { device: { const: 'scale_1' } } }],
          inert: [{ at: '/pan', reason: 'there is one pan' }],
          results: {
            '/mass': { quantity: 'mass', unit: 'mg', kind: 'observed' },
            '/state': { quantity: null, kind: 'observed', values: ['stable', 'drifting'] },
          },
        },
      },
    ),
    tool(
      'compute_volume',
      { mass: number('mg', 1_000) },
      {
        meaning: {
          acts: [{ act: 'measure', bind: { device: { const: 'computer_1' }, expected: '/mass' } }],
          results: { '/volume': { quantity: 'volume', unit: 'mL', kind: 'computed' } },
        },
      },
    ),
    tool(
      'dispense',
      { volume: number('uL', 900) },
      {
        risk_class: 'benign_actuation',
        safe_stop: { mcp_tool: 'stop_pump', args: {} },
        meaning: {
          acts: [
            {
              act: 'transfer',
              bind: {
                from: { const: 'bottle_1' },
                to: { const: 'beaker_1' },
                volume: '/volume',
                substance: { const: 'water' },
              },
            },
          ],
        },
      },
    ),
    tool(
      'note',
      {
        record: { type: 'string', maxLength: 20 },
        value: { type: ['string', 'number'] },
        provenance: { type: 'string', enum: ['measured', 'calculated', 'estimated'] },
      },
      {
        risk_class: 'benign_actuation',
        sink: 'record_system',
        meaning: {
          acts: [
            {
              act: 'write_record',
              bind: {
                record: '/record',
                field: { const: 'mass' },
                value: '/value',
                provenance: '/provenance',
              },
            },
          ],
          choices: [
            {
              at: '/provenance',
              means: { measured: 'measured', calculated: 'calculated', estimated: 'estimated' },
            },
          ],
        },
      },
    ),
  ],
  planners: { [threeNodes.planner.id]: { capabilities: ['bench'] } },
  rules: [],
  zones: [{ id: 'lab', people: 'always' }],
  places: [{ id: 'shelf', zone: 'lab', holds: 4 }],
  devices: [
    { id: 'scale_1', class: 'balance', zone: 'lab' },
    { id: 'computer_1', class: 'computer', zone: 'lab' },
    { id: 'pump_1', class: 'pump', zone: 'lab' },
  ],
  kinds: [
    { id: 'bottle', class: 'vessel', capacity: '1 L' },
    { id: 'beaker', class: 'vessel', capacity: '850 uL' },
  ],
  substances: [],
})

export const weighingState = cellRecordSchema.parse({
  inventory: [
    {
      thing: 'bottle_1',
      kind: 'bottle',
      at: 'shelf',
      contents: [{ substance: 'water', volume: '500 mL' }],
    },
    { thing: 'beaker_1', kind: 'beaker', at: 'shelf' },
  ],
  facts: [{ thing: 'beaker_1', fact: 'contents', value: [] }],
})

type Node = { readonly id: string; readonly [key: string]: unknown }

const mass = { $from: { node: 'n1', pointer: '/mass', unit: 'mg', min: 100, max: 500 } }
const volume = { $from: { node: 'n2', pointer: '/volume', unit: 'uL', min: 50, max: 800 } }

/** Weigh, compute from the mass, dispense what came out, and file the mass as it was measured. */
export function weighingPlan(changes: Readonly<Record<string, object>> = {}) {
  const node = (id: string, name: string, args: object, depends_on: string[]): Node => {
    return { id, tool: name, args, depends_on, sandbox: null, ...changes[id] }
  }
  return {
    goal: 'Dispense water by the weight of the sample',
    instructions: [
      'Weigh the sample.',
      'Compute the volume from its mass.',
      'Dispense that volume of water from bottle_1 into beaker_1.',
      'Write the measured mass into record R-1.',
    ],
    planner: threeNodes.planner,
    nodes: [
      node('n1', 'weigh', { pan: 'pan_1' }, []),
      node('n2', 'compute_volume', { mass }, ['n1']),
      node('n3', 'dispense', { volume }, ['n2']),
      node('n4', 'note', { record: 'R-1', value: mass, provenance: 'measured' }, ['n3']),
    ],
  }
}

export type Answers = Readonly<Record<string, JsonObject | string>>

export const good: Answers = {
  weigh: { mass: 123.4, state: 'stable' },
  compute_volume: { volume: 0.0725 },
}

/** What the calls answer from now on. */
export const writeAnswers = (file: string, answers: Answers): Promise<void> =>
  writeFile(file, JSON.stringify(answers))
