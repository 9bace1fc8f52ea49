// One plan of the inbox on a few lines; all of it leads to its page.
import type { VNode } from 'preact'
import type { ReviewRow } from '../api.ts'
import { addressOf } from '../state/address.ts'
import { Shown } from '../text/shown.tsx'
import { ago, until } from '../text/times.ts'
import { Assignee } from './assignee.tsx'
import { riskOf, riskWords } from './rows.ts'

export function Row({ row }: { row: ReviewRow }): VNode {
  const { summary } = row
  const risk = riskOf(row)
  const given = summary?.approvals ?? 0
  const required = summary?.approvals_required ?? 1
  return (
    <article class={`row risk-${risk}`}>
      <h2>
        <a href={addressOf.plan(row.plan)}>
          <Shown text={summary?.goal ?? `Plan ${row.plan}`} />
        </a>
      </h2>
      {summary === null ? null : (
        <>
          <p>
            <Shown text={summary.why} />
          </p>
          <p class="soft">
            <Shown text={summary.what} />
          </p>
        </>
      )}
      <p class="soft">
        <span class={`badge risk-${risk}`}>{riskWords[risk]}</span>{' '}
        {required > 1 ? (
          <strong>
            {given} of {required} accepted.{' '}
          </strong>
        ) : null}
        <Shown text={`${row.planner} (${row.owner})`} />
        {row.concern === null || row.concern === 'none' ? '' : ` · ${row.concern}`} ·{' '}
        {ago(row.received_ms)}
        {row.expires_ms === null ? '' : ` · due ${until(row.expires_ms)}`}
      </p>
      <Assignee row={row} />
    </article>
  )
}
