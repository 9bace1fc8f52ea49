// What a clearance ends besides the latch: holds and reservations of runs whose end never came. The danger
// is a thing that stays unknown, or a sum that stays reserved, with nobody left who would let go of it.
import { objectName } from '../../protocol/ids.ts'
import type { CellStateApi } from '../contracts.ts'
import type { Env } from '../env.ts'
import type { SiteTotalsApi } from '../totals/api.ts'
import { inTime } from './neighbours.ts'
import type { HubStore } from './store.ts'

/** The person waits no longer for it; clearing once more does it once more. */
const withinMs = 5_000

/**
 * Nothing runs in the cell: what its runs held is free, and not known; what they reserved may have run.
 * False when one of the two could not be told.
 */
export async function letGo(
  env: Env,
  store: HubStore,
  cell: string,
  now_ms: number,
): Promise<boolean> {
  const site = store.get('site') ?? ''
  const state: unknown = env.CELL_STATE.getByName(objectName(site, cell))
  const totals: unknown = env.SITE_TOTALS.getByName(site)
  const told = await Promise.allSettled([
    inTime((state as CellStateApi).cleared(now_ms), withinMs),
    inTime((totals as SiteTotalsApi).settleCell(cell, now_ms), withinMs),
  ])
  for (const one of told) {
    if (one.status === 'rejected') console.error(`clearing ${cell}: ${String(one.reason)}`)
  }
  return told.every(({ status }) => status === 'fulfilled')
}
