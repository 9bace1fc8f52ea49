// The rows of one session in its own store: what a reset of the object gives back. One database for all, which
// the caller lends; it is emptied for each session.
import type {
  Effect,
  FrameRecord,
  SessionBinding,
  SessionState,
} from '../../../contain/session-state.ts'
import { SessionStore } from '../../../durable-objects/session/store.ts'
import { ObjectStorage, type Database } from './database.ts'

export type SessionRows = {
  /** Writes what one event changed, as the object does. */
  readonly save: (
    before: SessionState | null,
    after: SessionState,
    effects: readonly Effect[],
    now_ms: number,
  ) => void
  readonly state: (binding: SessionBinding) => SessionState
  readonly frame: (fid: string) => FrameRecord | null
}

const tables = ['session', 'nodes', 'executed', 'frames', 'results', 'more']

/** Rows of ever new sessions in one database. */
export function rowsIn(database: Database): () => SessionRows {
  const sql: unknown = new ObjectStorage(database, () => undefined)
  const store = new SessionStore(sql as SqlStorage)
  store.create()
  return () => {
    for (const table of tables) store.sql.exec(`DELETE FROM ${table}`)
    return {
      save: (before, after, effects, now_ms) => {
        store.perform(effects, now_ms)
        store.save(before, after)
      },
      state: (binding) => store.state(binding),
      frame: (fid) => store.frame(fid),
    }
  }
}
