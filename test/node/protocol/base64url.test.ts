// Strict base64url against the runtime's own codec, and against every altered last character.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBase64url, encodeBase64url } from '../../../protocol/base64url.ts'

const seed = Number(process.env['PORTCULLIS_SEED'] ?? Date.now() % 2 ** 31)
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

describe('base64url', () => {
  test(`writes and reads what the runtime does (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = encodeBase64url(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64url'))
        expect(decodeBase64url(text)).toEqual(new Uint8Array(bytes))
      }),
      { seed, numRuns: 3_000 },
    )
  })

  test(`reads a text only if writing gives it back (seed ${seed})`, () => {
    const texts = fc.string({
      unit: fc.constantFrom(...alphabet.split(''), '+', '/', '=', ' ', 'é'),
      maxLength: 9,
    })
    fc.assert(
      fc.property(texts, (text) => {
        const loose = Buffer.from(text, 'base64url')
        const strict = loose.toString('base64url') === text
        expect(decodeBase64url(text)).toEqual(strict ? new Uint8Array(loose) : null)
      }),
      { seed, numRuns: 20_000 },
    )
  })

  test('takes one of all last characters that a loose decoder reads alike', () => {
    for (const length of [1, 2, 31, 32, 64]) {
      const text = encodeBase64url(new Uint8Array(length).fill(0xa7))
      const loose = alphabet.split('').filter((c) => {
        const other = Buffer.from(text.slice(0, -1) + c, 'base64url')
        return other.equals(Buffer.from(text, 'base64url'))
      })
      const strict = loose.filter((c) => decodeBase64url(text.slice(0, -1) + c) !== null)
      expect(strict).toEqual([text.at(-1)])
      expect(loose.length).toBe(length % 3 === 1 ? 16 : 4)
    }
  })
})
