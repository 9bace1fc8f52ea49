// What an earlier process of this agent left in the ledger for a session. A node that was handed to a
// device and never ended is `unknown`, and is never called again; one that was only announced did not
// move.
import type { Outcome } from '../protocol/tokens.ts'
import type { DeviceRest } from '../protocol/tokens.ts'
import type { StopPlace } from '../protocol/stop-order.ts'
import type { PinnedTool } from '../protocol/tool-row.ts'
import type { MovedTool, NodeRow } from './ledger.ts'
import type { NodeEnd, Over, PendingReport } from './machine-types.ts'

/** How a row of a dead process ends; null when it needs no report. */
export function orphanedEnd(row: NodeRow): NodeEnd | null {
  const { nid } = row
  const base = { nid, reason: 'agent_restarted', result_digest: null }
  if (row.state === 'actuated') return { ...base, outcome: 'unknown', actuated: true }
  if (row.state === 'started') return { ...base, outcome: 'failed', actuated: false }
  return null
}

/** All of them, with their rows. */
export function orphansOf(rows: readonly NodeRow[]): { row: NodeRow; end: NodeEnd }[] {
  return rows.flatMap((row) => {
    const end = orphanedEnd(row)
    return end === null ? [] : [{ row, end }]
  })
}

/** The rows as they will be once the orphaned ones have ended: what a stop goes by before that is written. */
export function asEnded(
  rows: readonly NodeRow[],
  orphaned: readonly { readonly end: NodeEnd }[],
): NodeRow[] {
  const ends = new Map(orphaned.map(({ end }) => [end.nid, end.outcome]))
  return rows.map((row) => ({ ...row, outcome: ends.get(row.nid) ?? row.outcome }))
}

export type Left = {
  readonly reports: PendingReport[]
  readonly outcomes: Map<string, Outcome>
  readonly over: Over | null
}

/** The state that the ledger implies, once every orphaned row has its report. */
export function leftBehind(rows: readonly NodeRow[]): Left {
  const reports: PendingReport[] = []
  const outcomes = new Map<string, Outcome>()
  let over: Over | null = null
  for (const row of rows) {
    if (row.state !== 'ended' || row.outcome === null || row.report === null) continue
    outcomes.set(row.nid, row.outcome)
    if (!row.acked) reports.push({ nid: row.nid, text: row.report, actuated: row.actuated })
    const goesOn = row.outcome === 'succeeded' || row.outcome === 'skipped'
    if (!goesOn && (row.actuated || row.acked)) {
      over = { reason: `node_${row.outcome}`, completed: false, told: true }
    }
  }
  return { reports, outcomes, over }
}

export type StopCall = { readonly server: string } & NonNullable<PinnedTool['safe_stop']> & {
    /** Its turn among the safe-stops of the cell; none: at once. */
    readonly place?: StopPlace | null | undefined
  }

/** Two calls that bring the same device to rest have the same key. */
export function stopKey(stop: Pick<StopCall, 'server' | 'mcp_tool' | 'args'>): string {
  return JSON.stringify([stop.server, stop.mcp_tool, stop.args])
}

function stopOf({ server, safe_stop: stop, stop_place: place }: MovedTool): StopCall | null {
  return stop === null ? null : { server, ...stop, place }
}

/** The safe-stops of everything that was moved, whether they will be called or not. */
export function movedKeys(rows: readonly NodeRow[]): Set<string> {
  const stops = rows.flatMap(({ actuated, tool }) => (actuated ? (stopOf(tool) ?? []) : []))
  return new Set(stops.map((stop) => stopKey(stop)))
}

/** Devices that this session has moved and that are not asked to stop, with how they stand. */
export function unaskedOf(rows: readonly NodeRow[]): DeviceRest[] {
  const out: DeviceRest[] = []
  // The device is its server: one that is asked to stop answers for every tool that moved it.
  const asked = new Set(safeStopsOf(rows).map(({ server }) => server))
  for (const { actuated, outcome, tool } of rows) {
    if (!actuated) continue
    const { server, safe_stop: stop, orphan_policy: policy } = tool
    const over = outcome === 'succeeded' || outcome === 'failed'
    if (outcome === 'unknown' && policy === 'finish') {
      out.push({ server, state: 'unreachable', detail: 'left_to_finish' })
    } else if (stop === null && asked.has(server)) {
      continue
    } else if (stop === null && over) {
      // Its call has returned: it was seen at rest, as far as anybody can say.
      out.push({ server, state: 'at_rest', detail: null })
    } else if (stop === null) {
      out.push({ server, state: 'unreachable', detail: 'no_safe_stop' })
    }
  }
  return out
}

/** The safe-stops of everything that this session has moved, each once. */
export function safeStopsOf(rows: readonly NodeRow[]): StopCall[] {
  const out = new Map<string, StopCall>()
  for (const row of rows) {
    const stop = stopOf(row.tool)
    if (row.actuated && stop !== null) out.set(stopKey(stop), stop)
  }
  for (const row of rows) {
    // A tool that must finish is finishing by itself: its device is left alone.
    const stop = stopOf(row.tool)
    const finishing = row.outcome === 'unknown' && row.tool.orphan_policy === 'finish'
    if (finishing && stop !== null) out.delete(stopKey(stop))
  }
  // The first of the sequence first: it is called in this tick.
  return [...out.values()].sort((a, b) => (a.place?.group ?? -1) - (b.place?.group ?? -1))
}
