// Acts that put energy into a device: each within the limits of the device and of everything on it,
// with what must be shut shut, and back at rest in the end.
import type { Dimension } from '../../../protocol/acts.ts'
import type { FactName } from '../../../protocol/condition.ts'
import type { Interval, SceneAct } from '../../read/scene.ts'
import { closedToStart, isOn, restOf } from '../access.ts'
import {
  amountOf,
  amountsOf,
  find,
  flagOf,
  get,
  interval,
  need,
  refOf,
  set,
  touch,
  type Amount,
  type Ctx,
} from '../context.ts'
import { add, hull, inside, isZero, multiply, point, roomTemperature, zero } from '../interval.ts'
import { checkLimit, inRange } from '../limit.ts'
import { readQuantity, show } from '../quantity.ts'
import { addTime, type Pending } from '../state.ts'
import { heatLoad, loadOf } from '../thermal.ts'
import { kindOf, limitOf, type Device } from '../world.ts'
import { streamBetween } from './flow.ts'
import { shutGases } from './gas-state.ts'
import { deviceOf } from './motion.ts'

type Setting = 'set_temperature' | 'rotation' | 'pressure' | 'flow'

/** Time that a device runs by this plan; a declared total is a limit like any other. */
export function runs(ctx: Ctx, device: Device, hold: Interval | null, at: string): void {
  if (hold === null) return
  const total = addTime(ctx.state.time.get(device.id), hold)
  const time = new Map(ctx.state.time)
  time.set(device.id, total)
  ctx.state = { ...ctx.state, time }
  const limit = limitOf(device, 'time')
  if (limit?.kind !== 'range' || limit.dim !== 'time') return
  const top = { lo: -Infinity, hi: limit.value.hi }
  const holds = total.hi <= top.hi ? true : total.lo > top.hi ? false : null
  need(ctx, 'DRYRUN_TIME_TOTAL', holds, 'escalate', at, {
    device: device.id,
    total: show(total, 'time'),
    limit: show(top, 'time'),
  })
}

/** Arms inside a device that starts to turn: by their last known place. */
export function clearOfArms(ctx: Ctx, device: Device): void {
  const spots = new Set([device.id, ...(ctx.world.placesOf.get(device.id) ?? []).map((p) => p.id)])
  if (spots.size === 1) return
  const shut =
    device.closed_while_on.length > 0 &&
    device.closed_while_on.every((id) => get(ctx, id, 'open') === false)
  for (const arm of ctx.world.registry.devices) {
    if (arm.class !== 'robot_arm') continue
    const at = get(ctx, arm.id, 'place')
    const facts = { device: device.id, arm: arm.id }
    touch(ctx, arm.id, 'pose', 'reads')
    if (typeof at === 'string') {
      if (spots.has(at)) find(ctx, 'DRYRUN_DEVICE_OCCUPIED', true, 'reject', ctx.step.at, facts)
    } else if (!shut) {
      find(ctx, 'DRYRUN_DEVICE_OCCUPIED', null, 'escalate', ctx.step.at, facts)
    }
  }
}

/** The new value of a setting; a relative one needs to know the old one. */
function target(ctx: Ctx, act: SceneAct, device: Device, fact: FactName, amount: Amount): Amount {
  if (!act.relative) return amount
  const before = interval(ctx, device.id, fact)
  if (before !== null) return { ...amount, value: add(before, amount.value) }
  const facts = { thing: device.id, fact }
  find(ctx, 'DRYRUN_STATE_NOT_KNOWN', null, 'escalate', amount.at, facts)
  return { ...amount, value: { lo: -Infinity, hi: Infinity } }
}

export function isRest(
  device: Device,
  quantity: string,
  value: Interval,
  zeroIsRest: boolean,
): boolean {
  const rest = restOf(device, quantity)
  return (rest !== null && inside(value, rest)) || (zeroIsRest && isZero(value) === true)
}

const settings: Record<Setting, { quantity: string; dim: Dimension; zeroIsRest: boolean }> = {
  set_temperature: { quantity: 'temperature', dim: 'temperature', zeroIsRest: false },
  rotation: { quantity: 'rotation', dim: 'rotation', zeroIsRest: true },
  pressure: { quantity: 'pressure', dim: 'pressure', zeroIsRest: true },
  flow: { quantity: 'flow', dim: 'flow', zeroIsRest: true },
}

/** One set point of a device, with its effect on the state; gives the value, or null when unclear. */
function setPoint(
  ctx: Ctx,
  act: SceneAct,
  device: Device,
  fact: Setting,
  given: Amount,
): Interval | null {
  const { quantity, zeroIsRest } = settings[fact]
  const amount = target(ctx, act, device, fact, given)
  const resting = isRest(device, quantity, amount.value, zeroIsRest)
  const value = resting ? amount.value : checkLimit(ctx, device, quantity, amount)
  if (!resting) closedToStart(ctx, device, given.at, fact === 'rotation')
  const hold = amountOf(act, 'hold')
  runs(ctx, device, resting ? null : (hold?.value ?? null), given.at)
  const key = value === null ? 'unknown' : show(value, amount.dim)
  // Two equal set points without a time do not care which comes first; a hold does.
  touch(ctx, device.id, 'on', hold === null ? `sets ${fact} ${key}` : `sets ${ctx.step.node.id}`)
  const stays = device.stays_on || resting
  set(ctx, device.id, fact, stays ? value : restingValue(device, fact))
  return value
}

/** What a setting goes back to by itself. */
function restingValue(device: Device, fact: Setting): Interval | 'off' {
  const rest = restOf(device, settings[fact].quantity)
  return rest ?? (fact === 'set_temperature' ? 'off' : zero)
}

/** When the effect is there: at once, or only after another tool or a time has settled it. */
function effect(
  ctx: Ctx,
  device: Device,
  fact: Pending['fact'],
  to: Interval,
  before: Interval | null,
): void {
  const done = ctx.step.row?.meaning?.done ?? 'returns'
  const pending = (ctx.state.pending.get(device.id) ?? []).filter((p) => p.fact !== fact)
  if (done !== 'returns') {
    const after = 'after' in done ? (readQuantity(done.after)?.value ?? Infinity) : null
    const by = 'settles_by' in done ? done.settles_by : null
    pending.push({ fact, to, by, after_s: after })
  }
  const all = new Map(ctx.state.pending)
  all.set(device.id, pending)
  ctx.state = { ...ctx.state, pending: all }
  const from = before ?? (fact === 'temperature' ? roomTemperature : to)
  set(ctx, device.id, fact, done === 'returns' ? to : hull(from, to))
}

export function setTemperature(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const amount = amountOf(act, 'temperature')
  if (device === null || amount === null) return
  const before = interval(ctx, device.id, 'temperature')
  note(ctx, before, 'temperature')
  const value = setPoint(ctx, act, device, 'set_temperature', amount)
  if (value === null) return
  touch(ctx, device.id, 'temperature', `sets ${show(value, 'temperature')}`)
  const resting = isRest(device, 'temperature', value, false)
  if (!resting) heatLoad(ctx, device, value, amount.at)
  effect(ctx, device, 'temperature', value, before)
  // It cools down, or warms up, by itself afterwards: anything between the set point and the room.
  if (!device.stays_on) set(ctx, device.id, 'temperature', hull(value, roomTemperature))
}

function note(ctx: Ctx, before: Interval | null, dim: Dimension): void {
  if (before !== null) ctx.notes.push(`was ${show(before, dim)}`)
}

export function shake(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const amount = amountOf(act, 'rotation')
  if (device === null || amount === null) return
  note(ctx, interval(ctx, device.id, 'rotation'), 'rotation')
  const value = setPoint(ctx, act, device, 'rotation', amount)
  if (value !== null && isZero(value) === true) return
  clearOfArms(ctx, device)
  for (const thing of loadOf(ctx, device).things) {
    const max = kindOf(ctx.world, thing)?.max_rotation
    const limit = max === undefined ? null : readQuantity(max)
    if (limit?.dim !== 'rotation' || value === null) continue
    need(
      ctx,
      'DRYRUN_VESSEL_LIMIT',
      value.hi <= limit.value ? true : value.lo > limit.value ? false : null,
      'reject',
      amount.at,
      {
        thing,
        rotation: show(value, 'rotation'),
        limit: show(point(limit.value), 'rotation'),
      },
    )
  }
}

export function setPressure(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const amount = amountOf(act, 'pressure')
  if (device === null || amount === null) return
  note(ctx, interval(ctx, device.id, 'pressure'), 'pressure')
  setPoint(ctx, act, device, 'pressure', amount)
}

export function setFlow(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const amount = amountOf(act, 'flow')
  if (device === null || amount === null) return
  note(ctx, interval(ctx, device.id, 'flow'), 'flow')
  const value = setPoint(ctx, act, device, 'flow', amount)
  streamBetween(ctx, act, value, amountOf(act, 'hold')?.value ?? null, device)
}

export function applyPower(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  if (device === null) return
  const amount = amountOf(act, 'power')
  const flag = flagOf(act, 'on')
  const off = flag === false || (amount !== null && isRest(device, 'power', amount.value, true))
  const at = amount?.at ?? ctx.step.at
  if (!off) {
    closedToStart(ctx, device, at)
    if (amount !== null) checkLimit(ctx, device, 'power', amount)
  }
  powered(ctx, act, device, off ? false : sureOn(flag, amount), at)
}

const sureOn = (flag: boolean | null, amount: Amount | null): true | null =>
  flag === true || (amount !== null && isZero(amount.value) === false) ? true : null

/** A device that is on or off as a whole. */
function powered(ctx: Ctx, act: SceneAct, device: Device, on: boolean | null, at: string): void {
  const hold = amountOf(act, 'hold')?.value ?? null
  runs(ctx, device, on === false ? null : hold, at)
  touch(ctx, device.id, 'on', hold === null ? `sets ${String(on)}` : `sets ${ctx.step.node.id}`)
  if (on === false) shutGases(ctx, device)
  set(ctx, device.id, 'energised', on !== false && !device.stays_on ? false : on)
}

export function expose(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  if (device === null) return
  const dose = amountOf(act, 'dose')
  const aim = refOf(act, 'target')
  if (aim !== null && aim.id === null) {
    find(ctx, 'DRYRUN_THING_UNKNOWN', null, 'escalate', ctx.step.at, { thing: aim.raw })
  }
  closedToStart(ctx, device, dose?.at ?? ctx.step.at)
  if (dose !== null) checkLimit(ctx, device, 'power', dose)
  // With a time it ends by itself.
  const hold = amountOf(act, 'hold')
  if (hold === null) return powered(ctx, act, device, true, dose?.at ?? ctx.step.at)
  runs(ctx, device, hold.value, hold.at)
  touch(ctx, device.id, 'on', `sets ${ctx.step.node.id}`)
}

export function runProfile(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const temperatures = amountsOf(act, 'temperatures')
  const last = temperatures.at(-1)
  if (device === null || last === undefined) return
  closedToStart(ctx, device, ctx.step.at)
  for (const one of temperatures) checkLimit(ctx, device, 'temperature', one)
  const span = temperatures.map((t) => t.value).reduce(hull)
  heatLoad(ctx, device, span, temperatures[0]?.at ?? ctx.step.at)
  const cycles = amountOf(act, 'cycles')?.value ?? point(1)
  const holds = amountsOf(act, 'holds')
  const once = holds.reduce((sum, h) => add(sum, h.value), zero)
  runs(ctx, device, holds.length === 0 ? null : multiply(once, cycles), ctx.step.at)
  if (holds.length > 0) ctx.notes.push(`${show(multiply(once, cycles), 'time')} in all`)
  const volume = amountOf(act, 'volume')
  const limit = limitOf(device, 'volume')
  if (volume !== null && limit !== undefined) {
    inRange(ctx, device, 'volume', volume.value, volume.dim, limit, volume.at)
  }
  touch(ctx, device.id, 'on', `sets ${ctx.step.node.id}`)
  touch(ctx, device.id, 'temperature', `sets ${ctx.step.node.id}`)
  set(
    ctx,
    device.id,
    'set_temperature',
    device.stays_on ? last.value : restingValue(device, 'set_temperature'),
  )
  set(
    ctx,
    device.id,
    'temperature',
    device.stays_on ? last.value : hull(last.value, roomTemperature),
  )
}

/** A device comes to rest: everything that it did ends, and what was warm cools by itself. */
export function stop(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  if (device === null) return
  touch(ctx, device.id, 'on', 'sets rest')
  const was = isOn(ctx, device)
  for (const fact of ['set_temperature', 'rotation', 'pressure', 'flow'] as const) {
    const declared = limitOf(device, settings[fact].quantity) !== undefined
    if (declared || get(ctx, device.id, fact) !== undefined) {
      set(ctx, device.id, fact, restingValue(device, fact))
    }
  }
  shutGases(ctx, device)
  set(ctx, device.id, 'energised', false)
  const warm = interval(ctx, device.id, 'temperature')
  if (warm !== null) set(ctx, device.id, 'temperature', hull(warm, roomTemperature))
  const pending = new Map(ctx.state.pending)
  pending.delete(device.id)
  ctx.state = { ...ctx.state, pending }
  if (was === false) ctx.notes.push('it was at rest')
}

/** Time passes: what settles by itself settles. */
export function wait(ctx: Ctx, act: SceneAct): void {
  const duration = amountOf(act, 'duration')
  if (duration === null) return
  const pending = new Map(ctx.state.pending)
  for (const [device, list] of ctx.state.pending) {
    const next: Pending[] = []
    for (const one of list) {
      const left = one.after_s === null ? null : one.after_s - duration.value.lo
      if (left !== null && left <= 0) set(ctx, device, one.fact, one.to)
      else next.push({ ...one, after_s: left })
    }
    pending.set(device, next)
  }
  ctx.state = { ...ctx.state, pending }
  touch(ctx, 'time', 'time', 'adds')
}
