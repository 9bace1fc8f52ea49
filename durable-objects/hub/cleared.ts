// What a clearance ends besides the latch: holds and reservations of runs whose end never came. The danger
// is a thing that stays unknown, or a sum that stays reserved, with nobody left who would let go of it.
import type { CellStateApi } from '../cell/api.ts'
import type { Env } from '../env.ts'
import { cellStateOf, siteTotalsOf } from './neighbours.ts'
import type { HubStore } from './store.ts'

/**
 * Nothing more comes of a session: the hub does not know it, or it has ended, in this cell or in one where
 * nothing may still move. One that runs in another cell goes on changing what both share.
 */
function isOver(store: HubStore, cell: string, session: string): boolean {
  const binding = store.bindingOf(session)
  if (binding === null) return true
  if (binding.state !== 'ended' && binding.state !== 'refused') return false
  return binding.cell === cell || store.cell(binding.cell)?.needs_clearance !== true
}

/** Judged when the cell has said who holds: a session that is bound meanwhile has its binding first. */
async function letGoOfHolds(
  store: HubStore,
  state: CellStateApi,
  cell: string,
  now_ms: number,
): Promise<void> {
  const over = (await state.holding()).filter((session) => isOver(store, cell, session))
  await state.cleared(over, now_ms)
}

/**
 * Nothing runs in the cell: what its runs held is free, and not known; what they reserved may have run.
 * False when one of the two could not be told: clearing once more tells it once more.
 */
export async function letGo(
  env: Env,
  store: HubStore,
  cell: string,
  now_ms: number,
): Promise<boolean> {
  const told = await Promise.allSettled([
    letGoOfHolds(store, cellStateOf(env, store, cell), cell, now_ms),
    siteTotalsOf(env, store).settleCell(cell, now_ms),
  ])
  for (const one of told) {
    if (one.status === 'rejected') console.error(`clearing ${cell}: ${String(one.reason)}`)
  }
  return told.every(({ status }) => status === 'fulfilled')
}
