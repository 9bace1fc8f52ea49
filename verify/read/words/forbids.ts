// What a sentence forbids, and what it orders by the same words. Danger: a sentence that only says what
// must not happen asks for nothing, so nothing would compare it with the steps.
import { z } from 'zod'
import { actNames } from '../../../protocol/acts.ts'
import data from '../../lexicon/forbidden.json' with { type: 'json' }
import { allHitsAt, wordClasses, wordsOf } from '../../lexicon/words.ts'
import type { Forbids } from '../scene.ts'
import { type Clause, type Token } from './clauses.ts'

const rowSchema = z.strictObject({
  id: z.string(),
  words: z.array(z.string()).min(1),
  /** Phrases that forbid it without a negator. */
  instead: z.array(z.string()).default([]),
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

const rows = [...forbiddenRows.values()]
const words = wordsOf(
  rows.flatMap(({ id, words: list }) => list.map((word) => [word, id] as const)),
)
const phrases = wordsOf(rows.flatMap(({ id, instead }) => instead.map((one) => [one, id] as const)))
const [banned, instead] = [wordClasses.add(words), wordClasses.add(phrases)]
const negators = new Set(data.negators)
const limits = new Set(data.limits)

/** No bound, no time and no condition stands from there on: what is forbidden is forbidden outright. */
const isOutright = (texts: readonly string[], from: number): boolean =>
  !texts.slice(from).some((text) => limits.has(text))

/** Rows whose words stand in a negated clause. */
function negatedIn(said: readonly string[], found: ReadonlySet<string>): string[] {
  const at = said.findIndex((text) => negators.has(text))
  // "It is not to be opened" sets no bound.
  const behind = said[at + 1] === 'to' && said[at + 2] === 'be' ? at + 3 : at + 1
  return at >= 0 && isOutright(said, behind) ? [...found] : []
}

/** Rows that a clause forbids by other words. */
const insteadIn = (said: readonly string[]): string[] =>
  said.flatMap((_, i) =>
    allHitsAt(said, i, phrases)
      .filter(({ length }) => isOutright(said, i + length))
      .map(({ means }) => means),
  )

/** Rows that clauses forbid, with the words of the clause; and rows that other clauses order. */
export function forbidsOf(
  tokens: readonly Token[],
  classes: readonly number[],
  clauses: readonly Clause[],
): { readonly forbids: readonly Forbids[]; readonly orders: readonly string[] } {
  const speaks = classes.some((bits) => (bits & (banned | instead)) !== 0)
  if (!speaks) return { forbids: [], orders: [] }
  const forbids: Forbids[] = []
  const orders = new Set<string>()
  let next = 0
  for (const { start, end, kind } of clauses) {
    while ((tokens[next]?.start ?? Infinity) < start) next += 1
    const said: string[] = []
    for (; (tokens[next]?.end ?? Infinity) <= end; next += 1) said.push(tokens[next]?.text ?? '')
    const found = new Set(
      said.flatMap((_, i) => allHitsAt(said, i, words).map(({ means }) => means)),
    )
    const own =
      kind === 'order' ? insteadIn(said) : kind === 'negated' ? negatedIn(said, found) : []
    if (kind === 'order') for (const row of found) if (!own.includes(row)) orders.add(row)
    for (const row of new Set(own)) forbids.push({ row, words: said, span: [start, end] })
  }
  return { forbids, orders: [...orders] }
}
