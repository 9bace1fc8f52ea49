// Numbers of what objects store and what agents are spoken to in. A release reads rows of the one before and of
// the one after it, so a deployment may move by one of each at a time, in either direction.
export const versions = {
  /** Rows of PlanReview. */
  review: 2,
  /** Rows of ExecutionSession. */
  session: 3,
  /** Rows of SiteHub. */
  hub: 2,
  /** `v` of the frames between gateway and agent. */
  frames: 1,
} as const
export type Versions = Readonly<Record<keyof typeof versions, number>>

/** What stands against a deployment over one that runs these numbers; empty when nothing does. */
export function versionGaps(running: Partial<Versions>, next: Versions = versions): string[] {
  const names = Object.keys(next) as (keyof Versions)[]
  return names.flatMap((name) => {
    const before = running[name]
    // A release before this one names none: it is at most one behind.
    if (before === undefined || Math.abs(next[name] - before) <= 1) return []
    return [
      `${name}: ${before} runs, this is ${next[name]}, and a release reads only its neighbours`,
    ]
  })
}
