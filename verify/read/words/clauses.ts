// Parts of a sentence that order something, and parts that do not: what must not be done, what was
// done before, what holds only until or unless, what is remarked. A word that silences acts on its own
// clause; in any other place the number beside it is still an order.
import clauseData from '../../lexicon/clauses.json' with { type: 'json' }
import { wordsOf, hitAt, wordClasses, type Words } from '../../lexicon/words.ts'
import type { Told } from '../scene.ts'

export type ClauseKind = Told['clause']

export type Span = { readonly start: number; readonly end: number }
export type Clause = Span & { readonly kind: ClauseKind }

/** A word of a folded text with its place. */
export type Token = Span & { readonly text: string }

const wordPattern = /[\p{Script=Latin}\p{N}]+(?:'t\b)?|[[\p{L}\p{M}]--\p{Script=Latin}]+/gv

/** ASCII without apostrophes, and the signs of amounts. */
const simple = /^[\0-\x26\x28-\x7f\u00b0\u00b1]*$/
const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)

/** As `tokensOf` for a simple text, in one walk and without expressions. */
function simpleTokens(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; at += 1) {
    if (!isWord(text.charCodeAt(at))) continue
    const start = at
    while (isWord(text.charCodeAt(at))) at += 1
    tokens.push({ text: text.slice(start, at), start, end: at })
  }
  return tokens
}

/** Words of a folded lower-case text; scripts part words where no blank does. */
export function tokensOf(lower: string): Token[] {
  if (simple.test(lower)) return simpleTokens(lower)
  return [...lower.matchAll(wordPattern)].flatMap((hit): Token[] => {
    const [start, end] = [hit.index, hit.index + hit[0].length]
    if (!hit[0].endsWith("'t")) return [{ text: hit[0], start, end }]
    // `don't`, `mustn't`: the negation is a word of its own.
    const cut = Math.max(start + 1, end - 3)
    return [
      { text: hit[0].slice(0, cut - start), start, end: cut },
      { text: 'not', start: cut, end },
    ]
  })
}

const { abbreviations, titles } = clauseData
const stops = /[.;!?。；！？\n]+/g

/** Sentences of a folded text as spans, at most `max`; what is over the bound stays in the last. */
export function sentenceSpans(text: string, max: number): Span[] {
  const lower = text.toLowerCase()
  const spans: Span[] = []
  let start = 0
  const push = (end: number): void => {
    if (/[\p{L}\p{N}]/u.test(lower.slice(start, end))) spans.push({ start, end })
    start = end
  }
  for (const hit of lower.matchAll(stops)) {
    if (spans.length + 1 >= max) break
    const end = hit.index + hit[0].length
    if (hit[0] === '.') {
      // A point inside a number, a name or an address ends nothing.
      if (!/^(\s|$|["')\]])/.test(lower.slice(end, end + 1))) continue
      const before = lower.slice(Math.max(0, end - 8), end)
      if (titles.some((one) => endsAsWord(before, one))) continue
      const unit = abbreviations.some((one) => endsAsWord(before, one))
      if (unit && !/^\s+[A-Z]/.test(text.slice(end, end + 4))) continue
      // `E. coli`, `J. Keller`
      if (/(?:^|[\s(])\p{Lu}\.$/u.test(text.slice(Math.max(0, end - 3), end))) continue
    }
    push(end)
  }
  push(lower.length)
  return spans
}

function endsAsWord(text: string, word: string): boolean {
  if (!text.endsWith(word)) return false
  return !/[\p{L}\p{N}]/u.test(text[text.length - word.length - 1] ?? ' ')
}

type Mark = 'negator' | 'condition' | 'past' | 'remark' | 'break' | 'and'
const marks: Words<Mark> = wordsOf([
  ...clauseData.negators.map((word) => [word, 'negator'] as const),
  ...clauseData.conditions.map((word) => [word, 'condition'] as const),
  ...clauseData.past.map((word) => [word, 'past'] as const),
  ...clauseData.remarks.map((word) => [word, 'remark'] as const),
  ...clauseData.breaks.map((word) => [word, word === 'and' ? 'and' : 'break'] as const),
])

const marking = wordClasses.add(marks)

/** Comma, bracket, dash or colon between two words: a new clause. A comma inside a number is none. */
const parts = /,(?!\d)|[()[\]]|\s-\s|:(?=\s)/

type Segment = Span & { readonly first: number; readonly last: number; readonly joined: boolean }

/** Runs of tokens between breaks; `joined` when only an "and" stands before. */
function segmentsOf(
  lower: string,
  tokens: readonly Token[],
  marked: readonly (Mark | undefined)[],
  isVerb: (word: string) => boolean,
): Segment[] {
  const segments: Segment[] = []
  let first = 0
  let joined = false
  const close = (end: number, nextJoined: boolean): void => {
    const [a, b] = [tokens[first], tokens[end - 1]]
    if (a !== undefined && b !== undefined && end > first) {
      segments.push({ start: a.start, end: b.end, first, last: end - 1, joined })
      first = end
    }
    joined = nextJoined
  }
  for (let i = 1; i < tokens.length; i++) {
    const [from, to] = [tokens[i - 1]?.end ?? 0, tokens[i]?.start ?? 0]
    // Most words have one blank between them.
    if ((to - from !== 1 || lower.charCodeAt(from) !== 0x20) && parts.test(lower.slice(from, to))) {
      close(i, false)
      continue
    }
    if (marked[i] === 'break') close(i, false)
    // "and" begins a clause only before a verb: `10 min and do not stir`, not `red and blue`.
    else if (marked[i] === 'and' && isVerb(tokens[i + 1]?.text ?? '')) close(i, true)
  }
  close(tokens.length, false)
  return segments
}

/** Clauses of one sentence, in order, over all of its words, given with their classes. */
export function clausesOf(
  lower: string,
  tokens: readonly Token[],
  classes: readonly number[],
  isVerb: (word: string) => boolean,
): Clause[] {
  const texts = tokens.map((token) => token.text)
  const marked = classes.map((bits, i) =>
    (bits & marking) === 0 ? undefined : hitAt(texts, i, marks)?.means,
  )
  const clauses: Clause[] = []
  let carried = 'order' as ClauseKind
  for (const segment of segmentsOf(lower, tokens, marked, isVerb)) {
    let whole: ClauseKind | null = null
    // "Do not stir and heat to 95 °C": the negation reaches over the "and".
    let kind: ClauseKind = segment.joined && carried === 'negated' ? 'negated' : 'order'
    const cuts: Clause[] = []
    let start = segment.start
    for (let i = segment.first; i <= segment.last; i++) {
      const mark = marked[i]
      // "… after the camera shows it empty" remarks nothing: the clause has turned already.
      if ((mark === 'past' || mark === 'remark') && kind === 'order') whole ??= mark
      const turned = mark === 'negator' ? 'negated' : mark === 'condition' ? 'condition' : null
      if (turned === null || kind === 'negated') continue
      const at = tokens[i]?.start ?? start
      if (at > start) cuts.push({ start, end: at, kind })
      start = at
      kind = turned
    }
    cuts.push({ start, end: segment.end, kind })
    carried = kind
    clauses.push(
      ...(whole === null ? cuts : [{ start: segment.start, end: segment.end, kind: whole }]),
    )
  }
  return clauses
}

/** The kind of the clause at a place; between clauses, that of the one before. */
export function kindAt(clauses: readonly Clause[], at: number): ClauseKind {
  let [low, high] = [0, clauses.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((clauses[middle]?.start ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return clauses[low - 1]?.kind ?? 'order'
}
