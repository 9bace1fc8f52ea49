// What is open and more than half full spills when it is carried fast, whatever the arm can do.
import { everythingIn } from '../vessels.ts'
import { find, need, word, type Ctx } from '../context.ts'
import { atMost, or, point } from '../interval.ts'
import { readQuantity, show } from '../quantity.ts'
import type { Interval } from '../../read/scene.ts'
import { kindOf, type Device } from '../world.ts'

/** An arm that stops from this speed makes a wave as high as half a trough; in mm/s. */
const calm = 500

/** Share of a vessel above which a wave of that height runs over its rim. */
const fullShare = 0.5

/** Looks at what an arm holds during one motion. */
export function spills(ctx: Ctx, device: Device, speed: Interval | null, at: string): void {
  if (device.class !== 'robot_arm') return
  const held = word(ctx, device.id, 'holds')
  const kind = held === null || held === '' ? undefined : kindOf(ctx.world, held)
  // Wells of a plate are too narrow for a wave.
  if (held === null || kind?.open_top !== true) return
  if (kind.class !== 'vessel' && kind.class !== 'tray') return
  const slow = speed === null ? null : atMost(speed, point(calm))
  if (slow === true) return
  const holds = everythingIn(ctx, held).volume
  const capacity = kind.capacity === undefined ? null : readQuantity(kind.capacity)
  const facts = { thing: held, holds: show(holds, 'volume') }
  if (capacity?.dim !== 'volume') {
    find(ctx, 'DRYRUN_OPEN_CARRIED', null, 'escalate', at, facts)
    return
  }
  const low = atMost(holds, point(capacity.value * fullShare))
  need(ctx, 'DRYRUN_OPEN_CARRIED', or(slow, low), 'escalate', at, {
    ...facts,
    speed: speed === null ? 'not known' : show(speed, 'speed'),
    limit: show(point(calm), 'speed'),
  })
}
