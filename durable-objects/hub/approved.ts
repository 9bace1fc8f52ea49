// Which credentials stand behind the acceptance of a plan: it falls with any of them.
import type { HubStore } from './store.ts'

/** False when it was noted before. */
export function noteApproval(store: HubStore, plan: string, credential: string): boolean {
  const sql = 'INSERT OR IGNORE INTO approved (plan, credential) VALUES (?, ?)'
  return store.write(sql, plan, credential) > 0
}

export function dropApproval(store: HubStore, plan: string, credential: string): void {
  store.write('DELETE FROM approved WHERE plan = ? AND credential = ?', plan, credential)
}
