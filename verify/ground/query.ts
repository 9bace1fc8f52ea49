// A step's text as a full-text question. Common words cost time and say nothing, so the rarest
// terms are kept within a budget of postings; concepts ride along in their own column.
import type { TermRow } from './port.ts'
import { concepts, tokens } from './text.ts'

/** Terms and concepts per question: enough for a sentence. */
const termsMax = 14
const conceptsMax = 8

/**
 * Postings one call to the store may touch over all its questions. A posting costs about a
 * microsecond, so this bounds the call to some ten milliseconds whatever the plan says.
 */
export const postingsMax = 6_000
/** A text asked alone, with its clauses, may touch more: there is nothing else to wait for. */
const postingsAloneMax = 8_000
const aloneMax = 4

/** All search terms of a text: what the statistics are asked for. */
export function termsOf(text: string): string[] {
  return [...new Set([...tokens(text), ...concepts(text)])]
}

/** The rarest terms whose postings fit the budget; the very rarest is always kept. */
function rarest(
  list: readonly string[],
  terms: ReadonlyMap<string, TermRow>,
  max: { readonly terms: number; readonly postings: number },
): string[] {
  const rows = list.flatMap((t) => terms.get(t) ?? []).toSorted((a, b) => a.df - b.df)
  const kept: string[] = []
  let postings = 0
  for (const row of rows.slice(0, max.terms)) {
    if (kept.length > 0 && postings + row.df > max.postings) break
    postings += row.df
    kept.push(row.term)
  }
  return kept
}

/**
 * FTS5 expression for a text, or null when the index knows none of its words. Terms are quoted
 * alphanumerics out of {@link tokens}, so nothing of the plan reaches the query language.
 */
export function ftsMatch(
  text: string,
  terms: ReadonlyMap<string, TermRow>,
  questions = 1,
): string | null {
  const total = questions <= aloneMax ? postingsAloneMax : postingsMax
  const share = Math.floor(total / questions)
  const postings = Math.floor(share / 2)
  const plain = rarest([...new Set(tokens(text))], terms, { terms: termsMax, postings })
  const wide = rarest(concepts(text), terms, { terms: conceptsMax, postings })
  const parts: string[] = []
  if (plain.length > 0) {
    parts.push(`{name alias near txt}: (${plain.map((t) => `"${t}"`).join(' OR ')})`)
  }
  if (wide.length > 0) parts.push(`con: (${wide.map((t) => `"${t}"`).join(' OR ')})`)
  return parts.length === 0 ? null : parts.join(' OR ')
}
