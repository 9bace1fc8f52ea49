// What a stop of a cell may call now: its own safe-stops, without what a run of another cell holds. More than one
// order can carry is cut where nobody waits for it, and a stop that was cut is never all of the cell.
import {
  cellStops,
  withinOrder,
  type CellStop,
  type OrderedStops,
} from '../../contain/stop-sequence.ts'
import type { HubStore } from './store.ts'

/** Devices and addresses that a run of another cell holds: not for this cell to stop. */
function heldElsewhere(store: HubStore, cell: string): ReadonlySet<string> {
  const rows = store.sql
    .exec<{ thing: string }>('SELECT thing FROM shared_holds WHERE cell <> ?', cell)
    .toArray()
  return new Set(rows.map(({ thing }) => thing))
}

const agentOf = (store: HubStore, cell: string) =>
  store.agents().find((row) => row.cell === cell && !row.revoked)

/** The calls that touch nothing which a run of another cell holds now. */
export function notHeldElsewhere(
  store: HubStore,
  cell: string,
  calls: readonly CellStop[],
): CellStop[] {
  const held = heldElsewhere(store, cell)
  if (held.size === 0) return [...calls]
  const addresses = Object.entries(agentOf(store, cell)?.health?.servers ?? {})
  const others = new Set(
    addresses.flatMap(([name, { address }]) =>
      address !== undefined && held.has(address) ? [name] : [],
    ),
  )
  return calls.filter(
    ({ call, devices }) => !others.has(call.server) && !devices.some((device) => held.has(device)),
  )
}

/** What a stop of the cell calls now. */
export function callsFor(store: HubStore, cell: string): OrderedStops {
  const read = store.registry()
  if (read === null) return { calls: [], cut: false }
  const listed = agentOf(store, cell)?.health?.servers
  return withinOrder(
    notHeldElsewhere(store, cell, cellStops(read.registry, cell)),
    listed === undefined ? null : new Set(Object.keys(listed)),
  )
}
