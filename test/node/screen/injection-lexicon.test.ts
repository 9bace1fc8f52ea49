// The word lists of the injection screen as data: every file has its shape and is read, every weight lies
// in a band, every row hits its examples and leaves its counter-examples alone.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { injectionFiles } from '../../../verify/lexicon/injection.ts'
import {
  injectionFileSchema,
  lettersSchema,
  phrasesSchema,
  smallWordsSchema,
  vocabularySchema,
  weightsSchema,
} from '../../../verify/lexicon/schema.ts'
import { rowHits } from '../../../verify/screen/injection/approve.ts'
import { defaultThresholds } from '../../../verify/screen/injection/index.ts'
import { shippedSets } from '../../../verify/screen/injection/injection-library.ts'

const folder = path.join(import.meta.dirname, '..', '..', '..', 'verify', 'lexicon', 'injection')
const read = (name: string): unknown =>
  JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'))

/** Files with a shape of their own. */
const tables = {
  letters: lettersSchema,
  phrases: phrasesSchema,
  'small-words': smallWordsSchema,
  vocabulary: vocabularySchema,
  weights: weightsSchema,
} as const

const rows = shippedSets().flatMap((set) => set.patterns.map((row) => ({ set, row })))

describe('the files', () => {
  it('are all read: none lies in the folder unused', () => {
    const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))
    expect(names.toSorted()).toEqual(
      [...Object.keys(injectionFiles), ...Object.keys(tables)].toSorted(),
    )
  })

  it.each(Object.entries(injectionFiles))('%s has its shape', (name, file) => {
    expect(injectionFileSchema.parse(file)).toEqual(read(name))
  })

  it.each(Object.entries(tables))('%s has its shape', (name, schema) => {
    expect(schema.parse(read(name))).toEqual(read(name))
  })

  it.each([
    ['a weight above one', { weight: 1.2 }],
    ['no example', { examples: [] }],
    ['an unknown field', { allow: ['x'] }],
    ['an unknown category', { category: 'harmless' }],
    ['no reason', { reason: '' }],
  ])('a row with %s is refused', (_name, over) => {
    const file = read('en-role') as { rows: readonly object[] }
    expect(injectionFileSchema.safeParse(file).success).toBe(true)
    const changed = {
      ...file,
      rows: file.rows.map((row, i) => (i === 0 ? { ...row, ...over } : row)),
    }
    expect(injectionFileSchema.safeParse(changed).success).toBe(false)
  })

  it('gives examples only for acts that exist', () => {
    const strays = Object.values(injectionFiles).flatMap((value) => {
      const file = injectionFileSchema.parse(value)
      if (file.kind !== 'language') return []
      return file.fills.flatMap(({ examples, counter_examples }) =>
        [...Object.keys(examples), ...Object.keys(counter_examples ?? {})]
          .map((name) => `${file.language}-${name}`)
          .filter((id) => rows.every(({ row }) => row.id !== id)),
      )
    })
    expect(strays).toEqual([])
  })
})

describe('the weights', () => {
  const { bands } = weightsSchema.parse(read('weights'))

  it('lie in bands that leave no gap', () => {
    expect(bands[0]?.over).toBe(0)
    expect(bands.at(-1)?.to).toBe(1)
    for (const [i, band] of bands.entries()) {
      if (i > 0) expect(band.over).toBe(bands[i - 1]?.to)
    }
    const empty = bands.filter(
      ({ over, to }) => !rows.some(({ row }) => row.weight > over && row.weight <= to),
    )
    expect(empty).toEqual([])
  })

  it('mean what the thresholds make of them: a row alone has σ of 0.65 times its weight', () => {
    const borderOf = (name: string): number | undefined => bands.find((x) => x.name === name)?.over
    expect(borderOf('advise')).toBeCloseTo(defaultThresholds.advisory / 0.65, 3)
    expect(borderOf('warn')).toBeCloseTo(defaultThresholds.warning / 0.65, 3)
  })
})

describe('the rows', () => {
  it('hit none of their counter-examples', () => {
    const wrong = rows.flatMap(({ set, row }) =>
      (row.counter_examples ?? [])
        .filter((text) => rowHits(row, set, text))
        .map((text) => `${row.id}: ${text}`),
    )
    expect(wrong).toEqual([])
    expect(rows.filter(({ row }) => row.counter_examples !== undefined).length).toBeGreaterThan(100)
  })
})
