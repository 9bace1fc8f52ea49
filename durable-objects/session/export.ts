// All that a session holds of its run, for an export: binding, states, signed reports, results. Of tokens only
// their ids: they are consumed, and nobody needs the permission itself to see what was permitted.
import type { SessionStore } from './store.ts'

const tables = {
  tokens: 'SELECT nid, seq, jti, args_digest FROM tokens ORDER BY seq',
  session: 'SELECT * FROM session',
  nodes: 'SELECT * FROM nodes ORDER BY nid',
  executed: 'SELECT * FROM executed ORDER BY at_ms, nid',
  results: 'SELECT * FROM results ORDER BY at_ms, nid',
} as const

/** JSON text; null when nothing was opened, or its text is gone. */
export function exportedSession(store: SessionStore): string | null {
  const binding = store.rawBinding()
  if (binding === null) return null
  const rows = Object.entries(tables).map(([name, sql]) => [name, store.sql.exec(sql).toArray()])
  return JSON.stringify({ binding: JSON.parse(binding) as unknown, ...Object.fromEntries(rows) })
}
