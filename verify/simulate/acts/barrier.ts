// Doors, lids, sashes, vents and latches. What opens must not let energy out or people in.
import type { SceneAct } from '../../read/scene.ts'
import { devicesBehind, needsClosed } from '../access.ts'
import {
  amountOf,
  atOf,
  find,
  get,
  interval,
  need,
  refOf,
  set,
  stamp,
  touch,
  tri,
  type Ctx,
} from '../context.ts'
import { add, isZero, not, within } from '../interval.ts'
import { readRange, show } from '../quantity.ts'
import type { Tri } from '../trace.ts'
import type { Barrier } from '../world.ts'
import { letsIn } from '../zones.ts'
import { checkLimit } from '../limit.ts'

function barrierOf(ctx: Ctx, act: SceneAct): Barrier | null {
  const ref = refOf(act, 'barrier')
  if (ref === null) return null
  const known = ref.id === null ? undefined : ctx.world.barriers.get(ref.id)
  if (known !== undefined) return known
  // A device with one lid: the lid is meant.
  const own = ref.id === null ? [] : (ctx.world.barriersOf.get(ref.id) ?? [])
  const only = own.length === 1 ? own[0] : undefined
  if (only !== undefined) return only
  const at = atOf(ctx, act, 'barrier')
  find(ctx, 'DRYRUN_THING_UNKNOWN', null, 'escalate', at, { thing: ref.raw })
  return null
}

/** The state that a step asks for; a toggle needs to know the state that it turns round. */
function wanted(ctx: Ctx, act: SceneAct, barrier: Barrier, value: boolean): Tri {
  if (!act.relative) return value
  const now = tri(ctx, barrier.id, 'open')
  touch(ctx, barrier.id, 'open', 'reads')
  const at = atOf(ctx, act, 'barrier')
  if (now === null) {
    find(ctx, 'DRYRUN_STATE_NOT_KNOWN', null, 'escalate', at, { thing: barrier.id, fact: 'open' })
  }
  return not(now)
}

export function open(ctx: Ctx, act: SceneAct): void {
  const barrier = barrierOf(ctx, act)
  if (barrier === null) return
  becomes(ctx, barrier, wanted(ctx, act, barrier, true), atOf(ctx, act, 'barrier'))
}

export function close(ctx: Ctx, act: SceneAct): void {
  const barrier = barrierOf(ctx, act)
  if (barrier === null) return
  becomes(ctx, barrier, wanted(ctx, act, barrier, false), atOf(ctx, act, 'barrier'))
  const lid = amountOf(act, 'temperature')
  const device = barrier.device === undefined ? undefined : ctx.world.devices.get(barrier.device)
  if (lid === null || device === undefined) return
  // A heated lid has limits of its own; where none is declared the block's do not speak for it.
  checkLimit(ctx, device, 'lid_temperature', lid)
}

/** A barrier goes to a state; `null`: nobody knows to which, so both dangers count. */
function becomes(ctx: Ctx, barrier: Barrier, opens: Tri, at: string): void {
  if (opens !== false) opening(ctx, barrier, opens, at)
  if (opens !== true) closing(ctx, barrier)
  touch(ctx, barrier.id, 'open', `sets ${String(opens)}`)
  set(ctx, barrier.id, 'open', opens)
}

function opening(ctx: Ctx, barrier: Barrier, opens: true | null, at: string): void {
  if (tri(ctx, barrier.id, 'open') === true && opens === true) return
  const locked = get(ctx, barrier.id, 'locked')
  const facts = { barrier: barrier.id }
  if (locked === true || locked === null) {
    const sure = locked === true && opens === true ? true : null
    find(ctx, 'DRYRUN_BARRIER_LOCKED', sure, 'escalate', at, facts)
  }
  if (barrier.outer) find(ctx, 'DRYRUN_OUTER_DOOR', opens, 'escalate', at, facts)
  for (const device of devicesBehind(ctx, barrier)) {
    touch(ctx, device.id, 'on', 'reads')
    const rest = not(needsClosed(ctx, barrier, device))
    const holds = rest === false && opens === null ? null : rest
    need(ctx, 'DRYRUN_OPENED_WHILE_ON', holds, 'reject', at, { ...facts, device: device.id })
  }
  emptied(ctx, barrier)
}

/** Closing throws nobody out, and a look from before it says nothing about who came in last. */
function closing(ctx: Ctx, barrier: Barrier): void {
  if (tri(ctx, barrier.id, 'open') === false) return
  for (const zone of letsIn(ctx, barrier.id)) {
    touch(ctx, zone, 'people', 'reads')
    stamp(ctx, zone, 'people')
  }
}

/** After an opening nobody knows who is inside. */
function emptied(ctx: Ctx, barrier: Barrier): void {
  for (const zone of letsIn(ctx, barrier.id)) {
    touch(ctx, zone, 'people', 'sets unknown')
    set(ctx, zone, 'people', null)
  }
}

export function lock(ctx: Ctx, act: SceneAct): void {
  const barrier = barrierOf(ctx, act)
  if (barrier === null) return
  const at = atOf(ctx, act, 'barrier')
  const known = tri(ctx, barrier.id, 'open')
  touch(ctx, barrier.id, 'open', 'reads')
  need(ctx, 'DRYRUN_LOCKED_OPEN', not(known), 'escalate', at, { barrier: barrier.id })
  touch(ctx, barrier.id, 'locked', 'sets true')
  set(ctx, barrier.id, 'locked', act.relative ? null : true)
}

export function unlock(ctx: Ctx, act: SceneAct): void {
  const barrier = barrierOf(ctx, act)
  if (barrier === null) return
  const at = atOf(ctx, act, 'barrier')
  if (barrier.outer) find(ctx, 'DRYRUN_OUTER_DOOR', true, 'escalate', at, { barrier: barrier.id })
  touch(ctx, barrier.id, 'locked', 'sets false')
  set(ctx, barrier.id, 'locked', act.relative ? null : false)
  emptied(ctx, barrier)
}

export function setOpening(ctx: Ctx, act: SceneAct): void {
  const barrier = barrierOf(ctx, act)
  const amount = amountOf(act, 'opening')
  if (barrier === null || amount === null) return
  const before = interval(ctx, barrier.id, 'opening')
  if (act.relative && before === null) {
    const facts = { thing: barrier.id, fact: 'opening' }
    find(ctx, 'DRYRUN_STATE_NOT_KNOWN', null, 'escalate', amount.at, facts)
  }
  const sum = before === null || amount.dim !== 'length' ? null : add(before, amount.value)
  const value = act.relative ? sum : amount.value
  const shut = value === null ? null : isZero(value)
  const range = barrier.working_opening === undefined ? null : readRange(barrier.working_opening)
  if (range !== null && shut !== true) {
    const fits =
      value === null || range.kind === 'unreadable' || range.dim !== amount.dim
        ? null
        : within(value, range.value)
    const zero = shut === null && fits === false ? null : fits
    need(ctx, 'DRYRUN_LIMIT', zero, 'reject', amount.at, {
      device: barrier.id,
      limit: 'opening',
      value: value === null ? 'not known' : show(value, amount.dim),
      range: range.kind === 'range' ? show(range.value, range.dim) : 'not readable',
    })
    if (fits === true) ctx.covered.push({ act: ctx.act, by: `limit:${barrier.id}.opening` })
  }
  if (shut !== true) opening(ctx, barrier, shut === false ? true : null, amount.at)
  touch(ctx, barrier.id, 'open', `sets ${amount.shown}`)
  // A share of an opening is no width that a rule could compare.
  set(ctx, barrier.id, 'opening', amount.dim === 'length' ? value : null)
  set(ctx, barrier.id, 'open', not(shut))
}
