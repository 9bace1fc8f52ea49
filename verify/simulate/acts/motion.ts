// Acts of arms, stores and heads: one object a gripper, one thing a place, and the zone of the place
// by the site file, whatever the plan calls it.
import type { Interval, SceneAct, ThingRef } from '../../read/scene.ts'
import { reach } from '../access.ts'
import {
  amountOf,
  atOf,
  find,
  interval,
  need,
  placeOf,
  putAt,
  refOf,
  set,
  standingAt,
  touch,
  word,
  wordOf,
  type Ctx,
} from '../context.ts'
import { add, atMost, hull, isZero, multiply, point, within } from '../interval.ts'
import { readQuantity, readRange, show, type Range } from '../quantity.ts'
import { capacityOf } from '../start.ts'
import { emptyKnown, placedOn } from '../thermal.ts'
import type { Tri } from '../trace.ts'
import { everythingIn } from '../vessels.ts'
import { kindOf, limitOf, type Device, type Place } from '../world.ts'
import { checkLimit, inRange } from '../limit.ts'
import { discardTip } from './matter.ts'
import { speedAt, travel } from '../zones.ts'
import { spills } from './spill.ts'
import { pickTip } from './tips.ts'

export function deviceOf(ctx: Ctx, act: SceneAct, role = 'device'): Device | null {
  const ref = refOf(act, role)
  if (ref === null) return null
  const device = ref.id === null ? undefined : ctx.world.devices.get(ref.id)
  if (device !== undefined) return device
  const at = atOf(ctx, act, role)
  find(ctx, 'DRYRUN_THING_UNKNOWN', null, 'escalate', at, { thing: ref.raw })
  return null
}

export function move(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const goal = refOf(act, 'place')
  if (device === null || goal === null) return
  const speed = amountOf(act, 'speed')
  const at = atOf(ctx, act, 'place')
  const chosen = speed === null ? null : checkLimit(ctx, device, 'speed', speed)
  touch(ctx, device.id, 'pose', `sets ${goal.key}`)
  const pace = speedAt(ctx, device, chosen)
  travel(ctx, device, goal, at, pace, refOf(act, 'zone'))
  spills(ctx, device, pace, at)
  set(ctx, device.id, 'place', goal.id)
}

/** Speed and mode of a device until they are set again. */
export function setMode(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  if (device === null) return
  const mode = wordOf(act, 'mode')
  const speed = amountOf(act, 'speed')
  touch(ctx, device.id, 'pose', `sets ${mode ?? ''} ${speed?.shown ?? ''}`)
  if (mode !== null) set(ctx, device.id, 'mode', mode)
  const chosen = speed === null ? null : checkLimit(ctx, device, 'speed', speed)
  // A mode without a speed may mean any speed that the device can do.
  if (speed !== null || mode !== null) set(ctx, device.id, 'speed', chosen)
}

/** The place that a reference means: itself, or the only place of a device. */
function placeFor(ctx: Ctx, ref: ThingRef): { key: string; place: Place | null } {
  const place = ctx.world.places.get(ref.key)
  if (place !== undefined) return { key: ref.key, place }
  const own = ctx.world.placesOf.get(ref.key) ?? []
  const only = own.length === 1 ? own[0] : undefined
  return only === undefined ? { key: ref.key, place: null } : { key: only.id, place: only }
}

function goTo(ctx: Ctx, device: Device, ref: ThingRef, at: string): string {
  const { key, place } = placeFor(ctx, ref)
  if (device.class === 'robot_arm' || place !== null) {
    const pace = speedAt(ctx, device, null)
    travel(ctx, device, { ...ref, key, id: place?.id ?? ref.id }, at, pace, null)
    spills(ctx, device, pace, at)
  } else if (ref.id === null) {
    find(ctx, 'DRYRUN_PLACE_UNKNOWN', null, 'escalate', at, { place: ref.raw })
  }
  if (ref.id !== null) reach(ctx, key, ref.raw, at)
  touch(ctx, device.id, 'pose', `sets ${key}`)
  if (device.class === 'robot_arm') set(ctx, device.id, 'place', ref.id === null ? null : key)
  return key
}

export function pick(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const thing = refOf(act, 'thing')
  if (device === null || thing === null) return
  const at = atOf(ctx, act, 'thing')
  const kind = kindOf(ctx.world, thing.key)
  if (device.class === 'pipette') return pickTip(ctx, act, device, thing)
  const empty = holdsNothing(ctx, device)
  need(ctx, 'DRYRUN_GRIPPER_FULL', empty, 'escalate', ctx.step.at, { device: device.id })
  if (thing.id === null)
    find(ctx, 'DRYRUN_THING_UNKNOWN', null, 'escalate', at, { thing: thing.raw })
  const from = refOf(act, 'place')
  const stands = placeOf(ctx, thing.key)
  if (from !== null) {
    const key = goTo(ctx, device, from, atOf(ctx, act, 'place'))
    takenFrom(ctx, thing, key, from.raw, at)
  } else if (typeof stands === 'string' && stands !== '') {
    reach(ctx, stands, thing.raw, at)
  } else {
    const sure = stands === '' ? true : null
    find(ctx, 'DRYRUN_THING_ELSEWHERE', sure, 'escalate', at, { thing: thing.raw })
  }
  const force = amountOf(act, 'force')
  if (force !== null) checkLimit(ctx, device, 'force', force)
  payload(ctx, act, device, thing.key, kind?.mass)
  touch(ctx, device.id, 'holds', `sets ${thing.key}`)
  touch(ctx, thing.key, 'place', `sets ${device.id}`)
  leave(ctx, thing.key)
  set(ctx, device.id, 'holds', thing.key)
  putAt(ctx, thing.key, device.id)
}

/** Compares where a thing is said to be with where it stands. */
function takenFrom(ctx: Ctx, thing: ThingRef, key: string, raw: string, at: string): void {
  const stands = placeOf(ctx, thing.key)
  const facts = { thing: thing.raw, place: raw }
  if (stands === key) return
  const device = ctx.world.places.get(key)?.device
  if (stands !== undefined && stands === device) return
  if (typeof stands === 'string') {
    find(ctx, 'DRYRUN_THING_ELSEWHERE', true, 'escalate', at, {
      ...facts,
      stands: stands || 'gone',
    })
    return
  }
  // Who arms the cell confirms the list of what was set up for this run.
  if (thing.id === null) return
  const claimed = stands === undefined && ctx.world.places.get(key)?.per_run === true
  if (!claimed) find(ctx, 'DRYRUN_THING_ELSEWHERE', null, 'escalate', at, facts)
}

/** After a thing has gone, its place is free if it held one thing. */
function leave(ctx: Ctx, thing: string): void {
  const from = placeOf(ctx, thing)
  if (typeof from !== 'string') return
  const place = ctx.world.places.get(from)
  touch(ctx, from, 'load', `sets without ${thing}`)
  if (place?.device !== undefined) touch(ctx, place.device, 'load', `sets without ${thing}`)
  if (place?.holds === 1) set(ctx, place.id, 'holds', '')
}

/** Grams of one µL, from the lightest liquids to heavy brines: what is in a vessel is lifted with it. */
const gramsPerMicrolitre: Interval = { lo: 0.6e-3, hi: 2e-3 }

/** What a thing and its contents weigh against what the arm may carry. */
function loadFits(
  ctx: Ctx,
  device: Device,
  limit: Range,
  thing: string,
  own: Interval | null,
  at: string,
): void {
  if (limit.kind !== 'range' || limit.dim !== 'mass') return
  // Whoever weighed it weighed it full.
  if (interval(ctx, thing, 'mass') !== null || capacityOf(ctx.world, thing) === null) return
  const filled = multiply(everythingIn(ctx, thing).volume, gramsPerMicrolitre)
  const mass = add(own ?? { lo: 0, hi: 0 }, filled)
  need(ctx, 'DRYRUN_LIMIT', atMost(mass, point(limit.value.hi)), 'reject', at, {
    device: device.id,
    limit: 'payload',
    value: show(mass, 'mass'),
    range: show(limit.value, 'mass'),
  })
}

function payload(
  ctx: Ctx,
  act: SceneAct,
  device: Device,
  thing: string,
  kindMass: string | undefined,
): void {
  const told = amountOf(act, 'mass')
  const limit = limitOf(device, 'payload')
  const own = kindMass === undefined ? null : readQuantity(kindMass)
  const declared = own?.dim === 'mass' ? point(own.value) : null
  const at = atOf(ctx, act, 'mass')
  if (limit !== undefined) loadFits(ctx, device, limit, thing, declared, at)
  if (told === null && declared === null) return
  if (limit === undefined) {
    const facts = { thing: device.id, limit: 'payload' }
    find(ctx, 'DRYRUN_LIMIT_UNDECLARED', null, 'escalate', at, facts)
    return
  }
  // A told mass may add to the declared one and never takes from it.
  for (const mass of [told?.value ?? null, declared]) {
    if (mass !== null) inRange(ctx, device, 'payload', mass, 'mass', limit, at)
  }
}

export function holdsNothing(ctx: Ctx, device: Device): Tri {
  touch(ctx, device.id, 'holds', 'reads')
  const holds = word(ctx, device.id, 'holds')
  return holds === null ? null : holds === ''
}

export function putDown(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const to = refOf(act, 'place')
  if (device === null || to === null) return
  if (device.class === 'pipette') {
    if (to.id !== null) reach(ctx, to.key, to.raw, atOf(ctx, act, 'place'))
    return discardTip(ctx, device, to)
  }
  const named = refOf(act, 'thing')
  const at = atOf(ctx, act, named === null ? 'place' : 'thing')
  touch(ctx, device.id, 'holds', 'reads')
  const holds = word(ctx, device.id, 'holds')
  const right = holds === null ? null : holds !== '' && (named === null || holds === named.key)
  const facts = { device: device.id, holds: holds === '' ? 'nothing' : (holds ?? 'not known') }
  need(ctx, 'DRYRUN_GRIPPER_EMPTY', right, 'escalate', at, facts)
  const where = atOf(ctx, act, 'place')
  const key = goTo(ctx, device, to, where)
  const thing = named?.key ?? (holds === '' ? null : holds)
  room(ctx, key, to.raw, thing, where)
  touch(ctx, device.id, 'holds', 'sets nothing')
  set(ctx, device.id, 'holds', '')
  if (thing !== null) arriveAt(ctx, thing, named?.raw ?? thing, to.id === null ? null : key, where)
}

/** Room for one more thing at a place. */
function room(ctx: Ctx, key: string, raw: string, thing: string | null, at: string): void {
  const place = ctx.world.places.get(key)
  if (place === undefined) return
  touch(ctx, key, 'load', 'reads')
  const { sure, maybe } = standingAt(ctx, key)
  const others = sure.filter((one) => one !== thing)
  const facts = { place: raw, holds: place.holds, stands: others.slice(0, 4).join(', ') }
  if (others.length >= place.holds) {
    find(ctx, 'DRYRUN_PLACE_OCCUPIED', true, 'escalate', at, facts)
  } else if (maybe.some((one) => one !== thing) && others.length + maybe.length >= place.holds) {
    find(ctx, 'DRYRUN_PLACE_OCCUPIED', null, 'escalate', at, facts)
  } else if (sure.length === 0 && !emptyKnown(ctx, key)) {
    find(ctx, 'DRYRUN_PLACE_OCCUPIED', null, 'escalate', at, facts)
  }
}

function arriveAt(ctx: Ctx, thing: string, raw: string, key: string | null, at: string): void {
  touch(ctx, thing, 'place', `sets ${key ?? 'unknown'}`)
  putAt(ctx, thing, key)
  if (key === null) return
  const place = ctx.world.places.get(key)
  if (place !== undefined) {
    touch(ctx, key, 'load', `sets ${thing}`)
    if (place.holds === 1) set(ctx, key, 'holds', thing)
  }
  const device = ctx.world.devices.get(place?.device ?? key)
  if (device === undefined) return
  touch(ctx, device.id, 'load', `sets ${thing}`)
  placedOn(ctx, thing, raw, device, at)
  keeps(ctx, thing, raw, device, at)
}

/** A store keeps its temperature; what is put in must stand it. */
function keeps(ctx: Ctx, thing: string, raw: string, store: Device, at: string): void {
  const kept = store.temperature === undefined ? null : readRange(store.temperature)
  const range = kindOf(ctx.world, thing)?.temperature
  const wants = range === undefined ? null : readRange(range)
  if (kept?.kind !== 'range' || wants?.kind !== 'range') return
  need(ctx, 'DRYRUN_STORE_TEMPERATURE', within(kept.value, wants.value), 'escalate', at, {
    thing: raw,
    store: store.id,
    keeps: show(kept.value, 'temperature'),
    needs: show(wants.value, 'temperature'),
  })
}

export function carry(ctx: Ctx, act: SceneAct): void {
  const thing = refOf(act, 'thing')
  if (thing === null) return
  const device = refOf(act, 'device') === null ? null : deviceOf(ctx, act)
  const at = atOf(ctx, act, 'thing')
  if (thing.id === null)
    find(ctx, 'DRYRUN_THING_UNKNOWN', null, 'escalate', at, { thing: thing.raw })
  const from = refOf(act, 'from')
  if (from !== null) {
    const { key } = placeFor(ctx, from)
    if (from.id !== null) reach(ctx, key, from.raw, atOf(ctx, act, 'from'))
    takenFrom(ctx, thing, key, from.raw, at)
  } else if (typeof placeOf(ctx, thing.key) !== 'string') {
    find(ctx, 'DRYRUN_THING_ELSEWHERE', null, 'escalate', at, { thing: thing.raw })
  }
  leave(ctx, thing.key)
  const to = refOf(act, 'to')
  const arm = device?.class === 'robot_arm' ? device : null
  if (arm !== null) {
    const empty = holdsNothing(ctx, arm)
    need(ctx, 'DRYRUN_GRIPPER_FULL', empty, 'escalate', ctx.step.at, { device: arm.id })
    payload(ctx, act, arm, thing.key, kindOf(ctx.world, thing.key)?.mass)
    if (from !== null) goTo(ctx, arm, from, atOf(ctx, act, 'from'))
  }
  if (to === null) return arriveAt(ctx, thing.key, thing.raw, null, at)
  const where = atOf(ctx, act, 'to')
  const key = arm === null ? placeFor(ctx, to).key : goTo(ctx, arm, to, where)
  if (arm === null && to.id !== null) reach(ctx, key, to.raw, where)
  if (to.id === null) find(ctx, 'DRYRUN_PLACE_UNKNOWN', null, 'escalate', where, { place: to.raw })
  room(ctx, key, to.raw, thing.key, where)
  arriveAt(ctx, thing.key, thing.raw, to.id === null ? null : key, where)
}

/** Opening a gripper lets go of what it holds, wherever it is. */
export function grip(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const width = amountOf(act, 'width')
  if (device === null || width === null) return
  checkLimit(ctx, device, 'opening', width)
  const before = interval(ctx, device.id, 'opening')
  const closes = before !== null && width.value.hi <= before.lo
  const empty = holdsNothing(ctx, device)
  const shut = isZero(width.value) === true
  if (!closes && !shut) {
    need(ctx, 'DRYRUN_RELEASED_AWAY', empty, 'escalate', width.at, {
      device: device.id,
      holds: word(ctx, device.id, 'holds') ?? 'not known',
    })
    const held = word(ctx, device.id, 'holds')
    if (held !== null && held !== '') putAt(ctx, held, null)
    if (empty !== true) set(ctx, device.id, 'holds', empty === false ? '' : null)
  }
  touch(ctx, device.id, 'holds', `sets ${width.shown}`)
  set(ctx, device.id, 'opening', before === null ? width.value : hull(width.value, width.value))
}
