// The lattice of verdicts: accept < escalate < reject. Nothing in the project lowers one by joining.
import { z } from 'zod'

export const verdictSchema = z.enum(['accept', 'escalate', 'reject'])
export type Verdict = z.infer<typeof verdictSchema>

/** What one check or the whole deterministic floor says. */
export const floorLevelSchema = z.enum(['pass', 'advisory', 'flag', 'block'])
export type FloorLevel = z.infer<typeof floorLevelSchema>

const verdictRank: Record<Verdict, number> = { accept: 0, escalate: 1, reject: 2 }
const levelRank: Record<FloorLevel, number> = { pass: 0, advisory: 1, flag: 2, block: 3 }

/** The worse of two verdicts (join of the lattice). */
export function worse(a: Verdict, b: Verdict): Verdict {
  return verdictRank[a] >= verdictRank[b] ? a : b
}

/** True when `a` is at least as restrictive as `b`. */
export function atLeast(a: Verdict, b: Verdict): boolean {
  return verdictRank[a] >= verdictRank[b]
}

/** The worse of two floor levels. */
export function worseLevel(a: FloorLevel, b: FloorLevel): FloorLevel {
  return levelRank[a] >= levelRank[b] ? a : b
}

/** The least verdict a floor level allows: flag escalates, block rejects. */
export function floorVerdict(level: FloorLevel): Verdict {
  if (level === 'block') return 'reject'
  return level === 'flag' ? 'escalate' : 'accept'
}

export const concernSchema = z.enum(['none', 'alignment', 'safety', 'adversarial'])
export type Concern = z.infer<typeof concernSchema>
