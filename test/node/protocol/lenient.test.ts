// Rows that another version wrote: what is not known is left out, what is missing takes its default, and
// what cannot be read is said.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readStored } from '../../../protocol/lenient.ts'

const inner = z.strictObject({ a: z.number(), b: z.string().default('none') })
const schema = z.strictObject({
  one: inner,
  list: z.array(inner),
  either: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('x'), n: z.number() }),
    z.strictObject({ kind: z.literal('y') }),
  ]),
  loose: z.union([z.strictObject({ p: z.number() }), z.strictObject({ q: z.number() })]),
})
const row = {
  one: { a: 1, b: 'b' },
  list: [{ a: 2, b: 'c' }],
  either: { kind: 'x', n: 3 },
  loose: { q: 4 },
}

describe('a stored row', () => {
  test('of this version is read as it is', () => {
    expect(readStored('row', schema, row)).toEqual({ ok: true, value: row })
  })

  test('of the version before takes defaults for what it lacks', () => {
    const before = { ...row, one: { a: 1 } }
    expect(readStored('row', schema, before)).toEqual({
      ok: true,
      value: { ...row, one: { a: 1, b: 'none' } },
    })
  })

  test('of the version after is read without what is not known, at every depth', () => {
    const after = {
      new: 1,
      one: { ...row.one, new: { deep: true } },
      list: [{ a: 2, b: 'c', new: [] }],
      either: { kind: 'x', n: 3, new: null },
      loose: { q: 4, new: 'x' },
    }
    const kept = structuredClone(after)
    expect(readStored('row', schema, after)).toEqual({ ok: true, value: row })
    // The stored value itself is not touched.
    expect(after).toEqual(kept)
  })

  test('that cannot be read names itself and the place, and no value is made up', () => {
    const broken = [
      { ...row, one: { a: 'x' } },
      { ...row, either: { kind: 'z' } },
      null,
      'text',
      undefined,
      { ...row, one: { a: 'x', new: 1 } },
    ]
    for (const value of broken) {
      const read = readStored('row', schema, value)
      expect(read).toMatchObject({ ok: false, error: { code: 'unreadable' } })
      if (!read.ok) expect(read.error.detail).toMatch(/^row\//)
    }
  })
})
