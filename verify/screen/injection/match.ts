// Tries the library on canonical texts. Each trial starts at a word that can begin the row and
// reads a bounded window, so the work is linear in the text; a budget covers all texts together.
import { spend, type Budget } from './budget.ts'
import { candidatesIn } from './candidates.ts'
import type { Stream } from './fold.ts'
import { regexOf, type Compiled, type PatternLibrary } from './library.ts'
import { injectionLimits } from './limits.ts'
import { shareOf, shareOfObject, shareOfOrder } from './negation.ts'

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

/** What a hit keeps, given the words in front of it and behind it. */
function shareOfHit(row: Compiled, text: string, from: number, to: number): number {
  let share = 1
  if (row.negatable) {
    share = shareOf(text, from, row.category === 'safety-bypass' || row.order)
  }
  if (row.order) share = Math.min(share, shareOfOrder(text, from))
  if (row.category === 'override') share = Math.min(share, shareOfObject(text, to))
  return share
}

/** Hits of one text, no row more often than it may. */
class Tally {
  readonly found: Match[] = []
  readonly #counts = new Map<number, number>()

  wants(row: Compiled): boolean {
    return (this.#counts.get(row.index) ?? 0) < hitsPerRow
  }

  /** A hit of `row` in `text`; one that is negated does not use up its turns. */
  take(row: Compiled, text: string, from: number, to: number): void {
    const share = shareOfHit(row, text, from, to)
    if (share === 1) this.#counts.set(row.index, (this.#counts.get(row.index) ?? 0) + 1)
    this.found.push({ row, from, to, weight: row.weight * share })
  }
}

/** Counts failed trials of costly rows over one text and says when they are too many. */
class Fails {
  readonly #counts = new Map<number, number>()
  readonly #most: number

  constructor(chars: number) {
    this.#most = failsBase + Math.floor(chars / failsCharsPerTrial)
  }

  tooMany(row: Compiled, budget: Budget): boolean {
    if (row.cost < costlyFrom) return false
    const failed = (this.#counts.get(row.index) ?? 0) + 1
    this.#counts.set(row.index, failed)
    if (failed <= this.#most) return false
    budget.passed ??= 'WORK'
    return true
  }
}

/** Where a match of `row` that begins at `at` ends, behind its last space, or −1. */
function endOf(row: Compiled, text: string, at: number): number {
  const regex = regexOf(row, 'words')
  regex.lastIndex = at
  return regex.test(text) ? regex.lastIndex : -1
}

/** All hits of the word rows in a canonical text (see fold.ts). */
export function matchWords(text: string, library: PatternLibrary, budget: Budget): Match[] {
  const tally = new Tally()
  const fails = new Fails(text.length)
  const { count, at, rows } = candidatesIn(text, library)
  for (let i = count - 1; i >= 0; i -= 1) {
    const row = library.rows[rows[i] ?? -1]
    const from = at[i] ?? 0
    if (row === undefined || !tally.wants(row)) continue
    if (!spend(budget, row.cost)) break
    const end = endOf(row, text, from)
    if (end >= 0) tally.take(row, text, from, end - 1)
    else if (fails.tooMany(row, budget)) break
  }
  return tally.found
}

/** Hits of several texts read one behind the other. */
export interface StreamMatches {
  /** For each text, its own hits, with offsets in its own reading. */
  readonly within: readonly (readonly Match[])[]
  /** Hits that begin in one text and end in another, with offsets in the stream. */
  readonly crossing: readonly Match[]
}

/**
 * All hits of the word rows in a stream of texts, each text by itself and all of them together, in one pass:
 * a match that ends in the text in which it begins is the same in both readings. `read` tells which texts
 * count by themselves.
 */
export function matchStream(
  stream: Stream,
  library: PatternLibrary,
  opts: { readonly budget: Budget; readonly read: (part: number) => boolean },
): StreamMatches {
  const { text, bounds, parts } = stream
  const { budget } = opts
  const within = parts.map(() => new Tally())
  const whole = new Tally()
  const fails = new Fails(text.length)
  const { count, at, rows } = candidatesIn(text, library)
  const crossing = new Set<number>()
  let k = 0
  for (let i = count - 1; i >= 0; i -= 1) {
    const row = library.rows[rows[i] ?? -1]
    if (row === undefined) continue
    const from = at[i] ?? 0
    while (k + 1 < bounds.length && (bounds[k + 1] ?? 0) <= from) k += 1
    const own = within[k]
    const wanted = opts.read(k) && own?.wants(row) === true
    const wantedWhole = whole.wants(row)
    if (!wanted && !wantedWhole) continue
    if (!spend(budget, row.cost)) break
    const end = endOf(row, text, from)
    if (end < 0) {
      if (fails.tooMany(row, budget)) break
      continue
    }
    const part = parts[k]
    const begin = (bounds[k] ?? 1) - 1
    const crosses = end > (bounds[k + 1] ?? text.length)
    if (wanted && own !== undefined && part !== undefined) {
      const ownEnd = crosses ? endOf(row, part.text, from - begin) : end - begin
      if (ownEnd >= 0) own.take(row, part.text, from - begin, ownEnd - 1)
    }
    if (wantedWhole) {
      if (crosses) crossing.add(whole.found.length)
      whole.take(row, text, from, end - 1)
    }
  }
  return {
    within: within.map(({ found }) => found),
    crossing: whole.found.filter((_, i) => crossing.has(i)),
  }
}
