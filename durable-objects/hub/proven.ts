// Which rows of the registry are proven at this site: one row a tool, for the digest that was seen. A row
// that is taken back stays without a digest, so that a message that comes late does not bring it back.
import type { ProvenRow, ProvenRows, ProvenWord } from '../../protocol/proven.ts'
import type { HubStore } from './store.ts'

export const provenTable = `
CREATE TABLE IF NOT EXISTS proven (tool TEXT PRIMARY KEY, row TEXT NOT NULL, by TEXT NOT NULL,
  session TEXT, at_ms REAL NOT NULL);`

/** Writes rows down; an older word about a tool changes nothing. Returns the tools that changed. */
export function putProven(store: HubStore, { rows, by, session, at_ms }: ProvenWord): string[] {
  const before = new Map(provenRows(store).map((one) => [one.tool, one.row]))
  return Object.entries(rows).flatMap(([tool, row]) => {
    const written = store.write(
      `INSERT INTO proven (tool, row, by, session, at_ms) VALUES (?,?,?,?,?)
       ON CONFLICT (tool) DO UPDATE SET row = excluded.row, by = excluded.by,
         session = excluded.session, at_ms = excluded.at_ms WHERE excluded.at_ms >= proven.at_ms`,
      tool,
      row,
      by,
      session,
      at_ms,
    )
    return written > 0 && before.get(tool) !== row ? [tool] : []
  })
}

/**
 * Takes back that a tool's row is proven; false when it was not. The word stays all the same: a run that goes on
 * was let happen before it, and does not prove the row when it ends.
 */
export function takeProvenBack(store: HubStore, tool: string, by: string, at_ms: number): boolean {
  const proven = provenRows(store).some((one) => one.tool === tool)
  // What the registry does not have, nobody can have seen.
  const known = store.registry()?.registry.tools.some(({ name }) => name === tool) ?? false
  if (!proven && !known) return false
  store.write(
    `INSERT INTO proven (tool, row, by, session, at_ms) VALUES (?, '', ?, NULL, ?)
     ON CONFLICT (tool) DO UPDATE SET row = '', by = excluded.by, session = NULL, at_ms = excluded.at_ms`,
    tool,
    by,
    at_ms,
  )
  return proven
}

/** Every row that is proven, by whom and since when. */
export function provenRows(store: HubStore): ProvenRow[] {
  return store.sql
    .exec<ProvenRow>(
      `SELECT tool, row, by, session, at_ms FROM proven WHERE row <> '' ORDER BY tool`,
    )
    .toArray()
}

/** The same for the snapshot by which plans are judged: of tools that the registry has. */
export function provenNow(store: HubStore): ProvenRows {
  const names = new Set(store.registry()?.registry.tools.map(({ name }) => name))
  const rows = provenRows(store).filter(({ tool }) => names.has(tool))
  return Object.fromEntries(rows.map(({ tool, row }) => [tool, row]))
}

/** After a restore nobody knows which rows were taken back since: none is proven. */
export function forgetProven(store: HubStore, by: string, at_ms: number): void {
  store.write(`UPDATE proven SET row = '', by = ?, session = NULL, at_ms = ?`, by, at_ms)
}
