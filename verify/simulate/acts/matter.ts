// Acts that move matter: what is drawn is what arrives, and the head that carries it has a range, a
// tip and a memory of what it touched.
import type { Interval, SceneAct, SubstanceRef, ThingRef } from '../../read/scene.ts'
import { reach, reachByHead } from '../access.ts'
import {
  amountOf,
  atOf,
  find,
  interval,
  need,
  putAt,
  refOf,
  set,
  setResidue,
  touch,
  word,
  wordOf,
  type Ctx,
} from '../context.ts'
import { drawnFrom, joinFills, namesOf, type Fill } from '../fill.ts'
import { add, atMost, multiply, point, times } from '../interval.ts'
import { labelled, meetings, streamTakes, tipTouches } from '../liquids.ts'
import { countOf, partName } from '../parts.ts'
import { readQuantity, show } from '../quantity.ts'
import { warmed } from '../thermal.ts'
import {
  everythingIn,
  give,
  look,
  pooled,
  take,
  vesselOf,
  type Drawn,
  type Vessel,
} from '../vessels.ts'
import { channelsOf, kindOf, limitOf, type Device } from '../world.ts'

/** µL of one gram: from the heaviest liquids and solids to loose powder. */
const volumePerGram: Interval = { lo: 40, hi: 10_000 }

/** Words of `choiceMeanings` for the tip of one call. */
const fresh: ReadonlySet<string> = new Set(['new_each', 'new_once'])
const kept = 'reuse'

function volumeOf(act: SceneAct, role: string): Interval | null {
  const amount = amountOf(act, role)
  if (amount === null) return null
  return amount.dim === 'mass' ? multiply(amount.value, volumePerGram) : amount.value
}

function deviceOf(ctx: Ctx, ref: ThingRef | null): Device | null {
  return ref?.id == null ? null : (ctx.world.devices.get(ref.id) ?? null)
}

const isHead = (device: Device | null): device is Device => device?.class === 'pipette'

/** µL that the mounted tip holds; undefined: none is mounted; null: nobody knows. */
function tipHolds(ctx: Ctx, head: Device): number | null | undefined {
  const recorded = interval(ctx, head.id, 'tip')
  if (recorded !== null) return recorded.hi
  const rack = word(ctx, head.id, 'tip')
  if (rack === '') return undefined
  const capacity = rack === null ? undefined : kindOf(ctx.world, rack)?.capacity
  return capacity === undefined ? null : (readQuantity(capacity)?.value ?? null)
}

/** Range of a head: its own, and above it what its tip holds. */
function headRange(ctx: Ctx, head: Device): Interval | null {
  const limit = limitOf(head, 'volume')
  const own = limit?.kind === 'range' && limit.dim === 'volume' ? limit.value : null
  const holds = tipHolds(ctx, head) ?? undefined
  if (own === null && holds === undefined) return null
  return { lo: own?.lo ?? 0, hi: Math.min(own?.hi ?? Infinity, holds ?? Infinity) }
}

/** A mounted tip is needed: true, false, or not known. */
function tipNeeded(ctx: Ctx, head: Device, at: string): void {
  touch(ctx, head.id, 'tip', 'reads')
  const tip = interval(ctx, head.id, 'tip') === null ? word(ctx, head.id, 'tip') : 'mounted'
  const mounted = tip === null ? null : tip !== ''
  need(ctx, 'DRYRUN_TIP_MISSING', mounted, 'escalate', at, { device: head.id })
}

function carries(ctx: Ctx, head: Device, volume: Interval, held: Interval, at: string): void {
  const range = headRange(ctx, head)
  if (range === null) {
    find(ctx, 'DRYRUN_LIMIT_UNDECLARED', null, 'escalate', at, { thing: head.id, limit: 'volume' })
    return
  }
  const facts = { device: head.id, volume: show(volume, 'volume'), range: show(range, 'volume') }
  const low = atMost(point(range.lo), volume)
  const high = atMost(add(held, volume), point(range.hi))
  const tip = tipHolds(ctx, head)
  const both = low === true && high === true && tip !== null
  const fits = low === false || high === false ? false : both ? true : null
  need(ctx, 'DRYRUN_HEAD_RANGE', fits, 'reject', at, facts)
}

export function transfer(ctx: Ctx, act: SceneAct): void {
  const fromRef = refOf(act, 'from')
  const toRef = refOf(act, 'to')
  const volume = volumeOf(act, 'volume')
  if (fromRef === null || toRef === null || volume === null) return
  const into = deviceOf(ctx, toRef)
  const outOf = deviceOf(ctx, fromRef)
  const carrier = deviceOf(ctx, refOf(act, 'with'))
  const head = [into, outOf, carrier].find((d) => isHead(d ?? null)) ?? null
  const channels = channelsOf(head ?? undefined)
  const fromPart = wordOf(act, 'from_part')
  const source = vesselOf(ctx, fromRef, atOf(ctx, act, 'from'), fromPart, channels)
  const toPart = wordOf(act, 'to_part')
  const target = vesselOf(ctx, toRef, atOf(ctx, act, 'to'), toPart, channels)
  if (source === null || target === null) return
  const from = isHead(outOf) ? facing(source, target, channels) : source
  const to = isHead(into) ? facing(target, source, channels) : target
  if (from.stream) {
    const facts = { stream: fromRef.raw }
    find(ctx, 'DRYRUN_SOURCE_IS_WASTE', true, 'escalate', from.at, facts)
  }
  const reaches = head === null ? reach : reachByHead
  for (const v of [from, to]) if (!v.stream && v.declared) reaches(ctx, v.key, v.ref.raw, v.at)
  checkHead(ctx, act, head, from, to, volume, head !== null && (into === head || outOf === head))
  const portions = portionsOf(ctx, from, to)
  const drawn = take(ctx, from, volume, portions)
  if (head !== null && into === head) tipTouches(ctx, head.id, from, pooled(drawn))
  const label = act.roles['substance']?.[0]
  arrive(ctx, to, drawn, from, label?.kind === 'substance' ? label.substance : null)
  if (countOf(to.parts) > 1) {
    ctx.notes.push(`${show(times(volume, countOf(to.parts)), 'volume')} in all`)
  }
}

/** The channels of a head that face the parts on the other side, one each; else all of them. */
function facing(head: Vessel, other: Vessel, channels: number): Vessel {
  if (channels === 1) return head
  const n = other.parts.kind === 'list' ? other.parts.names.length : 0
  if (n < 2 || n > channels) return { ...head, parts: { kind: 'all', count: channels } }
  const names = Array.from({ length: n }, (_, i) => partName(i + 1, 1))
  return { ...head, parts: { kind: 'list', names } }
}

/** How many portions each part of the source gives. */
function portionsOf(ctx: Ctx, from: Vessel, to: Vessel): number {
  const m = from.parts.kind === 'some' ? 1 : countOf(from.parts)
  const n = to.parts.kind === 'some' ? 1 : countOf(to.parts)
  if (m <= 1) return Math.max(1, n)
  if (n <= 1 || (m === n && from.parts.kind === to.parts.kind)) return 1
  const facts = { from_parts: m, to_parts: n }
  find(ctx, 'DRYRUN_PAIRING', null, 'escalate', to.at, facts)
  return Math.ceil(n / m)
}

function checkHead(
  ctx: Ctx,
  act: SceneAct,
  head: Device | null,
  from: Vessel,
  to: Vessel,
  volume: Interval,
  direct: boolean,
): void {
  if (head === null) return
  const at = atOf(ctx, act, 'volume')
  if (direct) {
    tipNeeded(ctx, head, ctx.step.at)
    if (to.key === head.id) {
      const held = look(ctx, to)
      carries(ctx, head, volume, held.volume, at)
    }
    return
  }
  const tip = wordOf(act, 'tip')
  if (tip === null || tip === kept) {
    tipNeeded(ctx, head, ctx.step.at)
    tipTouches(ctx, head.id, from, look(ctx, from))
  } else if (!fresh.has(tip)) {
    find(ctx, 'DRYRUN_TIP_MISSING', null, 'escalate', atOf(ctx, act, 'tip'), { device: head.id })
  }
  // A larger volume goes in several strokes; a smaller one than the head can dose does not.
  const range = limitOf(head, 'volume')
  if (range?.kind !== 'range') {
    const facts = { thing: head.id, limit: 'volume' }
    find(ctx, 'DRYRUN_LIMIT_UNDECLARED', null, 'escalate', at, facts)
    return
  }
  need(ctx, 'DRYRUN_HEAD_RANGE', atMost(point(range.value.lo), volume), 'reject', at, {
    device: head.id,
    volume: show(volume, 'volume'),
    range: show(range.value, 'volume'),
  })
}

/** What was drawn arrives: label, meetings, streams, heat and capacity are looked at here. */
function arrive(
  ctx: Ctx,
  to: Vessel,
  drawn: readonly Drawn[],
  from: Vessel,
  label: SubstanceRef | null,
): void {
  const origin = (name: string | null) => (name === null ? from.key : `${from.key} ${name}`)
  const portions = drawn.map((d) => ({ ...d, portion: drawnFrom(d.portion, origin(d.name)) }))
  const all = pooled(portions)
  if (label !== null && (from.declared || all.list.length > 0)) {
    labelled(ctx, atOfLabel(ctx, to), label, all)
  }
  const arriving = portionFor(from, to, portions, all, label)
  const there = give(ctx, to, arriving)
  const met = label !== null && all.open ? claim(all, label) : all
  meetings(ctx, to.at, to.ref.raw, met, there, from.declared && to.declared)
  const stream = ctx.world.streams.get(to.key)
  if (stream !== undefined) streamTakes(ctx, to.at, stream, met)
  else warmed(ctx, to.key, to.ref.raw, met, to.at)
}

/** What each part of the destination gets. */
function portionFor(
  from: Vessel,
  to: Vessel,
  portions: readonly Drawn[],
  all: Fill,
  label: SubstanceRef | null,
): (name: string | null) => Fill {
  // An unconfirmed label may add a hazard to what is not known; it never takes one away.
  const told = (fill: Fill) => (label !== null && fill.open ? claim(fill, label) : fill)
  const one = portions.length === 1 ? portions[0] : undefined
  const many = to.parts.kind !== 'some' && countOf(to.parts) > 1
  if (!many) return () => told(one !== undefined && one.count === 1 ? one.portion : all)
  const [m, n] = [countOf(from.parts), countOf(to.parts)]
  if (m === n && from.parts.kind === to.parts.kind) {
    const order = to.parts.kind === 'list' ? to.parts.names : []
    return (name) => {
      const nth = name === null ? undefined : portions[order.indexOf(name)]
      const same = nth ?? portions.find((p) => p.name === name)
      return told((same ?? portions.find((p) => p.name === null) ?? one)?.portion ?? all)
    }
  }
  if (m <= 1 && one !== undefined) return () => told(one.portion)
  const any = portions.map((p) => p.portion).reduce((x, y) => joinFills(x, y))
  return () => told(any)
}

const atOfLabel = (ctx: Ctx, to: Vessel): string => {
  const value = ctx.step.acts[ctx.act]?.roles['substance']?.[0]
  return value?.at ?? to.at
}

/** What a label claims of a fill that is not known: all of it, as far as hazards go. */
function claim(fill: Fill, label: SubstanceRef): Fill {
  const most = fill.volume.hi
  const volume = fill.list.length === 0 ? point(most) : { lo: 0, hi: most }
  return { ...fill, list: [...fill.list, { substance: label, volume, drawn_from: null }] }
}

export function mix(ctx: Ctx, act: SceneAct): void {
  const ref = refOf(act, 'in')
  if (ref === null) return
  const head = deviceOf(ctx, refOf(act, 'with'))
  const part = wordOf(act, 'in_part')
  const at = atOf(ctx, act, 'in')
  const v = vesselOf(ctx, ref, at, part, isHead(head) ? channelsOf(head) : 1)
  if (v === null) return
  const reaches = isHead(head) ? reachByHead : reach
  if (v.declared) reaches(ctx, v.key, ref.raw, at)
  const there = look(ctx, v)
  const volume = volumeOf(act, 'volume')
  if (volume !== null && v.declared) {
    need(ctx, 'DRYRUN_TOO_LITTLE', atMost(volume, there.volume), 'escalate', at, {
      thing: ref.raw,
      needed: show(volume, 'volume'),
      holds: show(there.volume, 'volume'),
    })
  }
  if (!isHead(head)) return
  tipNeeded(ctx, head, ctx.step.at)
  if (volume !== null) carries(ctx, head, volume, point(0), atOf(ctx, act, 'volume'))
  tipTouches(ctx, head.id, v, there)
}

export function discard(ctx: Ctx, act: SceneAct): void {
  const what = refOf(act, 'what')
  const into = refOf(act, 'into')
  if (what === null || into === null) return
  const at = atOf(ctx, act, 'what')
  const head = deviceOf(ctx, what)
  if (isHead(head)) return discardTip(ctx, head, into)
  const stream = into.id === null ? undefined : ctx.world.streams.get(into.id)
  const volume = volumeOf(act, 'volume')
  const bin = stream?.solid === true || (volume === null && stream === undefined)
  if (bin) return discardThing(ctx, what, into, at)
  const from = vesselOf(ctx, what, at, null, 1)
  const to = vesselOf(ctx, into, atOf(ctx, act, 'into'), null, 1)
  if (from === null || to === null) return
  if (from.declared) reach(ctx, from.key, what.raw, at)
  const amount = volume ?? look(ctx, from).volume
  arrive(ctx, to, take(ctx, from, amount, 1), from, null)
}

/** A tip goes, with what is still in it. */
export function discardTip(ctx: Ctx, head: Device, into: ThingRef): void {
  tipNeeded(ctx, head, ctx.step.at)
  const held = everythingIn(ctx, head.id)
  const stream = into.id === null ? undefined : ctx.world.streams.get(into.id)
  if (held.volume.hi > 0 && stream !== undefined && !stream.solid) {
    streamTakes(ctx, ctx.step.at, stream, held)
  }
  emptyHead(ctx, head)
  touch(ctx, head.id, 'tip', 'sets none')
  set(ctx, head.id, 'tip', '')
}

export function emptyHead(ctx: Ctx, head: Device): void {
  const vessels = new Map(ctx.state.vessels)
  vessels.set(head.id, { rest: { volume: point(0), list: [], open: false }, by: new Map() })
  ctx.state = { ...ctx.state, vessels }
  setResidue(ctx, head.id, null)
}

function discardThing(ctx: Ctx, what: ThingRef, into: ThingRef, at: string): void {
  if (what.id === null) find(ctx, 'DRYRUN_THING_UNKNOWN', null, 'escalate', at, { thing: what.raw })
  const bin = deviceOf(ctx, into)
  const stream = into.id === null ? undefined : ctx.world.streams.get(into.id)
  if (bin === null && stream === undefined) {
    find(ctx, 'DRYRUN_THING_UNKNOWN', null, 'escalate', at, { thing: into.raw })
  }
  const inside = everythingIn(ctx, what.key)
  if (stream !== undefined && inside.list.length > 0 && inside.volume.hi > 0) {
    const names = namesOf(inside.list)
    ctx.notes.push(`it holds ${show(inside.volume, 'volume')} of ${names}`)
    if (stream.refuses.length > 0) streamTakes(ctx, at, stream, inside)
  }
  touch(ctx, what.key, 'place', 'sets gone')
  putAt(ctx, what.key, '')
}
