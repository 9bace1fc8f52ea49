// Where a JSON pointer leads, and where it leads nowhere.
import { expect, test } from 'vitest'
import { valueAt } from '../../../protocol/pointer.ts'

const data = { list: [7, { 'a/b': 1, 'm~n': 2 }], '01': 3, empty: '' }

test.each<[string, unknown]>([
  ['', data],
  ['/list/0', 7],
  ['/list/1/a~1b', 1],
  ['/list/1/m~0n', 2],
  ['/01', 3],
  ['/empty', ''],
])('%s leads to a value', (pointer, value) => {
  expect(valueAt(data, pointer)).toEqual(value)
})

test.each([
  '/list/length',
  '/list/01',
  '/list/-',
  '/list/2',
  '/empty/length',
  '/toString',
  '/list/map',
  '/x/y',
])('%s leads nowhere', (pointer) => {
  expect(valueAt(data, pointer)).toBeUndefined()
})
