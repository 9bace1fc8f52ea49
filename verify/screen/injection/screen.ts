// σ(T): reads every text of a plan through its views and scores what it finds.
// Danger: text in a plan that instructs the judges or the agent (CWE-1427, OWASP LLM01). Fails
// closed: a bound that is passed answers `warning`, never a partial pass.
import { decodeInPlace, decodeRuns, decodeSelectors } from './decode.ts'
import { fold, foldRaw, type Folded } from './fold.ts'
import { buildPhrasebook, fuzzyScore, type Phrasebook } from './fuzzy.ts'
import { compileLibrary, type PatternLibrary } from './library.ts'
import { injectionLimits } from './limits.ts'
import { matchRaw, matchScripts, matchWords, newBudget, type Budget, type Match } from './match.ts'
import { phrases } from './patterns/phrases.ts'
import { shippedSets } from './patterns/sets.ts'
import { vocabulary } from './patterns/vocabulary.ts'
import { buildSegmenter, type Segmenter } from './segment.ts'
import type {
  InjectionHit,
  InjectionLevel,
  InjectionResult,
  PatternSet,
  ScreenText,
  Thresholds,
} from './types.ts'

/** The screen's tables, built once for each set of patterns and kept by the caller. */
export interface InjectionLibrary {
  readonly patterns: PatternLibrary
  readonly phrasebook: Phrasebook
  readonly segmenter: Segmenter
  /** Core words under rot13 and reversed, that make those views worth a look. */
  readonly turned: { readonly rot13: ReadonlySet<string>; readonly reversed: ReadonlySet<string> }
}

const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 84) % 26) + 97))

/** Builds the tables from the shipped sets and, in addition, a site's own. Takes milliseconds. */
export function buildInjectionLibrary(siteSets: readonly PatternSet[] = []): InjectionLibrary {
  const phrasebook = buildPhrasebook(phrases)
  const core = vocabulary.filter((x) => x.length >= 4)
  return {
    patterns: compileLibrary([...shippedSets, ...siteSets]),
    phrasebook,
    segmenter: buildSegmenter(vocabulary),
    turned: {
      rot13: new Set(core.map(rot13)),
      reversed: new Set(core.map((x) => [...x].toReversed().join(''))),
    },
  }
}

let shipped: InjectionLibrary | null = null

/** The library without site patterns, built on first use. */
export function defaultInjectionLibrary(): InjectionLibrary {
  shipped ??= buildInjectionLibrary()
  return shipped
}

interface TextScore {
  /** Best weight for each pattern, which is what r combines. */
  readonly weights: Map<string, number>
  f: number
  readonly hits: InjectionHit[]
}

type Place = (from: number, to: number) => { at: string; span: [number, number] }

/** Reads one text and, in turn, what is encoded in it. */
class Reader {
  readonly #library: InjectionLibrary
  readonly #budget: Budget
  readonly score: TextScore = { weights: new Map(), f: 0, hits: [] }

  constructor(library: InjectionLibrary, budget: Budget) {
    this.#library = library
    this.#budget = budget
  }

  add(matches: readonly Match[], view: string, place: Place, source?: string): void {
    for (const m of matches) {
      const { weights, hits } = this.score
      const { at, span } = place(m.from, m.to)
      const mentioned = source !== undefined && isMention(source, span)
      const weight = mentioned ? m.weight * mentionShare : m.weight
      if (weight <= (weights.get(m.row.id) ?? 0)) continue
      weights.set(m.row.id, weight)
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

  /** `place` maps offsets of `source` to the plan. */
  read(source: string, view: string, place: Place, depth: number): Folded {
    const folded = fold(source)
    const inSource: Place = (from, to) => place(...sourceSpan(folded, from, to, source.length))
    this.#words(folded, view, inSource, source)
    this.#raw(source, view, place)
    this.#hidden(folded, source, view, place, depth)
    this.#respelt(source, folded, view, inSource)
    this.#turned(folded, view, inSource)
    if (depth < injectionLimits.depthMax) this.#decoded(source, view, place, depth)
    return folded
  }

  #words(folded: Folded, view: string, place: Place, source: string): void {
    const { patterns, phrasebook } = this.#library
    this.add(matchWords(folded.text, patterns, this.#budget), view, place, source)
    this.add(matchScripts(folded.text, folded.traits, patterns, this.#budget), view, place, source)
    const fuzzy = fuzzyScore(folded.text, phrasebook, this.#budget)
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

  #raw(source: string, view: string, place: Place): void {
    const plain = /^[\0-\x7f]*$/.test(source)
    if (!/[<>[\]{}|#:`*/=]/.test(source)) return
    const lower = plain ? source.toLowerCase() : foldRaw(source)
    // When the fold changes lengths, the span covers the whole text.
    const exact = lower.length === source.length
    const inSource: Place = (a, b) => (exact ? place(a, b) : place(0, source.length))
    this.add(matchRaw(lower, this.#library.patterns, this.#budget), `${view}>raw`, inSource)
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
      this.score.weights.set('hidden-tags', hiddenTagsWeight)
      const { at, span } = place(0, source.length)
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
    const { segmenter, patterns, phrasebook } = this.#library
    const split = resegment(folded.text, segmenter, how.whole)
    if (split === null) return
    const back: Place = (a, b) => place(split.origin[a] ?? 0, split.origin[b] ?? 0)
    this.add(matchWords(split.text, patterns, this.#budget), view, back, how.source)
    const fuzzy = fuzzyScore(split.text, phrasebook, this.#budget)
    const { best } = fuzzy
    const span = best === null ? null : back(best.from, best.to).span
    const mentioned = span !== null && isMention(how.source, span)
    this.score.f = Math.max(this.score.f, mentioned ? fuzzy.f * mentionShare : fuzzy.f)
  }

  #turned(folded: Folded, view: string, place: Place): void {
    const { turned, patterns } = this.#library
    let rotated = 0
    let reversed = 0
    const { text } = folded
    for (let at = 1; at < text.length && (rotated < 2 || reversed < 2);) {
      let end = text.indexOf(' ', at)
      if (end < 0) end = text.length
      const word = text.slice(at, end)
      if (word.length >= 4) {
        if (turned.rot13.has(word)) rotated += 1
        if (turned.reversed.has(word)) reversed += 1
      }
      at = end + 1
    }
    if (rotated >= 2) {
      this.add(matchWords(rot13(text), patterns, this.#budget), `${view}>rot13`, place)
    }
    if (reversed >= 2) {
      const n = text.length
      const whole = [...text].toReversed().join('')
      const back: Place = (a, b) => place(n - b, n - a)
      this.add(matchWords(whole, patterns, this.#budget), `${view}>reversed`, back)
      const each = text.replaceAll(/[^ ]+/g, (w) => [...w].toReversed().join(''))
      this.add(matchWords(each, patterns, this.#budget), `${view}>reversed`, place)
    }
  }

  #decoded(source: string, view: string, place: Place, depth: number): void {
    const budget = this.#budget
    const more = (chars: number): boolean => {
      budget.decodedChars -= chars
      if (budget.decodedChars < 0) budget.passed ??= 'DECODED_CHARS'
      return budget.decodedChars >= 0
    }
    for (const found of decodeInPlace(source)) {
      if (!more(found.text.length)) return
      const whole: Place = () => place(0, source.length)
      this.read(found.text, `${view}>${found.view}`, whole, depth + 1)
    }
    let runs = 0
    for (const found of decodeRuns(source, more)) {
      runs += 1
      if (runs > injectionLimits.runsMax) {
        budget.passed ??= 'VIEWS'
        return
      }
      const run: Place = () => place(found.from, found.to)
      this.read(found.text, `${view}>${found.view}`, run, depth + 1)
    }
  }
}

const hiddenTagsWeight = 0.85

/** What a quoted phrase without a payload still counts for: enough to tell the judges. */
const mentionShare = 0.25
const quoteSlack = 12
const closing: Readonly<Record<string, string>> = {
  "'": "'",
  '"': '"',
  '`': '`',
  '‘': '’',
  '“': '”',
  '„': '“',
  '«': '»',
  '「': '」',
}

/**
 * True when a hit is all that a pair of quotation marks inside a longer sentence holds: text about
 * an attack, not an attack, which would need its payload inside the quotes or outside, where it
 * counts in full. The rule reads the form only; no word switches anything off.
 */
function isMention(source: string, span: readonly [number, number]): boolean {
  const [from, to] = span
  const before = source.slice(Math.max(0, from - quoteSlack), from)
  const after = source.slice(to, to + quoteSlack)
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const close = closing[before[i] ?? '']
    if (close === undefined) continue
    const open = from - before.length + i
    if (open < 8 || !/[\s(\[{:=#]/.test(source[open - 1] ?? '')) return false
    const end = after.indexOf(close)
    return end >= 0 && !/[\p{L}\p{N}]/u.test(after[end + 1] ?? '')
  }
  return false
}

function sourceSpan(folded: Folded, from: number, to: number, length: number): [number, number] {
  const start = folded.origin[from] ?? 0
  const end = folded.origin[Math.max(from, to - 1)] ?? start
  return [start, Math.min(length, end + 1)]
}

/** Maps a span of the leet reading to the plain reading: both come from the same source. */
function plainSpan(plain: Folded, leet: Folded, from: number, to: number): [number, number] {
  const a = leet.origin[from] ?? 0
  const b = leet.origin[Math.max(from, to - 1)] ?? a
  const find = (origin: number): number => {
    let low = 0
    let high = plain.origin.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((plain.origin[middle] ?? 0) < origin) low = middle + 1
      else high = middle
    }
    return low
  }
  return [find(a), find(b) + 1]
}

function spellWords(text: string, segmenter: Segmenter): string {
  return text.replaceAll(/[a-z]+/g, (word) =>
    word.includes('i') || word.includes('l') ? sameLength(word, segmenter.spell(word)) : word,
  )
}

const sameLength = (word: string, spelt: string | null): string => spelt ?? word

/** A run of single letters this long is not prose. */
const singlesMin = 5
/** Words of this length are tried as several words written together. */
const longWordChars = 11
/** A mean word length below this suggests words cut at odd places. */
const choppedMean = 4.3

interface Rebuilt {
  readonly text: string
  /** For each character, its offset in the text it was built from. */
  readonly origin: number[]
}

function squash(text: string, from = 0, to = text.length): Rebuilt {
  let squashed = ''
  const origin: number[] = []
  for (let i = from; i < to; i += 1) {
    const code = text.charCodeAt(i)
    if (code < 97 || code > 122) continue
    squashed += text[i]
    origin.push(i)
  }
  return { text: squashed, origin }
}

/**
 * The text with new word boundaries, sentence by sentence, or null when nothing changes. `whole`
 * ignores all boundaries inside a sentence; otherwise sentences of odd short words are taken whole
 * and elsewhere only long words are split, and only into known words without a rest.
 */
function resegment(text: string, segmenter: Segmenter, whole: boolean): Rebuilt | null {
  let built = ' '
  const origin = [0]
  let changed = false
  const put = (part: string, at: number): void => {
    for (let i = 0; i < part.length; i += 1) origin.push(Math.min(at + i, text.length - 1))
    built += part
  }
  const putSplit = (from: number, to: number): void => {
    const squashed = squash(text, from, to)
    const { words, starts } = segmenter.split(squashed.text)
    for (const [i, word] of words.entries())
      put(`${word} `, squashed.origin[starts[i] ?? 0] ?? from)
    changed = true
  }
  for (let from = 1; from < text.length;) {
    let to = text.indexOf('|', from)
    if (to < 0) to = text.length
    const words = text
      .slice(from, to)
      .split(' ')
      .filter((x) => x !== '')
    if (whole || choppedWords(words, segmenter)) putSplit(from, to)
    else {
      let at = from
      for (const word of words) {
        at = text.indexOf(word, at)
        if (word.length >= longWordChars && splitsCleanly(word, segmenter))
          putSplit(at, at + word.length)
        else put(`${word} `, at)
        at += word.length
      }
    }
    if (to < text.length) put('| ', to)
    from = to + 2
  }
  return changed ? { text: built, origin } : null
}

function splitsCleanly(word: string, segmenter: Segmenter): boolean {
  if (!/^[a-z]+$/.test(word) || segmenter.spell(word) !== null) return false
  const { words } = segmenter.split(word)
  return words.every((x) => x === 'a' || x === 'i' || (x.length > 1 && segmenter.spell(x) !== null))
}

/** Most words of ordinary English prose are in the vocabulary; cut words are not. */
function choppedWords(words: readonly string[], segmenter: Segmenter): boolean {
  if (words.length < 6) return false
  const letters = words.reduce((sum, x) => sum + x.length, 0)
  if (letters / words.length >= choppedMean) return false
  const known = words.filter((x) => segmenter.spell(x) !== null).length
  return known < words.length * 0.4
}

function joinWords(
  words: readonly string[],
  starts: readonly number[],
  squashed: readonly number[],
): { text: string; origin: number[] } {
  let text = ' '
  const origin = [0]
  for (const [i, word] of words.entries()) {
    const start = starts[i] ?? 0
    for (let k = 0; k <= word.length; k += 1) {
      origin.push(
        squashed[Math.min(start + Math.min(k, word.length - 1), squashed.length - 1)] ?? 0,
      )
    }
    text += `${word} `
  }
  return { text, origin }
}

/** "i g n o r i e r e   a l l e" → "ignoriere alle": single separators inside, several between. */
function gather(source: string): string {
  return source.replaceAll(
    /(?<=(?:^|[^\p{L}\p{N}])[\p{L}\p{N}])[ ._\-*/|](?=[\p{L}\p{N}](?:$|[^\p{L}\p{N}]))/gu,
    '',
  )
}

/** r = 1 − Π(1 − weight): independent pieces of evidence. */
function combine(weights: ReadonlyMap<string, number>): number {
  let miss = 1
  for (const weight of weights.values()) miss *= 1 - weight
  return 1 - miss
}

const shareOfPatterns = 0.65
const shareOfFuzzy = 0.35

/**
 * Scores all texts of one plan. Each is read alone and then all together without the boundaries
 * between them, so that an instruction split over fields is found. σ is the highest of these.
 * Linear in the characters; past a bound of `injectionLimits` the level is `warning`.
 */
export function screenTexts(
  texts: readonly ScreenText[],
  opts: { readonly library: InjectionLibrary; readonly thresholds: Thresholds },
): InjectionResult {
  const { library, thresholds } = opts
  const budget = newBudget()
  const chars = texts.reduce((sum, x) => sum + x.text.length, 0)
  if (texts.length > injectionLimits.textsMax) budget.passed = 'TEXTS'
  else if (chars > injectionLimits.charsMax) budget.passed = 'CHARS'
  let best = { sigma: 0, r: 0, f: 0 }
  const hits: InjectionHit[] = []
  const take = (reader: Reader): void => {
    const r = combine(reader.score.weights)
    const f = reader.score.f
    const sigma = shareOfPatterns * r + shareOfFuzzy * f
    if (sigma > best.sigma) best = { sigma, r, f }
    hits.push(...reader.score.hits)
  }
  if (budget.passed === null) {
    const seen = new Set<string>()
    const parts: { at: string; source: string; folded: Folded }[] = []
    for (const { at, text } of texts) {
      const known = seen.has(text)
      seen.add(text)
      const reader = new Reader(library, budget)
      const place: Place = (from, to) => ({ at, span: [from, to] })
      const folded = known ? fold(text) : reader.read(text, 'words', place, 0)
      parts.push({ at, source: text, folded })
      take(reader)
      if (budget.passed !== null) break
    }
    if (parts.length > 1 && budget.passed === null) take(readAcross(parts, library, budget))
  }
  const level = budget.passed === null ? levelOf(best.sigma, thresholds) : 'warning'
  const strongest = hits.toSorted((a, b) => b.weight - a.weight).slice(0, injectionLimits.hitsMax)
  return { ...best, level, hits: strongest, limit: budget.passed }
}

function levelOf(sigma: number, thresholds: Thresholds): InjectionLevel {
  if (sigma >= thresholds.warning) return 'warning'
  return sigma >= thresholds.advisory ? 'advisory' : 'pass'
}

/** Texts this short are read as pieces of one text, letter by letter. */
const pieceChars = 24

/** Hits that cross the boundary between two texts. */
function readAcross(
  parts: readonly { at: string; source: string; folded: Folded }[],
  library: InjectionLibrary,
  budget: Budget,
): Reader {
  const reader = new Reader(library, budget)
  let text = ' '
  const bounds: number[] = []
  for (const { folded } of parts) {
    bounds.push(text.length)
    text += folded.text.slice(1)
  }
  const partAt = (offset: number): number => {
    let low = 0
    let high = bounds.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((bounds[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
  const place: Place = (from, to) => {
    const index = partAt(from)
    const part = parts[index]
    if (part === undefined) return { at: '', span: [0, 0] }
    const start = from - (bounds[index] ?? 0) + 1
    const end = Math.min(to - (bounds[index] ?? 0) + 1, part.folded.text.length)
    return { at: part.at, span: sourceSpan(part.folded, start, end, part.source.length) }
  }
  const crossing = matchWords(text, library.patterns, budget).filter(
    (m) => partAt(m.from) !== partAt(m.to - 1),
  )
  reader.add(crossing, 'joined', place)
  readPieces(parts, reader, library, budget)
  return reader
}

function readPieces(
  parts: readonly { at: string; source: string; folded: Folded }[],
  reader: Reader,
  library: InjectionLibrary,
  budget: Budget,
): void {
  const pieces = parts.filter((x) => x.source.length <= pieceChars)
  const first = pieces[0]
  if (pieces.length < 2 || first === undefined) return
  const whole: Place = () => ({ at: first.at, span: [0, first.source.length] })
  const squashed = squash(pieces.map((x) => x.folded.text).join(''))
  const { words, starts } = library.segmenter.split(squashed.text)
  const joined = joinWords(words, starts, squashed.origin)
  reader.add(matchWords(joined.text, library.patterns, budget), 'joined>spacing', whole)
  const blob = parts
    .filter((x) => /^[A-Za-z0-9+/_=-]{4,}$/.test(x.source))
    .map((x) => x.source)
    .join('')
  const more = (n: number): boolean => n <= injectionLimits.decodedCharsMax
  for (const run of decodeRuns(blob, more)) reader.read(run.text, `joined>${run.view}`, whole, 1)
}
