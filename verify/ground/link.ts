// Entity link: phrases of a text that the gazetteer knows, longest first, without overlap.
import type { NameRow } from './port.ts'
import { runs, stems } from './text.ts'

/** Longest phrase, in words, that the gazetteer holds. */
export const phraseWordsMax = 6

/** Phrases to look up for a text. */
export const phrasesOf = (text: string): string[] => runs(text, phraseWordsMax)

/** Nodes that one phrase may stand for; more would be no link but a search. */
const perPhraseMax = 3

/** Rids that the text names, in order of appearance. */
export function linkText(text: string, names: ReadonlyMap<string, readonly NameRow[]>): number[] {
  const list = stems(text)
  const found: number[] = []
  for (let i = 0; i < list.length;) {
    const hit = longestAt(list, i, names)
    if (!hit) {
      i += 1
      continue
    }
    for (const row of hit.rows) if (!found.includes(row.rid)) found.push(row.rid)
    i += hit.words
  }
  return found
}

function longestAt(
  list: readonly string[],
  at: number,
  names: ReadonlyMap<string, readonly NameRow[]>,
): { rows: readonly NameRow[]; words: number } | null {
  for (let n = Math.min(phraseWordsMax, list.length - at); n >= 1; n--) {
    const rows = names.get(list.slice(at, at + n).join(' '))
    if (!rows || rows.length === 0) continue
    const best = Math.min(...rows.map((r) => r.rank))
    return { rows: rows.filter((r) => r.rank === best).slice(0, perPhraseMax), words: n }
  }
  return null
}

/** Rows by phrase, best rank first. */
export function namesByTerm(rows: readonly NameRow[]): Map<string, NameRow[]> {
  const all = new Map<string, NameRow[]>()
  for (const row of rows) all.set(row.term, [...(all.get(row.term) ?? []), row])
  for (const list of all.values()) list.sort((a, b) => a.rank - b.rank || a.rid - b.rid)
  return all
}
