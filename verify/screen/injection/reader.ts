// Reads one text through all its views and, in turn, what is encoded in it.
import { decodeInPlace, decodeRuns, decodeSelectors, joinRuns } from './decode.ts'
import type { TextScore } from './evidence.ts'
import { fold, foldRaw, type Folded } from './fold.ts'
import { fuzzyScore } from './fuzzy.ts'
import type { InjectionLibrary } from './injection-library.ts'
import { injectionLimits } from './limits.ts'
import type { Budget } from './budget.ts'
import { matchWords, type Match } from './match.ts'
import { isMention, mentionShare } from './mention.ts'
import { plainSpan, sourceSpan, type Place } from './place.ts'
import { matchRaw, matchScripts } from './search.ts'
import { marksOf, type Traits } from './traits.ts'
import { scanWords, type WordScan } from './words.ts'
import {
  choppedMean,
  gather,
  longWordChars,
  resegment,
  reverse,
  rot13,
  singlesMin,
  spellWords,
} from './respell.ts'

const hiddenTagsWeight = 0.85

/** Without one of these no row that needs punctuation can hit. */
const rawMarks = marksOf('<>[]{}|#:`*/=@')
const rewriteMarks = marksOf('&%\\')

/** Whether anything in the text could be decoded in place: an escape, or quotes that join. */
const rewritable = (t: Traits): boolean => (t.marks & rewriteMarks) !== 0 || t.quotes > 1

/** Whether the text can hold a run that `decodeRuns` would look at. */
const runsPossible = (t: Traits): boolean => t.encodedRun >= 12 || t.digits >= 16 || t.shortHex >= 6

/** A text that was folded, and whose words were tried, in a stream. */
export interface Known {
  readonly source: string
  readonly folded: Folded
  readonly matches: readonly Match[]
}

/** Reads one text and, in turn, what is encoded in it. */
export class Reader {
  readonly #library: InjectionLibrary
  readonly #budget: Budget
  readonly score: TextScore = { evidence: new Map(), f: 0, hits: [] }

  constructor(library: InjectionLibrary, budget: Budget) {
    this.#library = library
    this.#budget = budget
  }

  /** Whether all views together gave no evidence at all. */
  foundNothing(): boolean {
    const { evidence, f, hits } = this.score
    return evidence.size === 0 && f === 0 && hits.length === 0
  }

  add(matches: readonly Match[], view: string, place: Place, source?: string): void {
    for (const m of matches) {
      const { evidence, hits } = this.score
      const { at, span } = place(m.from, m.to)
      const mentioned = source !== undefined && isMention(source, span)
      const weight = mentioned ? m.weight * mentionShare : m.weight
      if (weight <= (evidence.get(m.row.id)?.weight ?? 0)) continue
      const { category } = m.row
      evidence.set(m.row.id, { weight, category, at, from: span[0], to: span[1] })
      if (hits.length >= injectionLimits.hitsMax) continue
      hits.push({
        pattern: m.row.id,
        category: m.row.category,
        language: m.row.language,
        view,
        at,
        span,
        weight,
      })
    }
  }

  /** Reads a text that was found inside another. `place` maps offsets of `source` to the plan. */
  read(source: string, view: string, place: Place, depth: number): void {
    const folded = fold(source)
    const matches = matchWords(folded.text, this.#library.patterns, this.#budget)
    this.readFolded({ source, folded, matches }, view, place, depth)
  }

  /** Reads a text that is folded already and whose words were tried already. */
  readFolded({ source, folded, matches }: Known, view: string, place: Place, depth: number): void {
    const inSource: Place = (from, to) => place(...sourceSpan(folded, from, to, source.length))
    const scan = scanWords(folded.text, this.#library.words)
    this.add(matches, view, inSource, source)
    this.#words(folded, scan, view, inSource, source)
    this.#raw(source, folded.traits.marks, view, place)
    this.#hidden(folded, source, view, place, depth)
    this.#respelt(source, folded, view, inSource)
    this.#turned(folded, scan, view, inSource)
    if (depth < injectionLimits.depthMax) this.#decoded(source, folded, view, place, depth)
  }

  #words(folded: Folded, scan: WordScan, view: string, place: Place, source: string): void {
    const { patterns, phrasebook } = this.#library
    this.add(matchScripts(folded.text, folded.traits, patterns, this.#budget), view, place, source)
    if (scan.cues.length < 2) return
    const fuzzy = fuzzyScore(folded.text, scan.cues, phrasebook, this.#budget)
    const { best } = fuzzy
    const mentioned =
      best !== null && isMention(source, sourceSpan(folded, best.from, best.to, source.length))
    this.score.f = Math.max(this.score.f, mentioned ? fuzzy.f * mentionShare : fuzzy.f)
    if (fuzzy.corrected !== null) {
      const matches = matchWords(fuzzy.corrected, patterns, this.#budget)
      const origin = fuzzy.origin
      const back: Place = (a, b) => place(origin?.[a] ?? 0, origin?.[b] ?? 0)
      this.add(matches, `${view}>typo`, back, source)
    }
  }

  #raw(source: string, marks: number, view: string, place: Place): void {
    if ((marks & rawMarks) === 0) return
    const plain = /^[\0-\x7f]*$/.test(source)
    const lower = plain ? source.toLowerCase() : foldRaw(source)
    const held = plain ? marks : marksOf(lower)
    // When the fold changes lengths, the span covers the whole text.
    const exact = lower.length === source.length
    const inSource: Place = (a, b) => (exact ? place(a, b) : place(0, source.length))
    const matches = matchRaw(lower, held, this.#library.patterns, this.#budget)
    this.add(matches, `${view}>raw`, inSource)
  }

  #hidden(folded: Folded, source: string, view: string, place: Place, depth: number): void {
    const { tags, variationSelectors } = folded.traits
    if (variationSelectors >= 8 && depth < injectionLimits.depthMax) {
      const text = decodeSelectors(source)
      const whole: Place = () => place(0, source.length)
      if (text !== null) this.read(text, `${view}>selectors`, whole, depth + 1)
    }
    // Flags of regions use a handful of tags; text written in tags is meant for a model alone.
    if (tags > 6) {
      const { at, span } = place(0, source.length)
      const [from, to] = span
      const category = 'hidden-text'
      this.score.evidence.set('hidden-tags', { weight: hiddenTagsWeight, category, at, from, to })
      const fact = { pattern: 'hidden-tags', category: 'hidden-text', language: 'any' } as const
      this.score.hits.push({ ...fact, view, at, span, weight: hiddenTagsWeight })
    }
  }

  /** Leet, spread letters, and words run together or cut at odd places. */
  #respelt(source: string, plain: Folded, view: string, place: Place): void {
    const t = plain.traits
    const spelled = t.singlesRun >= singlesMin
    const leet = t.leetWords > 0 || spelled
    const spread = spelled || t.longestWord >= longWordChars
    const chopped = !spread && t.words >= 6 && t.letters / t.words < choppedMean
    if (!leet && !spread && !chopped) return
    const { segmenter, patterns } = this.#library
    const folded = leet ? fold(source, true) : plain
    const inSource: Place = leet ? (a, b) => place(...plainSpan(plain, folded, a, b)) : place
    if (leet) {
      const spelt = spellWords(folded.text, segmenter)
      const matches = matchWords(spelt, patterns, this.#budget)
      this.add(matches, `${view}>leet`, inSource, source)
    }
    if (spread || chopped) {
      const how = { source, whole: spelled }
      this.#segmented(plain, `${view}>spacing`, place, how)
      if (leet) this.#segmented(folded, `${view}>leet>spacing`, inSource, how)
    }
    if (spelled) {
      const gathered = fold(gather(source))
      const whole: Place = () => place(0, plain.text.length)
      this.add(matchWords(gathered.text, patterns, this.#budget), `${view}>letters`, whole)
    }
  }

  /** Reads a text with the word boundaries that the segmenter finds. */
  #segmented(
    folded: Folded,
    view: string,
    place: Place,
    how: { readonly source: string; readonly whole: boolean },
  ): void {
    const { patterns, phrasebook, words } = this.#library
    const split = resegment(folded.text, this.#library, how.whole)
    if (split === null) return
    const back: Place = (a, b) => place(split.origin[a] ?? 0, split.origin[b] ?? 0)
    this.add(matchWords(split.text, patterns, this.#budget), view, back, how.source)
    const { cues } = scanWords(split.text, words)
    const fuzzy = fuzzyScore(split.text, cues, phrasebook, this.#budget)
    const { best } = fuzzy
    const span = best === null ? null : back(best.from, best.to).span
    const mentioned = span !== null && isMention(how.source, span)
    this.score.f = Math.max(this.score.f, mentioned ? fuzzy.f * mentionShare : fuzzy.f)
  }

  #turned(folded: Folded, { rotated, reversed }: WordScan, view: string, place: Place): void {
    const { patterns } = this.#library
    const { text } = folded
    if (rotated >= 2) {
      this.add(matchWords(rot13(text), patterns, this.#budget), `${view}>rot13`, place)
    }
    if (reversed >= 2) {
      const n = text.length
      const whole = reverse(text)
      const back: Place = (a, b) => place(n - b, n - a)
      this.add(matchWords(whole, patterns, this.#budget), `${view}>reversed`, back)
      const each = text.replaceAll(/[^ ]+/g, reverse)
      this.add(matchWords(each, patterns, this.#budget), `${view}>reversed`, place)
    }
  }

  #decoded(source: string, folded: Folded, view: string, place: Place, depth: number): void {
    const budget = this.#budget
    const more = (chars: number): boolean => {
      budget.decodedChars -= chars
      if (budget.decodedChars < 0) budget.passed ??= 'DECODED_CHARS'
      return budget.decodedChars >= 0
    }
    const rewritten = rewritable(folded.traits) ? decodeInPlace(source) : null
    if (rewritten !== null && more(rewritten.text.length)) {
      const whole: Place = () => place(0, source.length)
      this.read(rewritten.text, `${view}>${rewritten.view}`, whole, depth + 1)
    }
    if (!runsPossible(folded.traits)) return
    for (const found of joinRuns(decodeRuns(source, more))) {
      const run: Place = () => place(found.from, found.to)
      this.read(found.text, `${view}>${found.view}`, run, depth + 1)
    }
  }
}
