// The gate of the lists of signs: shapes, rows that prove themselves, expressions proved linear.
import { describe, expect, test } from 'vitest'
import {
  credentialNoun,
  ownedAccess,
  runsInput,
  signsSchemas,
} from '../../../verify/lexicon/signs.ts'
import code from '../../../verify/lexicon/signs/code.json' with { type: 'json' }
import fields from '../../../verify/lexicon/signs/fields.json' with { type: 'json' }
import reach from '../../../verify/lexicon/signs/reach.json' with { type: 'json' }
import shapes from '../../../verify/lexicon/signs/shapes.json' with { type: 'json' }
import { checkLinear } from '../../../verify/linear-regex/check.ts'
import { shapesIn } from '../../../verify/screen/flow/shapes.ts'
import { findCode } from '../../../verify/screen/provenance/code.ts'

const joined = (pieces: string | readonly string[]): string =>
  typeof pieces === 'string' ? pieces : pieces.join('')

type Row = {
  id: string
  pattern: string | string[]
  flags?: string
  examples: string[]
  counter_examples: string[]
}
const files: Record<string, { rows: Row[] }> = { code, reach, shapes }
const rows = Object.entries(files).flatMap(([file, { rows: all }]) =>
  all.map((row) => [`${file}/${row.id}`, row] as const),
)

describe('lists of signs', () => {
  test('have their shapes, and every id once', () => {
    for (const [name, data] of Object.entries({ code, fields, reach, shapes })) {
      const read = signsSchemas[name as keyof typeof signsSchemas].safeParse(data)
      expect(read.error?.issues ?? []).toEqual([])
    }
    expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length)
    for (const words of Object.values(fields)) {
      if (Array.isArray(words)) expect(words.length).toBe(new Set(words).size)
    }
  })

  test.each(rows)('%s hits its examples, misses what comes close, and is linear', (_, row) => {
    const pattern = new RegExp(joined(row.pattern), row.flags)
    for (const text of row.examples) expect(pattern.exec(text), text).not.toBeNull()
    for (const text of row.counter_examples) expect(pattern.exec(text), text).toBeNull()
    const proof = checkLinear(pattern.source, pattern.flags)
    expect(proof.ok ? null : proof.error).toBeNull()
  })

  test.each([
    ['runs its input', runsInput, code.runs_its_input],
    ['credential nouns', credentialNoun, shapes.credential_nouns],
    ['owned access', ownedAccess, shapes.owned_access],
  ] as const)('the family of %s hits its examples and misses what comes close', (_, made, row) => {
    for (const text of row.examples) expect(made.test(text), text).toBe(true)
    for (const text of row.counter_examples) expect(made.test(text), text).toBe(false)
  })

  test.each(code.rows.map((row) => [row.id, row] as const))('%s is not looked over', (_, row) => {
    for (const text of row.examples) expect(findCode(text), text).not.toBeNull()
  })

  test.each(shapes.rows.map((row) => [row.id, row] as const))('%s is not looked over', (_, row) => {
    for (const text of row.examples) {
      expect(
        shapesIn(text).map(({ kind }) => kind),
        text,
      ).toContain(row.kind)
    }
  })
})
