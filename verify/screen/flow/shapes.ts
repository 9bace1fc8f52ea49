// What a text holds by its shape: credentials and data that identify a person.
// Danger: data carried in the body of a message, where no label of a tool sees it (CWE-359, CWE-522).
// A name without context cannot be told from other words; only names next to a word for a person count.
import { noNames, shapeLooks, shapeRules, type ShapeRule } from '../../lexicon/signs.ts'

export type Shape = Omit<ShapeRule, 'pattern'> & {
  readonly span: readonly [number, number]
}

const isNoName = (match: string): boolean =>
  match
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => noNames.has(word))

/** Shapes in one text, at most one for each rule. */
export function shapesIn(text: string): Shape[] {
  if (text.length < 6 || !shapeLooks.test(text)) return []
  const plain = text.normalize('NFKC')
  const out: Shape[] = []
  for (const { pattern, label, kind, weight } of shapeRules) {
    const match = pattern.exec(plain)
    if (match === null || (kind === 'name' && isNoName(match[0]))) continue
    out.push({ label, kind, weight, span: [match.index, match.index + match[0].length] })
  }
  return out
}

const mailAddress = /[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/g

/** Mail addresses in a text, lower case. */
export function mailAddressesIn(text: string): string[] {
  if (!text.includes('@')) return []
  return [...text.matchAll(mailAddress)].map(([address]) => address.toLowerCase())
}
