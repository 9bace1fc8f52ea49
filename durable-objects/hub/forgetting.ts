// That nothing is known of a cell any more: kept as a wish until the state of the cell has taken it. One call
// that is lost would leave what was so before a restart standing as known, and nothing starts meanwhile.
import type { Env } from '../env.ts'
import { cellStateOf } from './neighbours.ts'
import type { HubStore } from './store.ts'

const prefix = 'forget/'

/** Written in the turn in which the restart is heard of. */
export const wishForgotten = (store: HubStore, cell: string, why: string): void =>
  store.set(`${prefix}${cell}`, why)

function wishes(store: HubStore): { cell: string; why: string }[] {
  return store.sql
    .exec<{ key: string; value: string }>(
      `SELECT key, value FROM settings WHERE key >= ? AND key < ? ORDER BY key`,
      prefix,
      'forget0',
    )
    .toArray()
    .map(({ key, value }) => ({ cell: key.slice(prefix.length), why: value }))
}

/** Cells whose state still says what is not known any more. */
export const unforgotten = (store: HubStore): ReadonlySet<string> =>
  new Set(wishes(store).map(({ cell }) => cell))

/** Tells each such cell; one that does not answer is told again. True when a wish was fulfilled. */
export async function forgetDue(env: Env, store: HubStore): Promise<boolean> {
  if (store.get('site') === null) return false
  const told = await Promise.all(
    wishes(store).map(async ({ cell, why }) => {
      try {
        await cellStateOf(env, store, cell).forget(why, Date.now())
      } catch (cause) {
        console.error(`cell ${cell}: ${String(cause)}`)
        return false
      }
      store.sql.exec('DELETE FROM settings WHERE key = ? AND value = ?', `${prefix}${cell}`, why)
      return true
    }),
  )
  return told.includes(true)
}
