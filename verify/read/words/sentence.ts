// One sentence: what its words ask for, which values and names they tell, and whether they were read.
import grammar from '../../lexicon/grammar.json' with { type: 'json' }
import { actSpec, type ActName, type Dimension } from '../../../protocol/acts.ts'
import { beginsAlone, hitsIn, tokenise } from '../../lexicon/words.ts'
import type { Names } from '../bind.ts'
import type { Named, Sentence, Told } from '../scene.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { clausesOf, kindAt, tokensOf, type Clause, type Span, type Token } from './clauses.ts'
import { Cover } from './cover.ts'
import { forbidsOf } from './forbids.ts'
import { placeOf, type Glyphs } from './glyphs.ts'
import { isEnglishVerb, languageOf, readClosed, wordInfo } from './language.ts'
import { declaredNames, idLikeNames, type NameHit } from './names.ts'
import { quantitiesOf, type Quantity } from './quantities.ts'

export type ReadSentence = Omit<Sentence, 'carried_by' | 'instruction'> & {
  /** Its words, for comparison with what steps handle. */
  readonly words: ReadonlySet<string>
}

export type Reader = {
  readonly names: Names
  readonly vocabulary: Vocabulary
}

const noSpan: Span = { start: 0, end: 0 }

/** Dimensions that tell acts apart; a time or a count stands beside any of them. */
const telling = (dim: Dimension | null): dim is Dimension =>
  dim !== null && dim !== 'time' && dim !== 'count' && dim !== 'fraction'

function takes(act: ActName, dims: ReadonlySet<Dimension>): boolean {
  return Object.values(actSpec(act).roles).some(
    (role) => role.dims?.some((dim) => dims.has(dim)) === true,
  )
}

/** Before these a word is no verb: `the plate`, `of each sample`, `PBS plate`. */
const nounLeads = new Set(grammar.noun_leads)

function asNoun(before: Token | undefined, isMaterial: (word: string) => boolean): boolean {
  return before !== undefined && (nounLeads.has(before.text) || isMaterial(before.text))
}

/** Nouns that are verbs as well, before the name of a thing: `Plate PL-88 leaves`, `sample 3`. */
const namedNouns = new Set(grammar.named_nouns)

/** A dose behind the word makes it a verb again: `plate 100 µL`. */
function isNamed(word: string, next: Token | undefined, names: Cover, covered: Cover): boolean {
  if (next === undefined || !namedNouns.has(word)) return false
  return names.holds(next) || (/^\d/.test(next.text) && !covered.touches(next))
}

/**
 * Acts that the words of ordering clauses ask for. A generic verb (`set`, `run`) asks for those of its
 * acts that take a quantity which the sentence tells; a told quantity that no verb takes asks itself.
 */
function asksOf(
  tokens: readonly Token[],
  clauses: readonly Clause[],
  told: readonly Told[],
  covered: Cover,
  names: Cover,
  vocabulary: Vocabulary,
  isMaterial: (word: string) => boolean,
): ActName[] {
  const dims = new Set<Dimension>()
  for (const { clause, dim } of told) if (clause === 'order' && telling(dim)) dims.add(dim)
  const texts: string[] = []
  const places: number[] = []
  for (const [i, token] of tokens.entries()) {
    if (covered.holds(token)) continue
    texts.push(token.text)
    places.push(i)
  }
  const asked = new Set<ActName>()
  for (const { start, means } of hitsIn(texts, vocabulary.asks.words)) {
    const i = places[start] ?? 0
    if (kindAt(clauses, tokens[i]?.start ?? 0) !== 'order') continue
    const before = tokens[i - 1]
    // The last letter of `bay A` is no article.
    const lead = before !== undefined && covered.holds(before) ? undefined : before
    const noun =
      asNoun(lead, isMaterial) || isNamed(tokens[i]?.text ?? '', tokens[i + 1], names, covered)
    const acts = noun ? means.always : means.acts
    const fitting = means.generic ? acts.filter((act) => takes(act, dims)) : []
    for (const act of fitting.length > 0 ? fitting : acts) asked.add(act)
  }
  for (const dim of dims) {
    const taken = [...asked].some((act) => takes(act, new Set([dim])))
    if (!taken) for (const act of vocabulary.asks.byDim.get(dim) ?? []) asked.add(act)
  }
  return [...asked]
}

/** What no name and no quantity covers, word by word: a script without blanks writes both in one run. */
function outside(
  tokens: readonly Token[],
  covered: Cover,
  isMaterial: (word: string) => boolean,
): string[] {
  return tokens.flatMap(({ text, start }) => {
    if (isMaterial(text)) return []
    const rest = Array.from(text, (ch, k) => (covered.at(start + k) ? ' ' : ch)).join('')
    return rest.split(' ').filter((word) => word !== '')
  })
}

function toldOf(
  quantity: Quantity,
  clause: Told['clause'],
  source: string,
): Omit<Told, 'instruction'> {
  return {
    span: [quantity.start, quantity.end],
    dim: quantity.dim,
    value: quantity.value,
    shown: source.slice(quantity.start, quantity.end),
    // A bound is no setting, whatever its clause.
    clause: quantity.limit && clause === 'order' ? 'condition' : clause,
  }
}

/** Reads one sentence, given as the folded part of its instruction. `source` is the instruction. */
export function readSentence(
  glyphs: Glyphs,
  source: string,
  instruction: number,
  reader: Reader,
): ReadSentence {
  const { text, lower, origin } = glyphs
  const { things, substances } = reader.names
  const tokens = tokensOf(lower)
  const words = tokens.map((token) => wordInfo(token.text))
  const classes = words.map((word) => word.classes)
  const clauses = clausesOf(lower, tokens, classes, isEnglishVerb)
  const declared = declaredNames(text, tokens, things)
  const asking = reader.vocabulary.asks.words
  const isAsk = (i: number): boolean => beginsAlone(tokens[i]?.text ?? '', asking)
  const covered = new Cover(text.length, declared)
  // Only digits are written otherwise in other languages.
  const english =
    /\d/.test(text) && languageOf(words, (i) => covered.holds(tokens[i] ?? noSpan), isAsk).english
  const quantities = quantitiesOf(glyphs, { english }, covered)
  const place = (offset: number): number => origin[offset] ?? source.length
  const measured = quantities
    .filter((q) => q.dim !== null && q.dim !== 'count')
    .map((q) => ({
      start: placeOf(origin, q.start) ?? 0,
      end: placeOf(origin, q.end) ?? text.length,
    }))
  const isMaterial = substances.isKnown
  for (const span of measured) covered.add(span)
  const ids = idLikeNames(text, covered, things, isMaterial)
  for (const span of ids) covered.add(span)
  const isCovered = (i: number): boolean => {
    const token = tokens[i]
    return token === undefined || covered.holds(token) || isMaterial(token.text)
  }
  const language = languageOf(words, isCovered, isAsk)
  const closed = language.foreign
    ? readClosed(outside(tokens, covered, isMaterial), reader.vocabulary.closed)
    : null
  const told = quantities.map((q): Told => {
    const at = placeOf(origin, q.start) ?? 0
    return { instruction, ...toldOf(q, kindAt(clauses, at), source) }
  })
  const named = [...declared, ...ids]
    .toSorted((a, b) => a.start - b.start)
    .map((hit: NameHit): Named => ({
      instruction,
      span: [place(hit.start), place(hit.end)],
      raw: source.slice(place(hit.start), place(hit.end)),
      ref: hit.ref,
      clause: kindAt(clauses, hit.start),
    }))
  const { forbids, orders } = forbidsOf(tokens, classes, clauses)
  return {
    text: source.slice(place(0), place(text.length)).trim(),
    asks: language.foreign
      ? (closed ?? [])
      : asksOf(
          tokens,
          clauses,
          told,
          covered,
          new Cover(text.length, [...declared, ...ids]),
          reader.vocabulary,
          isMaterial,
        ),
    told,
    named,
    forbids: forbids.map(({ row, words: said, span }) => ({
      row,
      words: said,
      span: [place(span[0]), place(span[1])],
    })),
    orders,
    unread: language.foreign && closed === null,
    words: new Set(tokenise(source.slice(place(0), place(text.length)))),
  }
}
