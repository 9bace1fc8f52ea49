// What waits for a person, oldest first.
import { api, type ReviewRow } from '../api.ts'
import { button, element, table, tag, time } from '../dom.ts'
import type { Page } from '../main.ts'

function line(page: Page, row: ReviewRow) {
  return [
    button(row.plan, () => page.go({ at: 'packet', plan: row.plan })),
    row.planner,
    row.concern ?? '–',
    row.reasons.join(', '),
    time(row.received_ms),
    time(row.expires_ms),
  ]
}

export async function reviewsView(page: Page): Promise<HTMLElement> {
  const rows: ReviewRow[] = []
  let next: string | null = null
  do {
    const answer = await api.reviews(next)
    rows.push(...answer.items)
    next = answer.next
  } while (next !== null && rows.length < 1_000)
  const columns = ['Plan', 'Planner', 'Concern', 'Why it waits', 'Received', 'Expires']
  return tag(
    'section',
    tag('h2', 'Plans that wait for a person'),
    table(
      'Escalated plans',
      columns,
      rows.map((row) => line(page, row)),
    ),
    element(
      'div',
      { attributes: { class: 'actions' } },
      button('Refresh', () => page.go({ at: 'reviews' })),
    ),
  )
}
