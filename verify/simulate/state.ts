// The state of a cell during a run, as a value: only what the run has touched, over the state at the
// start. A step makes a new one; two possible ones can be joined.
import type { Interval } from '../read/scene.ts'
import { emptyFill, joinFills, joinParts, type Fill, type Parts } from './fill.ts'
import { add, hull, zero } from './interval.ts'
import type { Value } from './world.ts'

/** A set point whose effect is not there yet: the tool that settles it, or the time that must pass. */
export type Pending = {
  readonly fact: 'temperature' | 'pressure' | 'flow' | 'rotation'
  readonly to: Interval
  readonly by: string | null
  readonly after_s: number | null
}

/** Tips that are gone for sure, those that may be, and how many more were taken somewhere. */
export type TipUse = {
  readonly gone: ReadonlySet<string>
  readonly maybe: ReadonlySet<string>
  readonly taken: Interval
}

/** What a tip has touched, and the one part that it came from; null: from several. */
export type Residue = { readonly fill: Fill; readonly from: string | null }

export type State = {
  /** `thing|fact` → value; what is not here is as at the start. */
  readonly facts: ReadonlyMap<string, Value>
  /** Where a moved thing stands: a place, a device that holds it, `''` gone; null not known. */
  readonly places: ReadonlyMap<string, string | null>
  readonly vessels: ReadonlyMap<string, Parts>
  /** What wets the tip of a head. */
  readonly residue: ReadonlyMap<string, Residue>
  readonly tips: ReadonlyMap<string, TipUse>
  readonly pending: ReadonlyMap<string, readonly Pending[]>
  /** Seconds for which each device has been on by this plan's steps. */
  readonly time: ReadonlyMap<string, Interval>
  /** `thing|fact` → the step that last changed it, for readings that were taken before. */
  readonly stamps: ReadonlyMap<string, number>
  /** Things that a call of unknown effect reached: its finding speaks for them at the end. */
  readonly lost: ReadonlySet<string>
  /** Nothing of the start is known any more: a call of unknown reach ran. */
  readonly dark: boolean
}

export const startState: State = {
  facts: new Map(),
  places: new Map(),
  vessels: new Map(),
  residue: new Map(),
  tips: new Map(),
  pending: new Map(),
  time: new Map(),
  stamps: new Map(),
  lost: new Set(),
  dark: false,
}

export const noTips: TipUse = { gone: new Set(), maybe: new Set(), taken: zero }

const isInterval = (value: Value | undefined): value is Interval =>
  typeof value === 'object' && value !== null

/** The value that is right in both cases; null when they do not agree. */
export function joinValues(a: Value | undefined, b: Value | undefined): Value {
  if (isInterval(a) && isInterval(b)) return hull(a, b)
  return a === b && a !== undefined ? a : null
}

function joinMaps<T>(
  a: ReadonlyMap<string, T>,
  b: ReadonlyMap<string, T>,
  start: (key: string) => T | undefined,
  join: (x: T | undefined, y: T | undefined) => T,
): ReadonlyMap<string, T> {
  if (a === b) return a
  const out = new Map<string, T>()
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const x = a.has(key) ? a.get(key) : start(key)
    const y = b.has(key) ? b.get(key) : start(key)
    out.set(key, x === y && x !== undefined ? x : join(x, y))
  }
  return out
}

/** How the start looks to a join: the parts of the world that a state lays itself over. */
export type Start = {
  readonly value: (key: string) => Value | undefined
  readonly place: (thing: string) => string | null | undefined
  readonly parts: (thing: string) => Parts
}

function joinTips(x: TipUse = noTips, y: TipUse = noTips): TipUse {
  const both = [...x.gone].filter((part) => y.gone.has(part))
  return {
    gone: new Set(both),
    maybe: new Set([...x.gone, ...y.gone, ...x.maybe, ...y.maybe]),
    taken: hull(x.taken, y.taken),
  }
}

/** The state after a step that may have been skipped: whatever holds in both cases. */
export function joinStates(a: State, b: State, start: Start): State {
  if (a === b) return a
  const nothing = (): undefined => undefined
  const dry: Residue = { fill: emptyFill, from: null }
  return {
    facts: joinMaps(a.facts, b.facts, start.value, joinValues),
    places: joinMaps(a.places, b.places, start.place, (x, y) => (x === y ? (x ?? null) : null)),
    vessels: joinMaps(a.vessels, b.vessels, start.parts, (x, y) =>
      joinParts(x as Parts, y as Parts),
    ),
    residue: joinMaps(a.residue, b.residue, nothing, (x = dry, y = dry) => ({
      fill: joinFills(x.fill, y.fill),
      from: x.from === y.from ? x.from : null,
    })),
    tips: joinMaps(a.tips, b.tips, nothing, joinTips),
    // A set point that only one of the two has would settle a device that never got it.
    pending: joinMaps(a.pending, b.pending, nothing, (x = [], y = []) =>
      x.filter((one) => y.includes(one)),
    ),
    time: joinMaps(a.time, b.time, nothing, (x = zero, y = zero) => hull(x, y)),
    stamps: joinMaps(a.stamps, b.stamps, nothing, (x = -1, y = -1) => Math.max(x, y)),
    lost: a.lost === b.lost ? a.lost : new Set([...a.lost, ...b.lost]),
    dark: a.dark || b.dark,
  }
}

/** Time added to a device. */
export const addTime = (of: Interval | undefined, more: Interval): Interval => add(of ?? zero, more)
