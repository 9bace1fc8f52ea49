// Which shared things a plan needs: those it names, those it changes, those it rests on, and what they
// belong to. A call that may do anything needs all of them.
import { expect, test } from 'vitest'
import { topologicalOrder } from '../../../protocol/graph.ts'
import { planSchema } from '../../../protocol/plan.ts'
import { readScene } from '../../../verify/read/index.ts'
import { vocabulary } from '../../../verify/read/vocabulary.ts'
import { forOtherCells, sharedBy } from '../../../verify/review/shared.ts'
import { runWithRules } from '../../../verify/rules/run.ts'
import { now_ms, pottery, stateOf } from '../rules/kiln.ts'

const both = ['c', 'd']
const shut = {
  id: 'R',
  text: 'The flap is shut while a kiln heats.',
  if: { act: 'set_temperature' },
  needs: { is: { fact: 'open', of: 'flap-1' }, eq: false },
}
const base = pottery([shut])
const site = pottery([shut], {
  barriers: base.barriers.map((one) => ({ ...one, shared_by: both })),
  devices: base.devices.map((one) => (one.id === 'scale' ? { ...one, shared_by: both } : one)),
  places: base.places.map((one) => (one.id === 'bench' ? { ...one, shared_by: both } : one)),
})
const state = stateOf([{ thing: 'crock-1', kind: 'crock', at: 'bench' }])

function used(registry: typeof site, tool: string, args: object): string[] {
  const plan = planSchema.parse({
    goal: 'Fire',
    instructions: ['Fire.'],
    planner: { id: 'potter' },
    nodes: [{ id: 'n1', tool, args, depends_on: [], sandbox: null }],
  })
  const scene = readScene(plan, topologicalOrder(plan.nodes), registry, state, vocabulary)
  const trace = runWithRules(scene, registry, state, { now_ms })
  return sharedBy({ scene, trace }, registry, state)
}

test('a plan needs what it names and where that stands', () => {
  expect(used(site, 'damper', { flap: 'flap-1', mm: 5 })).toEqual(['flap-1'])
  expect(used(site, 'weigh', { pot: 'Crock 1' })).toEqual(['bench', 'scale'])
})

test('a plan needs what only a rule looks at', () => {
  expect(used(site, 'heat', { kiln: 'kiln-2', to: 900 })).toEqual(['flap-1'])
})

test('a call that may do anything needs everything that is shared', () => {
  const dark = { ...site, tools: site.tools.map((row) => ({ ...row, meaning: undefined })) }
  expect(used(dark, 'weigh', { pot: 'crock-9' })).toEqual(['bench', 'flap-1', 'scale'])
})

test('nothing is shared that the site file does not say is', () => {
  expect(used(base, 'weigh', { pot: 'crock-1' })).toEqual([])
})

test('what is told of a shared thing is told to the other cells that share it', () => {
  const facts = [{ thing: 'flap-1' }, { thing: 'crock-1' }, { thing: 'kiln-1' }]
  expect([...forOtherCells(site, 'c', facts)]).toEqual([['d', [{ thing: 'flap-1' }]]])
})
