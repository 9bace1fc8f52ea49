// Motion and people: the zone of a place comes from the site file; whoever may be in it bounds the
// speed, unless barriers are known to be shut and the zone is known to be empty.
import type { Interval, ThingRef } from '../read/scene.ts'
import { find, get, interval, need, touch, tri, type Ctx } from './context.ts'
import { and, atMost, not, or, point } from './interval.ts'
import { readQuantity, show } from './quantity.ts'
import type { Tri } from './trace.ts'
import { limitOf, type Device, type Zone } from './world.ts'

/** The speed of this motion: what the step says, else what was set before, else anything it can do. */
export function speedAt(ctx: Ctx, device: Device, chosen: Interval | null): Interval | null {
  touch(ctx, device.id, 'pose', 'reads')
  if (chosen !== null) return chosen
  const set = interval(ctx, device.id, 'speed')
  if (set !== null) return set
  const limit = limitOf(device, 'speed')
  return limit?.kind === 'range' && limit.dim === 'speed'
    ? { lo: Math.max(0, limit.value.lo), hi: limit.value.hi }
    : null
}

/** One motion to a place: its zone, the plan's claim about it, and the speed that people allow. */
export function travel(
  ctx: Ctx,
  device: Device,
  place: ThingRef,
  at: string,
  speed: Interval | null,
  claim: ThingRef | null,
): void {
  const site = place.id === null ? undefined : zoneOf(ctx, place.id)
  if (site === undefined) {
    find(ctx, 'DRYRUN_PLACE_UNKNOWN', null, 'escalate', at, { place: place.raw })
    return
  }
  if (claim !== null && claim.key !== site.id) {
    const told = ctx.world.zones.get(claim.key)
    // A place where people are, told as one where they are not: the lie that a speed limit rests on.
    const worse = rank(site) > (told === undefined ? -1 : rank(told))
    find(ctx, 'DRYRUN_ZONE_CLAIM', true, worse ? 'reject' : 'escalate', at, {
      place: place.raw,
      told: claim.raw,
      zone: site.id,
    })
  }
  const people = peopleIn(ctx, site)
  if (people === false) return
  const declared =
    site.speed_with_people === undefined ? null : readQuantity(site.speed_with_people)
  const facts = { device: device.id, place: place.raw, zone: site.id }
  if (declared?.dim !== 'speed') {
    const limit = { thing: site.id, limit: 'speed_with_people' }
    find(ctx, 'DRYRUN_LIMIT_UNDECLARED', null, 'escalate', at, limit)
    return
  }
  const slow = speed === null ? null : atMost(speed, point(declared.value))
  const holds = or(slow, not(people))
  need(ctx, 'DRYRUN_SPEED_WITH_PEOPLE', holds, 'reject', at, {
    ...facts,
    speed: speed === null ? 'not known' : show(speed, 'speed'),
    limit: show(point(declared.value), 'speed'),
  })
  if (holds === true) ctx.covered.push({ act: ctx.act, by: `zone:${site.id}` })
}

const rank = (zone: Zone): number => ['never', 'when_open', 'always'].indexOf(zone.people)

function zoneOf(ctx: Ctx, place: string): Zone | undefined {
  const zone = ctx.world.places.get(place)?.zone ?? ctx.world.devices.get(place)?.zone
  return zone === undefined ? undefined : ctx.world.zones.get(zone)
}

/** Whether people may be in a zone now: false only when it is shut and known to be empty. */
function peopleIn(ctx: Ctx, zone: Zone): Tri {
  if (zone.people === 'never') return false
  if (zone.people === 'always') return true
  const shut = zone.barriers.map((id) => {
    touch(ctx, id, 'open', 'reads')
    return not(tri(ctx, id, 'open'))
  })
  // A zone without barriers is shut by nothing.
  const closed = shut.length === 0 ? false : and(...shut)
  const inside = get(ctx, zone.id, 'people')
  if (closed === false) return true
  if (closed === true && inside === false) return false
  return inside === true ? true : null
}

/** An opened barrier lets people in: what was known of its zones is known no longer. */
export function letsIn(ctx: Ctx, barrier: string): readonly string[] {
  return ctx.world.registry.zones.filter((z) => z.barriers.includes(barrier)).map((z) => z.id)
}
