// Rules and runs at their edges: addresses beside a listed folder, approvals of other things, things that
// stand on each other in a circle, amounts for several parts, calls that nothing bounds.
import { describe, expect, test } from 'vitest'
import { pageListed } from '../../../verify/rules/pages.ts'
import { leftBy } from '../../../verify/review/left.ts'
import { now_ms, pottery, ruled, stateOf, traceOf } from './kiln.ts'

describe('a listed page', () => {
  const pages = [
    { host: 'docs.example', path: '/safe', query: false },
    { host: 'docs.example', path: '/open/', query: true },
  ]
  test.each([
    'https://docs.example/safe',
    'https://docs.example/safe/a',
    'https://docs.example/open/a?b=c',
  ])('%s', (address) => {
    expect(pageListed(address, pages)).toBe(true)
  })
  test.each([
    'https://docs.example/safe-evil',
    'https://docs.example/safe/../x',
    'https://docs.example/safe?b=c',
    'https://docs.example/open',
    'https://docs.example.evil/safe',
    'http://docs.example/safe',
    'https://user@docs.example/safe',
    'no address',
  ])('is not %s', (address) => {
    expect(pageListed(address, pages)).toBe(false)
  })
})

const rule = (more: object) => ({ id: 'R', text: 'R', ...more })

test('things that stand on each other in a circle are nowhere, and nothing breaks', () => {
  const site = pottery([
    rule({ if: { act: 'measure' }, needs: { thing: '$target', zone: 'yard' } }),
  ])
  const state = stateOf([
    { thing: 'crock-1', kind: 'crock', at: 'crock-2' },
    { thing: 'crock-2', kind: 'crock', at: 'crock-1' },
  ])
  const trace = traceOf(site, state, [{ tool: 'weigh', args: { pot: 'crock-1' } }])
  expect(ruled(trace, 'R').found).toEqual(['unknown'])
})

test('the sum over a plan counts every part that an amount is for', () => {
  const total = rule({
    if: { act: 'transfer' },
    needs: { is: { total: 'volume', over: 'plan' }, le: '100 mL' },
  })
  const kinds = [
    { id: 'crock', class: 'vessel', capacity: '1 L' },
    { id: 'tray', class: 'plate', rows: 2, columns: 3, capacity: '1 L' },
  ]
  const standing = [
    { thing: 'crock-1', kind: 'crock', at: 'bench' },
    { thing: 'crock-2', kind: 'crock', at: 'bench' },
    { thing: 'tray-1', kind: 'tray', at: 'bench' },
  ]
  const found = (...to: string[]) =>
    ruled(
      traceOf(pottery([total], { kinds }), stateOf(standing), [
        { tool: 'pour', args: { from: 'crock-1', to, ml: 60, glaze: 'water' } },
      ]),
      'R',
    ).found
  expect(found('crock-2')).toEqual([])
  expect(found('tray-1 A1')).toEqual([])
  expect(found('crock-2', 'tray-1 A1')).toEqual(['unknown'])
  expect(found('tray-1 A1:B3')).toEqual(['unknown'])
})

test('an inspection that is dated in the future is none', () => {
  const checked = rule({
    if: { act: 'measure' },
    needs: { is: { fact: 'inspected_within', of: '$target' }, le: '30 d' },
  })
  const found = (at_ms: number) =>
    ruled(
      traceOf(
        pottery([checked]),
        stateOf([
          {
            thing: 'crock-1',
            kind: 'crock',
            at: 'bench',
            inspected_on: new Date(at_ms).toISOString(),
          },
        ]),
        [{ tool: 'weigh', args: { pot: 'crock-1' } }],
      ),
      'R',
    ).found
  expect(found(now_ms - 86_400_000)).toEqual([])
  expect(found(now_ms + 86_400_000)).toEqual(['unknown'])
})

test('after a call that nothing bounds, the cell is told that nothing is known', () => {
  const stray = {
    ...pottery([]).tools[0],
    name: 'stray',
    server: 'elsewhere',
    args_schema: { type: 'object', properties: {}, additionalProperties: false },
    meaning: undefined,
  }
  const site = pottery([], { tools: [stray] })
  const state = stateOf(
    [{ thing: 'crock-1', kind: 'crock', at: 'bench', contents: [{ substance: 'water' }] }],
    [{ thing: 'kiln-1', fact: 'temperature', value: '20 Cel' }],
  )
  const left = leftBy(traceOf(site, state, [{ tool: 'stray', args: {} }]))
  const names = left.filter(({ value }) => value === null).map((f) => `${f.thing} ${f.fact}`)
  expect(names).toEqual(
    expect.arrayContaining(['kiln-1 temperature', 'crock-1 contents', 'crock-1 place']),
  )
})
