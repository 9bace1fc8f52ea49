// Who reaches into what: lids over places, and what a device needs closed while it is on.
import type { Interval } from '../read/scene.ts'
import { find, get, need, placeOf, touch, tri, type Ctx } from './context.ts'
import { inside, isZero, not, or } from './interval.ts'
import { readQuantity } from './quantity.ts'
import type { Tri } from './trace.ts'
import { limitOf, type Barrier, type Device } from './world.ts'

/** The device in or on which a thing or place is, through trays and racks; `null`: not known. */
export function deviceAt(ctx: Ctx, where: string): Device | 'none' | null {
  let at: string | null | undefined = where
  // A tube in a rack on a tray on a device: deeper nesting is a cycle of records.
  for (let depth = 0; depth < 6; depth++) {
    if (at === null || at === undefined) return null
    if (at === '') return 'none'
    const device = ctx.world.devices.get(at)
    if (device !== undefined) return device
    const place = ctx.world.places.get(at)
    if (place !== undefined) {
      return place.device === undefined ? 'none' : (ctx.world.devices.get(place.device) ?? null)
    }
    if (ctx.world.streams.has(at) || ctx.world.zones.has(at)) return 'none'
    touch(ctx, at, 'place', 'reads')
    at = placeOf(ctx, at)
  }
  return null
}

/** Reaching to a thing or place needs every barrier that covers its device to be open. */
export function reach(ctx: Ctx, where: string, raw: string, at: string): void {
  const device = deviceAt(ctx, where)
  if (device === 'none') return
  const lids =
    device === null
      ? ctx.world.registry.barriers.filter((b) => b.device !== undefined && b.covers)
      : (ctx.world.barriersOf.get(device.id) ?? []).filter((b) => b.covers)
  if (device === null) {
    // It may stand under any lid of the cell that is not known to be open.
    if (lids.some((lid) => tri(ctx, lid.id, 'open') !== true)) {
      find(ctx, 'DRYRUN_LID_CLOSED', null, 'escalate', at, { thing: raw, barrier: 'not known' })
    }
    return
  }
  for (const lid of lids) {
    touch(ctx, lid.id, 'open', 'reads')
    const facts = { thing: raw, barrier: lid.id }
    need(ctx, 'DRYRUN_LID_CLOSED', tri(ctx, lid.id, 'open'), 'escalate', at, facts)
  }
}

/** Classes of devices that a head never reaches into: what is in one is fetched first. */
const shutAway: ReadonlySet<Device['class']> = new Set(['store', 'bin'])

/** A head that draws, fills or mixes reaches what stands at a place, and nothing that is put away. */
export function reachByHead(ctx: Ctx, where: string, raw: string, at: string): void {
  touch(ctx, where, 'place', 'reads')
  const stands = placeOf(ctx, where)
  const store = typeof stands === 'string' ? ctx.world.devices.get(stands) : undefined
  if (store !== undefined && shutAway.has(store.class)) {
    const facts = { thing: raw, stands: store.id }
    find(ctx, 'DRYRUN_THING_ELSEWHERE', true, 'escalate', at, facts)
  }
  reach(ctx, where, raw, at)
}

/** What makes a device "on", each with its rest. */
const onFacts = [
  ['set_temperature', 'temperature'],
  ['rotation', 'rotation'],
  ['flow', 'flow'],
  ['pressure', 'pressure'],
] as const

/** The set point that the site file calls rest for a quantity; null: it states none. */
export function restOf(device: Device | undefined, quantity: string): Interval | null {
  const text = device?.rest[quantity]
  const rest = text === undefined ? null : readQuantity(text)
  return rest === null ? null : { lo: rest.value, hi: rest.value }
}

/** Whether one quantity of a device is at work: true, false or not known. */
export function working(
  ctx: Ctx,
  device: Device,
  fact: (typeof onFacts)[number][0],
  quantity: string,
): Tri {
  const value = get(ctx, device.id, fact)
  if (value === 'off' || value === false) return false
  if (value === null || value === undefined || typeof value !== 'object') return null
  const rest = restOf(device, quantity)
  if (rest !== null && inside(value, rest)) return false
  const zero = fact === 'set_temperature' ? false : isZero(value)
  if (zero === true) return false
  const mayRest = zero === null || (rest !== null && value.lo <= rest.hi && rest.lo <= value.hi)
  return mayRest ? null : true
}

const energetic: ReadonlySet<Device['class']> = new Set([
  'pump',
  'heater',
  'shaker',
  'heater_shaker',
  'centrifuge',
  'thermocycler',
  'reactor',
  'furnace',
  'light',
  'power',
  'gas',
])

/** Devices that hold energy at all: others are neither on nor off. */
export const canBeOn = (device: Device): boolean =>
  energetic.has(device.class) ||
  device.closed_while_on.length > 0 ||
  ['temperature', 'rotation', 'flow', 'pressure', 'power'].some((q) => q in device.limits)

/** Whether a device is energised in any way that it can be. */
export function isOn(ctx: Ctx, device: Device): Tri {
  const energised = tri(ctx, device.id, 'energised')
  if (energised === true) return true
  const parts: Tri[] = []
  for (const [fact, quantity] of onFacts) {
    const declared = limitOf(device, quantity) !== undefined
    const value = get(ctx, device.id, fact)
    if (value === undefined) {
      if (declared && energised !== false) parts.push(null)
      continue
    }
    parts.push(working(ctx, device, fact, quantity))
  }
  if (parts.length === 0) return energised
  return or(
    ...parts,
    energised === null && get(ctx, device.id, 'energised') === null ? null : false,
  )
}

/** A latch holds against movement alone; what covers also keeps heat, light and pressure in. */
const onlyHolds = (ctx: Ctx, barrier: string): boolean =>
  ctx.world.barriers.get(barrier)?.covers === false

/** Every barrier that must be closed for what the device is about to do. */
export function closedToStart(ctx: Ctx, device: Device, at: string, turns = false): void {
  for (const id of device.closed_while_on) {
    if (onlyHolds(ctx, id) && !turns) continue
    touch(ctx, id, 'open', 'reads')
    const closed = not(tri(ctx, id, 'open'))
    need(ctx, 'DRYRUN_STARTED_OPEN', closed, 'reject', at, { device: device.id, barrier: id })
  }
}

/** Whether a device does what this barrier must be closed for. */
export function needsClosed(ctx: Ctx, barrier: Barrier, device: Device): Tri {
  if (barrier.covers) return isOn(ctx, device)
  if (get(ctx, device.id, 'rotation') !== undefined) {
    return working(ctx, device, 'rotation', 'rotation')
  }
  return tri(ctx, device.id, 'energised') === false ? false : null
}

/** Devices that must not be on while this barrier opens. */
export function devicesBehind(ctx: Ctx, barrier: Barrier): readonly Device[] {
  return ctx.world.registry.devices.filter((d) => d.closed_while_on.includes(barrier.id))
}
