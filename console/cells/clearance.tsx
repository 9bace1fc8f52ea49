// Clearing a cell after an abnormal end: which step moved, which devices answered, what is not known; and
// the question in which state each of them was found.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { CellStatus } from '../../protocol/status.ts'
import { api, type Run } from '../api.ts'
import { draftOf } from '../state/drafts.ts'
import { useAct } from '../state/act.ts'
import { AfterEnd } from './session.tsx'

/** What a person has to have looked at: the devices of the run that ended, or those that do not rest. */
function lookAt(cell: CellStatus, run: Run | null): string[] {
  return [...new Set([...cell.not_at_rest, ...(run?.devices ?? []).map(({ server }) => server)])]
}

export function Clearance(props: {
  cell: CellStatus
  session: string | null
  again: () => Promise<void>
}): VNode {
  const { cell, session, again } = props
  const act = useAct()
  const run = useSignal<Run | null>(null)
  const note = draftOf(`clear.${cell.cell}`)
  useEffect(() => {
    if (session !== null)
      api.run(session).then(
        (answer) => (run.value = answer),
        () => undefined,
      )
  }, [session, cell.change])
  const devices = lookAt(cell, run.value)
  const found = new Map(devices.map((name) => [name, draftOf(`clear.${cell.cell}.${name}`)]))
  const missing = [...found].filter(([, draft]) => draft.value.trim() === '').map(([name]) => name)
  const clear = async (): Promise<void> => {
    if (missing.length > 0 || note.value.trim() === '') {
      act.notice.value =
        missing.length > 0
          ? `Say in which state you found: ${missing.join(', ')}.`
          : 'Write down what you found in the cell first.'
      return
    }
    const lines = [...found].map(([name, draft]) => `${name}: ${draft.value.trim()}`)
    const text = [note.value.trim(), ...lines].join('\n')
    const done = await act.run(
      () => api.clear(cell, text),
      () => 'Cleared. It is not armed.',
    )
    if (done) for (const draft of [note, ...found.values()]) draft.value = ''
    await again()
  }
  return (
    <section aria-labelledby="clearance">
      <h2 id="clearance">Clearance</h2>
      {run.value === null ? null : <AfterEnd run={run.value} />}
      {[...found].map(([name, draft]) => (
        <div key={name}>
          <label for={`found-${name}`}>State in which you found {name}</label>
          <input
            id={`found-${name}`}
            maxLength={300}
            value={draft.value}
            onInput={(event) => {
              draft.value = event.currentTarget.value
            }}
          />
        </div>
      ))}
      <label for="clear-note">What you found in the cell</label>
      <textarea
        id="clear-note"
        rows={2}
        maxLength={2000}
        value={note.value}
        onInput={(event) => {
          note.value = event.currentTarget.value
        }}
      />
      <p role="status" class="notice">
        {act.notice.value}
      </p>
      <p class="actions">
        <button type="button" class="primary" onClick={() => void clear()}>
          Clear {cell.cell}
        </button>
      </p>
    </section>
  )
}
