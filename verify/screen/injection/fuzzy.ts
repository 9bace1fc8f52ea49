// f: how close a window of words comes to a known injection phrase, by edit distance (fuzzball).
// Raw ratios do not separate the classes, so only windows that hold two cue words of a phrase
// (exact or within a typo) are compared, and the ratio is rescaled above a floor.
import { ratio } from 'fuzzball/ultra_lite'
import smallWords from '../../lexicon/injection/small-words.json' with { type: 'json' }
import type { Budget } from './budget.ts'
import { shareOf, shareOfObject } from './negation.ts'

export interface FuzzyHit {
  /** Index of the phrase. */
  readonly phrase: number
  readonly score: number
  readonly from: number
  readonly to: number
}

export interface FuzzyResult {
  readonly f: number
  readonly best: FuzzyHit | null
  /** The text with misspelt cue words put right, or null when there were none. */
  readonly corrected: string | null
  /** For a corrected text: offset in the original for each of its characters. */
  readonly origin: Int32Array | null
}

/** A word of a text that is a cue of a phrase. */
export interface Cue {
  readonly word: string
  /** Which word of the text it is. */
  readonly index: number
  readonly from: number
  readonly to: number
  readonly typo: boolean
}

export interface Phrasebook {
  readonly phrases: readonly string[]
  /** Cue word → phrases that hold it. */
  readonly cues: ReadonlyMap<string, readonly number[]>
  /** Cue words by first letter, for near matches. */
  readonly byLetter: ReadonlyMap<number, readonly { word: string; letters: number }[]>
}

/** Below this ratio two phrases share no more than their function words. */
const ratioFloor = 76
const ratioFull = 96
/** Words between the first and the last cue of a window. */
const windowWords = 9
/** Words of these lengths can be cues, or cues misspelt. */
export const cueCharsMin = 5
export const cueCharsMax = 16
/** Long enough for a cue but found in any text. */
const common = new Set(smallWords.common)

function lettersOf(word: string, from: number, to: number): number {
  let bits = 0
  for (let i = from; i < to; i += 1) bits |= 1 << (word.charCodeAt(i) - 97)
  return bits
}

function bitCount(x: number): number {
  let n = x - ((x >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/** At most one insertion, deletion, substitution or swap of neighbours. */
export function oneTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let i = 0
  while (i < a.length && i < b.length && a[i] === b[i]) i += 1
  const rest = (x: number, y: number): boolean => a.slice(x) === b.slice(y)
  return (
    rest(i + 1, i + 1) ||
    rest(i + 1, i) ||
    rest(i, i + 1) ||
    (a[i] === b[i + 1] && a[i + 1] === b[i] && rest(i + 2, i + 2))
  )
}

/** Indexes phrases by their cue words: those of five letters or more. */
export function buildPhrasebook(phrases: readonly string[]): Phrasebook {
  const cues = new Map<string, number[]>()
  const byLetter = new Map<number, { word: string; letters: number }[]>()
  for (const [index, phrase] of phrases.entries()) {
    for (const word of new Set(phrase.split(' '))) {
      if (word.length < cueCharsMin || common.has(word)) continue
      const list = cues.get(word)
      if (list !== undefined) list.push(index)
      else {
        cues.set(word, [index])
        const first = word.charCodeAt(0)
        const peers = byLetter.get(first) ?? []
        peers.push({ word, letters: lettersOf(word, 0, word.length) })
        byLetter.set(first, peers)
      }
    }
  }
  return { phrases, cues, byLetter }
}

/** The cue that `word` misspells by one typo, or null. */
export function nearCue(word: string, book: Phrasebook): string | null {
  const letters = lettersOf(word, 0, word.length)
  for (const cue of book.byLetter.get(word.charCodeAt(0)) ?? []) {
    if (Math.abs(cue.word.length - word.length) > 1) continue
    // An inflection of a cue ("ignored") is not a misspelling of it.
    if (word.startsWith(cue.word.slice(0, -1))) continue
    if (bitCount(cue.letters ^ letters) <= 2 && oneTypo(word, cue.word)) return cue.word
  }
  return null
}

/** Phrases that share at least two distinct cue words with the cues from `first` to `last`. */
function candidates(cues: readonly Cue[], first: number, last: number, book: Phrasebook): number[] {
  const shared = new Map<number, Set<string>>()
  for (let i = first; i <= last; i += 1) {
    const cue = cues[i]
    for (const phrase of cue === undefined ? [] : (book.cues.get(cue.word) ?? [])) {
      const words = shared.get(phrase) ?? new Set()
      if (cue !== undefined) words.add(cue.word)
      shared.set(phrase, words)
    }
  }
  return [...shared].filter(([, words]) => words.size >= 2).map(([phrase]) => phrase)
}

const rescale = (score: number): number =>
  Math.min(1, Math.max(0, (score - ratioFloor) / (ratioFull - ratioFloor)))

function correct(text: string, cues: readonly Cue[]): { corrected: string; origin: Int32Array } {
  let corrected = ''
  const origin: number[] = []
  const copy = (from: number, to: number): void => {
    for (let i = from; i < to; i += 1) origin.push(i)
    corrected += text.slice(from, to)
  }
  let at = 0
  for (const cue of cues) {
    if (!cue.typo) continue
    copy(at, cue.from)
    for (let i = 0; i < cue.word.length; i += 1) origin.push(cue.from)
    corrected += cue.word
    at = cue.to
  }
  copy(at, text.length)
  return { corrected, origin: Int32Array.from(origin) }
}

/** Compares the windows of a canonical text with the phrases. Bounded by the budget. */
export function fuzzyScore(
  text: string,
  cues: readonly Cue[],
  book: Phrasebook,
  budget: Budget,
): FuzzyResult {
  if (cues.length < 2) return { f: 0, best: null, corrected: null, origin: null }
  let best: FuzzyHit | null = null
  const seen = new Set<string>()
  for (let i = 0; i < cues.length && (best?.score ?? 0) < 1; i += 1) {
    const head = cues[i]
    if (head === undefined) break
    for (let j = i + 1; j < cues.length; j += 1) {
      const tail = cues[j]
      if (tail === undefined || tail.index - head.index > windowWords) break
      const window = text.slice(head.from, tail.to)
      if (seen.has(window)) continue
      seen.add(window)
      for (const phrase of candidates(cues, i, j, book)) {
        const target = book.phrases[phrase] ?? ''
        if (Math.abs(target.length - window.length) > target.length * 0.4) continue
        budget.fuzzyWindows -= 1
        if (budget.fuzzyWindows < 0) {
          budget.passed ??= 'FUZZY_WINDOWS'
          return { f: best?.score ?? 0, best, corrected: null, origin: null }
        }
        const likeness = rescale(ratio(window, target, { full_process: false }))
        const share = Math.min(shareOf(text, head.from), shareOfObject(text, tail.to))
        const score = likeness * share
        if (score > (best?.score ?? 0)) best = { phrase, score, from: head.from, to: tail.to }
      }
    }
  }
  const fixed = cues.some((x) => x.typo) ? correct(text, cues) : null
  return {
    f: best?.score ?? 0,
    best,
    corrected: fixed?.corrected ?? null,
    origin: fixed?.origin ?? null,
  }
}
