// One matcher for every word list: words, `stem*` and phrases over tokens, indexed by their first
// letters, so that no backtracking expression ever runs over text that a peer wrote.
import { lookAlikes } from '../screen/injection/fold-tables.ts'

const invisible = /[\u200b-\u200f\u2060\ufeff\u00ad]/g

/** A word that mixes Latin letters with look-alikes of other scripts is read as Latin. */
function latinWord(word: string): string {
  if (!/[a-z]/.test(word) || !/\P{ASCII}/u.test(word)) return word
  return Array.from(word, (ch) => lookAlikes[ch] ?? ch).join('')
}

/** Lower-case words and numbers; hyphens, underscores and punctuation part words. */
export function tokenise(text: string): string[] {
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

const keyOf = (token: string): string => token.slice(0, 2)

/** Tokens of which each list remembers what they begin; past it the memory starts anew. */
const tokensMax = 8_192

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
  // Plans say the same words over and over: what a word begins is looked up once.
  const begun = new Map<string, readonly Phrase<T>[]>()
  return {
    at: (token) => {
      const known = begun.get(token)
      if (known !== undefined) return known
      const begins = (index.get(keyOf(token)) ?? []).filter(({ words: [first] }) =>
        first === undefined ? false : same(token, first),
      )
      if (begun.size >= tokensMax) begun.clear()
      begun.set(token, begins)
      return begins
    },
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
export function allHitsAt<T>(tokens: readonly string[], start: number, words: Words<T>): Hit<T>[] {
  const hits: Hit<T>[] = []
  for (const phrase of words.at(tokens[start] ?? '')) {
    if (goesOn(tokens, start, phrase.words)) {
      hits.push({ start, length: phrase.words.length, means: phrase.means })
    }
  }
  return hits
}
