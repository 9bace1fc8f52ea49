// What a planner learns of a result by whether its steps run, where it may not read the result itself.
import { describe, expect, test } from 'vitest'
import type { FlowLabel } from '../../../protocol/registry.ts'
import { demoRegistry, findingsOf, planOf, type NodeInput } from '../support/snapshot.ts'

const planner = 'planner-comms-04'
const told = {
  planner,
  instructions: ['Read the donor record and mail it to vendor support.', 'Tell #lc7-ops.'],
}
const read = (fields: string[]): NodeInput => ({
  tool: 'lims.read_sample',
  args: { sample_id: 'TR-3100', fields },
})
const chat = (message: string): NodeInput => ({
  tool: 'notify.slack_internal',
  args: { channel: '#lc7-ops', message },
})
describe('a result that the planner may not read', () => {
  const look = { ...read(['status']), id: 'n1' }
  const result = { node: 'n1', pointer: '/fields' }
  const after = (more: object): NodeInput => ({
    ...chat('Done.'),
    depends_on: ['n1'],
    ...more,
  })
  const reading = (reads?: FlowLabel[]) => {
    const registry = demoRegistry()
    registry.planners[planner] = {
      capabilities: registry.planners[planner]?.capabilities ?? [],
      ...(reads === undefined ? {} : { reads }),
    }
    return { registry }
  }
  const toldBy = (nodes: NodeInput[], reads?: FlowLabel[]) =>
    findingsOf(planOf(nodes, told), reading(reads)).filter(
      (found) => found.code === 'FLOW_RESULT_TOLD',
    )
  const emits = demoRegistry().tools.find(({ name }) => name === look.tool)?.emits ?? []
  const when = { result, gt: 1 }

  test('is told by sixteen steps that run or do not: a person decides, and sees where and what', () => {
    const id = (i: number) => `p${String.fromCodePoint(97 + i)}`
    const probes = Array.from({ length: 16 }, (_, i) =>
      after({ id: id(i), when: { result, gt: i } }),
    )
    const [one, ...more] = toldBy([look, ...probes])
    expect(more).toEqual([])
    expect(one).toMatchObject({
      effect: 'flag',
      at: '/nodes/1/when',
      facts: { node: 'pa', tool: look.tool, labels: emits.join(', '), places: 16 },
    })
  })

  test.each<[string, object]>([
    ['`require`', { require: { any: [{ not: when }] } }],
    ['the bounds of a reference', { args: { message: { $from: { ...result, enum: ['x'] } } } }],
  ])('is told by %s', (_, more) => {
    expect(toldBy([look, after(more)])).toHaveLength(1)
    expect(toldBy([look, after(more)], emits.slice(1))).toHaveLength(1)
  })

  test('is not told to a planner who may read it, nor by a step that only comes after', () => {
    expect(emits).not.toEqual([])
    expect(toldBy([look, after({ when })], emits)).toEqual([])
    expect(toldBy([look, after({})])).toEqual([])
  })
})
