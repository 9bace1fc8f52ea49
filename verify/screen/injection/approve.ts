// Approves a site's own pattern set: shape, linear time, bounded matches, and its own examples.
// Danger: a pattern is code that runs on hostile text (CWE-1333). A set that passes only adds rows.
import { z } from 'zod'
import { checkLinear } from '../../linear-regex/check.ts'
import { matchBounds } from '../../linear-regex/bounds.ts'
import { err, ok, type Result } from '../../../protocol/result.ts'
import { expand, compileLibrary, headsOf } from './library.ts'
import { injectionLimits } from './limits.ts'
import { newBudget } from './budget.ts'
import { matchWords } from './match.ts'
import { matchRaw, matchScripts } from './search.ts'
import { marksOf } from './traits.ts'
import { fold, foldRaw } from './fold.ts'
import { shippedSets } from './injection-library.ts'
import { categories, scripts, type PatternRow, type PatternSet } from './types.ts'

const rowSchema = z.strictObject({
  id: z.string().regex(/^site-[a-z0-9-]{1,48}$/, 'an id begins with "site-"'),
  category: z.enum(categories),
  weight: z.number().gt(0).max(1),
  pattern: z.string().min(1).max(2_000),
  reason: z.string().min(1).max(300),
  examples: z.array(z.string().min(1).max(500)).min(1).max(10),
  negatable: z.boolean().optional(),
  order: z.boolean().optional(),
  needs: z.array(z.string().min(1).max(40)).min(1).max(20).optional(),
})

/** The wire form of a site's pattern set. */
export const patternSetSchema = z.strictObject({
  language: z.string().min(2).max(20),
  view: z.enum(['words', 'scan', 'raw']),
  script: z.enum(scripts).optional(),
  slots: z.record(z.string().regex(/^[a-z_0-9]{1,20}$/), z.string().min(1).max(2_000)),
  patterns: z.array(rowSchema).min(1).max(injectionLimits.siteRowsMax),
})

export interface PatternRefusal {
  /** Id of the row, or '' when the set as a whole is meant. */
  readonly id: string
  readonly message: string
}

/** True when the row hits `text` in the view it runs in, at its full weight. */
export function rowHits(row: PatternRow, set: PatternSet, text: string): boolean {
  const library = compileLibrary([{ ...set, patterns: [row] }])
  const budget = newBudget(text.length)
  const folded = fold(text)
  const raw = foldRaw(text)
  const matches =
    set.view === 'words'
      ? matchWords(folded.text, library, budget)
      : set.view === 'scan'
        ? matchScripts(folded.text, folded.traits, library, budget)
        : matchRaw(raw, marksOf(raw), library, budget)
  return matches.some((m) => m.weight === row.weight)
}

/** Why a row cannot run on hostile text, or null. Takes milliseconds. */
export function rowDanger(row: PatternRow, set: PatternSet, proofScale = 1): string | null {
  let source: string
  try {
    source = expand(row, set)
    if (set.view === 'words') headsOf(row, set)
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be written out'
  }
  if (set.view === 'raw' && row.needs === undefined) return 'a raw pattern needs "needs"'
  const bounds = matchBounds(source)
  if (!bounds.ok) return `${bounds.error.code}: ${bounds.error.message}`
  const { lengthMax, pathsMax } = bounds.value
  if (lengthMax > injectionLimits.matchCharsMax) {
    return `a match can span more than ${injectionLimits.matchCharsMax} characters`
  }
  if (pathsMax <= injectionLimits.trialPathsMax) return null
  // Words end at spaces, which the bound above does not see. Widening them only adds paths, so a
  // proof of the wide form covers the bounded one, and is small.
  const stepsPerCharMax = injectionLimits.trialStepsMax
  const proof = checkLinear(expand(row, set, true), 'y', { stepsPerCharMax, proofScale })
  if (!proof.ok) return `${proof.error.code}: ${proof.error.message}`
  return null
}

/**
 * Checks a set that a site wants to add (`value` is untrusted JSON). Every row must be linear,
 * bounded and hit its own examples; ids are new. Nothing in a set can weaken another row.
 */
export function approvePatternSet(value: unknown): Result<PatternSet, readonly PatternRefusal[]> {
  const parsed = patternSetSchema.safeParse(value)
  if (!parsed.success) {
    return err(
      parsed.error.issues.map((issue) => ({
        id: '',
        message: `${issue.path.join('.')}: ${issue.message}`,
      })),
    )
  }
  const { script, patterns, ...rest } = parsed.data
  const rows: PatternRow[] = patterns.map(({ negatable, order, needs, ...row }) => ({
    ...row,
    ...(negatable === undefined ? {} : { negatable }),
    ...(order === undefined ? {} : { order }),
    ...(needs === undefined ? {} : { needs }),
  }))
  const set: PatternSet = { ...rest, ...(script === undefined ? {} : { script }), patterns: rows }
  const refusals: PatternRefusal[] = []
  const ids = new Set(shippedSets().flatMap((x) => x.patterns.map((row) => row.id)))
  for (const row of rows) {
    if (ids.has(row.id)) refusals.push({ id: row.id, message: 'the id exists already' })
    ids.add(row.id)
    const danger = rowDanger(row, set)
    if (danger !== null) {
      refusals.push({ id: row.id, message: danger })
      continue
    }
    for (const text of row.examples) {
      if (!rowHits(row, set, text)) refusals.push({ id: row.id, message: `does not hit "${text}"` })
    }
  }
  return refusals.length === 0 ? ok(set) : err(refusals)
}
