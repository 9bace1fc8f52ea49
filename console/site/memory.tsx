// What the site remembers of refused plans and failed runs: searched here, settled with a reason by reviewers.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useAct, type Act } from '../state/act.ts'
import { addressOf } from '../state/address.ts'
import { usePolled } from '../state/polled.ts'
import { draftOf } from '../state/drafts.ts'
import { me } from '../state/who.ts'
import { findingCodes } from '../../protocol/finding-codes.ts'
import { Shown } from '../text/shown.tsx'
import { ago, until } from '../text/times.ts'
import { siteApi, type Memory } from './api.ts'

const readEveryMs = 15_000
/** Shown at once; the search reaches all that were read. */
const shownMax = 100

const titles: Readonly<Record<string, { title: string }>> = findingCodes

/** Everything of a memory that a search may hit. */
function textOf(one: Memory): string {
  const codes = one.codes.map((code) => `${code} ${titles[code]?.title ?? ''}`)
  return [
    one.event,
    one.plan,
    one.planner,
    one.basis,
    one.resolved_by,
    one.resolved_reason,
    ...codes,
  ]
    .join(' ')
    .toLowerCase()
}

type Props = { one: Memory; act: Act; again: () => Promise<void> }

function Settle({ one, act, again }: Props): VNode {
  const text = draftOf(`settle.${one.id}`)
  const send = async (): Promise<void> => {
    const done = await act.run(
      () => siteApi.settle(one.id, text.value),
      () => 'Settled: it holds up no further plan.',
    )
    if (done) text.value = ''
    await again()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <label for={`settle-${one.id}`}>Why it may be settled</label>
      <input
        id={`settle-${one.id}`}
        required
        autocomplete="off"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
      />
      <p class="actions">
        <button type="submit" disabled={act.busy.value}>
          Settle
        </button>
      </p>
    </form>
  )
}

function Row({ one, act, again }: Props): VNode {
  const settled = one.resolved_ms !== null
  return (
    <li class="card">
      <h2>
        <a href={addressOf.plan(one.plan)}>
          {one.event.replaceAll('_', ' ')}, {ago(one.at_ms)}
        </a>
      </h2>
      <p>
        {one.codes.length === 0 ? null : (
          <>
            <Shown text={one.codes.map((code) => titles[code]?.title ?? code).join(' ')} />{' '}
          </>
        )}
        <span class="soft">
          <Shown
            text={`Of ${one.planner}; matched by ${one.basis}; forgotten ${until(one.expires_ms)}.`}
          />
        </span>
      </p>
      {settled ? (
        <p>
          Settled by <Shown text={`${one.resolved_by ?? ''}: ${one.resolved_reason ?? ''}`} />
        </p>
      ) : me.value?.role === 'reviewer' && one.kind === 'failure' ? (
        <Settle one={one} act={act} again={again} />
      ) : null}
    </li>
  )
}

export function MemoryPage(): VNode {
  const act = useAct()
  const text = useSignal('')
  const read = usePolled('memory', siteApi.memories, readEveryMs)
  const all = read.value.value ?? []
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean)
  const hits = all.filter((one) => words.every((word) => textOf(one).includes(word)))
  return (
    <section>
      <h1>Memory</h1>
      <p>
        A plan that is like one of these waits for a person. A memory goes by itself, or when a
        reviewer settles it.
      </p>
      {read.trouble.value === '' ? null : <p role="alert">{read.trouble.value}</p>}
      <label for="find-memory">Find</label>
      <input
        id="find-memory"
        type="search"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
      />
      <p role="status">
        {act.notice.value === '' ? `${hits.length} of ${all.length}.` : act.notice.value}
      </p>
      <ul class="cards">
        {hits.slice(0, shownMax).map((one) => (
          <Row key={one.id} one={one} act={act} again={read.again} />
        ))}
      </ul>
      {hits.length > shownMax ? (
        <p>The newest {shownMax} are shown: search for older ones.</p>
      ) : null}
    </section>
  )
}
