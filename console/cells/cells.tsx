// All cells of the site at a glance; each has a page of its own.
import type { VNode } from 'preact'
import { api } from '../api.ts'
import { addressOf } from '../state/address.ts'
import { usePolled } from '../state/polled.ts'
import { moment } from '../text/times.ts'
import { isArmed, stateOf } from './words.ts'

export function CellsPage(): VNode {
  const cells = usePolled('cells', () => api.cells())
  const items = cells.value.value?.items ?? null
  return (
    <section>
      <h1>Cells</h1>
      <p role="status">As of {moment(cells.as_of_ms.value)}.</p>
      {cells.trouble.value === '' ? null : <p role="alert">{cells.trouble.value}</p>}
      {items !== null && items.length === 0 ? <p>No agent is enrolled yet.</p> : null}
      <ul class="cards">
        {(items ?? []).map((cell) => (
          <li key={cell.cell} class={cell.needs_clearance ? 'card risk-3' : 'card'}>
            <h2>
              <a href={addressOf.cell(cell.cell)}>{cell.cell}</a>
            </h2>
            <p class={isArmed(cell) ? '' : 'soft'}>State: {stateOf(cell)}.</p>
            <p>
              {cell.session === null ? (
                'Nothing runs.'
              ) : (
                <a href={addressOf.session(cell.session)}>A plan runs</a>
              )}{' '}
              Waiting: {cell.queued}.
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
