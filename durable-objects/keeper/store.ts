// Where the keeper of a site is in its look. Losing it costs a look from the beginning and nothing else.
import { z } from 'zod'

const placeSchema = z.object({
  site: z.string(),
  what: z.enum(['all', 'plan', 'calls']),
  /** The last plan that was looked at; null at the beginning. */
  after: z.object({ plan: z.string(), received_ms: z.number() }).nullable(),
  /** When the next piece is due (milliseconds since the epoch). */
  next_ms: z.number(),
})
export type Place = z.infer<typeof placeSchema>

export class KeeperStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec('CREATE TABLE IF NOT EXISTS place (id INTEGER PRIMARY KEY, json TEXT NOT NULL)')
  }

  /** Null where the keeper was never woken, or cannot read where it was. */
  place(): Place | null {
    const [row] = this.#sql.exec<{ json: string }>('SELECT json FROM place').toArray()
    if (row === undefined) return null
    const read = placeSchema.safeParse(JSON.parse(row.json))
    return read.success ? read.data : null
  }

  put(place: Place): void {
    this.#sql.exec('INSERT OR REPLACE INTO place (id, json) VALUES (1, ?)', JSON.stringify(place))
  }
}
