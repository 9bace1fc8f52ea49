// Findings of checks that raise a plan, compared by what identifies them: code, place and names.
import type { Finding } from '../../protocol/finding.ts'
import { floorVerdict } from '../../protocol/verdict.ts'
import type { Difference } from '../simulate/compare.ts'

/** What identifies a finding: its code, its place and the names in its facts; figures may move. */
export function keyOf(found: Finding): string {
  const names = Object.entries(found.facts)
    .filter(([, value]) => typeof value === 'string')
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([found.code, found.at, names])
}

export const raises = (found: Finding): boolean => floorVerdict(found.effect) !== 'accept'

/** Findings that raise now and were not shown as raising: an advisory that became a flag is new. */
export function newFloorFindings(shown: readonly Finding[], now: readonly Finding[]): Difference[] {
  const known = new Set(shown.filter(raises).map(keyOf))
  return now
    .filter((found) => raises(found) && !known.has(keyOf(found)))
    .map(({ code, at }) => ({ kind: 'finding', at, code }))
}
