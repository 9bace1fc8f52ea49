// Tips: which head carries one, from which rack, and which positions of a rack are empty by now.
import type { SceneAct, ThingRef } from '../../read/scene.ts'
import { reach } from '../access.ts'
import { atOf, interval, need, set, setTips, touch, word, wordOf, type Ctx } from '../context.ts'
import { add, and, atMost, point } from '../interval.ts'
import { gridOf } from '../start.ts'
import { noTips, type TipUse } from '../state.ts'
import type { Tri } from '../trace.ts'
import { vesselOf, type Vessel } from '../vessels.ts'
import { channelsOf, factKey, type Device } from '../world.ts'
import { emptyHead } from './matter.ts'

export function pickTip(ctx: Ctx, act: SceneAct, head: Device, rack: ThingRef): void {
  const at = atOf(ctx, act, 'thing')
  const tip = interval(ctx, head.id, 'tip') === null ? word(ctx, head.id, 'tip') : 'mounted'
  const bare: Tri = tip === null ? null : tip === ''
  need(ctx, 'DRYRUN_TIP_MOUNTED', bare, 'escalate', ctx.step.at, { device: head.id })
  const v = vesselOf(ctx, rack, at, wordOf(act, 'part'), channelsOf(head))
  touch(ctx, head.id, 'tip', `sets ${rack.key} ${rack.part ?? wordOf(act, 'part') ?? ''}`)
  if (v !== null) {
    if (v.declared) {
      reach(ctx, v.key, rack.raw, at)
      takeTips(ctx, v, at)
    }
  }
  emptyHead(ctx, head)
  set(ctx, head.id, 'tip', rack.key)
}

function takeTips(ctx: Ctx, v: Vessel, at: string): void {
  const use = ctx.state.tips.get(v.key) ?? noTips
  const grid = gridOf(ctx.world, v.key)
  const size = grid === null ? 1 : grid.rows * grid.columns
  if (v.parts.kind !== 'list') {
    // All of a rack, or the next one that is free: only the number of those that are left matters.
    const wanted = v.parts.kind === 'all' ? size : 1
    const gone = use.gone.size + missingTips(ctx, v.key, size)
    const after = add(use.taken, point(wanted + gone))
    const left = atMost(after, point(size))
    const holds = left === true && use.maybe.size > 0 && wanted === size ? null : left
    need(ctx, 'DRYRUN_TIP_GONE', holds, 'escalate', at, { thing: v.ref.raw, tips: size })
    setTips(ctx, v.key, { ...use, taken: add(use.taken, point(wanted)) })
    touch(ctx, v.key, 'tips', 'adds')
    return
  }
  for (const name of v.parts.names) {
    touch(ctx, v.key, 'tips', `sets gone`, name)
    need(ctx, 'DRYRUN_TIP_GONE', tipThere(ctx, v, use, name), 'escalate', at, {
      thing: v.ref.raw,
      part: name,
    })
  }
  setTips(ctx, v.key, { ...use, gone: new Set([...use.gone, ...v.parts.names]) })
}

/** What a record says of a tip: gone, not known, or nothing against it. */
function toldTip(ctx: Ctx, rack: string, part: string | null): Tri {
  const fact = ctx.world.facts.get(factKey(rack, part, 'tip'))
  if (fact === undefined) return true
  if (fact === null) return null
  return fact.value !== false && fact.value !== 'none'
}

/** Positions that a record does not leave a tip, at most `size`. */
function missingTips(ctx: Ctx, rack: string, size: number): number {
  if (toldTip(ctx, rack, null) !== true) return size
  const prefix = `${factKey(rack, null, 'tip')}|`
  const parts = [...ctx.world.facts.keys()].filter((key) => key.startsWith(prefix))
  return parts.filter((key) => toldTip(ctx, rack, key.slice(prefix.length)) !== true).length
}

function tipThere(ctx: Ctx, v: Vessel, use: TipUse, name: string): Tri {
  if (use.gone.has(name)) return false
  const told = and(toldTip(ctx, v.key, name), toldTip(ctx, v.key, null))
  if (told !== true) return told
  if (ctx.state.dark || use.maybe.has(name)) return null
  // Some were taken without a name: any of them may be this one.
  return use.taken.hi > 0 ? null : true
}
