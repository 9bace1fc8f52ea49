// The versions of one plan, linked by `supersedes`.
import type { WindowEntry } from '../../../protocol/snapshot.ts'

/** Entries that a new plan supersedes, directly or through others, nearest first. A cycle ends it. */
export function lineageOf(
  supersedes: string | null,
  window: readonly WindowEntry[],
): WindowEntry[] {
  const byPlan = new Map(window.map((entry) => [entry.plan, entry]))
  const out: WindowEntry[] = []
  const seen = new Set<string>()
  for (let at = supersedes; at !== null && !seen.has(at);) {
    seen.add(at)
    const entry = byPlan.get(at)
    if (entry === undefined) break
    out.push(entry)
    at = entry.supersedes
  }
  return out
}
