// Which language a sentence is in, from its function words; only to know what was not read. Text that
// nobody read is no evidence: neither for a plan nor of what it asks.
import wordData from '../../lexicon/languages/en-words.json' with { type: 'json' }
import type { ActName } from '../../../protocol/acts.ts'
import type { ClosedLanguage } from '../../lexicon/asks.ts'
import { glyphsOf } from './glyphs.ts'
import profiles from '../../lexicon/languages/profiles.json' with { type: 'json' }

/** Words that one language has and no other of the profiles. */
const ownWord: ReadonlyMap<string, string> = (() => {
  const owner = new Map<string, string | null>()
  for (const [language, words] of Object.entries(profiles.languages)) {
    for (const word of words) {
      const other = owner.get(word)
      owner.set(word, other === undefined || other === language ? language : null)
    }
  }
  return new Map([...owner].filter((entry): entry is [string, string] => entry[1] !== null))
})()

const english: ReadonlySet<string> = new Set(profiles.languages.en)
const verbs: ReadonlySet<string> = new Set(wordData.verbs)
const others: ReadonlySet<string> = new Set(wordData.words)

/** True for an English verb in one of its forms. */
export function isEnglishVerb(word: string): boolean {
  if (verbs.has(word)) return true
  const stems = [
    word.replace(/s$/, ''),
    word.replace(/es$/, ''),
    word.replace(/ed$/, ''),
    word.replace(/d$/, ''),
    word.replace(/ing$/, ''),
    word.replace(/ing$/, 'e'),
    word.replace(/([a-z])\1(?:ing|ed)$/, '$1'),
    word.replace(/ie[sd]$/, 'y'),
  ]
  return stems.some((stem) => stem !== word && verbs.has(stem))
}

export type LanguageReading = {
  /** English beyond doubt: more English function words than of any other language. */
  readonly english: boolean
  /** Another script, another language, or words of no language that is known. */
  readonly foreign: boolean
}

const latin = /\p{Script=Latin}/u
const letters = /\p{L}/u

/**
 * Judges the words of one sentence. `covered` tells which of them are names, units or substances:
 * these belong to no language. `isAsk` knows the English words that ask for an act.
 */
export function languageOf(
  words: readonly string[],
  covered: (index: number) => boolean,
  isAsk: (word: string) => boolean,
): LanguageReading {
  const counts = new Map<string, number>()
  let ours = 0
  let script = 0
  let plain = 0
  let known = 0
  for (const [i, word] of words.entries()) {
    if (!letters.test(word) || covered(i)) continue
    // A Greek letter alone is a sign.
    if (/^\p{Script=Greek}$/u.test(word)) continue
    if (!latin.test(word)) {
      script += 1
      continue
    }
    const own = ownWord.get(word)
    if (own === 'en') ours += 1
    // A word that English shares with another language is half a sign of it.
    else if (own === undefined && english.has(word)) ours += 0.5
    else if (own !== undefined) counts.set(own, (counts.get(own) ?? 0) + 1)
    if (own === 'en' || others.has(word) || isEnglishVerb(word) || isAsk(word)) known += 1
    if (word.length > 2 && !/\d/.test(word) && !english.has(word)) plain += 1
  }
  const most = Math.max(0, ...counts.values())
  const foreign = script > 0 || most > ours || (plain > 0 && known === 0)
  return { english: ours > 0 && ours >= most && script === 0, foreign }
}

/** Words of one run of letters: whole, or one after the other where the script writes no blanks. */
function piecesOf(word: string, language: ClosedLanguage): string[] | null {
  if (language.words.has(word)) return [word]
  if (latin.test(word) || /\p{Script=Cyrillic}/u.test(word)) return null
  const pieces: string[] = []
  for (let at = 0; at < word.length;) {
    let n = Math.min(language.longest, word.length - at)
    while (n > 0 && !language.words.has(word.slice(at, at + n))) n -= 1
    if (n === 0) return null
    pieces.push(word.slice(at, at + n))
    at += n
  }
  return pieces
}

/**
 * Acts that a sentence in a closed language asks for; null: some word of it is not known, so it was
 * not read. `covered` tells which words are names, numbers, units or substances.
 */
export function readClosed(
  words: readonly string[],
  covered: (index: number) => boolean,
  languages: readonly ClosedLanguage[],
): ActName[] | null {
  for (const language of languages) {
    const asked = new Set<ActName>()
    let verbs = 0
    const all = words.every((word, i) => {
      if (!letters.test(word) || /^\p{N}/u.test(word) || covered(i)) return true
      const pieces = piecesOf(glyphsOf(word).lower, language)
      for (const piece of pieces ?? []) {
        const acts = language.words.get(piece) ?? []
        if (acts.length > 0) verbs += 1
        for (const act of acts) asked.add(act)
      }
      return pieces !== null
    })
    if (all && verbs > 0) return [...asked]
  }
  return null
}
