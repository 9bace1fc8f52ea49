// What a fold saw on its way through a text; decides which of the costlier views are worth a look.
import type { Script } from './types.ts'

export interface Traits extends Record<Script, number> {
  words: number
  letters: number
  /** The longest run of words of one character. */
  singlesRun: number
  longestWord: number
  /** Words that mix letters with digits or symbols that stand for letters. */
  leetWords: number
  mixedScriptWords: number
  invisible: number
  /** Characters of the Unicode tag block outside a flag emoji. */
  tags: number
  variationSelectors: number
  cyrillic: number
  /** Bits of the ASCII marks that occur (`markBit`). */
  marks: number
  /** ASCII quotation marks. */
  quotes: number
  digits: number
  /** Words of two to four hexadecimal digits. */
  shortHex: number
  /** The longest run of characters that base64 uses. */
  encodedRun: number
}

export const newTraits = (): Traits => ({
  words: 0,
  letters: 0,
  singlesRun: 0,
  longestWord: 0,
  leetWords: 0,
  mixedScriptWords: 0,
  invisible: 0,
  tags: 0,
  variationSelectors: 0,
  han: 0,
  kana: 0,
  hangul: 0,
  thai: 0,
  arabic: 0,
  devanagari: 0,
  cyrillic: 0,
  marks: 0,
  quotes: 0,
  digits: 0,
  shortHex: 0,
  encodedRun: 0,
})

const marks = '<>[]{}|#:`*/=@&%\\"\'+!()-_$^~;'

const bits = new Int32Array(128)
for (let i = 0; i < marks.length; i += 1) bits[marks.charCodeAt(i)] = 1 << i

/** The bit of an ASCII mark in `Traits.marks`, or 0 for a character that is not kept. */
export const markBit = (code: number): number => (code < 128 ? (bits[code] ?? 0) : 0)

/** The bits of several marks. */
export const marksOf = (text: string): number => {
  let all = 0
  for (let i = 0; i < text.length; i += 1) all |= markBit(text.charCodeAt(i))
  return all
}

/** Counts a character of a script other than Latin. */
export function countScript(code: number, t: Traits): void {
  if (code < 0x400) return
  if (code < 0x530) t.cyrillic += 1
  else if (code >= 0x600 && code < 0x700) t.arabic += 1
  else if (code >= 0x900 && code < 0x980) t.devanagari += 1
  else if (code >= 0xe00 && code < 0xe80) t.thai += 1
  else if (code >= 0x3040 && code < 0x3100) t.kana += 1
  else if (code >= 0x3400 && code < 0xa000) t.han += 1
  else if (code >= 0xac00 && code < 0xd7b0) t.hangul += 1
}
