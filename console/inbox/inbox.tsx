// What waits for a person: goal first, why it waits, what would move, whose it is, how long it has.
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { replaceAddress } from '../state/address.ts'
import { readInbox, rows, trouble } from '../state/inbox.ts'
import { isLive } from '../state/live.ts'
import { RowList } from './list.tsx'
import { filterOf, queryOf, riskWords, shownRows, type Filter } from './rows.ts'

function Filters({ filter }: { filter: Filter }): VNode {
  const set = (change: Partial<Filter>): void =>
    replaceAddress(`#/inbox${queryOf({ ...filter, ...change })}`)
  return (
    <form role="search" class="filters" onSubmit={(event) => event.preventDefault()}>
      <div>
        <label for="find">Find</label>
        <input
          id="find"
          type="search"
          value={filter.text}
          onInput={(event) => set({ text: event.currentTarget.value })}
        />
      </div>
      <div>
        <label for="risk">Risk</label>
        <select
          id="risk"
          value={String(filter.risk)}
          onChange={(event) => set({ risk: Number(event.currentTarget.value) })}
        >
          <option value="0">all</option>
          {[1, 2, 3].map((risk) => (
            <option key={risk} value={String(risk)}>
              {riskWords[risk]}
              {risk < 3 ? ' or more' : ''}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="order">Order</label>
        <select
          id="order"
          value={filter.order}
          onChange={(event) => set({ order: event.currentTarget.value as Filter['order'] })}
        >
          <option value="risk">riskiest first</option>
          <option value="due">due first</option>
          <option value="new">newest first</option>
        </select>
      </div>
    </form>
  )
}

export function Inbox({ query }: { query: URLSearchParams }): VNode {
  const filter = filterOf(query)
  useEffect(() => void readInbox(), [])
  const all = rows.value
  const shown = all === null ? [] : shownRows(all, filter)
  return (
    <section aria-labelledby="inbox">
      <h1 id="inbox">Plans that wait for a person</h1>
      <Filters filter={filter} />
      <p role="status">
        {all === null ? 'Reading …' : `${shown.length} of ${all.length}.`}{' '}
        {isLive.value ? 'Live.' : 'Not live: connecting …'}
      </p>
      {trouble.value === null ? null : <p role="alert">{trouble.value}</p>}
      {all !== null && all.length === 0 ? (
        <p>Nothing waits. New plans appear by themselves.</p>
      ) : null}
      {shown.length === 0 ? null : <RowList rows={shown} />}
    </section>
  )
}
