// Which language a sentence is in, from its function words; only to know what was not read. Text that
// nobody read is no evidence: neither for a plan nor of what it asks.
import wordData from '../../lexicon/languages/en-words.json' with { type: 'json' }
import type { ActName } from '../../../protocol/acts.ts'
import type { ClosedLanguage } from '../../lexicon/asks.ts'
import { remembered } from '../../lexicon/remembered.ts'
import { wordClasses } from '../../lexicon/words.ts'
import { glyphsOf } from './glyphs.ts'
import profiles from '../../lexicon/languages/profiles.json' with { type: 'json' }

/** The languages of each function word. */
const owners: ReadonlyMap<string, readonly string[]> = (() => {
  const all = new Map<string, Set<string>>()
  for (const [language, words] of Object.entries(profiles.languages)) {
    for (const word of words) {
      const known = all.get(word)
      if (known === undefined) all.set(word, new Set([language]))
      else known.add(language)
    }
  }
  return new Map([...all].map(([word, languages]) => [word, [...languages]] as const))
})()

/** Weight of shared function words that makes a sentence English without any other known word. */
const enough = 0.75

const english: ReadonlySet<string> = new Set(profiles.languages.en)
const verbs: ReadonlySet<string> = new Set(wordData.verbs)
const others: ReadonlySet<string> = new Set(wordData.words)

/** True for an English verb in one of its forms. */
export const isEnglishVerb = remembered((word) => {
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
})

export type LanguageReading = {
  /** English beyond doubt: more English function words than of any other language. */
  readonly english: boolean
  /** Another script, another language, or words of no language that is known. */
  readonly foreign: boolean
}

const latin = /\p{Script=Latin}/u
const letters = /\p{L}/u

/** `none`: no letters, or a Greek letter alone, which is a sign. `other`: another script. */
function scriptOf(word: string): 'none' | 'other' | 'latin' {
  if (!letters.test(word) || /^\p{Script=Greek}$/u.test(word)) return 'none'
  return latin.test(word) ? 'latin' : 'other'
}

export type WordInfo = {
  readonly writing: 'none' | 'other' | 'latin'
  /** Languages that have it as a function word. */
  readonly languages: readonly string[]
  readonly isVerb: boolean
  /** A word of English beside its function words and verbs. */
  readonly isOther: boolean
  /** A word with a meaning of its own: long enough, no number, no function word of English. */
  readonly isPlain: boolean
  /** The lists that it begins a phrase of, as bits. */
  readonly classes: number
}

/** What is the same of a word in every sentence. */
export const wordInfo = remembered((word): WordInfo => {
  return {
    writing: scriptOf(word),
    languages: owners.get(word) ?? [],
    isVerb: isEnglishVerb(word),
    isOther: others.has(word),
    isPlain: word.length > 2 && !/\d/.test(word) && !english.has(word),
    classes: wordClasses.of(word),
  }
})

/**
 * Judges the words of one sentence. `covered` tells which of them are names, units or substances:
 * these belong to no language. `isAsk` knows the English words that ask for an act.
 */
export function languageOf(
  words: readonly WordInfo[],
  covered: (index: number) => boolean,
  isAsk: (index: number) => boolean,
): LanguageReading {
  const counts = new Map<string, number>()
  let ours = 0
  let script = 0
  let plain = 0
  let known = 0
  let clear = 0
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i]
    if (word === undefined) continue
    const { writing, languages, isOther, isPlain } = word
    if (writing === 'none' || covered(i)) continue
    if (writing === 'other') {
      script += 1
      continue
    }
    const own = languages.length === 1 ? languages[0] : undefined
    // A word that English shares with others is a smaller sign of it the more share it.
    if (languages.includes('en')) ours += 1 / languages.length
    else if (own !== undefined) counts.set(own, (counts.get(own) ?? 0) + 1)
    const isVerb = word.isVerb || isAsk(i)
    if (own === 'en' || isVerb) clear += 1
    if (own === 'en' || isOther || isVerb) known += 1
    if (isPlain) plain += 1
  }
  const most = counts.size === 0 ? 0 : Math.max(0, ...counts.values())
  const foreign = script > 0 || most > ours || (plain > 0 && known === 0 && ours < enough)
  return { english: clear > 0 && ours >= most && script === 0, foreign }
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
 * not read. Names, quantities and substances are left out of `words`.
 */
export function readClosed(
  words: readonly string[],
  languages: readonly ClosedLanguage[],
): ActName[] | null {
  for (const language of languages) {
    const asked = new Set<ActName>()
    let asking = 0
    const all = words.every((word) => {
      if (!letters.test(word) || /^\p{N}/u.test(word)) return true
      const pieces = piecesOf(glyphsOf(word).lower, language)
      for (const piece of pieces ?? []) {
        const acts = language.words.get(piece) ?? []
        if (acts.length > 0) asking += 1
        for (const act of acts) asked.add(act)
      }
      return pieces !== null
    })
    if (all && asking > 0) return [...asked]
  }
  return null
}
