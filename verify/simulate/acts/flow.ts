// Liquid that runs by itself: a pump between two vessels moves flow × time, and without a time nobody
// knows how much.
import type { Interval, SceneAct } from '../../read/scene.ts'
import { atOf, refOf, type Ctx } from '../context.ts'
import { isZero, multiply } from '../interval.ts'
import { labelled, meetings, streamTakes } from '../liquids.ts'
import { drawnFrom } from '../fill.ts'
import { warmed } from '../thermal.ts'
import { give, look, take, vesselOf } from '../vessels.ts'
import type { Device } from '../world.ts'

export function streamBetween(
  ctx: Ctx,
  act: SceneAct,
  flow: Interval | null,
  hold: Interval | null,
  device: Device,
): void {
  const fromRef = refOf(act, 'from')
  const toRef = refOf(act, 'to')
  if (flow !== null && isZero(flow) === true) return
  const from = fromRef === null ? null : vesselOf(ctx, fromRef, atOf(ctx, act, 'from'), null, 1)
  const to = toRef === null ? null : vesselOf(ctx, toRef, atOf(ctx, act, 'to'), null, 1)
  // A pump that stays on runs past the time of its step.
  const time = hold === null || device.stays_on ? { lo: hold?.lo ?? 0, hi: Infinity } : hold
  const moved = flow === null ? { lo: 0, hi: Infinity } : multiply(flow, time)
  // Without an end the vessel at the other end decides how much: the flow itself is found as left on.
  const volume =
    from !== null && moved.hi === Infinity ? capped(moved, look(ctx, from).volume.hi) : moved
  const drawn = from === null ? [] : take(ctx, from, volume, 1)
  const label = act.roles['substance']?.[0]
  const portion = drawn[0]?.portion ?? {
    volume,
    list:
      label?.kind === 'substance'
        ? [{ substance: label.substance, volume, drawn_from: device.id }]
        : [],
    open: label?.kind !== 'substance',
  }
  const arriving = from === null ? portion : drawnFrom(portion, from.key)
  if (label?.kind === 'substance' && from !== null) {
    labelled(ctx, label.at, label.substance, arriving)
  }
  if (to === null) return
  const there = give(ctx, to, () => arriving)
  meetings(ctx, to.at, to.ref.raw, arriving, there)
  const stream = ctx.world.streams.get(to.key)
  if (stream === undefined) warmed(ctx, to.key, to.ref.raw, arriving, to.at)
  else streamTakes(ctx, to.at, stream, arriving)
}

const capped = (moved: Interval, most: number): Interval => ({
  lo: Math.min(moved.lo, most),
  hi: most,
})
