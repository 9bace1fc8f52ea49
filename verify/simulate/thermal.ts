// Heat over everything that stands on or in a device: limits of vessels, boiling and flash points,
// pressure in what is closed.
import type { Interval } from '../read/scene.ts'
import { deviceAt } from './access.ts'
import { find, get, interval, need, standingAt, touch, tri, type Ctx } from './context.ts'
import type { Fill } from './fill.ts'
import { hull, inside, point, roomTemperature, within } from './interval.ts'
import { readRange, show } from './quantity.ts'
import type { Content } from './trace.ts'
import { everythingIn } from './vessels.ts'
import words from './words.json' with { type: 'json' }
import { kindOf, limitOf, type Device } from './world.ts'

/** Heaters overshoot and calibrations drift: flammable liquids stay this far below boiling, in K. */
const boilMargin = 10

/** Above this a closed vessel of which nothing is declared builds pressure worth a question, in °C. */
const warm = 60

/** All temperatures of a device of which nothing is known, in °C. */
const anyHeat: Interval = { lo: -273.15, hi: 3_000 }

const shownHeat = (value: Interval): string =>
  value === anyHeat ? 'not known' : show(value, 'temperature')

const flammable: ReadonlySet<string> = new Set(words.flammable)

/** Device classes that act on what stands on them. */
const loaded: ReadonlySet<Device['class']> = new Set([
  'heater',
  'shaker',
  'heater_shaker',
  'thermocycler',
  'furnace',
])

/** Everything on or in a device now; `known` is false when more may be there. */
export function loadOf(
  ctx: Ctx,
  device: Device,
): { things: string[]; maybe: string[]; known: boolean } {
  touch(ctx, device.id, 'load', 'reads')
  const spots = [device.id, ...(ctx.world.placesOf.get(device.id) ?? []).map((p) => p.id)]
  const things: string[] = []
  const maybe = new Set<string>()
  let known = !ctx.state.dark
  for (const spot of spots) {
    const at = standingAt(ctx, spot)
    things.push(...at.sure)
    for (const thing of at.maybe) maybe.add(thing)
    // An empty place is known as such only when somebody said so.
    if (at.sure.length === 0 && spot !== device.id && !emptyKnown(ctx, spot)) known = false
  }
  if (spots.length === 1 && things.length === 0 && !emptyKnown(ctx, device.id)) known = false
  for (let i = 0; i < things.length && i < 400; i++) {
    const nested = standingAt(ctx, things[i] ?? '')
    things.push(...nested.sure)
  }
  return { things, maybe: [...maybe], known }
}

/** Somebody recorded, or the run itself made sure, that nothing stands at a place. */
export function emptyKnown(ctx: Ctx, place: string): boolean {
  const holds = get(ctx, place, 'holds')
  if (holds === '') return true
  if (holds !== undefined) return false
  return ctx.world.places.get(place)?.per_run === true && !ctx.state.dark
}

/** A device takes a temperature: the vessels on it and what is in them must stand it. */
export function heatLoad(ctx: Ctx, device: Device, temperature: Interval, at: string): void {
  const load = loadOf(ctx, device)
  if (!load.known && loaded.has(device.class)) {
    find(ctx, 'DRYRUN_LOAD_UNKNOWN', null, 'escalate', at, { device: device.id })
  }
  for (const thing of load.things) heated(ctx, thing, thing, temperature, at, true)
  for (const thing of load.maybe) heated(ctx, thing, thing, temperature, at, null)
  const own = ctx.state.vessels.has(device.id) || ctx.world.facts.has(`${device.id}|contents`)
  if (own) boils(ctx, device.id, everythingIn(ctx, device.id), temperature, at, true, false)
}

/** One vessel at a temperature. `sure` null: it may not be there. */
function heated(
  ctx: Ctx,
  thing: string,
  raw: string,
  temperature: Interval,
  at: string,
  sure: true | null,
): void {
  const kind = kindOf(ctx.world, thing)
  const range = kind?.temperature === undefined ? null : readRange(kind.temperature)
  const facts = { thing: raw, temperature: shownHeat(temperature) }
  if (range === null || range.kind === 'unreadable') {
    const missing = { thing: raw, limit: 'temperature' }
    find(ctx, 'DRYRUN_LIMIT_UNDECLARED', null, 'escalate', at, missing)
  } else {
    const holds = within(temperature, range.value)
    const known = holds === false && sure === null ? null : holds
    const limit = show(range.value, 'temperature')
    need(ctx, 'DRYRUN_VESSEL_LIMIT', known, 'reject', at, { ...facts, limit })
  }
  const vessel = kind?.class === undefined || kind.class === 'vessel' || kind.class === 'plate'
  if (!vessel && kind?.class !== 'tube_rack') return
  touch(ctx, thing, 'contents', 'reads')
  const closed = kind?.closed === true
  const made = range?.kind === 'range' && Number.isFinite(range.value.hi)
  boils(ctx, raw, everythingIn(ctx, thing), temperature, at, sure, closed)
  if (closed && !made && temperature.hi >= warm) {
    find(ctx, 'DRYRUN_SEALED_HEATED', null, 'escalate', at, facts)
  }
}

/** Share of a liquid in water below which it behaves as water. */
const thin = 0.2

function isThin({ substance, volume }: Content, fill: Fill): boolean {
  if (substance.percent !== null && substance.percent < thin * 100) return true
  return fill.volume.lo > 0 && volume.hi < thin * fill.volume.lo
}

function boils(
  ctx: Ctx,
  raw: string,
  fill: Fill,
  temperature: Interval,
  at: string,
  sure: true | null,
  closed: boolean,
): void {
  if (fill.volume.hi === 0) return
  for (const content of fill.list) {
    const { substance, volume } = content
    // A little of it in water neither burns nor boils as the pure liquid does.
    if (isThin(content, fill)) continue
    const burns =
      substance.flash !== null ||
      substance.hazards.some((h) => flammable.has(h)) ||
      substance.groups.some((g) => flammable.has(g))
    const limits = [
      substance.boils === null ? null : substance.boils - (burns ? boilMargin : 0),
      // Below its flash point it gave no vapour that burns; what burns at room temperature already
      // does so without any heating, and rules of the site speak of it.
      burns && (substance.flash ?? 0) > roomTemperature.hi ? substance.flash : null,
    ].filter((limit) => limit !== null)
    const facts = { thing: raw, substance: substance.raw, temperature: shownHeat(temperature) }
    const there = volume.lo > 0 ? sure : null
    if (limits.length === 0) {
      if (burns && temperature.hi > roomTemperature.hi) {
        find(ctx, 'DRYRUN_NEAR_BOILING', null, 'escalate', at, facts)
      }
      continue
    }
    const limit = Math.min(...limits)
    // At the very boiling point it boils; below it, it does not.
    const known = temperature.lo >= limit ? false : temperature.hi < limit ? true : null
    if (known === true) continue
    const code = closed ? 'DRYRUN_SEALED_HEATED' : 'DRYRUN_NEAR_BOILING'
    const boiling = substance.boils !== null && temperature.lo >= substance.boils
    const verdict = boiling && (burns || closed) ? 'reject' : 'escalate'
    need(ctx, code, known === false && there === null ? null : known, verdict, at, {
      ...facts,
      limit: show(point(limit), 'temperature'),
    })
  }
}

/** Something arrives in a vessel, or with a vessel, on a device that is already warm. */
export function warmed(ctx: Ctx, thing: string, raw: string, fill: Fill, at: string): void {
  const device = deviceAt(ctx, thing)
  if (device === null || device === 'none') return
  const temperature = hotness(ctx, device)
  if (temperature === null) return
  touch(ctx, device.id, 'temperature', 'reads')
  boils(ctx, raw, fill, temperature, at, true, kindOf(ctx.world, thing)?.closed === true)
}

/** A vessel is put on a device that is already warm. */
export function placedOn(ctx: Ctx, thing: string, raw: string, device: Device, at: string): void {
  const temperature = hotness(ctx, device)
  if (temperature === null) return
  touch(ctx, device.id, 'temperature', 'reads')
  heated(ctx, thing, raw, temperature, at, true)
}

/** Temperatures that a device may give to what is on it; null: it neither heats nor cools. */
function hotness(ctx: Ctx, device: Device): Interval | null {
  const set = get(ctx, device.id, 'set_temperature')
  const now = interval(ctx, device.id, 'temperature')
  const heats = limitOf(device, 'temperature') !== undefined
  // What was switched off may still be hot; that its temperature is not known is said, not left out.
  const forgotten = heats && get(ctx, device.id, 'temperature') === null
  const off = set === 'off' || (set === undefined && tri(ctx, device.id, 'energised') === false)
  const target = typeof set === 'object' && set !== null ? set : null
  if (off && forgotten) return anyHeat
  if (!off && target === null) {
    // It can heat, and nobody knows whether it does.
    return set === null || heats ? anyHeat : now
  }
  const both = target === null ? now : now === null ? target : hull(target, now)
  return both === null || inside(both, roomTemperature) ? null : both
}
