// Tries the library on one canonical text. Each trial starts at a word that can begin the row and
// reads a bounded window, so the work is linear in the text; a budget covers all texts together.
import smallWords from '../../lexicon/injection/small-words.json' with { type: 'json' }
import { headBitsSize, headKey, regexOf, type Compiled, type PatternLibrary } from './library.ts'
import { injectionLimits } from './limits.ts'
import type { InjectionLimit, Script } from './types.ts'
import type { Traits } from './fold.ts'

/** What is left of the bounds, shared by all texts of one screen. */
export interface Budget {
  /** Units of pattern trials. */
  work: number
  decodedChars: number
  fuzzyWindows: number
  /** The first bound that was passed. */
  passed: InjectionLimit | null
}

/** The budget for texts of so many characters: work stays linear in them. */
export const newBudget = (chars: number): Budget => ({
  work: injectionLimits.workBase + chars * injectionLimits.workPerChar,
  decodedChars: injectionLimits.decodedCharsMax,
  fuzzyWindows: injectionLimits.fuzzyBase + Math.floor(chars / injectionLimits.fuzzyCharsPerWindow),
  passed: null,
})

export interface Match {
  readonly row: Compiled
  readonly from: number
  readonly to: number
  /** The weight after negation. */
  readonly weight: number
}

/** How many times one row may hit one text before it is no longer tried there. */
const hitsPerRow = 4

/** Rows with two gaps or more: a text that tries one this often is made to cost time. */
const costlyFrom = 12
const { failsBase, failsCharsPerTrial } = injectionLimits

/** An order that is negated is a rule, mostly a good one: "never disable the interlock". */
const negators = new Set(smallWords.negators)
const negatedShare = 0.2

/** "check whether the arm stops if someone tries to bypass it": a condition, not an order. */
const hedges = new Set(smallWords.hedges)
const hedgedShare = 0.6

/** What a hit at `from` keeps of its weight, given the three words in front of it. */
export function shareOf(text: string, from: number, conditional = true): number {
  let end = from - 1
  for (let i = 0; i < 3 && end > 0; i += 1) {
    const start = text.lastIndexOf(' ', end - 1)
    const word = text.slice(start + 1, end)
    if (word === '|') return 1
    if (negators.has(word)) return negatedShare
    if (conditional && hedges.has(word)) return hedgedShare
    // "don t" and "mustn t" after the apostrophe is gone.
    if (word === 't') return negatedShare
    end = start
  }
  return 1
}

/** All hits of the word rows in a canonical text (see fold.ts). */
export function matchWords(text: string, library: PatternLibrary, budget: Budget): Match[] {
  const found: Match[] = []
  const counts = new Map<number, number>()
  const fails = new Map<number, number>()
  const failsMax = failsBase + Math.floor(text.length / failsCharsPerTrial)
  const { heads, headBits } = library
  const mask = headBitsSize - 1
  let at = 1
  while (at < text.length) {
    const three = headKey(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), 0)
    const four = headKey(
      text.charCodeAt(at),
      text.charCodeAt(at + 1),
      text.charCodeAt(at + 2),
      text.charCodeAt(at + 3),
    )
    for (let turn = 0; turn < 2; turn += 1) {
      const key = turn === 0 ? four : three
      if (headBits[key & mask] !== 1) continue
      for (const row of heads.get(key) ?? []) {
        const count = counts.get(row.index) ?? 0
        if (count >= hitsPerRow) continue
        budget.work -= row.cost
        if (budget.work < 0) {
          budget.passed ??= 'WORK'
          return found
        }
        const regex = regexOf(row, 'words')
        regex.lastIndex = at
        if (!regex.test(text)) {
          if (row.cost < costlyFrom) continue
          const failed = (fails.get(row.index) ?? 0) + 1
          fails.set(row.index, failed)
          if (failed <= failsMax) continue
          budget.passed ??= 'WORK'
          return found
        }
        const share = row.negatable ? shareOf(text, at, row.category === 'safety-bypass') : 1
        const weight = row.weight * share
        if (share === 1) counts.set(row.index, count + 1)
        found.push({ row, from: at, to: regex.lastIndex - 1, weight })
      }
    }
    const space = text.indexOf(' ', at)
    if (space < 0) break
    at = space + 1
  }
  return found
}

const scriptShown = (traits: Traits, script: Script): boolean => traits[script] > 0

/** Hits of the rows for scripts without reliable spaces. */
export function matchScripts(
  text: string,
  traits: Traits,
  library: PatternLibrary,
  budget: Budget,
): Match[] {
  const found: Match[] = []
  for (const row of library.scan) {
    if (row.script !== null && !scriptShown(traits, row.script)) continue
    search(row, text, budget, found)
  }
  return found
}

/** Hits of the rows that need punctuation, in lower-cased text. */
export function matchRaw(text: string, library: PatternLibrary, budget: Budget): Match[] {
  const found: Match[] = []
  for (const row of library.raw) {
    if (row.needs.some((x) => text.includes(x))) search(row, text, budget, found)
  }
  return found
}

const searchShift = 6

function search(row: Compiled, text: string, budget: Budget, found: Match[]): void {
  // A search reads the whole text, at a fraction of a trial for each character.
  budget.work -= 1 + (text.length >> searchShift)
  if (budget.work < 0) {
    budget.passed ??= 'WORK'
    return
  }
  const regex = regexOf(row, 'search')
  regex.lastIndex = 0
  const hit = regex.exec(text)
  if (hit === null) return
  const to = hit.index + hit[0].length
  const voided = row.negatable && negatedAround(text, hit.index, to)
  const weight = voided ? row.weight * negatedShare : row.weight
  found.push({ row, from: hit.index, to, weight })
}

/** Negation in scripts without spaces: in front in Chinese and Thai, behind in Japanese or Korean. */
function negatedAround(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 6), from)
  const after = text.slice(to, to + 10)
  return (
    /勿|不要|不得|禁止|不可|不能|别|ห้าม|อย่า|لا /.test(before) ||
    /^[^|]{0,4}(?:しない|ない(?:こと|で)|するな|してはいけ|하지 ?(?:마|않)|지 ?마|न करें|मत )/.test(
      after,
    )
  )
}
