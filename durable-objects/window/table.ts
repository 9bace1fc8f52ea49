// The sliding window over recent plans of one site: parsed once, kept in memory, and written through. Each
// change has a number, so that a reader who knows the window up to one of them is sent what came after.
import type { WindowEntry } from '../../protocol/snapshot.ts'
import { carryOver, prune, windowRules } from '../../verify/screen/window/index.ts'
import { readWindowEntry } from './row.ts'

/** Entries over the bound that may gather before the window is trimmed: trimming reads all of it. */
const windowSlack = 64
/** Plans that have left the window and are still named to readers; one further behind reads all of it. */
const goneMax = 2_048

/** Up to where somebody knows the window: the life of the object that told it, and its last change. */
export type WindowMark = { readonly life: string; readonly seq: number }

/** What came after a mark; with `whole` it is all there is, and what was known before is void. */
export type WindowChanges = {
  readonly mark: WindowMark
  readonly whole: boolean
  readonly entries: WindowEntry[]
  readonly gone: string[]
}

type Kept = { readonly entry: WindowEntry; readonly seq: number }

export class WindowTable {
  private readonly sql: SqlStorage
  private readonly life: string
  private readonly kept = new Map<string, Kept>()
  private gone: { readonly plan: string; readonly seq: number }[] = []
  /** A reader who knows less than this reads all of it. */
  private least = 0
  private seq = 0

  /** `life` names this object in memory: its numbers mean nothing to the next one. */
  constructor(sql: SqlStorage, life: string) {
    this.sql = sql
    this.life = life
    sql.exec(`CREATE TABLE IF NOT EXISTS recent (plan TEXT PRIMARY KEY, at_ms REAL NOT NULL,
      entry TEXT NOT NULL)`)
    sql.exec('CREATE INDEX IF NOT EXISTS recent_by_time ON recent (at_ms, plan)')
    for (const row of sql.exec<{ entry: string }>('SELECT entry FROM recent ORDER BY at_ms')) {
      const entry = readWindowEntry(row.entry)
      if (entry !== null) this.kept.set(entry.plan, { entry, seq: ++this.seq })
    }
    this.least = this.seq
  }

  /** What a reader has to change who knows the window up to `have`. */
  changes(have: WindowMark | null): WindowChanges {
    const { life, seq } = this
    const known = have !== null && have.life === life && have.seq >= this.least ? have.seq : null
    const entries = [...this.kept.values()]
      .filter((one) => known === null || one.seq > known)
      .map(({ entry }) => entry)
    const gone = this.gone
      .filter((one) => known !== null && one.seq > known)
      .map(({ plan }) => plan)
    return { mark: { life, seq }, whole: known === null, entries, gone }
  }

  /**
   * Keeps one plan's sketch; a later call for the same plan (its verdict) replaces the first. Past the
   * bounds the monitor's own rule says what goes, so that nobody's flood drives out what is known of
   * another.
   */
  remember(entry: WindowEntry, now_ms: number): void {
    const known = this.kept.get(entry.plan)
    this.put(known === undefined ? entry : carryOver(known.entry, entry))
    const oldest = now_ms - windowRules.keptMs
    let ofPlanner = 0
    for (const { entry: one } of this.kept.values()) {
      if (one.at_ms < oldest) this.drop(one.plan)
      else if (one.planner === entry.planner) ofPlanner++
    }
    const over =
      this.kept.size > windowRules.entriesPerSiteMax + windowSlack ||
      ofPlanner > windowRules.entriesPerPlannerMax + windowSlack
    if (over) this.trim(now_ms)
  }

  /** Takes an entry that another table holds, where this one knows nothing of the plan. */
  adopt(entry: WindowEntry): void {
    if (!this.kept.has(entry.plan)) this.put(entry)
  }

  /** Its plan was deleted. */
  forget(plan: string): void {
    if (this.kept.has(plan)) this.drop(plan)
  }

  private trim(now_ms: number): void {
    const entries = [...this.kept.values()].map(({ entry }) => entry)
    const unchanged = new Set(entries)
    const left = new Map(prune(entries, now_ms).map((one) => [one.plan, one]))
    for (const { plan } of entries) if (!left.has(plan)) this.drop(plan)
    // What had to go may be half of a risk; that is said on one that stays.
    for (const said of left.values()) if (!unchanged.has(said)) this.put(said)
  }

  private put(entry: WindowEntry): void {
    this.kept.set(entry.plan, { entry, seq: ++this.seq })
    this.sql.exec(
      'INSERT OR REPLACE INTO recent (plan, at_ms, entry) VALUES (?, ?, ?)',
      entry.plan,
      entry.at_ms,
      JSON.stringify(entry),
    )
  }

  private drop(plan: string): void {
    this.kept.delete(plan)
    this.gone.push({ plan, seq: ++this.seq })
    if (this.gone.length > goneMax) {
      this.gone = this.gone.slice(-goneMax / 2)
      this.least = this.gone[0]?.seq ?? this.seq
    }
    this.sql.exec('DELETE FROM recent WHERE plan = ?', plan)
  }
}
