// What a part of a vessel holds, as intervals: how much, and of what. `open` means that something else
// may be there too. Contents follow what is drawn; labels change nothing here.
import type { Interval, SubstanceRef } from '../read/scene.ts'
import { add, hull, notNegative, subtract, zero } from './interval.ts'
import type { Content } from './trace.ts'

export type Fill = {
  readonly volume: Interval
  readonly list: readonly Content[]
  readonly open: boolean
}

/** Parts of one thing: those that differ, and one fill that stands for all the others. */
export type Parts = { readonly rest: Fill; readonly by: ReadonlyMap<string, Fill> }

export const emptyFill: Fill = { volume: zero, list: [], open: false }

export const unknownFill = (capacity: number): Fill => ({
  volume: { lo: 0, hi: capacity },
  list: [],
  open: true,
})

/** More origins in one part are not kept apart; what is dropped leaves `open` behind. */
const contentsMax = 32

const keyOfSubstance = (s: SubstanceRef): string =>
  s.ids.length > 0 ? s.ids.join('+') : s.raw.toLowerCase()

const keyOf = (c: Content): string => `${keyOfSubstance(c.substance)}@${c.drawn_from ?? ''}`

function merged(
  a: readonly Content[],
  b: readonly Content[],
  both: (x: Interval, y: Interval) => Interval,
  single: (x: Interval) => Interval,
): { list: readonly Content[]; dropped: boolean } {
  const rest = new Map(b.map((c) => [keyOf(c), c]))
  const list = a.map((c) => {
    const other = rest.get(keyOf(c))
    rest.delete(keyOf(c))
    return {
      ...c,
      volume: other === undefined ? single(c.volume) : both(c.volume, other.volume),
    }
  })
  for (const c of rest.values()) list.push({ ...c, volume: single(c.volume) })
  const dropped = list.length > contentsMax
  return { list: dropped ? list.slice(0, contentsMax) : list, dropped }
}

/** Both together in one part. */
export function pour(a: Fill, b: Fill): Fill {
  const { list, dropped } = merged(a.list, b.list, add, (x) => x)
  return { volume: add(a.volume, b.volume), list, open: a.open || b.open || dropped }
}

/** One of two possible states. */
export function joinFills(a: Fill, b: Fill): Fill {
  if (a === b) return a
  const { list, dropped } = merged(a.list, b.list, hull, (x) => ({ lo: 0, hi: x.hi }))
  return { volume: hull(a.volume, b.volume), list, open: a.open || b.open || dropped }
}

/** `volume` taken out of a fill: what is drawn and what stays; never more than is there. */
export function draw(from: Fill, volume: Interval): { drawn: Fill; left: Fill } {
  const drawn = {
    lo: Math.min(volume.lo, from.volume.lo),
    hi: Math.min(volume.hi, from.volume.hi),
  }
  const left = notNegative(subtract(from.volume, drawn))
  const pure = from.list.length === 1 && !from.open
  const share = (c: Content): Content =>
    // A single substance is all that is drawn; of a mixture any share is possible.
    pure
      ? { ...c, volume: drawn }
      : { ...c, volume: { lo: 0, hi: Math.min(c.volume.hi, drawn.hi) } }
  const stays = (c: Content): Content =>
    pure
      ? { ...c, volume: left }
      : {
          ...c,
          volume: {
            lo: notNegative(subtract(c.volume, drawn)).lo,
            hi: Math.min(c.volume.hi, left.hi),
          },
        }
  return {
    drawn: { volume: drawn, list: drawn.hi === 0 ? [] : from.list.map(share), open: from.open },
    left: {
      volume: left,
      list: left.hi === 0 ? [] : from.list.map(stays),
      open: from.open && left.hi > 0,
    },
  }
}

/** Marks where something was drawn from, unless its origin is already known. */
export function drawnFrom(fill: Fill, origin: string): Fill {
  if (fill.list.every((c) => c.drawn_from !== null)) return fill
  return {
    ...fill,
    list: fill.list.map((c) => (c.drawn_from === null ? { ...c, drawn_from: origin } : c)),
  }
}

/** Names of what is there, for sentences and facts. */
export const namesOf = (list: readonly Content[]): string =>
  [...new Set(list.map((c) => c.substance.raw))].slice(0, 4).join(', ')

/** Every part that a set of parts touches, with what stands for the others. */
export function joinParts(a: Parts, b: Parts): Parts {
  if (a === b) return a
  const by = new Map<string, Fill>()
  for (const name of new Set([...a.by.keys(), ...b.by.keys()])) {
    by.set(name, joinFills(a.by.get(name) ?? a.rest, b.by.get(name) ?? b.rest))
  }
  return { rest: joinFills(a.rest, b.rest), by }
}
