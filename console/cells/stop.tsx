// The stop: one button, always in view, one press. It tells where the stop has arrived, from the answers
// of the gateway alone.
import type { VNode } from 'preact'
import type { CellStatus } from '../../protocol/status.ts'
import { api } from '../api.ts'
import { useAct } from '../state/act.ts'
import { stopInWords } from './words.ts'

function arrived(cell: CellStatus): string {
  if (cell.stops.length > 0) return cell.stops.map(stopInWords).join(' ')
  return cell.session === null
    ? 'Stopped: nothing runs here, and the cell is not armed.'
    : 'Asked: the session has not ended yet.'
}

export function StopBar({ cell, again }: { cell: CellStatus; again: () => Promise<void> }): VNode {
  const act = useAct()
  return (
    <section class="bar" aria-label="Stop">
      <p role="status" class="notice">
        {act.notice.value}
        {cell.stops.map((stop) => (
          <span key={stop.session}> {stopInWords(stop)}</span>
        ))}
      </p>
      <button
        type="button"
        class="stop"
        onClick={() => void act.run(() => api.stop(cell.cell), arrived).then(again)}
      >
        Stop {cell.cell} now
      </button>
    </section>
  )
}
