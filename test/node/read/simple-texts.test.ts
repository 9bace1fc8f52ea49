// Simple texts are read in one walk, others by expressions: both read alike. Danger: a fast way that parts words
// in another place lets a text through that the rules would have found.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenise } from '../../../verify/lexicon/words.ts'
import { foldName } from '../../../verify/read/fold.ts'
import { tokensOf } from '../../../verify/read/words/clauses.ts'
import { glyphsOf, placeOf } from '../../../verify/read/words/glyphs.ts'

const signs = [...Array.from('aZ09 .,;:-_/()°±µ×–≤”n\t\n'), '1.5', '0,25', '007', 'mL', '| ', 'No.']
const simple = fc.string({ unit: fc.constantFrom(...signs), maxLength: 60 })
const runs = { numRuns: 2_000 }

test('words of a simple text are those of the same text with a sign that is not simple', () => {
  fc.assert(
    fc.property(simple, (text) => {
      expect(tokenise(text)).toEqual(tokenise(`${text} '`))
      expect(tokenise(text)).toEqual(tokenise(`${text} ·`))
    }),
    runs,
  )
})

test('tokens of a sentence keep their places either way', () => {
  fc.assert(
    fc.property(simple, (text) => {
      const { lower } = glyphsOf(text)
      expect(tokensOf(lower)).toEqual(tokensOf(`${lower} '`))
    }),
    runs,
  )
})

test('a name folds alike with and without signs of other alphabets around it', () => {
  fc.assert(
    fc.property(simple, (text) => {
      expect(foldName(text)).toBe(foldName(`${text}—`))
    }),
    runs,
  )
})

test('a character is found again by the offset that it came from', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...signs, '℃', '½', '😀'), maxLength: 40 }),
      (text) => {
        const { origin } = glyphsOf(text)
        for (const offset of new Set(origin))
          expect(placeOf(origin, offset)).toBe(origin.indexOf(offset))
        expect(placeOf(origin, text.length + 1)).toBeUndefined()
      },
    ),
    { numRuns: 500 },
  )
})
