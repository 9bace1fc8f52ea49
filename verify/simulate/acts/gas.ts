// Gases of one line: each flows until it is shut itself. A line is at rest only when none of them flows,
// so that the last one set to nothing does not hide those that were set before it.
import type { SceneAct } from '../../read/scene.ts'
import { closedToStart } from '../access.ts'
import { amountOf, get, set, touch, type Ctx } from '../context.ts'
import { isZero, or } from '../interval.ts'
import { checkLimit } from '../limit.ts'
import { isRest, runs } from './energy.ts'
import { flowing, prefixOf, setFlowing } from './gas-state.ts'
import { deviceOf } from './motion.ts'

/** One name of a gas, however it is spelt; a gas that nobody named is one of its own. */
function gasOf(act: SceneAct): string {
  const value = act.roles['substance']?.[0]
  if (value?.kind !== 'substance') return ''
  const { ids, raw } = value.substance
  return ids.length === 0 ? raw : ids.toSorted().join(' ')
}

export function setGas(ctx: Ctx, act: SceneAct): void {
  const device = deviceOf(ctx, act)
  const amount = amountOf(act, 'amount')
  if (device === null || amount === null) return
  const off = isRest(device, amount.dim, amount.value, true)
  if (!off) {
    closedToStart(ctx, device, amount.at)
    checkLimit(ctx, device, amount.dim, amount)
  }
  runs(ctx, device, off ? null : (amountOf(act, 'hold')?.value ?? null), amount.at)
  const gas = gasOf(act)
  touch(ctx, device.id, 'on', `sets gas ${gas} ${amount.shown}`)
  const on = off ? false : isZero(amount.value) === null ? null : true
  // What a call that nobody described has left on, one gas that is shut does not undo.
  const lost =
    ctx.state.facts.has(`${device.id}|energised`) && get(ctx, device.id, 'energised') === null
  const before = lost && flowing(ctx, device).length === 0 ? [null] : []
  setFlowing(ctx, `${prefixOf(device)}${gas}`, on !== false && !device.stays_on ? false : on)
  set(ctx, device.id, 'energised', or(...before, ...flowing(ctx, device)))
}
