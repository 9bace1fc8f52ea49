// Reading, filling and emptying the parts of a vessel, with the limits that every such step touches.
import type { Interval, ThingRef } from '../read/scene.ts'
import {
  contentsChange,
  find,
  need,
  setVessel,
  standingAt,
  touch,
  vessel,
  type Ctx,
} from './context.ts'
import { draw, joinFills, pour, emptyFill, type Fill, type Parts } from './fill.ts'
import { and, atMost, point, times } from './interval.ts'
import { canonicalPart } from '../read/parts.ts'
import { countOf, partsOf, type PartSet } from './parts.ts'
import { show } from './quantity.ts'
import { capacityOf, gridOf } from './start.ts'
import type { Tri } from './trace.ts'

export type Vessel = {
  readonly key: string
  readonly ref: ThingRef
  readonly at: string
  readonly parts: PartSet
  /** µL of one part; null: none is declared. */
  readonly capacity: number | null
  readonly declared: boolean
  readonly stream: boolean
}

/** The vessel that a reference means; a place means the one thing that stands there. */
export function vesselOf(
  ctx: Ctx,
  named: ThingRef,
  at: string,
  partWord: string | null,
  channels: number,
): Vessel | null {
  const ref = named.is === 'place' && named.id !== null ? standing(ctx, named, at) : named
  if (ref === null) return null
  const declared = ref.id !== null && ref.is !== 'kind' && ref.is !== 'zone'
  if (!declared) find(ctx, 'DRYRUN_THING_UNKNOWN', null, 'escalate', at, { thing: named.raw })
  const key = ref.key
  const grid = declared ? gridOf(ctx.world, key) : null
  const parts = partsOf(
    named.part ?? (partWord === null ? null : canonicalPart(partWord)),
    grid,
    channels,
  )
  if (parts.kind === 'none') {
    const part = named.part ?? partWord ?? ''
    find(ctx, 'DRYRUN_PART_MISSING', true, 'reject', at, { thing: named.raw, part })
    return null
  }
  const stream = ctx.world.streams.has(key)
  return { key, ref: named, at, parts, capacity: capacityOf(ctx.world, key), declared, stream }
}

function standing(ctx: Ctx, place: ThingRef, at: string): ThingRef | null {
  const { sure, maybe } = standingAt(ctx, place.id ?? place.key)
  const only = sure.length === 1 && maybe.length === 0 ? sure[0] : undefined
  if (only !== undefined) return { ...place, id: only, key: only, is: 'thing' }
  find(ctx, 'DRYRUN_LOAD_UNKNOWN', null, 'escalate', at, { thing: place.raw })
  return null
}

/** The fills of a set of parts, each with its name; null is the class of all other parts. */
function entries(parts: Parts, set: PartSet): { name: string | null; fill: Fill }[] {
  if (set.kind === 'none') return []
  if (set.kind === 'list') {
    return set.names.map((name) => ({ name, fill: parts.by.get(name) ?? parts.rest }))
  }
  const named = [...parts.by].map(([name, fill]) => ({ name: name as string | null, fill }))
  return named.length < set.count || named.length === 0
    ? [...named, { name: null, fill: parts.rest }]
    : named
}

function write(parts: Parts, changed: readonly { name: string | null; fill: Fill }[]): Parts {
  let { rest } = parts
  const by = new Map(parts.by)
  for (const { name, fill } of changed) {
    if (name === null) rest = fill
    else by.set(name, fill)
  }
  return { rest, by }
}

const joined = (list: readonly { fill: Fill }[]): Fill =>
  list.map((e) => e.fill).reduce((a, b) => joinFills(a, b))

const shownPart = (set: PartSet): string | null =>
  set.kind === 'list' ? (set.names.length === 1 ? (set.names[0] ?? null) : '*') : '*'

function touchParts(ctx: Ctx, v: Vessel, mode: 'reads' | 'adds' | 'draws'): void {
  if (v.parts.kind === 'list') {
    for (const name of v.parts.names) touch(ctx, v.key, 'contents', mode, name)
  } else touch(ctx, v.key, 'contents', mode)
}

/** One portion, and how many parts gave one like it. */
export type Drawn = {
  readonly name: string | null
  readonly portion: Fill
  readonly count: number
}

/** All portions in one place. */
export const pooled = (drawn: readonly Drawn[]): Fill =>
  drawn.map(({ portion: one, count }) => multiplied(one, count)).reduce((a, b) => pour(a, b))

const multiplied = (fill: Fill, count: number): Fill =>
  count === 1
    ? fill
    : {
        ...fill,
        volume: times(fill.volume, count),
        list: fill.list.map((c) => ({ ...c, volume: times(c.volume, count) })),
      }

/** How many parts the class of all unnamed parts stands for. */
function classSize(set: PartSet, at: readonly { name: string | null }[]): number {
  const named = at.filter((e) => e.name !== null).length
  return set.kind === 'all' ? Math.max(1, set.count - named) : 1
}

/**
 * Draws `volume` from every part of the set, `portions` times each, and gives one portion a part.
 * A part that holds too little is a finding; what is drawn is never more than is there.
 */
export function take(ctx: Ctx, v: Vessel, volume: Interval, portions: number): readonly Drawn[] {
  touchParts(ctx, v, 'draws')
  const before = vessel(ctx, v.key)
  const at = entries(before, v.parts)
  const total = times(volume, portions)
  const enough = at.reduce<Tri>((all, e) => and(all, atMost(total, e.fill.volume)), true)
  // Of several parts of which one is meant, the fullest may be it: no breach while one has enough.
  const holds = v.parts.kind === 'some' && enough === false ? someHas(at, total) : enough
  // Of a thing that nobody knows nothing more is said than that.
  const told = v.declared || holds === false ? holds : true
  need(ctx, 'DRYRUN_TOO_LITTLE', told, 'escalate', v.at, {
    thing: v.ref.raw,
    needed: show(total, 'volume'),
    holds: show(joined(at).volume, 'volume'),
  })
  const out = at.map((e) => {
    const { drawn, left } = draw(e.fill, total)
    const count = e.name === null ? classSize(v.parts, at) : 1
    return { name: e.name, left, portion: portion(drawn, volume, portions), count, before: e.fill }
  })
  const weak = v.parts.kind === 'some' && v.parts.count > 1
  const after = write(
    before,
    out.map((o) => ({ name: o.name, fill: weak ? joinFills(o.before, o.left) : o.left })),
  )
  setVessel(ctx, v.key, after)
  contentsChange(ctx, v.key, shownPart(v.parts), joined(at), joined(entries(after, v.parts)))
  const shares = out.map(({ name, portion: one, count }) => ({ name, portion: one, count }))
  if (v.parts.kind !== 'some' || shares.length < 2) return shares
  return [{ name: null, portion: shares.map((p) => p.portion).reduce(joinFills), count: 1 }]
}

const someHas = (at: readonly { fill: Fill }[], total: Interval): Tri =>
  at.some((e) => atMost(total, e.fill.volume) !== false) ? null : false

function portion(drawn: Fill, volume: Interval, portions: number): Fill {
  if (portions === 1) return drawn
  const one = { lo: Math.min(volume.lo, drawn.volume.lo / portions), hi: volume.hi }
  const pure = drawn.list.length === 1 && !drawn.open
  return {
    ...drawn,
    volume: one,
    list: drawn.list.map((c) => ({
      ...c,
      volume: pure ? one : { lo: 0, hi: Math.min(c.volume.hi, one.hi) },
    })),
  }
}

/** Pours `more` into every part of the set; `of` picks the portion for a named part. */
export function give(ctx: Ctx, v: Vessel, of: (name: string | null) => Fill): Fill {
  touchParts(ctx, v, 'adds')
  const before = vessel(ctx, v.key)
  const at = entries(before, v.parts)
  const weak = v.parts.kind === 'some' && v.parts.count > 1
  const poured = at.map((e) => ({ name: e.name, fill: pour(e.fill, of(e.name)), before: e.fill }))
  if (v.capacity !== null) {
    const cap = point(v.capacity)
    const fits = poured.reduce<Tri>((all, e) => and(all, atMost(e.fill.volume, cap)), true)
    const holds =
      weak && fits === false && poured.some((e) => atMost(e.fill.volume, cap) !== false)
        ? null
        : fits
    need(ctx, 'DRYRUN_OVERFLOW', holds, 'reject', v.at, {
      thing: v.ref.raw,
      would_hold: show(joined(poured).volume, 'volume'),
      capacity: show(cap, 'volume'),
      parts: countOf(v.parts),
    })
  } else if (v.declared && !v.stream) {
    find(ctx, 'DRYRUN_LIMIT_UNDECLARED', null, 'escalate', v.at, {
      thing: v.ref.raw,
      limit: 'capacity',
    })
  }
  const after = write(
    before,
    poured.map((p) => ({
      name: p.name,
      fill: capped(weak ? joinFills(p.before, p.fill) : p.fill, v.capacity),
    })),
  )
  setVessel(ctx, v.key, after)
  contentsChange(ctx, v.key, shownPart(v.parts), joined(at), joined(entries(after, v.parts)))
  return joined(at)
}

/** More than full is full: the overflow is a finding already, and what ran over is gone. */
function capped(fill: Fill, capacity: number | null): Fill {
  if (capacity === null || fill.volume.hi <= capacity) return fill
  return { ...fill, volume: { lo: Math.min(fill.volume.lo, capacity), hi: capacity } }
}

/** What the parts of a vessel hold now, as one fill that covers each of them. */
export function look(ctx: Ctx, v: Vessel): Fill {
  touchParts(ctx, v, 'reads')
  const at = entries(vessel(ctx, v.key), v.parts)
  return at.length === 0 ? emptyFill : joined(at)
}

/** Everything in all parts of a thing, one on top of the other: what it holds in total. */
export function everythingIn(ctx: Ctx, thing: string): Fill {
  const parts = vessel(ctx, thing)
  const fills = [...parts.by.values()]
  const grid = gridOf(ctx.world, thing)
  const count = grid === null ? 1 : grid.rows * grid.columns
  const others = Math.max(0, count - fills.length)
  // With its contents: a part of a rack that is full of one liquid is no trace of it in the rack.
  const base: Fill = others === 0 ? emptyFill : multiplied(parts.rest, others)
  return fills.reduce(pour, base)
}
