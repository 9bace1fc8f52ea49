// Contents at the start, from inventory, recorded facts and the site file. An inventory row that names
// contents names all of them; one that names none says nothing about contents.
import type { Interval, SubstanceRef } from '../read/scene.ts'
import { emptyFill, unknownFill, type Fill, type Parts } from './fill.ts'
import { add, point, zero } from './interval.ts'
import { partsOf, type Grid } from './parts.ts'
import { readQuantity } from './quantity.ts'
import type { Content } from './trace.ts'
import { channelsOf, kindOf, limitOf, type World } from './world.ts'
import { keptFor } from '../lexicon/remembered.ts'

type Told = {
  readonly substance: string
  readonly volume?: string | undefined
  readonly mass?: string | undefined
}

export function gridOf(world: World, thing: string): Grid | null {
  const kind = kindOf(world, thing)
  if (kind !== undefined) return { rows: kind.rows, columns: kind.columns }
  if (world.streams.has(thing)) return { rows: 1, columns: 1 }
  const device = world.devices.get(thing)
  return device === undefined ? null : { rows: channelsOf(device), columns: 1 }
}

/** µL that one part holds: kind of labware, else the volume of a device; null: none is declared. */
export function capacityOf(world: World, thing: string): number | null {
  if (world.streams.has(thing)) return Infinity
  const kind = kindOf(world, thing)
  const declared = kind?.capacity === undefined ? null : readQuantity(kind.capacity)
  if (declared?.dim === 'volume') return declared.value
  if (kind !== undefined) return null
  const limit = limitOf(world.devices.get(thing), 'volume')
  return limit?.kind === 'range' && limit.dim === 'volume' && Number.isFinite(limit.value.hi)
    ? limit.value.hi
    : null
}

function amount(told: Told, capacity: number): Interval {
  const volume = told.volume === undefined ? null : readQuantity(told.volume)
  if (volume?.dim === 'volume') return point(volume.value)
  return { lo: 0, hi: capacity }
}

function content(world: World, told: Told, capacity: number, human: boolean): Content {
  const known = world.ports.substance(told.substance)
  const substance: SubstanceRef = human && !known.human ? { ...known, human: true } : known
  return { substance, volume: amount(told, capacity), drawn_from: null }
}

const fillOf = (list: readonly Content[]): Fill => ({
  volume: list.reduce((sum, c) => add(sum, c.volume), zero),
  list,
  open: false,
})

const startCache = new WeakMap<World, Map<string, Parts>>()

/** Contents of a thing at the start; `dark`: nothing of the start is known any more. */
export function startParts(world: World, thing: string, dark: boolean): Parts {
  const capacity = capacityOf(world, thing) ?? Infinity
  if (dark) return { rest: unknownFill(capacity), by: new Map() }
  let cache = startCache.get(world)
  if (cache === undefined) {
    cache = new Map()
    startCache.set(world, cache)
  }
  const known = cache.get(thing)
  if (known !== undefined) return known
  const parts = readParts(world, thing, capacity)
  cache.set(thing, parts)
  return parts
}

function readParts(world: World, thing: string, capacity: number): Parts {
  const grid = gridOf(world, thing)
  const item = world.items.get(thing)
  const human = item?.human ?? false
  // What others poured into a waste stream is the stream's own rule; only this plan's part is known.
  let rest: Fill = world.streams.has(thing) ? emptyFill : unknownFill(capacity)
  const by = new Map<string, Fill>()
  const standing = world.standing.get(thing)?.contents
  if (standing !== undefined) {
    const held = content(world, { substance: standing }, capacity, false)
    rest = { ...fillOf([held]), volume: { lo: 0, hi: capacity } }
  }
  if (item !== undefined && item.contents.length > 0) {
    const everywhere = item.contents.filter((c) => c.part === undefined)
    rest = fillOf(everywhere.map((c) => content(world, c, capacity, human)))
    for (const told of item.contents) {
      if (told.part === undefined) continue
      const more = content(world, told, capacity, human)
      for (const name of namesOf(told.part, grid)) {
        by.set(name, fillOf([...(by.get(name)?.list ?? rest.list), more]))
      }
    }
  }
  // Facts are newer than the row: what a session left, what a person recorded.
  const apply = (part: string | undefined, change: (before: Fill) => Fill): void => {
    if (part === undefined) {
      rest = change(rest)
      for (const [name, fill] of by) by.set(name, change(fill))
    } else for (const name of namesOf(part, grid)) by.set(name, change(by.get(name) ?? rest))
  }
  for (const fact of ['contents', 'contents_volume'] as const) {
    for (const [part, value] of factsOf(world, thing, fact)) {
      apply(part, (before) => changed(world, before, fact, value, capacity, human))
    }
  }
  return { rest, by }
}

function namesOf(part: string, grid: Grid | null): readonly string[] {
  const set = partsOf(part, grid)
  return set.kind === 'list' ? set.names : [part]
}

/** Recorded facts of one thing, the whole thing first, then its parts. */
function factsOf(
  world: World,
  thing: string,
  fact: 'contents' | 'contents_volume',
): [string | undefined, unknown][] {
  const index = partFacts(world)
  const whole = world.facts.get(`${thing}|${fact}`)
  const parts = index.get(`${thing}|${fact}`) ?? []
  return [
    ...(whole === undefined ? [] : [[undefined, whole?.value ?? null] as [undefined, unknown]]),
    ...parts,
  ]
}

const partFacts = keptFor((world: World) => {
  const index = new Map<string, [string, unknown][]>()
  for (const [key, start] of world.facts) {
    const match = /^(.*\|contents(?:_volume)?)\|([^|]*)$/.exec(key)
    if (match === null) continue
    const list = index.get(match[1] ?? '') ?? []
    list.push([match[2] ?? '', start?.value ?? null])
    index.set(match[1] ?? '', list)
  }
  return index
})

function changed(
  world: World,
  before: Fill,
  fact: 'contents' | 'contents_volume',
  value: unknown,
  capacity: number,
  human: boolean,
): Fill {
  if (value === null) {
    return fact === 'contents'
      ? unknownFill(capacity)
      : { ...before, volume: { lo: 0, hi: capacity } }
  }
  if (fact === 'contents' && Array.isArray(value)) {
    return fillOf((value as readonly Told[]).map((told) => content(world, told, capacity, human)))
  }
  if (fact === 'contents_volume' && typeof value === 'string') {
    const volume = readQuantity(value)
    if (volume?.dim !== 'volume') return { ...before, volume: { lo: 0, hi: capacity } }
    if (volume.value === 0) return emptyFill
    const only = before.list.length === 1 && !before.open
    const list = only
      ? before.list.map((c) => ({ ...c, volume: point(volume.value) }))
      : before.list
    return { volume: point(volume.value), list, open: before.open || before.list.length === 0 }
  }
  return unknownFill(capacity)
}
