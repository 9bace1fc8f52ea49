// A centrifuge run: the rotor's own limit, the positions that exist, the masses that face each other.
import type { Interval, SceneAct, ThingRef } from '../../read/scene.ts'
import { closedToStart } from '../access.ts'
import {
  amountOf,
  amountsOf,
  atOf,
  find,
  get,
  need,
  refOf,
  set,
  touch,
  word,
  type Amount,
  type Ctx,
} from '../context.ts'
import { atMost, hull, magnitude, point, roomTemperature, subtract, zero } from '../interval.ts'
import { checkLimit } from '../limit.ts'
import { readQuantity, show } from '../quantity.ts'
import { kindOf, limitOf, type Device, type Kind } from '../world.ts'
import { clearOfArms, runs } from './energy.ts'
import { deviceOf } from './motion.ts'

export function spin(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const rotation = amountOf(act, 'rotation')
  const duration = amountOf(act, 'duration')
  if (device === null || rotation === null) return
  closedToStart(ctx, device, ctx.step.at, true)
  clearOfArms(ctx, device)
  const quantity = rotation.dim === 'acceleration' ? 'acceleration' : 'rotation'
  checkLimit(ctx, device, quantity, rotation)
  const temperature = amountOf(act, 'temperature')
  if (temperature !== null) checkLimit(ctx, device, 'temperature', temperature)
  runs(ctx, device, duration?.value ?? null, duration?.at ?? ctx.step.at)
  rotorChecks(ctx, act, device, rotation)
  touch(ctx, device.id, 'on', `sets ${ctx.step.node.id}`)
  // A run ends with its time: the rotor stands still when the call has returned.
  set(ctx, device.id, 'rotation', zero)
  if (temperature !== null) {
    if (limitOf(device, 'temperature') !== undefined) set(ctx, device.id, 'set_temperature', 'off')
    set(ctx, device.id, 'temperature', hull(temperature.value, roomTemperature))
  }
}

/** The rotor of a run: the one that the step names, else the one that is known to be mounted. */
function rotorOf(ctx: Ctx, act: SceneAct, device: Device): Kind | null {
  const ref: ThingRef | null = refOf(act, 'rotor')
  const key = ref?.key ?? word(ctx, device.id, 'holds')
  if (key === null || key === '') return null
  // A rotor may be named by its kind: every rotor of a kind has the same limits.
  const kind = kindOf(ctx.world, key) ?? ctx.world.kinds.get(key)
  return kind?.class === 'rotor' ? kind : null
}

function rotorChecks(ctx: Ctx, act: SceneAct, device: Device, rotation: Amount): void {
  const rotor = rotorOf(ctx, act, device)
  const named = refOf(act, 'rotor')?.raw ?? 'not named'
  const at = atOf(ctx, act, 'rotor')
  const facts = { rotor: named }
  if (rotor === null) {
    find(ctx, 'DRYRUN_ROTOR_UNKNOWN', null, 'escalate', at, facts)
    return
  }
  mountedDiffers(ctx, act, device, at)
  const max = rotor.max_rotation === undefined ? null : readQuantity(rotor.max_rotation)
  if (max === null || max.dim !== rotation.dim) {
    // Without the radius revolutions and g do not compare.
    find(ctx, 'DRYRUN_ROTOR_UNKNOWN', null, 'escalate', rotation.at, {
      ...facts,
      limit: 'rotation',
    })
  } else {
    const holds = atMost(rotation.value, point(max.value))
    need(ctx, 'DRYRUN_VESSEL_LIMIT', holds, 'reject', rotation.at, {
      thing: named,
      rotation: show(rotation.value, rotation.dim),
      limit: show(point(max.value), max.dim),
    })
    if (holds === true) ctx.covered.push({ act: ctx.act, by: `limit:${rotor.id}.max_rotation` })
  }
  balance(ctx, act, rotor, named)
}

/** A rotor other than the mounted one: its limits are not those of what turns. */
function mountedDiffers(ctx: Ctx, act: SceneAct, device: Device, at: string): void {
  const ref = refOf(act, 'rotor')
  const mounted = get(ctx, device.id, 'holds')
  if (ref === null || mounted === undefined || mounted === '') return
  if (mounted === null) find(ctx, 'DRYRUN_ROTOR_UNKNOWN', null, 'escalate', at, { rotor: ref.raw })
  else if (
    typeof mounted === 'string' &&
    mounted !== ref.key &&
    ctx.world.kinds.get(ref.key) === undefined
  ) {
    const facts = { rotor: ref.raw, mounted }
    find(ctx, 'DRYRUN_ROTOR_UNKNOWN', true, 'reject', at, facts)
  }
}

/** Masses by position: paired by the element of the list in which they stand. */
function loads(act: SceneAct): Map<string, { position: Amount | null; mass: Amount | null }> {
  const parent = (at: string) => at.slice(0, at.lastIndexOf('/'))
  const out = new Map<string, { position: Amount | null; mass: Amount | null }>()
  const positions = amountsOf(act, 'positions')
  const masses = amountsOf(act, 'masses')
  // Two plain lists (`/positions/3`, `/masses/3`) pair by index, a list of objects by the object.
  const plain = positions.length > 1 && new Set(positions.map((p) => parent(p.at))).size === 1
  const key = (amount: Amount) =>
    plain ? amount.at.slice(amount.at.lastIndexOf('/')) : parent(amount.at)
  for (const position of positions) out.set(key(position), { position, mass: null })
  for (const mass of masses) {
    const entry = out.get(key(mass))
    out.set(key(mass), { position: entry?.position ?? null, mass })
  }
  return out
}

function balance(ctx: Ctx, act: SceneAct, rotor: Kind, named: string): void {
  const count = rotor.rows * rotor.columns
  const at = ctx.step.at
  const byPosition = new Map<number, Interval | null>()
  const entries = [...loads(act).values()]
  const facts = { rotor: named, positions: count }
  if (entries.length === 0) {
    find(ctx, 'DRYRUN_ROTOR_IMBALANCE', null, 'escalate', at, facts)
    return
  }
  for (const { position, mass } of entries) {
    const exact = position?.value.lo === position?.value.hi ? position?.value.lo : undefined
    if (position === null || exact === undefined) {
      find(ctx, 'DRYRUN_ROTOR_POSITION', null, 'escalate', mass?.at ?? at, facts)
      continue
    }
    const exists = Number.isInteger(exact) && exact >= 1 && exact <= count
    if (!exists || byPosition.has(exact)) {
      find(ctx, 'DRYRUN_ROTOR_POSITION', true, 'reject', position.at, { ...facts, position: exact })
    }
    byPosition.set(exact, mass?.value ?? null)
    overload(ctx, rotor, exact, mass, named)
  }
  opposite(ctx, rotor, byPosition, facts, count)
}

function overload(
  ctx: Ctx,
  rotor: Kind,
  position: number,
  mass: Amount | null,
  named: string,
): void {
  const max = rotor.max_load === undefined ? null : readQuantity(rotor.max_load)
  if (max?.dim !== 'mass') return
  const holds = mass === null ? null : atMost(mass.value, point(max.value))
  need(ctx, 'DRYRUN_ROTOR_LOAD', holds, 'reject', mass?.at ?? ctx.step.at, {
    rotor: named,
    position,
    mass: mass === null ? 'not known' : show(mass.value, 'mass'),
    limit: show(point(max.value), 'mass'),
  })
}

function opposite(
  ctx: Ctx,
  rotor: Kind,
  masses: ReadonlyMap<number, Interval | null>,
  facts: { rotor: string; positions: number },
  count: number,
): void {
  const at = ctx.step.at
  const allowed = rotor.imbalance === undefined ? null : readQuantity(rotor.imbalance)
  for (const [position, mass] of masses) {
    if (count % 2 === 1) {
      find(ctx, 'DRYRUN_ROTOR_IMBALANCE', null, 'escalate', at, { ...facts, position })
      return
    }
    const facing = ((position - 1 + count / 2) % count) + 1
    if (!masses.has(facing)) {
      find(ctx, 'DRYRUN_ROTOR_IMBALANCE', true, 'reject', at, { ...facts, position, facing })
      continue
    }
    // Each pair is looked at once.
    if (facing < position) continue
    const other = masses.get(facing) ?? null
    const differs = mass === null || other === null ? null : magnitude(subtract(mass, other))
    const holds =
      differs === null || allowed?.dim !== 'mass' ? null : atMost(differs, point(allowed.value))
    need(ctx, 'DRYRUN_ROTOR_IMBALANCE', holds, 'reject', at, {
      ...facts,
      position,
      facing,
      difference: differs === null ? 'not known' : show(differs, 'mass'),
    })
  }
}
