// A call that nobody described may do any act of everything that it can reach: afterwards none of
// that is known, and a person decides whether it runs at all.
import type { FactName } from '../../protocol/condition.ts'
import { find, placeOf, putAt, set, setResidue, setVessel, touch, type Ctx } from './context.ts'
import { unknownFill } from './fill.ts'
import { canBeOn } from './access.ts'
import { capacityOf } from './start.ts'
import type { World } from './world.ts'

const servers = new WeakMap<World['registry'], Map<string, ReadonlySet<string>>>()

/** Devices and barriers that the rows of one server name: what an undescribed row may reach too. */
function reachOf(world: World, server: string): ReadonlySet<string> {
  let index = servers.get(world.registry)
  if (index === undefined) {
    index = new Map()
    servers.set(world.registry, index)
  }
  const known = index.get(server)
  if (known !== undefined) return known
  const out = new Set<string>()
  const names = (value: unknown): void => {
    if (typeof value === 'string') {
      if (world.devices.has(value) || world.barriers.has(value)) out.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) names(inner)
    }
  }
  for (const row of world.registry.tools) {
    if (row.server !== server) continue
    names(row.meaning?.acts)
    names(row.args_schema)
  }
  index.set(server, out)
  return out
}

/** What a step may touch; null: nothing bounds it. */
function reach(ctx: Ctx): ReadonlySet<string> | null {
  const { row, acts } = ctx.step
  const stated = row?.meaning?.reaches
  if (stated !== undefined) return new Set(stated)
  const out = new Set(row === null ? [] : reachOf(ctx.world, row.server))
  for (const act of acts) {
    for (const value of Object.values(act.roles).flat()) {
      if (value.kind !== 'thing' && value.kind !== 'place') continue
      out.add(value.ref.key)
    }
  }
  return out.size === 0 ? null : out
}

/** What can be known of a device, barrier or thing at all. */
function factsOf(world: World, key: string): readonly FactName[] {
  if (world.barriers.has(key)) return ['open', 'locked', 'opening']
  const device = world.devices.get(key)
  if (device === undefined) return []
  const own: FactName[] = canBeOn(device)
    ? ['set_temperature', 'temperature', 'rotation', 'pressure', 'flow', 'energised']
    : []
  if (device.class === 'pipette') own.push('tip')
  if (device.class === 'robot_arm') own.push('holds', 'place', 'speed', 'mode', 'opening')
  if (device.class === 'centrifuge') own.push('holds')
  return own
}

/** Everything that one device, barrier or thing is known by, forgotten. */
export function forget(ctx: Ctx, key: string): void {
  touch(ctx, key, 'any', `sets ${ctx.step.node.id}`)
  for (const fact of factsOf(ctx.world, key)) set(ctx, key, fact, null)
  ctx.state = { ...ctx.state, lost: new Set([...ctx.state.lost, key]) }
  if (ctx.world.barriers.has(key) || ctx.world.streams.has(key)) return
  const capacity = capacityOf(ctx.world, key) ?? Infinity
  setVessel(ctx, key, { rest: unknownFill(capacity), by: new Map() })
  for (const fact of ['contents_volume', 'contents'] as const) {
    ctx.changes.push({ thing: key, part: null, fact, before: null, after: null })
  }
  if (ctx.world.devices.get(key)?.class === 'pipette') {
    setResidue(ctx, key, { fill: unknownFill(Infinity), from: null })
  }
}

export function opaque(ctx: Ctx): void {
  const { step } = ctx
  const facts = { why: step.opaque ?? 'not_described', tool: step.node.tool }
  find(ctx, 'DRYRUN_OPAQUE', null, 'escalate', step.at, facts)
  const keys = reach(ctx)
  if (keys === null) {
    ctx.state = { ...ctx.state, dark: true, ...nothingKnown(ctx) }
    touch(ctx, '*', 'any', `sets ${step.node.id}`)
    // Told thing by thing as well, so that none of it is taken for known after the run.
    const { devices, barriers, items } = ctx.world
    for (const key of [...devices.keys(), ...barriers.keys()]) forget(ctx, key)
    for (const key of items.keys()) lose(ctx, key)
    return
  }
  for (const key of keys) {
    forget(ctx, key)
    for (const place of ctx.world.placesOf.get(key) ?? []) set(ctx, place.id, 'holds', null)
    for (const barrier of ctx.world.barriersOf.get(key) ?? []) forget(ctx, barrier.id)
  }
  const spots = new Set([...keys].flatMap((key) => spotsOf(ctx.world, key)))
  for (const [spot, things] of ctx.world.standsAt) {
    if (!spots.has(spot)) continue
    for (const thing of things) if (spots.has(placeOf(ctx, thing) ?? '')) lose(ctx, thing)
  }
  for (const [thing, at] of ctx.state.places) if (at !== null && spots.has(at)) lose(ctx, thing)
}

const spotsOf = (world: World, device: string): string[] => [
  device,
  ...(world.placesOf.get(device) ?? []).map((place) => place.id),
]

function lose(ctx: Ctx, thing: string): void {
  forget(ctx, thing)
  putAt(ctx, thing, null)
}

/** Of everything that the run has touched, nothing is known any more. */
function nothingKnown(ctx: Ctx): Partial<Ctx['state']> {
  const { facts, places, vessels, residue } = ctx.state
  const lost = { fill: unknownFill(Infinity), from: null }
  return {
    facts: new Map([...facts.keys()].map((key) => [key, null])),
    places: new Map([...places.keys()].map((key) => [key, null])),
    vessels: new Map(
      [...vessels.keys()].map((key) => [
        key,
        { rest: unknownFill(capacityOf(ctx.world, key) ?? Infinity), by: new Map() },
      ]),
    ),
    residue: new Map([...residue.keys()].map((key) => [key, lost])),
    pending: new Map(),
  }
}
