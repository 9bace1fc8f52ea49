// The end of every path: nothing that the plan switched on, opened, set flowing or took up remains so.
// A rule of the site may allow one of these; the rule judges take its finding away, nobody else.
import type { FactName } from '../../protocol/condition.ts'
import { canBeOn, isOn } from './access.ts'
import { find, get, interval, type Ctx } from './context.ts'
import { inside, isZero } from './interval.ts'
import { readRange, show } from './quantity.ts'
import type { Trace, Tri } from './trace.ts'
import { everythingIn } from './vessels.ts'
import type { Value } from './world.ts'

type Left = Trace['left_on'][number]

/** Things whose facts the run has set, in order of first change. */
function touched(ctx: Ctx): Set<string> {
  return new Set([...ctx.state.facts.keys()].map((key) => key.slice(0, key.indexOf('|'))))
}

const shownValue = (value: Value | undefined): string => {
  if (value === true) return 'yes'
  if (value === null || value === undefined) return 'not known'
  if (value === false) return 'no'
  return typeof value === 'string' ? value : show(value, 'count')
}

/** Findings and list of what is left; `lastAt` names the last step that changed a thing. */
export function leftovers(ctx: Ctx, lastAt: ReadonlyMap<string, string>): Left[] {
  const out: Left[] = []
  const left = (
    thing: string,
    fact: FactName,
    shown: string,
    code: 'DRYRUN_LEFT_ON' | 'DRYRUN_LEFT_OPEN' | 'DRYRUN_LEFT_HELD',
    sure: true | null,
  ) => {
    out.push({ thing, fact, shown })
    // What a call that nobody described may have done is told once, by that call.
    if (sure === null && ctx.state.lost.has(thing)) return
    find(ctx, code, sure, 'escalate', lastAt.get(thing) ?? '/nodes', { thing, fact, left: shown })
  }
  for (const thing of touched(ctx)) {
    const device = ctx.world.devices.get(thing)
    if (device !== undefined) {
      const on = energyTouched(ctx, thing) ? isOn(ctx, device) : false
      if (on !== false) left(thing, 'energised', whatIsOn(ctx, thing), 'DRYRUN_LEFT_ON', on)
      const holds = device.class === 'robot_arm' ? get(ctx, thing, 'holds') : ''
      const changed = ctx.state.facts.has(`${thing}|holds`)
      if (changed && holds !== '') {
        left(thing, 'holds', shownValue(holds), 'DRYRUN_LEFT_HELD', holds === null ? null : true)
      }
    }
    if (device?.class === 'pipette' && ctx.state.vessels.has(thing)) {
      const { volume } = everythingIn(ctx, thing)
      const rest = isZero(volume) === true ? false : volume.lo > 0 ? true : null
      if (rest !== false) left(thing, 'contents', show(volume, 'volume'), 'DRYRUN_LEFT_HELD', rest)
    }
    if (ctx.world.barriers.has(thing)) {
      const open = openNow(ctx, thing)
      if (open === false) continue
      if (isIdleLid(ctx, thing)) out.push({ thing, fact: 'open', shown: shownValue(open) })
      else left(thing, 'open', shownValue(open), 'DRYRUN_LEFT_OPEN', open)
    }
  }
  return out
}

/** The lid of a device that is at rest lets nothing out: it is listed, and nobody is asked. */
function isIdleLid(ctx: Ctx, thing: string): boolean {
  const barrier = ctx.world.barriers.get(thing)
  if (barrier?.device === undefined || barrier.outer || barrier.guards.length > 0) return false
  const device = ctx.world.devices.get(barrier.device)
  return device !== undefined && canBeOn(device) && isOn(ctx, device) === false
}

const energy = ['set_temperature', 'rotation', 'flow', 'pressure', 'energised'] as const

const energyTouched = (ctx: Ctx, thing: string): boolean =>
  energy.some((fact) => ctx.state.facts.has(`${thing}|${fact}`))

function whatIsOn(ctx: Ctx, thing: string): string {
  const parts = energy.flatMap((fact) => {
    const value = ctx.state.facts.get(`${thing}|${fact}`)
    if (typeof value !== 'object' || value === null || isZero(value) === true) return []
    const dim = fact === 'set_temperature' ? 'temperature' : fact === 'energised' ? 'count' : fact
    return [show(value, dim)]
  })
  return parts.join(', ') || 'on'
}

/** Whether a barrier is open, or unlocked, that was not known to be so at the start. */
function openNow(ctx: Ctx, thing: string): Tri {
  const before = ctx.world.facts.get(`${thing}|open`)?.value
  const opened = ctx.state.facts.has(`${thing}|open`)
  const open = get(ctx, thing, 'open')
  const unlocked =
    ctx.state.facts.get(`${thing}|locked`) === false &&
    ctx.world.facts.get(`${thing}|locked`)?.value === true
  if (unlocked) return true
  if (!opened || open === false || before === true) return false
  const opening = interval(ctx, thing, 'opening')
  const barrier = ctx.world.barriers.get(thing)
  const range = barrier?.working_opening === undefined ? null : readRange(barrier.working_opening)
  // A sash at its working opening is where it belongs.
  if (opening !== null && range?.kind === 'range' && inside(opening, range.value)) return false
  return typeof open === 'boolean' ? open : null
}
