// A value against the range that the site file declares for a device. A need whose limit nobody
// declared is unknown; a declared one that holds for every value covers the act.
import type { Dimension } from '../../protocol/acts.ts'
import type { Interval } from '../read/scene.ts'
import { find, need, type Amount, type Ctx } from './context.ts'
import { multiply, point, within } from './interval.ts'
import { show, type Range } from './quantity.ts'
import { limitOf, type Device } from './world.ts'

/**
 * Checks one value of an act and gives it in the unit of the limit: a fraction is of the greatest
 * value that the device can do. null: it cannot be told what the value is.
 */
export function checkLimit(
  ctx: Ctx,
  device: Device,
  quantity: string,
  amount: Amount,
): Interval | null {
  const limit = limitOf(device, quantity)
  if (limit === undefined) {
    const facts = { thing: device.id, limit: quantity }
    find(ctx, 'DRYRUN_LIMIT_UNDECLARED', null, 'escalate', amount.at, facts)
    return amount.dim === 'fraction' ? null : amount.value
  }
  if (limit.kind === 'range' && amount.dim === 'fraction' && limit.dim !== 'fraction') {
    const top = limit.value.hi
    const percent = { lo: 0, hi: 100 }
    const whole: Range = { kind: 'range', dim: 'fraction', value: percent }
    inRange(ctx, device, quantity, amount.value, 'fraction', whole, amount.at)
    return Number.isFinite(top) ? multiply(amount.value, point(top / 100)) : null
  }
  inRange(ctx, device, quantity, amount.value, amount.dim, limit, amount.at)
  // A share of nobody knows what is no value that may stand beside measured ones.
  return amount.dim === 'fraction' ? null : amount.value
}

/** One value against one range, with what it proves when it holds. */
export function inRange(
  ctx: Ctx,
  device: Device,
  quantity: string,
  value: Interval,
  dim: Dimension,
  limit: Range,
  at: string,
): void {
  const facts = { device: device.id, limit: quantity, value: show(value, dim) }
  if (limit.kind === 'unreadable' || limit.dim !== dim) {
    find(ctx, 'DRYRUN_LIMIT_UNDECLARED', null, 'escalate', at, { ...facts, thing: device.id })
    return
  }
  const holds = within(value, limit.value)
  need(ctx, 'DRYRUN_LIMIT', holds, 'reject', at, { ...facts, range: show(limit.value, dim) })
  if (holds === true) ctx.covered.push({ act: ctx.act, by: `limit:${device.id}.${quantity}` })
}
