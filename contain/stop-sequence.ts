// What stops in a cell, and in which order, by the site file: for every row that has a safe-stop the devices
// that its calls may set, and from those the group of the cell's stop sequence.
import type { JsonValue } from '../protocol/json.ts'
import { limits } from '../protocol/limits.ts'
import type { Registry, ToolEntry } from '../protocol/registry.ts'
import { groupMs, type PlacedStop, type StopPlace } from '../protocol/stop-order.ts'
import type { StopPlaces } from '../protocol/tool-row.ts'

type Site = Pick<Registry, 'tools' | 'devices' | 'barriers' | 'stops'>

/** A safe-stop of the cell with the devices that it brings to rest; none known for a row without meaning. */
export type CellStop = { readonly call: PlacedStop; readonly devices: readonly string[] }

const isObject = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The texts that an argument may have, as its schema closes them; null when it does not. */
function choicesAt(schema: JsonValue, pointer: string): string[] | null {
  let at: JsonValue | undefined = schema
  for (const step of pointer.split('/').slice(1)) {
    if (!isObject(at)) return null
    const properties: JsonValue | undefined = at['properties']
    at = step === '*' ? at['items'] : isObject(properties) ? properties[step] : undefined
  }
  if (!isObject(at)) return null
  const values = Array.isArray(at['enum']) ? at['enum'] : [at['const']]
  const texts = values.filter((value) => typeof value === 'string')
  return texts.length === values.length ? texts : null
}

/** Names that a row's bindings may stand for, whatever its arguments are. */
function namesIn(entry: ToolEntry): string[] {
  const bindings = (entry.meaning?.acts ?? []).flatMap(({ bind }) => Object.values(bind))
  return bindings.flatMap((binding) => {
    if (typeof binding === 'string') return choicesAt(entry.args_schema, binding) ?? []
    if ('const' in binding) return typeof binding.const === 'string' ? [binding.const] : []
    return [binding.of ?? [], choicesAt(entry.args_schema, binding.arg) ?? []].flat()
  })
}

/** Every spelling of a device, and of a lid or sash that belongs to one → the device. */
function deviceNames(site: Site): ReadonlyMap<string, string> {
  const out = new Map<string, string>()
  for (const { id, names, device } of site.barriers) {
    if (device !== undefined) for (const name of [id, ...names]) out.set(name, device)
  }
  for (const { id, names } of site.devices) for (const name of [id, ...names]) out.set(name, id)
  return out
}

const keyOf = (server: string, stop: NonNullable<ToolEntry['safe_stop']>): string =>
  JSON.stringify([server, stop.mcp_tool, stop.args])

/** Every safe-stop of the site once, with the devices of the rows that it brings to rest. */
function safeStops(site: Site): Map<string, { entry: ToolEntry; devices: Set<string> }> {
  const names = deviceNames(site)
  const out = new Map<string, { entry: ToolEntry; devices: Set<string> }>()
  for (const entry of site.tools) {
    if (entry.safe_stop === null) continue
    const key = keyOf(entry.server, entry.safe_stop)
    const found = out.get(key) ?? { entry, devices: new Set<string>() }
    for (const name of namesIn(entry)) {
      const device = names.get(name)
      if (device !== undefined) found.devices.add(device)
    }
    out.set(key, found)
  }
  return out
}

/** Device → its group; one that is named in several stops in the first. */
function groupsOf(site: Site, cell: string): ReadonlyMap<string, StopPlace> {
  const out = new Map<string, StopPlace>()
  const groups = site.stops.find((one) => one.cell === cell)?.groups ?? []
  for (const [group, { devices, within }] of groups.entries()) {
    // What is no time is refused when the site file is put; an older one lets nobody wait.
    const within_ms = groupMs(within) ?? 0
    for (const device of devices) if (!out.has(device)) out.set(device, { group, within_ms })
  }
  return out
}

/** The first place of any of the devices. */
function placeOf(
  devices: Iterable<string>,
  groups: ReadonlyMap<string, StopPlace>,
): StopPlace | null {
  const places = [...devices].flatMap((device) => groups.get(device) ?? [])
  return places.sort((a, b) => a.group - b.group)[0] ?? null
}

/** For the rows of a session in this cell: when the safe-stop of each has its turn. */
export function stopPlaces(site: Site, cell: string): StopPlaces {
  const groups = groupsOf(site, cell)
  if (groups.size === 0) return {}
  const stops = safeStops(site)
  return Object.fromEntries(
    site.tools.flatMap(({ name, server, safe_stop: stop }) => {
      const devices = stop === null ? [] : (stops.get(keyOf(server, stop))?.devices ?? [])
      const place = placeOf(devices, groups)
      return place === null ? [] : [[name, place] as const]
    }),
  )
}

/**
 * Everything that a stop of the cell calls, in the sequence of its groups; what the sequence does not name
 * comes first, since nobody waits for it. What must stay on is left on. More, maybe, than one order carries.
 */
export function cellStops(site: Site, cell: string): CellStop[] {
  const groups = groupsOf(site, cell)
  const on = new Set(site.stops.find((one) => one.cell === cell)?.stays_on)
  const all = [...safeStops(site).values()].flatMap(({ entry, devices }): CellStop[] => {
    const { server, safe_stop: stop } = entry
    const place = placeOf(devices, groups)
    const staysOn = devices.size > 0 && [...devices].every((device) => on.has(device))
    if (stop === null || (place === null && staysOn)) return []
    return [{ call: { server, ...stop, place }, devices: [...devices].toSorted() }]
  })
  const rank = ({ call }: CellStop): number => call.place?.group ?? -1
  return all.toSorted((a, b) => rank(a) - rank(b))
}

/** `cut`: something that may be of the cell found no room, so nobody may say that all of it rests. */
export type OrderedStops = { readonly calls: readonly CellStop[]; readonly cut: boolean }

/**
 * As many as one order carries, in their sequence. The groups of the cell come before what no group names, and
 * what no group names only where the agent has its server: the site file may be that of many cells. `listed`
 * are the servers of the agent's health; null when it has told none.
 */
export function withinOrder(
  all: readonly CellStop[],
  listed: ReadonlySet<string> | null,
): OrderedStops {
  const own = all.filter(
    ({ call }) => call.place !== null || listed === null || listed.has(call.server),
  )
  const kept = new Set(
    [
      ...own.filter(({ call }) => call.place !== null),
      ...own.filter(({ call }) => call.place === null),
    ].slice(0, limits.stopCallsMax),
  )
  return { calls: own.filter((one) => kept.has(one)), cut: kept.size < own.length }
}
