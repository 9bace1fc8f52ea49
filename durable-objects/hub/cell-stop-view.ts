// Stops and drills of whole cells as people are told of them, and what they say of the rest of each device server.
import { limits } from '../../protocol/limits.ts'
import type { CellStopStatus, StopState } from '../../protocol/status.ts'
import type { StopAnswerClaims, StopCallState, StopKind } from '../../protocol/stop-order.ts'
import type { CellStop } from '../../contain/stop-sequence.ts'
import { cellStopsOf, type CellStopRow } from './cell-stops.ts'
import type { HubStore } from './store.ts'

/** How one call stands; what a group of the cell names and its agent does not have is not reached. */
export function standing(
  { call }: CellStop,
  answer: StopAnswerClaims['calls'][number] | undefined,
): StopCallState {
  if (answer === undefined) return 'pending'
  return answer.state === 'absent' && call.place !== null ? 'unreachable' : answer.state
}

/** Device servers of which that is known, and those of which it is not. */
export function restOfCellStop({ calls, told }: CellStopRow): {
  moving: string[]
  at_rest: string[]
} {
  const named = calls.map((one, i) => ({
    server: one.call.server,
    state: standing(one, told[i]),
  }))
  const failed = new Set(
    named.flatMap(({ server, state }) =>
      state === 'refused' || state === 'unreachable' ? [server] : [],
    ),
  )
  const rests = named.filter(({ server, state }) => state === 'at_rest' && !failed.has(server))
  return { moving: [...failed].sort(), at_rest: [...new Set(rests.map(({ server }) => server))] }
}

/** Device servers that were asked and have not confirmed: whatever they do, it is not known. */
export function askedNotResting({ calls, told }: CellStopRow): string[] {
  const open = calls.filter((_one, i) => {
    const answer = told[i]
    return answer !== undefined && answer.asked_ms !== null && answer.state !== 'at_rest'
  })
  return [...new Set(open.map(({ call }) => call.server))].sort()
}

const words: Record<CellStopRow['state'], StopState> = {
  wanted: 'not_reached_yet',
  asked: 'unconfirmed_at_device',
  stopped: 'stopped',
  dropped: 'unconfirmed_at_device',
}

const between = (from: number | null, to: number | null): number | null =>
  from === null || to === null ? null : Math.max(0, to - from)

/** As people are told of it. Times of devices are of the agent's own clock, each compared with itself. */
function cellStopView(row: CellStopRow): CellStopStatus {
  const { stop, kind, by, at_ms, ended_ms, calls, told, why } = row
  const first = Math.min(...told.map(({ asked_ms }) => asked_ms ?? Infinity))
  const began = Number.isFinite(first) ? first : null
  return {
    stop,
    kind,
    by,
    at_ms,
    state: words[row.state],
    why,
    ended_ms,
    calls: calls.map((one, i) => {
      const { call, devices } = one
      const answer = told[i]
      const asked_ms = answer?.asked_ms ?? null
      return {
        server: call.server,
        tool: call.mcp_tool,
        devices: [...devices],
        group: call.place?.group ?? null,
        state: standing(one, answer),
        detail: answer?.detail?.slice(0, limits.restDetailCharsMax) ?? null,
        after_ms: between(began, asked_ms),
        took_ms: between(asked_ms, answer?.rested_ms ?? null),
      }
    }),
  }
}

/** The latest stop, the latest drill, and when a drill last ended as it should. */
export function cellStopViews(
  store: HubStore,
  cell: string,
): { cell_stop: CellStopStatus | null; drill: CellStopStatus | null; last_drill: string | null } {
  const rows = cellStopsOf(store, cell)
  const latest = (kind: StopKind): CellStopStatus | null => {
    const row = rows.findLast((one) => one.kind === kind)
    return row === undefined ? null : cellStopView(row)
  }
  const good = rows.findLast(({ kind, state }) => kind === 'drill' && state === 'stopped')
  const stated = store.registry()?.registry.stops.find((one) => one.cell === cell)?.last_drill
  const last_drill =
    good === undefined ? (stated ?? null) : new Date(good.ended_ms ?? good.at_ms).toISOString()
  return { cell_stop: latest('stop'), drill: latest('drill'), last_drill }
}
