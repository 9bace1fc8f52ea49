// What a sentence says of a step that takes values of the run: where from, between which bounds, and when.
import { expect, test } from 'vitest'
import { ifWords, requireWords, takenBy } from '../../../verify/simulate/taken.ts'

const mass = { result: { node: 'n1', pointer: '/mass' }, unit: 'mg', gt: 1, le: 5 }
const state = { result: { node: 'n1', pointer: '/state' }, eq: 'stable' }
const node = (more: object) => {
  return { id: 'n2', tool: 't', args: {}, depends_on: [], sandbox: null, ...more }
}

test('references with their bounds', () => {
  const args = {
    amount: { $from: { node: 'n1', pointer: '/mass', unit: 'ug', min: 1, max: 5 } },
    list: [{ $from: { node: 'n1', pointer: '/state', enum: ['stable', true] } }],
    fixed: 3,
  }
  expect(takenBy(node({ args }))).toEqual([
    '/amount is /mass of n1, from 1 to 5 ug',
    '/list/0 is /state of n1, one of stable, true',
  ])
})

test('conditions, whole while they are short', () => {
  const when = { all: [mass, { not: state }] }
  expect(ifWords(node({ when }), false)).toBe(
    'If /mass of n1 is at most 5 mg and is above 1 mg and not /state of n1 is "stable", ',
  )
  expect(requireWords(node({ require: { any: [mass, state] } }))).toBe(
    'the run ends before it unless /mass of n1 is at most 5 mg and is above 1 mg or /state of n1 is "stable"',
  )
  const many = { any: [state, state, state, state, state] }
  expect(ifWords(node({ when: many }), false)).toBe('If its 5 comparisons hold, ')
})

test('a step behind a conditional one, and one that always runs', () => {
  expect(ifWords(node({}), false)).toBe('If what it depends on has run, ')
  expect(ifWords(node({}), true)).toBe('')
  expect(requireWords(node({}))).toBeNull()
})
