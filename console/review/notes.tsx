// What was found, in words, at its place.
import type { VNode } from 'preact'
import type { Plan } from '../../protocol/plan.ts'
import { valueAt } from '../../protocol/pointer.ts'
import { Shown } from '../text/shown.tsx'
import type { Note } from './places.ts'

const weights: Record<Note['weight'], string> = {
  reject: 'Stops it',
  escalate: 'For you',
  told: 'Told',
}

function Quote({ plan, note }: { plan: Plan; note: Note }): VNode | null {
  if (note.span === null) return null
  const text = valueAt(plan, note.at)
  return typeof text === 'string' ? (
    <blockquote>
      <Shown text={text} span={note.span} />
    </blockquote>
  ) : null
}

export function Notes({ plan, notes }: { plan: Plan; notes: readonly Note[] }): VNode | null {
  if (notes.length === 0) return null
  return (
    <ul class="notes">
      {notes.map((note, i) => (
        <li key={i} class={`note ${note.weight}`}>
          <strong>{weights[note.weight]}</strong> · {note.from}: <Shown text={note.text} />
          {note.facts === '' ? null : (
            <span class="soft">
              {' '}
              <Shown text={note.facts} />
            </span>
          )}{' '}
          <code class="soft">{note.code}</code>
          {note.cites.length === 0 ? null : (
            <span class="soft"> Rests on {note.cites.join(', ')}.</span>
          )}
          <Quote plan={plan} note={note} />
        </li>
      ))}
    </ul>
  )
}
