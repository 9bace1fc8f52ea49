// What the stop of a cell calls, and in which order, by the site file: its groups, what must stay on, what it
// does not name, and what a session's own rows are told of it.
import { beforeAll, expect, test } from 'vitest'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { cellStops, stopPlaces, withinOrder } from '../../../contain/stop-sequence.ts'
import type { Registry } from '../../../protocol/registry.ts'
import { drillMs, groupMs } from '../../../protocol/stop-order.ts'
import { rowsNamed, toolRowDigests, toolRowOf } from '../../../protocol/tool-row.ts'

let site: Registry
beforeAll(async () => {
  site = (await loadSite()).registry
})

const named = (registry: Registry) =>
  cellStops(registry, 'LC-7').map(({ call }) => `${call.place?.group ?? '-'} ${call.mcp_tool}`)

test('the groups of the site file come in their order, each safe-stop once', () => {
  expect(named(site)).toEqual([
    '0 arm.safe_stop',
    '1 liquid_handler.safe_stop',
    '1 heater_shaker.safe_stop',
    '1 thermocycler.safe_stop',
    '1 storage.safe_stop',
    '2 centrifuge.safe_stop',
  ])
  const [arm] = cellStops(site, 'LC-7')
  expect(arm).toEqual({
    call: {
      server: 'lc7-cell',
      mcp_tool: 'arm.safe_stop',
      args: {},
      place: { group: 0, within_ms: 2_000 },
    },
    devices: ['arm_a1'],
  })
})

test('what must stay on is left on; what no group names is called at once', () => {
  // The hoods stay on in LC-7; a cell without a sequence stops everything that can be stopped.
  expect(named(site).join()).not.toContain('fume_hood')
  const unordered = cellStops(site, 'another').map(({ call }) => call)
  expect(unordered.map(({ mcp_tool }) => mcp_tool)).toContain('fume_hood.safe_stop')
  expect(unordered.every(({ place }) => place === null)).toBe(true)
  const [sequence] = site.stops
  if (sequence === undefined) throw new TypeError('the site states a sequence')
  const short = { ...sequence, groups: sequence.groups.slice(1) }
  expect(named({ ...site, stops: [short] })[0]).toBe('- arm.safe_stop')
})

test('the rows of a session name their turn, for agents that read it; it is inside what is digested', async () => {
  const places = stopPlaces(site, 'LC-7')
  expect(places['centrifuge.spin']).toEqual({ group: 2, within_ms: 120_000 })
  expect(places['camera.capture']).toBeUndefined()
  const entry = site.tools.find(({ name }) => name === 'arm.pick')
  if (entry === undefined) throw new TypeError('no such tool')
  const newest = toolRowOf(entry, undefined, places)
  expect(newest.stop_place).toEqual({ group: 0, within_ms: 2_000 })
  for (const features of [['result-checks'], ['stop-order'], []] as const) {
    const row = toolRowOf(entry, features, places)
    const digests = await toolRowDigests([row])
    // A session that was bound for an older agent finds the form that its context names.
    expect(await rowsNamed([entry], digests, places)).toEqual([row])
  }
  const later = await toolRowDigests([{ ...newest, stop_place: { group: 1, within_ms: 2_000 } }])
  expect(later).not.toEqual(await toolRowDigests([newest]))
})

test('a group may take a time that can be waited for, and nothing else', () => {
  expect(['2 s', '1 min', '0 s'].map((text) => groupMs(text))).toEqual([2_000, 60_000, 0])
  expect(['2 h', '3 Cel', '-1 s', 'soon'].map((text) => groupMs(text))).toEqual([
    null,
    null,
    null,
    null,
  ])
})

test('what one order does not carry is cut where nobody waits, never out of the groups, and said', () => {
  const place = { group: 0, within_ms: 0 }
  const one = (server: string, n: number, placed: boolean) => ({
    call: { server, mcp_tool: `d${n}.stop`, args: {}, place: placed ? place : null },
    devices: [],
  })
  const many = (server: string, count: number, placed = false) =>
    Array.from({ length: count }, (_, n) => one(server, n, placed))
  const all = [...many('other', 90), ...many('loose', 10), ...many('own', 10, true)]
  const kept = (listed: string[] | null) => {
    const { calls, cut } = withinOrder(all, listed === null ? null : new Set(listed))
    const of = (server: string) => calls.filter(({ call }) => call.server === server).length
    return { own: of('own'), loose: of('loose'), other: of('other'), cut }
  }
  // The servers of other cells do not push out this one's, and are no part of it.
  expect(kept(['own', 'loose'])).toEqual({ own: 10, loose: 10, other: 0, cut: false })
  // A server that a group names is called also where the agent does not list it: its answer is told.
  expect(kept(['loose'])).toEqual({ own: 10, loose: 10, other: 0, cut: false })
  expect(kept(null)).toEqual({ own: 10, loose: 0, other: 86, cut: true })
  expect(withinOrder(all, null).calls.at(-1)?.call.server).toBe('own')
})

test('a drill may take the time of each group once, and a minute', () => {
  const at = (group: number, within_ms: number) => ({ place: { group, within_ms } })
  expect(drillMs([{ place: null }, at(0, 2_000), at(0, 2_000), at(1, 5_000)])).toBe(67_000)
})
