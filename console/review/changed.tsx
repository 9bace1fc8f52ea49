// Why an accepted plan came back: what in the cell is no longer as it was judged over. Accepting it again
// means these differences.
import type { VNode } from 'preact'
import { changedInWords } from '../../protocol/changed-words.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Packet } from '../../protocol/records.ts'
import { Shown } from '../text/shown.tsx'

export function Changed({ plan, packet }: { plan: Plan; packet: Packet | null }): VNode | null {
  const changed = packet?.trace?.changed ?? []
  if (changed.length === 0) return null
  return (
    <section class="part" role="alert">
      <h2>The cell has changed since this was accepted</h2>
      <ul>
        {changed.map((facts, i) => (
          <li key={i}>
            <Shown text={changedInWords(plan, facts)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
