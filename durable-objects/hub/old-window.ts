// What a hub of the release before kept of recent plans. Nothing writes it any more; it is handed to the
// object that has the window now, and stays for as long as its entries count, for a release rolled back.
import { windowRules } from '../../verify/screen/window/index.ts'
import type { OldWindowPage } from '../contracts.ts'
import type { HubStore } from './store.ts'

/** Entries of one page: about a kilobyte each. */
const pageMax = 500

/** Rows that were written after `after` (a row id), in their order; empty at the end. */
export function oldWindow(store: HubStore, after: number): OldWindowPage {
  const rows = store.sql
    .exec<{ id: number; entry: string }>(
      'SELECT rowid AS id, entry FROM recent WHERE rowid > ? ORDER BY rowid LIMIT ?',
      after,
      pageMax,
    )
    .toArray()
  return { upto: rows.at(-1)?.id ?? after, entries: rows.map(({ entry }) => entry) }
}

/** Forgets entries that no longer count. */
export function pruneOldWindow(sql: SqlStorage, now_ms: number): void {
  sql.exec('DELETE FROM recent WHERE at_ms < ?', now_ms - windowRules.keptMs)
}
