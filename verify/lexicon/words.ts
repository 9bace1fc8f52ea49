// One matcher for every word list: words, `stem*` and phrases over tokens, indexed by their first
// letters, so that no backtracking expression ever runs over text that a peer wrote.
import { lookAlikes } from '../screen/injection/fold-tables.ts'
import { ofTexts, remembered } from './remembered.ts'

const invisible = /[\u200b-\u200f\u2060\ufeff\u00ad]/g

/** A word that mixes Latin letters with look-alikes of other scripts is read as Latin. */
function latinWord(word: string): string {
  if (!/[a-z]/.test(word) || !/\P{ASCII}/u.test(word)) return word
  return Array.from(word, (ch) => lookAlikes[ch] ?? ch).join('')
}

/** Lower-case words and numbers; hyphens, underscores and punctuation part words. */
export const tokenise = remembered(
  (text): readonly string[] => (simple.test(text) ? simpleTokens(text) : tokensOf(text)),
  ofTexts,
)

/** ASCII without apostrophes and the signs of amounts: nothing to fold but case and the micro sign. */
const simple = /^[\0-\x26\x28-\x7f\u00b0\u00b1\u00b5\u00d7\u2013\u2014\u2264\u2265\u201c\u201d]*$/

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isWord = (code: number): boolean => isDigit(code) || (code >= 97 && code <= 122)

/** As `tokensOf` for a simple text, in one walk and without expressions. */
function simpleTokens(text: string): string[] {
  const plain = text.toLowerCase().replaceAll('\u00b5', 'u')
  const tokens: string[] = []
  for (let at = 0; at < plain.length; at += 1) {
    if (!isWord(plain.charCodeAt(at))) continue
    const start = at
    while (isWord(plain.charCodeAt(at))) at += 1
    const mark = plain.charCodeAt(at)
    if ((mark === 0x2e || mark === 0x2c) && isDigit(plain.charCodeAt(at + 1))) {
      at += 1
      while (isDigit(plain.charCodeAt(at))) at += 1
    }
    tokens.push(plain.slice(start, at))
    // What ends a word may begin the next one.
    at -= 1
  }
  return tokens
}

function tokensOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(invisible, '')
    .replaceAll(/[µμ]/g, 'u')
    .replaceAll('’', "'")
    .replaceAll(/n't\b/g, ' not')
    .replaceAll(/'s\b/g, ' ')
  return (plain.match(/[\p{L}\p{M}\p{N}]+(?:[.,][0-9]+)?/gu) ?? []).map(latinWord)
}

type Word = { readonly text: string; readonly prefix: boolean }
type Phrase<T> = { readonly words: readonly Word[]; readonly means: T }

/**
 * A word list with meanings; the longest phrase at a place stands. `at` gives the phrases whose first word a
 * token is, longest first.
 */
export type Words<T> = { readonly at: (token: string) => readonly Phrase<T>[] }

const none: readonly never[] = []

const keyOf = (token: string): string => token.slice(0, 2)

/** Compiles `word`, `stem*` and phrases of them; once, when a list is loaded. */
export function wordsOf<T>(lists: Iterable<readonly [name: string, means: T]>): Words<T> {
  const index = new Map<string, Phrase<T>[]>()
  for (const [name, means] of lists) {
    const words = name.split(' ').map((word) => {
      const prefix = word.endsWith('*')
      return { text: prefix ? word.slice(0, -1) : word, prefix }
    })
    const key = keyOf(words[0]?.text ?? '')
    if (key === '') continue
    const known = index.get(key)
    if (known === undefined) index.set(key, [{ words, means }])
    else known.push({ words, means })
  }
  for (const list of index.values()) list.sort((a, b) => b.words.length - a.words.length)
  return {
    at: remembered((token) =>
      (index.get(keyOf(token)) ?? none).filter(({ words: [first] }) =>
        first === undefined ? false : same(token, first),
      ),
    ),
  }
}

/**
 * Lists that are asked together of every word of a sentence. One look-up tells which of them a word begins a
 * phrase of, as bits; only those lists are asked for their phrases.
 */
export class WordClasses {
  readonly #lists: ((word: string) => boolean)[] = []
  #isRead = false

  /** Bits of the lists that the word begins a phrase of. */
  of(word: string): number {
    this.#isRead = true
    return this.#lists.reduce((bits, begins, i) => (begins(word) ? bits | (1 << i) : bits), 0)
  }

  /** Adds a list and returns its bit. */
  add<T>(words: Words<T>): number {
    if (this.#isRead) throw new TypeError('classes are complete once they are read')
    if (this.#lists.length >= bitsMax) throw new TypeError('there are no bits left')
    this.#lists.push((word) => words.at(word).length > 0)
    return 1 << (this.#lists.length - 1)
  }
}

const bitsMax = 30

/** The classes of the words that instructions are read by; modules add their lists when they are loaded. */
export const wordClasses = new WordClasses()

/** Calls back with every phrase that starts at a place, longest first, and makes nothing. */
export function eachHitAt<T>(
  tokens: readonly string[],
  start: number,
  words: Words<T>,
  take: (means: T) => void,
): void {
  for (const phrase of words.at(tokens[start] ?? '')) {
    if (goesOn(tokens, start, phrase.words)) take(phrase.means)
  }
}

/** The rest of a phrase stands behind its first word. */
function goesOn(tokens: readonly string[], start: number, words: readonly Word[]): boolean {
  for (let k = 1; k < words.length; k += 1) {
    const word = words[k]
    if (word === undefined || !same(tokens[start + k], word)) return false
  }
  return true
}

function same(token: string | undefined, word: Word): boolean {
  if (token === undefined) return false
  if (word.prefix) return token.startsWith(word.text)
  return token === word.text || token === `${word.text}s` || token === `${word.text}es`
}

export type Hit<T> = { readonly start: number; readonly length: number; readonly means: T }

/** The longest phrase that starts at a place, or null. */
export function hitAt<T>(tokens: readonly string[], start: number, words: Words<T>): Hit<T> | null {
  for (const phrase of words.at(tokens[start] ?? '')) {
    if (goesOn(tokens, start, phrase.words)) {
      return { start, length: phrase.words.length, means: phrase.means }
    }
  }
  return null
}

/** True when the word by itself is a phrase of the list. */
export function beginsAlone<T>(word: string, words: Words<T>): boolean {
  return words.at(word).some((phrase) => phrase.words.length === 1)
}

/** Every meaning of the longest phrase that starts at a place, or null. */
export function meaningsAt<T>(
  tokens: readonly string[],
  start: number,
  words: Words<T>,
): Hit<readonly T[]> | null {
  const first = hitAt(tokens, start, words)
  if (first === null) return null
  const means = words
    .at(tokens[start] ?? '')
    .filter((phrase) => phrase.words.length === first.length)
    .filter((phrase) => goesOn(tokens, start, phrase.words))
    .map((phrase) => phrase.means)
  return { start, length: first.length, means }
}

/** Non-overlapping hits from the left, the longest at each place. */
export function hitsIn<T>(tokens: readonly string[], words: Words<T>): Hit<T>[] {
  const hits: Hit<T>[] = []
  for (let i = 0; i < tokens.length; i++) {
    const hit = hitAt(tokens, i, words)
    if (hit === null) continue
    hits.push(hit)
    i += hit.length - 1
  }
  return hits
}

/** Every phrase that starts at a place, longest first; for lists whose entries may overlap. */
export function allHitsAt<T>(
  tokens: readonly string[],
  start: number,
  words: Words<T>,
): readonly Hit<T>[] {
  const begun = words.at(tokens[start] ?? '')
  if (begun.length === 0) return none
  const hits: Hit<T>[] = []
  for (const phrase of begun) {
    if (goesOn(tokens, start, phrase.words)) {
      hits.push({ start, length: phrase.words.length, means: phrase.means })
    }
  }
  return hits
}
