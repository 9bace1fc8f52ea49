// Names in a sentence: what the site or the inventory declares, under any spelling, and whatever
// looks like an id. A name that is told and not found in the steps is a slip or a trick.
import grammar from '../../lexicon/grammar.json' with { type: 'json' }
import { foldName } from '../fold.ts'
import { canonicalPart, looksLikePart } from '../parts.ts'
import type { ThingRef } from '../scene.ts'
import type { Things } from '../things.ts'
import type { Span, Token } from './clauses.ts'
import type { Cover } from './cover.ts'

export type NameHit = Span & { readonly ref: ThingRef }

/** Longest declared name, in words, that is looked for. */
const wordsMax = 6

const blank = 0x20
const isAscii = /^[\0-\x7f]*$/

/** True when the name goes on after the place: `FV-01` in `FV-01-B`. */
const goesOn = (text: string, end: number): boolean =>
  text.charCodeAt(end) !== blank && /^[-_]?[\p{Script=Latin}\p{N}]/u.test(text.slice(end, end + 2))
const beganBefore = (text: string, start: number): boolean =>
  text.charCodeAt(start - 1) !== blank &&
  /[\p{Script=Latin}\p{N}][-_]?$/u.test(text.slice(Math.max(0, start - 2), start)) &&
  !/\s/.test(text.slice(Math.max(0, start - 1), start))

/** Declared names in a folded text, the longest at each place. */
export function declaredNames(text: string, tokens: readonly Token[], things: Things): NameHit[] {
  const hits: NameHit[] = []
  for (let i = 0; i < tokens.length;) {
    const hit = nameAt(text, tokens, i, things)
    if (hit === null) i += 1
    else {
      hits.push({ start: hit.start, end: hit.end, ref: hit.ref })
      i += hit.words
    }
  }
  return hits
}

const imperatives = new Set(grammar.imperatives)
const isArticle = (word: string): boolean => word === 'the' || word === 'a' || word === 'an'

/** `Park the arm`: a verb with its object, although a place may be called `park`. */
function isVerb(text: string, tokens: readonly Token[], i: number): boolean {
  const [first, next] = [tokens[i], tokens[i + 1]]
  if (first === undefined || next === undefined || !imperatives.has(first.text)) return false
  return isArticle(next.text) && /(?:^|[.,;:!?]\s*|\band\s+)$/i.test(text.slice(0, first.start))
}

/** How many words a declared name that begins at a place may have. */
function longestAt(text: string, tokens: readonly Token[], i: number, things: Things): number {
  const start = tokens[i]?.start ?? 0
  const most = Math.min(wordsMax, tokens.length - i)
  let n = 1
  for (; n < most; n++) {
    const raw = text.slice(start, tokens[i + n]?.end ?? start)
    // What a letter of another script folds to depends on its neighbours.
    if (!isAscii.test(raw)) return most
    if (!things.startsKey(foldName(raw))) return n
  }
  return n
}

function nameAt(
  text: string,
  tokens: readonly Token[],
  i: number,
  things: Things,
): (NameHit & { readonly words: number }) | null {
  const first = tokens[i]
  if (first === undefined || isArticle(first.text) || !things.startsName(first.text)) return null
  if (beganBefore(text, first.start)) return null
  for (let n = longestAt(text, tokens, i, things); n > 0; n--) {
    const last = tokens[i + n - 1]
    if (last === undefined || goesOn(text, last.end)) continue
    const raw = text.slice(first.start, last.end)
    // Words of one name are parted by blanks or separators only.
    if (raw.length > 120 || /[,;()]/.test(raw)) continue
    if (!things.isName(foldName(raw)) || (n === 1 && isVerb(text, tokens, i))) continue
    const ref = things.find(raw)
    if (ref === null) continue
    const part = partAfter(text, tokens, i + n)
    const end = part?.end ?? last.end
    const whole = text.slice(first.start, end)
    return {
      start: first.start,
      end,
      ref: part === null ? ref : { ...ref, raw: whole, part: part.part },
      words: n + (part?.words ?? 0),
    }
  }
  return null
}

/** A well, column or position right after a name: `plate_1 A1`, `rack 2, col 3`. */
function partAfter(
  text: string,
  tokens: readonly Token[],
  i: number,
): { readonly end: number; readonly part: string; readonly words: number } | null {
  const [one, two] = [tokens[i], tokens[i + 1]]
  const before = tokens[i - 1]
  if (one === undefined || before === undefined) return null
  if (!/^\s?[/:,]?\s?$/.test(text.slice(before.end, one.start))) return null
  for (const last of [two, one]) {
    if (last === undefined) continue
    const raw = text.slice(one.start, last.end)
    const words = last === one ? 1 : 2
    if (words === 2 && !/^(?:col(?:umn)?|row|well|pos(?:ition)?|slot)\b/i.test(raw)) continue
    const part = canonicalPart(raw.replace(/^well\s/i, ''))
    const clear = looksLikePart(raw.replace(/^well\s/i, '')) || words === 2
    if (clear && part !== null && !goesOn(text, last.end)) return { end: last.end, part, words }
  }
  return null
}

const idLike = /[\p{Script=Latin}][\p{Script=Latin}\p{N}]*(?:[-_.][\p{Script=Latin}\p{N}]+)*/gu

/** Tokens of letters with digits or underscores: ids of things that nobody declared. */
export function idLikeNames(
  text: string,
  taken: Cover,
  things: Things,
  isKnownWord: (raw: string) => boolean,
): NameHit[] {
  const hits: NameHit[] = []
  if (!/[\d_]/.test(text)) return hits
  for (const hit of text.matchAll(idLike)) {
    const raw = hit[0].replace(/[.]+$/, '')
    const [start, end] = [hit.index, hit.index + raw.length]
    if (!/\d|_/.test(raw) || raw.length > 80) continue
    if (
      /[\p{N}\p{Script=Latin}][.-]?$/u.test(text.slice(Math.max(0, start - 2), start)) &&
      /\S/.test(text[start - 1] ?? ' ')
    )
      continue
    if (taken.touches({ start, end })) continue
    // `H2O2` is a substance; `buffer_res` is a vessel, whatever its name says is in it.
    if (!raw.includes('_') && isKnownWord(raw)) continue
    if (looksLikePart(raw)) {
      const part = canonicalPart(raw)
      const before = hits.at(-1)
      if (
        before !== undefined &&
        before.ref.part === null &&
        /^\s?[/:,]?\s?$/.test(text.slice(before.end, start))
      ) {
        const whole = text.slice(before.start, end)
        hits[hits.length - 1] = {
          start: before.start,
          end,
          ref: { ...before.ref, raw: whole, part },
        }
        continue
      }
      hits.push({ start, end, ref: { ...things.resolve(raw), part } })
    } else hits.push({ start, end, ref: things.resolve(raw) })
  }
  return hits
}
