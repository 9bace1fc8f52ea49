// What a reviewer is told of two versions of a plan: every place that changed, and nothing that did not.
import { describe, expect, it } from 'vitest'
import { planSchema, type Plan } from '../../../protocol/plan.ts'
import { diffPlans, differencesMax } from '../../../verify/lineage/diff.ts'

const plan = (change: object = {}): Plan =>
  planSchema.parse({
    goal: 'Move plates',
    instructions: ['Move the plate.'],
    planner: { id: 'planner-a', model: 'm-1' },
    nodes: [
      {
        id: 'n1',
        tool: 'arm.pick',
        args: { object: 'p', force: 5 },
        depends_on: [],
        sandbox: null,
      },
      { id: 'n2', tool: 'arm.place', args: {}, depends_on: ['n1'], sandbox: null },
    ],
    ...change,
  })

const [first, second] = plan().nodes
const placesOf = (after: Plan, before = plan()) =>
  diffPlans(before, after).map(({ change, at }) => `${change} ${at}`)

describe('the differences of two versions', () => {
  it('are none when only the order of nodes, dependencies or members has changed', () => {
    expect(placesOf(plan())).toEqual([])
    expect(placesOf(plan({ nodes: [second, first] }))).toEqual([])
    const reordered = { ...first, args: { force: 5, object: 'p' } }
    expect(placesOf(plan({ nodes: [reordered, second] }))).toEqual([])
  })

  it('name arguments, nodes, instructions, goal, model and agent', () => {
    const nodes = [
      { ...first, args: { object: 'p', force: 9 } },
      { ...second, id: 'n3' },
    ]
    const after = plan({
      goal: 'Move all plates',
      instructions: ['Move the plate.', 'Quickly.'],
      planner: { id: 'planner-a', model: 'm-2' },
      agent: 'robot',
      nodes,
    })
    expect(placesOf(after)).toEqual([
      'changed /goal',
      'added /instructions/1',
      'changed /planner/model',
      'added /agent',
      'changed /nodes/0/args/force',
      'added /nodes/1',
      'removed /nodes/1',
    ])
  })

  it('are shown for members with names that every object inherits', () => {
    const args = { object: 'p', force: 5, constructor: 'x', toString: 'y' }
    const after = plan({ nodes: [{ ...first, args }, second] })
    expect(placesOf(after)).toEqual([
      'added /nodes/0/args/constructor',
      'added /nodes/0/args/toString',
    ])
    expect(placesOf(plan(), after)).toHaveLength(2)
  })

  it('are bounded', () => {
    const wide = (value: number) =>
      Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, value]))
    const of = (value: number) => plan({ nodes: [{ ...first, args: wide(value) }, second] })
    expect(diffPlans(of(1), of(2))).toHaveLength(differencesMax)
  })
})
