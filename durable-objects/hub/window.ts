// The sliding window over recent plans. Its entries are parsed once and kept in memory; the table is the
// truth, and is read again when it is not what was last seen of it.
import type { WindowEntry } from '../../protocol/snapshot.ts'
import { carryOver, prune, windowRules } from '../../verify/screen/window/index.ts'
import { readWindowEntry } from './lenient.ts'
import type { HubStore } from './store.ts'

/** Entries over the bound that may gather before the window is trimmed: trimming reads all of it. */
const windowSlack = 64

const windows = new WeakMap<SqlStorage, SiteWindow>()

/** The one window of a hub. */
export function windowOf(store: HubStore): SiteWindow {
  let found = windows.get(store.sql)
  if (found === undefined) windows.set(store.sql, (found = new SiteWindow(store.sql)))
  return found
}

const before = (a: WindowEntry, b: WindowEntry): number =>
  a.at_ms - b.at_ms || (a.plan < b.plan ? -1 : 1)

export class SiteWindow {
  private readonly sql: SqlStorage
  private kept = new Map<string, WindowEntry>()
  private sorted: WindowEntry[] | null = null
  private mark = ''

  constructor(sql: SqlStorage) {
    this.sql = sql
  }

  /** The window, oldest first. */
  entries(now_ms: number): WindowEntry[] {
    this.load()
    this.sorted ??= [...this.kept.values()].sort(before)
    const oldest = now_ms - windowRules.keptMs
    const first = this.sorted.findIndex((entry) => entry.at_ms >= oldest)
    return first < 0 ? [] : this.sorted.slice(first)
  }

  /**
   * Keeps one plan's sketch; a later call for the same plan (its verdict) replaces the first. Past the
   * bounds the monitor's own rule says what goes, so that nobody's flood drives out what is known of
   * another.
   */
  remember(entry: WindowEntry, now_ms: number): void {
    this.load()
    const known = this.kept.get(entry.plan)
    this.put(known === undefined ? entry : carryOver(known, entry))
    const oldest = now_ms - windowRules.keptMs
    this.sql.exec('DELETE FROM recent WHERE at_ms < ?', oldest)
    let ofPlanner = 0
    for (const one of this.kept.values()) {
      if (one.at_ms < oldest) this.kept.delete(one.plan)
      else if (one.planner === entry.planner) ofPlanner++
    }
    const over =
      this.kept.size > windowRules.entriesPerSiteMax + windowSlack ||
      ofPlanner > windowRules.entriesPerPlannerMax + windowSlack
    if (over) this.trim(now_ms)
    this.seen()
  }

  private trim(now_ms: number): void {
    const entries = [...this.kept.values()].sort(before)
    const unchanged = new Set(entries)
    const left = prune(entries, now_ms)
    this.sql.exec(
      'DELETE FROM recent WHERE plan NOT IN (SELECT value FROM json_each(?))',
      JSON.stringify(left.map(({ plan }) => plan)),
    )
    this.kept = new Map(left.map((one) => [one.plan, one]))
    // What had to go may be half of a risk; that is said on one that stays.
    for (const said of left.filter((one) => !unchanged.has(one))) this.put(said)
  }

  private put(entry: WindowEntry): void {
    this.kept.set(entry.plan, entry)
    this.sql.exec(
      'INSERT OR REPLACE INTO recent (plan, at_ms, entry) VALUES (?, ?, ?)',
      entry.plan,
      entry.at_ms,
      JSON.stringify(entry),
    )
    this.sorted = null
  }

  /** Every row that is written gets a new highest row id, and rows go by deletion alone. */
  private markNow(): string {
    const row = this.sql
      .exec<{ n: number; top: number | null }>(
        'SELECT COUNT(*) AS n, MAX(rowid) AS top FROM recent',
      )
      .one()
    return `${row.n}/${row.top ?? 0}`
  }

  private seen(): void {
    this.mark = this.markNow()
    this.sorted = null
  }

  private load(): void {
    const mark = this.markNow()
    if (mark === this.mark) return
    const rows = this.sql.exec<{ entry: string }>('SELECT entry FROM recent').toArray()
    const entries = rows.map((row) => readWindowEntry(row.entry)).filter((one) => one !== null)
    this.kept = new Map(entries.map((entry) => [entry.plan, entry]))
    this.mark = mark
    this.sorted = null
  }
}
