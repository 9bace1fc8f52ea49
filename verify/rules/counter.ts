// The counters behind the totals of a site, as pure functions over their entries: reserved when a plan is
// bound, charged by what ran, let go only for what certainly did not run. What no period reaches any more goes;
// what only the longest reaches is summed up by the hour.
// The danger is a sum that is too low: whatever the order of messages, what may have run is counted.
import { totalPeriods, type Charge, type Total, type TotalPeriod } from '../../protocol/totals.ts'
import { unreachable } from '../../protocol/result.ts'
import type { NodeProgress } from '../../protocol/frames.ts'

/** One charge as it is kept. */
export type Entry = Charge & {
  readonly session: string
  readonly owner: string
  readonly state: 'reserved' | 'charged'
  /** When it was last known to be going on, in milliseconds: reserved, and then ended. */
  readonly at_ms: number
  /** Of entries that were summed up: the earliest of them. Left out: `at_ms`. */
  readonly since_ms?: number
}

export type Reservation = {
  readonly session: string
  readonly owner: string
  readonly charges: readonly Charge[]
  readonly at_ms: number
}

/** The greater of two amounts; null, which nobody can say, is the greatest. */
const atMost = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b)

/**
 * What a session has reserved once it asks for these charges. Asked again, perhaps over another state of
 * its cell, nothing that was reserved is let go: the plan may be running by then.
 */
export function reservedEntries(before: readonly Entry[], given: Reservation): Entry[] {
  const { session, owner, charges, at_ms } = given
  const out = new Map<string, Entry>()
  const keep = (entry: Entry): void => {
    const { rule, role, of, dim, node } = entry
    const key = JSON.stringify([rule, role, of, dim, node])
    const known = out.get(key)
    const hi = known === undefined ? entry.hi : atMost(known.hi, entry.hi)
    out.set(key, { ...entry, hi, lo: Math.min(known?.lo ?? entry.lo, entry.lo) })
  }
  for (const entry of before) keep({ ...entry, state: 'reserved', at_ms })
  const asked = new Map<string, Charge>()
  for (const charge of charges) {
    // One node may do several acts of one kind: together they are its charge.
    const { rule, role, of, dim, node } = charge
    const key = JSON.stringify([rule, role, of, dim, node])
    const known = asked.get(key)
    const hi = charge.hi === null || known?.hi === null ? null : (known?.hi ?? 0) + charge.hi
    asked.set(key, { rule, role, of, dim, node, lo: (known?.lo ?? 0) + charge.lo, hi })
  }
  for (const charge of asked.values()) {
    keep({ ...charge, session, owner, state: 'reserved', at_ms })
  }
  return [...out.values()]
}

/** How the nodes of a session stand that is over, or which none of them can run in any more. */
export type Ran = ReadonlyMap<string, NodeProgress> | 'none' | 'unknown'

/** Whether a node ran: for certain, perhaps, or certainly not. */
function happened(state: NodeProgress | undefined): 'yes' | 'maybe' | 'no' {
  switch (state) {
    case 'succeeded':
      return 'yes'
    case 'pending':
    case 'released':
    case 'skipped':
      return 'no'
    // A device that failed may have done a part of it.
    case 'failed':
    case 'executing':
    case 'unknown':
    case undefined:
      return 'maybe'
    default:
      return unreachable(state)
  }
}

/** What becomes of the entries of an ended session. */
export function settledEntries(entries: readonly Entry[], ran: Ran, at_ms: number): Entry[] {
  return entries.flatMap((entry): Entry[] => {
    const came =
      ran === 'none' ? 'no' : happened(ran === 'unknown' ? undefined : ran.get(entry.node))
    if (came === 'no') return []
    const lo = came === 'yes' ? entry.lo : 0
    return [{ ...entry, state: 'charged', lo, at_ms: Math.max(at_ms, entry.at_ms) }]
  })
}

/** The most that single steps are known to have had and succeeded with, by counter. */
export function provenBy(settled: readonly Entry[]): Total[] {
  return settled
    .filter(({ state, lo }) => state === 'charged' && lo > 0)
    .map(({ rule, role, of, dim, lo }) => {
      return { rule, role, of, dim, over: 'ever', whose: 'site', lo, hi: lo }
    })
}

const hourMs = 3_600_000

/** How far back each period reaches: at least as far as any calendar's hour, day or week. */
export const reachMs: Readonly<Record<TotalPeriod, number>> = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
}

/** Whether an entry counts in a period that ends now; what is reserved is about to run, whenever it was. */
const counts = ({ state, at_ms }: Entry, over: TotalPeriod, now_ms: number): boolean =>
  state === 'reserved' || now_ms - at_ms <= reachMs[over]

/** Whether all of it does: of what was summed up, a part may lie before the period. */
const countsWhole = ({ at_ms, since_ms }: Entry, over: TotalPeriod, now_ms: number): boolean =>
  now_ms - (since_ms ?? at_ms) <= reachMs[over]

/** Entries of which no period asks any more. */
export const reachedNoMore = (now_ms: number): number =>
  now_ms - Math.max(...Object.values(reachMs))

/** Charged entries before this count in the longest period alone, and may be summed up. */
export const summedBefore = (now_ms: number): number => now_ms - reachMs.day - hourMs

/**
 * One entry for each counter, owner and hour. The most that ran stays the same for at least as long, the least
 * for no longer than before: a sum that is not certain any more is told as such, never too low.
 */
export function summedUp(entries: readonly Entry[]): Entry[] {
  const out = new Map<string, Entry>()
  for (const entry of entries) {
    const { owner, rule, role, of, dim, at_ms } = entry
    const key = JSON.stringify([owner, rule, role, of, dim, Math.floor(at_ms / hourMs)])
    const known = out.get(key)
    const since_ms = Math.min(entry.since_ms ?? at_ms, known?.since_ms ?? at_ms)
    const hi = known?.hi === null || entry.hi === null ? null : (known?.hi ?? 0) + entry.hi
    out.set(key, {
      session: '',
      owner,
      state: 'charged',
      rule,
      role,
      of,
      dim,
      node: '',
      since_ms,
      hi,
      lo: (known?.lo ?? 0) + entry.lo,
      at_ms: Math.max(at_ms, known?.at_ms ?? at_ms),
    })
  }
  return [...out.values()]
}

/** Every counter that is not zero, over the site and over the plans of one owner. */
export function sumsOf(entries: Iterable<Entry>, owner: string, now_ms: number): Total[] {
  const sums = new Map<string, Total>()
  for (const entry of entries) {
    for (const over of totalPeriods) {
      if (!counts(entry, over, now_ms)) continue
      for (const whose of ['site', 'owner'] as const) {
        if (whose === 'owner' && entry.owner !== owner) continue
        const { rule, role, of, dim } = entry
        const key = JSON.stringify([rule, role, of, dim, over, whose])
        const before = sums.get(key)
        // What is reserved may not run in the end: for certain it adds nothing.
        const sure = entry.state === 'charged' && countsWhole(entry, over, now_ms)
        const lo = (before?.lo ?? 0) + (sure ? entry.lo : 0)
        const known = before === undefined || before.hi !== null
        const hi = known && entry.hi !== null ? (before?.hi ?? 0) + entry.hi : null
        sums.set(key, { rule, role, of, dim, over, whose, lo, hi })
      }
    }
  }
  return [...sums.values()]
}
