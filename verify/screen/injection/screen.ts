// σ(T): scores all texts of a plan.
// Danger: text in a plan that instructs the judges or the agent (CWE-1427, OWASP LLM01). Fails
// closed: a bound that is passed answers `warning`, never a partial pass.
import { readAcross } from './across.ts'
import { newBudget } from './budget.ts'
import { leftOf } from './clean.ts'
import { combine } from './evidence.ts'
import { foldAll } from './fold.ts'
import type { InjectionLibrary } from './injection-library.ts'
import { injectionLimits } from './limits.ts'
import { matchStream } from './match.ts'
import type { Place } from './place.ts'
import { Reader } from './reader.ts'
import type {
  InjectionHit,
  InjectionLevel,
  InjectionResult,
  ScreenText,
  Thresholds,
} from './types.ts'

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
  const chars = texts.reduce((sum, x) => sum + x.text.length, 0)
  const budget = newBudget(chars)
  if (texts.length > injectionLimits.textsMax) budget.passed = 'TEXTS'
  else if (chars > injectionLimits.charsMax) budget.passed = 'CHARS'
  let best = { sigma: 0, r: 0, f: 0 }
  const hits: InjectionHit[] = []
  const take = (reader: Reader): void => {
    const r = combine(reader.score.evidence)
    const f = reader.score.f
    const sigma = shareOfPatterns * r + shareOfFuzzy * f
    if (sigma > best.sigma) best = { sigma, r, f }
    hits.push(...reader.score.hits)
  }
  if (budget.passed === null) {
    const stream = foldAll(texts.map(({ text }) => text))
    const read = firstOf(texts)
    const { within, crossing } = matchStream(stream, library.patterns, {
      budget,
      read: (i) => read[i] === true,
    })
    for (const [i, { at, text }] of texts.entries()) {
      const folded = stream.parts[i]
      if (read[i] !== true || folded === undefined) continue
      if (budget.passed !== null) break
      const matches = within[i] ?? []
      if (matches.length === 0 && library.clean.charge(text, budget)) continue
      const before = leftOf(budget)
      const reader = new Reader(library, budget)
      const place: Place = (from, to) => ({ at, span: [from, to] })
      reader.readFolded({ source: text, folded, matches }, 'words', place, 0)
      if (reader.foundNothing()) library.clean.keep(text, before, budget)
      else take(reader)
    }
    if (texts.length > 1 && budget.passed === null) {
      const parts = texts.map(({ at, text }) => ({ at, source: text }))
      take(readAcross(parts, stream, crossing, { library, budget }))
    }
  }
  const level = budget.passed === null ? levelOf(best.sigma, thresholds) : 'warning'
  const strongest = hits.toSorted((a, b) => b.weight - a.weight).slice(0, injectionLimits.hitsMax)
  return { ...best, level, hits: strongest, limit: budget.passed }
}

/** For each text whether it is the first with its words: the same text says nothing new. */
function firstOf(texts: readonly ScreenText[]): boolean[] {
  const seen = new Set<string>()
  return texts.map(({ text }) => {
    const first = !seen.has(text)
    seen.add(text)
    return first
  })
}

function levelOf(sigma: number, thresholds: Thresholds): InjectionLevel {
  if (sigma >= thresholds.warning) return 'warning'
  return sigma >= thresholds.advisory ? 'advisory' : 'pass'
}
