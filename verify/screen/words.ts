// Words of an identifier or of prose, for checks that ask what a field, a key or a step is called.
import { ofTexts, remembered } from '../lexicon/remembered.ts'
import { resolveLookAlikes } from './names.ts'

/** `donorName`, `donor-name`, `DONOR NAME` → ['donor', 'name']; look-alikes resolved. */
export const wordsOf = remembered((name): readonly string[] => {
  const spaced = camel.test(name)
    ? name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    : name
  const plain = resolveLookAlikes(spaced)
  return plain
    .split(beyondAscii.test(plain) ? /[^\p{L}\p{N}]+/u : /[^a-z0-9]+/)
    .filter((word) => word !== '')
}, ofTexts)

/** A capital inside a word. */
const camel = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/

const plainSeparator = /[^a-z0-9.,-]+/
const anySeparator = /[^\p{L}\p{N}.,-]+/u
const beyondAscii = /\P{ASCII}/u

/** Words of a text whose look-alikes are resolved, without the points and commas at their ends. */
export function proseWords(plain: string): string[] {
  const out: string[] = []
  for (const piece of plain.split(beyondAscii.test(plain) ? anySeparator : plainSeparator)) {
    const word = /^[.,-]|[.,-]$/.test(piece) ? piece.replaceAll(/^[.,-]+|[.,-]+$/g, '') : piece
    if (word !== '') out.push(word)
  }
  return out
}
