// What does not change during a run: site file and the state at the start, indexed. Everything that
// is not recorded here, or is older than the site file allows, is not known.
import type { Dimension } from '../../protocol/acts.ts'
import { factNames, type FactName } from '../../protocol/condition.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { CellState, InventoryItem, StateFact } from '../../protocol/state.ts'
import type { Interval, SubstanceRef } from '../read/scene.ts'
import { limits } from '../../protocol/limits.ts'
import { point } from './interval.ts'
import { readQuantity, readRange, type Range } from './quantity.ts'
import { keptFor } from '../lexicon/remembered.ts'

export type Device = Registry['devices'][number]
export type Barrier = Registry['barriers'][number]
export type Place = Registry['places'][number]
export type Zone = Registry['zones'][number]
export type Kind = Registry['kinds'][number]
export type Stream = Registry['streams'][number]
export type Standing = Registry['things'][number]

/** A known value: a quantity, a flag, a word (`''`: nothing); null: known to be not known. */
export type Value = Interval | boolean | string | null

export type StartFact = { readonly value: StateFact['value']; readonly at_ms: number }

/** Answers of the graph and the lexicon that a run needs. */
export type Ports = {
  /**
   * Verdict for two substances in one vessel or stream; null: nothing forbids it. `b` null: what else
   * is there is not known, and the verdict is the worst that it could be.
   */
  readonly meets: (a: SubstanceRef, b: SubstanceRef | null) => 'escalate' | 'reject' | null
  /** A substance by the name that inventory or site file give it. */
  readonly substance: (name: string) => SubstanceRef
}

export type World = {
  readonly registry: Registry
  readonly ports: Ports
  readonly devices: ReadonlyMap<string, Device>
  readonly barriers: ReadonlyMap<string, Barrier>
  readonly places: ReadonlyMap<string, Place>
  readonly zones: ReadonlyMap<string, Zone>
  readonly kinds: ReadonlyMap<string, Kind>
  readonly streams: ReadonlyMap<string, Stream>
  readonly standing: ReadonlyMap<string, Standing>
  readonly placesOf: ReadonlyMap<string, readonly Place[]>
  readonly barriersOf: ReadonlyMap<string, readonly Barrier[]>
  readonly items: ReadonlyMap<string, InventoryItem>
  /** What stands at a place, device or thing at the start, as recorded. */
  readonly standsAt: ReadonlyMap<string, readonly string[]>
  readonly facts: ReadonlyMap<string, StartFact | null>
}

type Site = Omit<World, 'ports' | 'items' | 'standsAt' | 'facts'>
const byId = <T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.id, row]))

function grouped<T>(rows: readonly T[], key: (row: T) => string | undefined): Map<string, T[]> {
  const out = new Map<string, T[]>()
  for (const row of rows) {
    const of = key(row)
    if (of === undefined) continue
    const list = out.get(of)
    if (list === undefined) out.set(of, [row])
    else list.push(row)
  }
  return out
}

/** The indexes of one registry; a pure function of it, kept because every plan asks for it. */
const siteOf = keptFor((registry: Registry): Site => {
  return {
    registry,
    devices: byId(registry.devices),
    barriers: byId(registry.barriers),
    places: byId(registry.places),
    zones: byId(registry.zones),
    kinds: byId(registry.kinds),
    streams: byId(registry.streams),
    standing: byId(registry.things),
    placesOf: grouped(registry.places, (place) => place.device),
    barriersOf: grouped(registry.barriers, (barrier) => barrier.device),
  }
})

/** The dimension of every fact that is measured. */
export const factUnits: Partial<Record<FactName, Dimension>> = {
  contents_volume: 'volume',
  temperature: 'temperature',
  set_temperature: 'temperature',
  rotation: 'rotation',
  speed: 'speed',
  pressure: 'pressure',
  flow: 'flow',
  opening: 'length',
  mass: 'mass',
}

export const factKey = (thing: string, part: string | null | undefined, fact: FactName): string =>
  part === null || part === undefined ? `${thing}|${fact}` : `${thing}|${fact}|${part}`

/** Seconds after which a fact is no longer known; null: the site file states no age. */
export function ageOf(registry: Pick<Registry, 'fact_age'>, fact: FactName): number | null {
  const text = registry.fact_age[fact] ?? registry.fact_age['default']
  if (text === undefined) return null
  const age = readQuantity(text)
  // An age that cannot be read is no permission to rest on old facts.
  return age?.dim === 'time' ? age.value : 0
}

/** Facts that a newer one says anew beside itself: contents their volume, an opening whether it is open. */
const tells: Partial<Record<FactName, FactName>> = {
  contents: 'contents_volume',
  opening: 'open',
}

/** What a fact says anew: the same of each part, and what it tells beside itself. */
function overtakes({ thing, part, fact }: StateFact): string[] {
  const own = factKey(thing, part, fact)
  const other = tells[fact]
  return other === undefined ? [own] : [own, factKey(thing, part, other)]
}

/** Something newer was said of the whole thing, or of what the fact follows from. */
function isOvertaken(fact: StateFact, newest: ReadonlyMap<string, StateFact>): boolean {
  const from = factNames.filter((name) => tells[name] === fact.fact)
  const names: readonly FactName[] = [...from, fact.fact]
  return names.some((name) =>
    [null, fact.part].some((part) => {
      const other = newest.get(factKey(fact.thing, part, name))
      return other !== undefined && other.at_ms > fact.at_ms
    }),
  )
}

function startFacts(
  registry: Registry,
  state: CellState,
  now_ms: number,
): Map<string, StartFact | null> {
  const newest = new Map<string, StateFact>()
  for (const fact of state.facts) {
    const key = factKey(fact.thing, fact.part, fact.fact)
    const before = newest.get(key)
    if (before === undefined || fact.at_ms >= before.at_ms) newest.set(key, fact)
  }
  const out = new Map<string, StartFact | null>()
  for (const start of registry.starts) {
    out.set(factKey(start.thing, start.part, start.fact), { value: start.value, at_ms: 0 })
  }
  const overtaken = [...newest].filter(([, fact]) => isOvertaken(fact, newest))
  for (const [key] of overtaken) newest.delete(key)
  const now = new Set([...newest.values()].flatMap(overtakes))
  for (const { thing, part, fact } of registry.starts) {
    const over = [factKey(thing, null, fact), factKey(thing, part, fact)]
    if (over.some((key) => now.has(key))) out.delete(factKey(thing, part, fact))
  }
  for (const [key, fact] of newest) {
    const limit = ageOf(registry, fact.fact)
    const age_s = (now_ms - fact.at_ms) / 1_000
    // From a clock that runs ahead: nothing says how old it is.
    const ahead = fact.at_ms - now_ms > limits.clockSkewMsMax
    out.set(
      key,
      ahead || (limit !== null && age_s > limit) || fact.value === null
        ? null
        : { value: fact.value, at_ms: fact.at_ms },
    )
  }
  return out
}

/** Site file, state and ports in the form that every act reads. */
export function worldOf(registry: Registry, state: CellState, now_ms: number, ports: Ports): World {
  const facts = startFacts(registry, state, now_ms)
  const site = siteOf(registry)
  const at = new Map<string, string>()
  for (const thing of registry.things) if (thing.at !== undefined) at.set(thing.id, thing.at)
  for (const item of state.inventory) if (item.at !== undefined) at.set(item.thing, item.at)
  for (const [key, fact] of facts) {
    if (!key.endsWith('|place')) continue
    const thing = key.slice(0, -'|place'.length)
    // An arm is at a place without standing on it.
    if (site.devices.has(thing)) continue
    if (typeof fact?.value === 'string') at.set(thing, fact.value)
    else at.delete(thing)
  }
  return {
    ...site,
    ports,
    items: new Map(state.inventory.map((item) => [item.thing, item])),
    standsAt: new Map(
      [...grouped([...at], ([, place]) => place)].map(([place, pairs]) => [
        place,
        pairs.map(([thing]) => thing),
      ]),
    ),
    facts,
  }
}

/** A recorded fact as a value; undefined: nobody recorded it; null: recorded, and not known now. */
export function startValue(world: World, thing: string, fact: FactName): Value | undefined {
  const start = world.facts.get(factKey(thing, null, fact))
  if (start === undefined) return implied(world, thing, fact)
  if (start === null) return null
  const { value } = start
  if (typeof value === 'boolean') return value
  const dim = factUnits[fact]
  if (typeof value === 'number') {
    if (fact === 'holds' && value === 0) return ''
    // A bare number of something that is measured says nothing, but that there is none of it.
    const bare = dim === undefined || (value === 0 && dim !== 'temperature')
    return bare ? point(value) : null
  }
  if (typeof value !== 'string') return null
  const quantity = readQuantity(value)
  if (quantity !== null) {
    return dim === undefined || quantity.dim === dim ? point(quantity.value) : null
  }
  return value === 'none' || value === 'nothing' || value === 'empty' ? '' : value
}

/** What inventory and site file say of a thing without a fact of its own. */
function implied(world: World, thing: string, fact: FactName): Value | undefined {
  if (fact === 'place') return world.items.get(thing)?.at ?? world.standing.get(thing)?.at
  if (fact !== 'open') return undefined
  // A sash or vent of a known opening is open when that is more than nothing.
  const opening = world.facts.get(factKey(thing, null, 'opening'))
  if (opening !== undefined) {
    const read = typeof opening?.value === 'string' ? readQuantity(opening.value) : null
    return read === null ? null : read.value > 0
  }
  if (world.barriers.get(thing)?.closed_when === 'start') return false
  return undefined
}

export function kindOf(world: World, thing: string): Kind | undefined {
  const kind = world.items.get(thing)?.kind ?? world.standing.get(thing)?.kind
  return kind === undefined ? undefined : world.kinds.get(kind)
}

/** How many tips a head has: `limits.channels`, else one. */
export function channelsOf(device: Device | undefined): number {
  const limit = limitOf(device, 'channels')
  const most = limit?.kind === 'range' ? limit.value.hi : 1
  return Number.isInteger(most) && most >= 1 ? most : 1
}

/** A declared limit of a device; undefined: the site file declares none. */
export function limitOf(device: Device | undefined, quantity: string): Range | undefined {
  const range = device?.limits[quantity]
  return range === undefined ? undefined : (readRange(range) ?? undefined)
}
