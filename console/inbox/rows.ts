// Which plans a reviewer looks for, and in which order: the riskiest first, then those that run out first.
// Pure: the filter is a part of the address, so that a view can be kept as a bookmark.
import type { ReviewRow } from '../api.ts'

export type Filter = {
  text: string
  /** Least risk shown, 0 to 3. */
  risk: number
  order: 'risk' | 'due' | 'new'
}

export function filterOf(query: URLSearchParams): Filter {
  const order = query.get('order')
  const risk = Number(query.get('risk') ?? '0')
  return {
    text: query.get('q') ?? '',
    risk: [1, 2, 3].includes(risk) ? risk : 0,
    order: order === 'due' || order === 'new' ? order : 'risk',
  }
}

export function queryOf({ text, risk, order }: Filter): string {
  const query = new URLSearchParams()
  if (text !== '') query.set('q', text)
  if (risk > 0) query.set('risk', String(risk))
  if (order !== 'risk') query.set('order', order)
  const search = query.toString()
  return search === '' ? '' : `?${search}`
}

/** A plan that is not summed up yet is treated as risky: unknown is never safe. */
export const riskOf = (row: ReviewRow): number => row.summary?.risk ?? 3

export const riskWords = [
  'reads only',
  'moves something',
  'something is unknown',
  'a rule is touched',
]

const due = (row: ReviewRow): number => row.expires_ms ?? Infinity

/** The rows that match every word of the filter, in its order. */
export function shownRows(rows: readonly ReviewRow[], filter: Filter): ReviewRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = rows.filter((row) => {
    if (riskOf(row) < filter.risk) return false
    const { goal = '', what = '', why = '' } = row.summary ?? {}
    const { plan, planner, owner, concern, assignee } = row
    const told = [goal, what, why, plan, planner, owner, concern ?? '', assignee ?? '']
    const text = told.join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const compare: Record<Filter['order'], (a: ReviewRow, b: ReviewRow) => number> = {
    risk: (a, b) => riskOf(b) - riskOf(a) || due(a) - due(b) || a.received_ms - b.received_ms,
    due: (a, b) => due(a) - due(b) || riskOf(b) - riskOf(a),
    new: (a, b) => b.received_ms - a.received_ms,
  }
  return found.toSorted(compare[filter.order])
}
