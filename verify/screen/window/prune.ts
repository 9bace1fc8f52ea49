// Keeps the window bounded and fresh. Refusals outlive acceptances, and one planner's flood never drives
// out what is known of another.
import type { WindowEntry } from '../../../protocol/snapshot.ts'
import { boundMarks, isHalf, moreOf } from './marks.ts'
import { windowRules } from './rules.ts'

/** Newest last; ties by plan id, so that the result does not depend on the order given. */
const byAge = (a: WindowEntry, b: WindowEntry): number =>
  a.at_ms - b.at_ms || (a.plan < b.plan ? -1 : Number(a.plan > b.plan))

const last = <T>(list: readonly T[], n: number): readonly T[] => (n > 0 ? list.slice(-n) : [])

/**
 * Entries that hold half of a risk which no newer accepted one holds as well, oldest first. Refused
 * plans ran nothing and hold none; one that is undecided may yet be refused, and stands for no other.
 */
function withHalves(entries: readonly WindowEntry[]): WindowEntry[] {
  const later = new Set<string>()
  const out: WindowEntry[] = []
  for (const entry of entries.toReversed()) {
    if (entry.verdict === 'reject') continue
    const fresh = entry.marks.filter((mark) => isHalf(mark) && !later.has(mark))
    if (entry.verdict === 'accept') for (const mark of fresh) later.add(mark)
    if (fresh.length > 0) out.push(entry)
  }
  return out.toReversed()
}

/**
 * At most `max` entries. Plain ones go first, oldest first, so that nobody pushes out the half of a risk
 * by harmless plans; refused ones keep up to half of the room. What must go of the others is said on the
 * oldest that stays, as `more:<kind>`.
 */
function trim(entries: readonly WindowEntry[], max: number): WindowEntry[] {
  if (entries.length <= max) return [...entries]
  const all = entries.filter(({ verdict }) => verdict === 'reject')
  const refused = last(all, Math.floor(max / 2))
  const halves = withHalves(entries)
  const held = last(halves, max - refused.length)
  const kept = new Set([...refused, ...held])
  const plain = entries.filter((entry) => !kept.has(entry) && entry.verdict !== 'reject')
  for (const entry of last(plain, max - kept.size)) kept.add(entry)
  const gone = halves.slice(0, halves.length - held.length).flatMap(({ marks }) => marks)
  return entries
    .filter((entry) => kept.has(entry))
    .map((entry) => (entry === held[0] && gone.length > 0 ? saying(entry, gone) : entry))
}

/** The entry of a plan that is remembered again keeps what was said on it of others. */
export function carryOver(before: WindowEntry, entry: WindowEntry): WindowEntry {
  return saying(
    entry,
    before.marks.filter((mark) => mark.startsWith('more:')),
  )
}

const saying = (entry: WindowEntry, gone: readonly string[]): WindowEntry => ({
  ...entry,
  marks: boundMarks([...entry.marks, ...moreOf(gone)]),
})

/** The entries that still count at `nowMs`, oldest first. One entry for each plan, the newest. */
export function prune(window: readonly WindowEntry[], nowMs: number): WindowEntry[] {
  const newest = new Map<string, WindowEntry>()
  for (const entry of window.toSorted(byAge)) {
    if (nowMs - entry.at_ms <= windowRules.keptMs) newest.set(entry.plan, entry)
  }
  const byPlanner = new Map<string, WindowEntry[]>()
  for (const entry of newest.values()) {
    byPlanner.set(entry.planner, [...(byPlanner.get(entry.planner) ?? []), entry])
  }
  // The share shrinks when many planners are active, so that each keeps some history.
  const share = Math.floor(windowRules.entriesPerSiteMax / Math.max(1, byPlanner.size))
  const max = Math.max(1, Math.min(windowRules.entriesPerPlannerMax, share))
  const kept = [...byPlanner.values()].flatMap((entries) => trim(entries.toSorted(byAge), max))
  return kept.toSorted(byAge).slice(-windowRules.entriesPerSiteMax)
}
