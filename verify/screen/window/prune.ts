// Keeps the window bounded and fresh. Refusals outlive acceptances, and one planner's flood never drives
// out what is known of another.
import type { WindowEntry } from '../../../protocol/snapshot.ts'
import { windowRules } from './rules.ts'

/** Newest last; ties by plan id, so that the result does not depend on the order given. */
const byAge = (a: WindowEntry, b: WindowEntry): number =>
  a.at_ms - b.at_ms || (a.plan < b.plan ? -1 : Number(a.plan > b.plan))

/** At most `max` entries: accepted and open ones go first, oldest first; then refused ones. */
function trim(entries: readonly WindowEntry[], max: number): WindowEntry[] {
  if (entries.length <= max) return [...entries]
  const refused = entries.filter(({ verdict }) => verdict === 'reject').slice(-Math.ceil(max / 2))
  const kept = new Set(refused)
  const others = entries.filter((entry) => !kept.has(entry) && entry.verdict !== 'reject')
  for (const entry of others.slice(-(max - kept.size))) kept.add(entry)
  return entries.filter((entry) => kept.has(entry))
}

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
