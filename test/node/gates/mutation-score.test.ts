// The table of mutants: a survivor is named by its own text, an excuse fits that and nothing else, and a file
// below the least score fails.
import { expect, test } from 'vitest'
import { placeOf, tableOf, type Mutant } from '../../../lab/tools/mutation/score.ts'

const source = 'const a = 1\n  if (a > 0) {\n    go()\n  }\n'
const first = { start: { line: 2, column: 7 }, end: { line: 2, column: 12 } }

const mutant = (status: string, change: Partial<Mutant> = {}): Mutant => ({
  file: 'contain/a.ts',
  mutator: 'ConditionalExpression',
  status,
  ...placeOf(source, first),
  replacement: 'true',
  ...change,
})
const killed = (n: number): Mutant[] => Array.from({ length: n }, () => mutant('Killed'))
const excuse = { file: 'contain/a.ts', line: 'if (a > 0) {', text: 'a > 0', reason: 'always' }

test('a mutant is named by the text that it replaces, over lines too', () => {
  expect(placeOf(source, first)).toEqual({ at: 2, line: 'if (a > 0) {', text: 'a > 0' })
  const block = { start: { line: 2, column: 14 }, end: { line: 4, column: 4 } }
  expect(placeOf(source, block).text).toBe('{\n    go()\n  }')
})

test('an excused survivor does not count, and its excuse falls when nothing survives any more', () => {
  const mutants = [...killed(9), mutant('Survived')]
  expect(tableOf(mutants, []).rows.at(-1)).toMatchObject({ killed: 9, excused: 0, score: 90 })
  expect(tableOf(mutants, [excuse]).rows.at(-1)).toMatchObject({ excused: 1, score: 100 })
  expect(tableOf(mutants, [{ ...excuse, replacement: 'false' }]).survivors).toHaveLength(1)
  expect(tableOf(killed(9), [excuse]).wrong).toHaveLength(1)
})

test('a file of which fewer than nine in ten are killed is named; one that no test reaches survives', () => {
  expect(tableOf([...killed(9), mutant('NoCoverage')], []).wrong).toEqual([])
  expect(tableOf([...killed(8), mutant('NoCoverage')], []).wrong).toHaveLength(1)
  expect(tableOf([...killed(8), mutant('Timeout'), mutant('Ignored')], []).wrong).toEqual([])
})
