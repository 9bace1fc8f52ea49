// Wells, columns and records that an instruction tells without a declared name, against what steps use:
// by number in words ("the last column"), alone ("into B2"), and by the number of a record.
import { describe, expect, it } from 'vitest'
import { cellStateSchema } from '../../../protocol/state.ts'
import { topologicalOrder } from '../../../protocol/graph.ts'
import { readScene } from '../../../verify/read/index.ts'
import { vocabulary } from '../../../verify/read/vocabulary.ts'
import { toldNames } from '../../../verify/rules/names.ts'
import { toldOrdinals } from '../../../verify/rules/ordinals.ts'
import { toldRecords } from '../../../verify/rules/told-records.ts'
import { runWithRules } from '../../../verify/rules/run.ts'
import { demoRegistry, nowMs, planOf, type NodeInput } from '../support/snapshot.ts'
import { transfer } from './judged.ts'

const registry = demoRegistry()
const state = cellStateSchema.parse({
  cell: 'c',
  version: 1,
  facts: [],
  approvals: [],
  inventory: [
    { thing: 'pbs_res', kind: 'reservoir_290', at: 'deck_1' },
    { thing: 'plate_9', kind: 'plate_96', at: 'deck_2' },
    { thing: 'rack_9', kind: 'spin_column_rack', at: 'deck_3' },
  ],
})

function differs(instructions: string[], nodes: readonly NodeInput[]): boolean {
  const plan = planOf(nodes, { instructions, goal: 'Work' })
  const scene = readScene(plan, topologicalOrder(plan.nodes), registry, state, vocabulary)
  const trace = runWithRules(scene, registry, state, { now_ms: nowMs })
  const input = { scene, trace, registry, state, planner: plan.planner.id }
  return [toldNames, toldRecords, toldOrdinals].some(
    ({ check }) => (check(input).breaches ?? []).length > 0,
  )
}

const into = (labware: string, well: string) =>
  transfer(50, 'PBS', { labware: 'pbs_res', well: 'A1' }, { labware, well })
const outOf = (well: string) =>
  transfer(50, 'PBS', { labware: 'plate_9', well }, { labware: 'rack_9', well: 'A1' })

describe('a counted place', () => {
  it.each([
    ['Add 50 µL PBS to the first column.', into('plate_9', 'COL1'), into('plate_9', 'COL2')],
    ['Add 50 µL PBS to the last column.', into('plate_9', 'COL12'), into('plate_9', 'COL1')],
    ['Add 50 µL PBS to the 3rd column.', into('plate_9', 'C3'), into('plate_9', 'C4')],
    ['Add 50 µL PBS to the first well.', into('plate_9', 'A1'), into('plate_9', 'H12')],
    ['Add 50 µL PBS to the second well.', into('plate_9', 'B1'), into('plate_9', 'C1')],
    ['Add 50 µL PBS to the second well.', into('plate_9', 'A2'), into('plate_9', 'ALL')],
    ['Add 50 µL PBS to the last well.', into('plate_9', 'H12'), into('plate_9', 'A1')],
    ['Add 50 µL PBS to the second row.', into('plate_9', 'B7'), into('plate_9', 'A7')],
    ['Add 50 µL PBS to the first spin column.', into('rack_9', 'A1'), into('rack_9', 'H3')],
    ['Add 50 µL PBS to the last spin column.', into('rack_9', 'H3'), into('rack_9', 'A1')],
    ['Take 50 µL PBS from the last well.', outOf('H12'), outOf('A1')],
    ['Add 50 µL PBS to column 3.', into('plate_9', 'COL3'), into('plate_9', 'COL6')],
    ['Add 50 µL PBS to each well of row C.', into('plate_9', 'C1'), into('plate_9', 'A1')],
    ['Pipette 50 µL of PBS into B2.', into('plate_9', 'B2'), into('plate_9', 'C2')],
    ['50 µL PBS into B2, please.', into('plate_9', 'COL2'), into('plate_9', 'COL3')],
  ])('%s', (instruction, right, wrong) => {
    expect(differs([instruction], [right])).toBe(false)
    expect(differs([instruction], [wrong])).toBe(true)
  })

  it.each([
    ['First add 50 µL PBS to the plate.', into('plate_9', 'C5')],
    ['Add 50 µL PBS the first time the plate is free.', into('plate_9', 'C5')],
    ['Add 50 µL PBS to C5; it was in B2 before.', into('plate_9', 'C5')],
    ['Add 50 µL PBS to every well of plate_9.', into('plate_9', 'ALL')],
  ])('and not: %s', (instruction, node) => {
    expect(differs([instruction], [node])).toBe(false)
  })
})

const read = (sample_id: string): NodeInput => ({
  tool: 'lims.read_sample',
  args: { sample_id, fields: ['od600'] },
})
const write = (sample_id: string): NodeInput => ({
  tool: 'lims.write_result',
  args: { sample_id, field: 'shelf', value: '12', provenance: 'administrative' },
})

describe('the number of a record', () => {
  it.each([
    ['Read od600 of RUN-2031.', read('RUN-2031'), read('RUN-2013')],
    ['Read od600 of run-2031.', read('RUN-2031'), read('RUN-203')],
    ['Look up SB-107 and read its od600.', read('SB-107'), read('SB-701')],
    ['Note in PL-0042 that it stands on shelf 12.', write('PL-0042'), write('PL-0024')],
    ['Read od600 of sample 4711.', read('SB-4711'), read('SB-4117')],
    ['Read od600 of plate no. 0815.', read('PL-815'), read('PL-851')],
    ['Write shelf 12 to QR-4411.', write('QR-4411'), write('QR-4412')],
  ])('%s', (instruction, right, wrong) => {
    expect(differs([instruction], [right])).toBe(false)
    expect(differs([instruction], [wrong])).toBe(true)
  })

  it('may be one of two that are told', () => {
    const instruction = 'Read od600 of RUN-2031, as for RUN-2013 last week.'
    expect(differs([instruction], [read('RUN-2031')])).toBe(false)
    expect(differs([instruction], [read('RUN-2013')])).toBe(false)
  })
})
