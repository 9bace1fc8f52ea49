// What a sentence forbids, and what it orders by the same words. Danger: a sentence that only says what
// must not happen asks for nothing, so nothing would compare it with the steps.
import { z } from 'zod'
import { actNames } from '../../../protocol/acts.ts'
import data from '../../lexicon/forbidden.json' with { type: 'json' }
import { allHitsAt, wordsOf } from '../../lexicon/words.ts'
import type { Forbids } from '../scene.ts'
import { type Clause, type Token } from './clauses.ts'

const rowSchema = z.strictObject({
  id: z.string(),
  words: z.array(z.string()).min(1),
  acts: z.array(z.enum(actNames)).min(1),
  into: z.literal('waste').optional(),
  above: z.number().optional(),
  below: z.number().optional(),
  named: z.literal(true).optional(),
})
export type ForbiddenRow = z.infer<typeof rowSchema>

/** The rows of the lexicon by id. */
export const forbiddenRows: ReadonlyMap<string, ForbiddenRow> = new Map(
  z
    .array(rowSchema)
    .parse(data.rows)
    .map((row) => [row.id, row] as const),
)

const words = wordsOf(
  data.rows.flatMap(({ id, words: list }) => list.map((word) => [word, id] as const)),
)
const negators = new Set(data.negators)
const limits = new Set(data.limits)

/** True when the words of the clause forbid outright: no bound, no time, no condition stands behind. */
function isOutright(texts: readonly string[]): boolean {
  const at = texts.findIndex((text) => negators.has(text))
  return at >= 0 && !texts.slice(at + 1).some((text) => limits.has(text))
}

/** Rows that negated clauses forbid, with the words of the clause; and rows that other clauses order. */
export function forbidsOf(
  tokens: readonly Token[],
  clauses: readonly Clause[],
): { readonly forbids: readonly Forbids[]; readonly orders: readonly string[] } {
  const forbids: Forbids[] = []
  const orders = new Set<string>()
  const texts = tokens.map(({ text }) => text)
  for (const clause of clauses) {
    const own = tokens.flatMap(({ start, end }, i) =>
      start >= clause.start && end <= clause.end ? [i] : [],
    )
    const rows = new Set(own.flatMap((i) => allHitsAt(texts, i, words).map(({ means }) => means)))
    if (clause.kind === 'order') for (const row of rows) orders.add(row)
    const said = own.map((i) => texts[i] ?? '')
    if (clause.kind !== 'negated' || !isOutright(said)) continue
    for (const row of rows) {
      const span = [clause.start, clause.end] as const
      forbids.push({ row, words: said, span })
    }
  }
  return { forbids, orders: [...orders] }
}
