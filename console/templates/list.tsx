// Standing approvals of the site: what runs without being asked about, how much of it is used, and what is
// out of force.
import type { VNode } from 'preact'
import { addressOf } from '../state/address.ts'
import { usePolled } from '../state/polled.ts'
import { me } from '../state/who.ts'
import { Shown } from '../text/shown.tsx'
import { until } from '../text/times.ts'
import { templatesApi, type TemplateRow } from './api.ts'
import { standingInWords, withinInWords } from './words.ts'

/** Each row is an object that the gateway asks. */
const readEveryMs = 10_000

function Row({ row }: { row: TemplateRow }): VNode {
  const holes = row.holes.map((hole) => `${hole.name} ${withinInWords(hole)}`)
  return (
    <li class={row.state === 'suspended' ? 'card risk-3' : 'card'}>
      <h2>
        <a href={addressOf.template(row.template)}>
          <Shown text={row.goal} />
        </a>
      </h2>
      <p>
        <strong class={row.in_force ? 'badge' : 'badge risk-2'}>{standingInWords(row)}</strong>{' '}
        {row.used} of {row.runs} runs used; time {until(row.until_ms)}.
      </p>
      <p class="soft">
        <Shown
          text={`For ${row.planners.join(', ')}. ${
            holes.length === 0 ? 'Nothing may differ.' : `May differ: ${holes.join('; ')}.`
          }`}
        />
      </p>
    </li>
  )
}

export function TemplatesPage(): VNode {
  const read = usePolled('templates', templatesApi.list, readEveryMs)
  const rows = read.value.value
  return (
    <section>
      <h1>Standing approvals</h1>
      <p>
        Runs inside of what people signed are accepted without asking anybody. Everything else waits
        for a person.
        {me.value?.role === 'reviewer'
          ? ' A new one is proposed on the page of an accepted plan.'
          : ''}
      </p>
      {read.trouble.value === '' ? null : <p role="alert">{read.trouble.value}</p>}
      {rows === null ? (
        read.trouble.value === '' ? (
          <p role="status">Reading …</p>
        ) : null
      ) : rows.length === 0 ? (
        <p>There is none.</p>
      ) : (
        <ul class="cards">
          {rows.map((row) => (
            <Row key={row.template} row={row} />
          ))}
        </ul>
      )}
    </section>
  )
}
