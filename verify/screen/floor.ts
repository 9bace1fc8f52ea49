// Findings → floor: the worst effect, a fixed order, and a bound that fails closed.
import type { Finding, Floor } from '../../protocol/finding.ts'
import { limits } from '../../protocol/limits.ts'
import { worseLevel, type FloorLevel } from '../../protocol/verdict.ts'
import { report } from './report.ts'

const rank = { block: 0, flag: 1, advisory: 2 } as const

/** The worst effect; `pass` when there is no finding. */
export function levelOf(findings: readonly Finding[]): FloorLevel {
  return findings.reduce<FloorLevel>((level, { effect }) => worseLevel(level, effect), 'pass')
}

const order = (a: Finding, b: Finding): number => {
  if (rank[a.effect] !== rank[b.effect]) return rank[a.effect] - rank[b.effect]
  if (a.code !== b.code) return a.code < b.code ? -1 : 1
  return a.at < b.at ? -1 : Number(a.at > b.at)
}

/** Worst first; past the bound the last place says that there was more, which blocks. */
export function bounded(findings: readonly Finding[]): Finding[] {
  const sorted = findings.toSorted(order)
  if (sorted.length <= limits.findingsMax) return sorted
  const more = sorted.length - limits.findingsMax + 1
  return [
    report('FINDINGS_TRUNCATED', 'block', '', { more }),
    ...sorted.slice(0, limits.findingsMax - 1),
  ]
}

/** Assembles the record of V_det. */
export function floorOf(
  findings: readonly Finding[],
  rest: Pick<Floor, 'sigma' | 'tau_advisory' | 'tau_warning' | 'snapshot_digest'>,
): Floor {
  const kept = bounded(findings)
  return { level: levelOf(kept), findings: kept, ...rest }
}
