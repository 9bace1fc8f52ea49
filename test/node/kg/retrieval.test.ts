// The retrieval measure itself, and a floor under what the embedded graph recalls.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pairedMean } from '../../../lab/eval/statistics.ts'
import { openKnowledge, scoreRetrieval, topTen } from '../../../lab/eval/retrieval.ts'
import { ensureGraph } from '../../../kg-build/embedded.ts'
import { demoAdditions } from '../../../lab/site/lc7/graph-facts.ts'
import { quantitiesIn, strengthIn } from '../../../verify/ground/quantity.ts'
import type { Knowledge } from '../../../verify/ground/port.ts'
import { stem } from '../../../verify/ground/stem.ts'
import { concepts, tokens } from '../../../verify/ground/text.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'kg-eval-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let knowledge: Knowledge
let dir: string
beforeAll(async () => {
  dir = await ensureGraph({ additions: demoAdditions })
  knowledge = await openKnowledge(dir)
})

const queryFile = (name: string, rows: readonly unknown[]): string => {
  const file = path.join(scratch, name)
  writeFileSync(file, rows.map((r) => JSON.stringify(r)).join('\n'))
  return file
}

describe('the measure', () => {
  it('counts the share of expected ids and the rank of the first', async () => {
    const query = 'log in with the default password'
    const found = await topTen(knowledge, query)
    const rows = [
      { query, expected_ids: [found[2], 'nowhere:1'] },
      { query, expected_ids: ['nowhere:2'] },
    ]
    const report = await scoreRetrieval(queryFile('two.jsonl', rows), knowledge)
    expect(report).toMatchObject({ n: 2, recall_at_10: 0.25, mrr: 0.1667 })
    expect(report.rows[0]?.found).toEqual(found)
  })

  it('says what each of the joined lists is worth, over the same queries', async () => {
    const rows = [{ query: 'log in with the default password', expected_ids: ['nowhere:1'] }]
    const none = await scoreRetrieval(queryFile('none.jsonl', rows), knowledge)
    expect(none.without.map(({ list, mean }) => [list, mean])).toEqual([
      ['facts', 0],
      ['names', 0],
      ['words', 0],
      ['vectors', 0],
    ])
    // What full text alone finds is lost without it.
    const query = 'the operator reaches into the moving arm'
    const all = { query, expected_ids: await topTen(knowledge, query) }
    const { without } = await scoreRetrieval(queryFile('all.jsonl', [all]), knowledge)
    const words = without.find(({ list }) => list === 'words')
    expect(words?.queries).toBe(1)
    expect(words?.mean).toBeGreaterThan(0)
  })

  it('gives the mean of paired differences with its interval, the same each time', () => {
    const differences = Array.from({ length: 50 }, (_, i) => (i % 5 === 0 ? 1 : 0))
    const { mean, ci95, queries } = pairedMean(differences)
    expect([mean, queries]).toEqual([0.2, 10])
    // The normal interval of the mean of so many: 0.2 ± 0.11.
    expect(ci95[0]).toBeGreaterThan(0.05)
    expect(ci95[0]).toBeLessThan(0.15)
    expect(ci95[1]).toBeGreaterThan(0.25)
    expect(ci95[1]).toBeLessThan(0.35)
    expect(pairedMean(differences)).toEqual({ mean, ci95, queries })
    expect(pairedMean([])).toEqual({ mean: 0, ci95: [0, 0], queries: 0 })
  })

  it('names the line of a row without its fields', async () => {
    const file = queryFile('bad.jsonl', [{ query: 'x', expected_ids: [] }, { query: 'y' }])
    await expect(scoreRetrieval(file, knowledge)).rejects.toThrow(/bad\.jsonl:2: expected "query"/)
  })

  it('gives the same answer twice', async () => {
    const query = 'pour the solvent waste into the acid drum'
    expect(await topTen(knowledge, query)).toEqual(await topTen(knowledge, query))
  })
})

describe('the embedded graph', () => {
  it('recalls at least 0.8 of what it holds, on our own queries', async () => {
    const ids = new Set(
      readFileSync(path.join(dir, 'nodes.jsonl'), 'utf8')
        .split('\n')
        .filter((l) => l !== '')
        .map((l) => (JSON.parse(l) as { id: string }).id),
    )
    const all = path.resolve(import.meta.dirname, '../../../lab/eval/data/retrieval-own.jsonl')
    const rows = readFileSync(all, 'utf8')
      .split('\n')
      .filter((l) => l !== '')
      .map((l) => JSON.parse(l) as { query: string; expected_ids: string[] })
      .map((r) => ({ ...r, expected_ids: r.expected_ids.filter((id) => ids.has(id)) }))
      .filter((r) => r.expected_ids.length > 0)
    const report = await scoreRetrieval(queryFile('own.jsonl', rows), knowledge)
    expect(report.n).toBeGreaterThan(20)
    expect(report.recall_at_10).toBeGreaterThanOrEqual(0.8)
  })
})

describe('the text rules', () => {
  it.each([
    ['relational', 'relat'],
    ['hopping', 'hop'],
    ['centrifugation', 'centrifug'],
    ['agreed', 'agre'],
    ['ponies', 'poni'],
    ['sky', 'sky'],
  ])('stems %s to %s as Porter does', (word, want) => {
    expect(stem(word)).toBe(want)
  })

  it('reads British and American spelling alike', () => {
    expect(tokens('sulphuric vapours sterilise 5 litres')).toEqual(
      tokens('sulfuric vapors sterilize 5 liters'),
    )
  })

  it('finds concepts behind different words', () => {
    const a = concepts('throw the needles into the rubbish')
    const b = concepts('dispose of sharps in the regular trash')
    expect(a.filter((c) => b.includes(c)).length).toBeGreaterThanOrEqual(3)
  })

  it('reads quantities with units, and a strength', () => {
    expect(quantitiesIn('spin at 4,200 rpm and 95 °C')).toEqual(
      expect.arrayContaining([
        { quantity: 'rotation', value: 4_200 },
        { quantity: 'temperature', value: 95 },
      ]),
    )
    expect(quantitiesIn('cool to minus 20 degrees')).toContainEqual({
      quantity: 'temperature',
      value: -20,
    })
    expect(quantitiesIn('2 mL in one stroke')).toContainEqual({ quantity: 'volume', value: 2_000 })
    expect(strengthIn('0.1 M NaOH')).toEqual({ percent: null, molar: 0.1 })
    expect(strengthIn('50 mM HCl').molar).toBeCloseTo(0.05)
    expect(strengthIn('70% ethanol').percent).toBe(70)
  })
})
