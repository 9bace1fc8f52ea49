// The trail of a site, a plan, a run or a standing approval: who did what, newest first, to be searched,
// checked and saved.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AuditEntry } from '../../protocol/audit.ts'
import { refusalInWords } from '../api.ts'
import { useAct } from '../state/act.ts'
import { addressOf, type TrailOf } from '../state/address.ts'
import { hasEnded, me } from '../state/who.ts'
import { Shown } from '../text/shown.tsx'
import { moment } from '../text/times.ts'
import { chainInWords, entriesMax, found, readTrail, save } from './read.ts'

/** Shown at once; the search reaches all. */
const shownMax = 200

/** Facts that name what has a page of its own. */
function pageOf(name: string, value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (name === 'plan') return addressOf.plan(value)
  if (name === 'session') return addressOf.session(value)
  if (name === 'template') return addressOf.template(value)
  return name === 'cell' ? addressOf.cell(value) : null
}

function Fact({ name, value }: { name: string; value: unknown }): VNode {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const page = pageOf(name, value)
  return (
    <li>
      {name.replaceAll('_', ' ')}:{' '}
      {page === null ? (
        <Shown text={text} />
      ) : (
        <a href={page}>
          <Shown text={text} />
        </a>
      )}
    </li>
  )
}

function Entry({ entry }: { entry: AuditEntry }): VNode {
  const facts = Object.entries(entry.facts)
  return (
    <li class="card">
      <strong>{entry.event.replaceAll('_', ' ')}</strong>, <Shown text={entry.actor} />,{' '}
      {moment(entry.at_ms)} <span class="soft">#{entry.seq}</span>
      {facts.length === 0 ? null : (
        <ul class="soft">
          {facts.map(([name, value]) => (
            <Fact key={name} name={name} value={value} />
          ))}
        </ul>
      )}
    </li>
  )
}

export function Trail({ of, id }: { of: TrailOf; id: string }): VNode {
  const items = useSignal<AuditEntry[] | null>(null)
  const trouble = useSignal('')
  const text = useSignal('')
  const act = useAct()
  const isEnded = hasEnded.value
  useEffect(() => {
    if (isEnded) return
    readTrail(of, id).then(
      (all) => (items.value = all),
      (cause: unknown) => (trouble.value = refusalInWords(cause)),
    )
  }, [of, id, isEnded])
  if (trouble.value !== '') return <p role="alert">{trouble.value}</p>
  const all = items.value
  if (all === null) return <p role="status">Reading …</p>
  const hits = found(all, text.value)
  return (
    <>
      <div class="filters">
        <div>
          <label for={`find-${of}`}>Find in the trail</label>
          <input
            id={`find-${of}`}
            type="search"
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value
            }}
          />
        </div>
        <button type="button" onClick={() => save(`trail-${of}-${id}.ndjson`, hits)}>
          Save these {hits.length}
        </button>
        <button
          type="button"
          disabled={act.busy.value}
          onClick={() =>
            void act.run(
              () => chainInWords(all),
              (words) => words,
            )
          }
        >
          Check the chain
        </button>
      </div>
      <p role="status">
        {act.notice.value === ''
          ? `${hits.length} of ${all.length}${all.length >= entriesMax ? ' (the trail is longer)' : ''}.`
          : act.notice.value}
      </p>
      <ol class="cards" reversed>
        {hits
          .toReversed()
          .slice(0, shownMax)
          .map((entry) => (
            <Entry key={entry.seq} entry={entry} />
          ))}
      </ol>
      {hits.length > shownMax ? (
        <p>The newest {shownMax} are shown: search for older ones.</p>
      ) : null}
    </>
  )
}

const titles: Record<TrailOf, string> = {
  site: 'Trail of the site',
  plans: 'Trail of a plan',
  sessions: 'Trail of a run',
  templates: 'Trail of a standing approval',
}

export function TrailPage({ of, id }: { of: TrailOf; id: string }): VNode {
  const name = of === 'site' ? (me.value?.site ?? '') : id
  return (
    <section>
      <h1>{titles[of]}</h1>
      <p>{name}</p>
      <Trail key={`${of}/${name}`} of={of} id={name} />
    </section>
  )
}
