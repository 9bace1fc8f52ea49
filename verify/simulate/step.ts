// One step as a pure function: (state, step) → (state, effects, findings). Every act has one handler.
import type { ActName } from '../../protocol/acts.ts'
import type { SceneAct, Step } from '../read/scene.ts'
import { assuredBy, type Earlier } from './assured.ts'
import { close, lock, open, setOpening, unlock } from './acts/barrier.ts'
import {
  applyPower,
  expose,
  runProfile,
  setFlow,
  setPressure,
  setTemperature,
  shake,
  stop,
  wait,
} from './acts/energy.ts'
import { setGas } from './acts/gas.ts'
import { discard, mix, transfer } from './acts/matter.ts'
import { carry, grip, move, pick, putDown, setMode } from './acts/motion.ts'
import { spin } from './acts/spin.ts'
import { find, get, set, type Ctx, type Rested, type Touch } from './context.ts'
import { forget, opaque } from './opaque.ts'
import { sentence } from './sentence.ts'
import { joinStates, type Start, type State } from './state.ts'
import type { FactChange, TraceFinding } from './trace.ts'
import type { World } from './world.ts'

type Handler = (ctx: Ctx, act: SceneAct) => void
/** Acts that leave the state of the cell as it is. */
const nothing: Handler = () => undefined

const handlers: Record<ActName, Handler> = {
  transfer,
  mix,
  discard,
  move,
  pick,
  place: putDown,
  carry,
  grip,
  set_mode: setMode,
  open,
  close,
  lock,
  unlock,
  set_opening: setOpening,
  set_temperature: setTemperature,
  shake,
  spin,
  set_pressure: setPressure,
  set_flow: setFlow,
  set_gas: setGas,
  apply_power: applyPower,
  expose,
  run_profile: runProfile,
  measure: nothing,
  observe: nothing,
  read_record: nothing,
  write_record: nothing,
  delete_record: nothing,
  message: nothing,
  send_out: nothing,
  fetch: nothing,
  run_code: nothing,
  load_program: reached,
  administer: reached,
  wait,
  stop,
}

/** After a program was loaded or a device changed, what it does next is nobody's knowledge. */
function reached(ctx: Ctx, act: SceneAct): void {
  const device = act.roles['device']?.[0]
  if (device?.kind === 'thing' || device?.kind === 'place') forget(ctx, device.ref.key)
}

export type Stepped = {
  readonly state: State
  readonly findings: readonly TraceFinding[]
  readonly changes: readonly FactChange[]
  readonly touches: readonly Touch[]
  readonly covered: readonly { readonly act: number; readonly by: string }[]
  readonly sentence: string
}

/** What a step needs beside the state: the same for all steps of a run. */
export type Run = {
  readonly world: World
  readonly start: Start
  readonly earlier: Earlier
  readonly rested: Map<string, Rested>
}

export function context({ world, start, earlier, rested }: Run, state: State, step: Step): Ctx {
  return {
    world,
    start,
    step,
    rested,
    assured: assuredBy(world, step, state, earlier),
    findings: [],
    changes: [],
    touches: [],
    notes: [],
    covered: [],
    act: 0,
    state,
  }
}

/** Runs one step from one state. Throws only on a programmer's mistake. */
export function stepState(run: Run, state: State, step: Step): Stepped {
  const ctx = context(run, state, step)
  for (const [i, act] of step.acts.entries()) {
    ctx.act = i
    if (act.missing.length > 0) {
      const facts = { act: act.act, missing: act.missing.join(', ') }
      find(ctx, 'DRYRUN_ROLE_MISSING', null, 'escalate', step.at, facts)
      for (const key of keysOf(act)) forget(ctx, key)
      continue
    }
    possible(ctx, act)
  }
  if (step.opaque !== null) opaque(ctx)
  settle(ctx)
  return {
    state: ctx.state,
    findings: distinct(ctx.findings),
    changes: ctx.changes,
    touches: ctx.touches,
    covered: ctx.covered,
    sentence: sentence(step, ctx.notes),
  }
}

/** Cases of one act that are told apart; a reference over more values makes its things unknown. */
const casesMax = 64

/** Every act that a call may turn out to be, when a reference decides which. */
function cases(act: SceneAct): readonly SceneAct[] {
  let out: readonly SceneAct[] = [act]
  for (const role of act.one_of) {
    const values = act.roles[role] ?? []
    out = out.flatMap((one) =>
      values.map((value) => ({ ...one, roles: { ...one.roles, [role]: [value] } })),
    )
    if (out.length > casesMax) return []
  }
  return out
}

/** Runs an act in all its cases and joins them; what is found in only some of them only may be. */
function possible(ctx: Ctx, act: SceneAct): void {
  const all = cases(act)
  const only = all[0]
  if (all.length === 1 && only !== undefined && !act.maybe) return handlers[act.act](ctx, only)
  const before = ctx.state
  const found: TraceFinding[][] = act.maybe ? [[]] : []
  let state = act.maybe || all.length === 0 ? before : null
  for (const one of all) {
    const own = { ...ctx, state: before, findings: [] as TraceFinding[] }
    handlers[act.act](own, one)
    found.push(own.findings)
    state = state === null ? own.state : joinStates(state, own.state, ctx.start)
  }
  ctx.state = state ?? before
  if (all.length === 0) {
    for (const key of keysOf(act)) forget(ctx, key)
    const facts = { act: act.act, missing: act.one_of.join(', ') }
    find(ctx, 'DRYRUN_ROLE_MISSING', null, 'escalate', ctx.step.at, facts)
  }
  for (const finding of found.flat()) {
    const always = found.every((list) =>
      list.some((f) => f.code === finding.code && f.kind === finding.kind),
    )
    ctx.findings.push(always ? finding : { ...finding, kind: 'unknown' })
  }
}

const keysOf = (act: SceneAct): readonly string[] =>
  Object.values(act.roles)
    .flat()
    .flatMap((v) => (v.kind === 'thing' || v.kind === 'place' ? [v.ref.key] : []))

/** A tool that settles an earlier set point has returned: the effect is there. */
function settle(ctx: Ctx): void {
  const name = ctx.step.row?.name
  if (name === undefined || ctx.step.opaque !== null) return
  for (const [device, list] of ctx.state.pending) {
    const done = list.filter((one) => one.by === name && names(ctx.step, device))
    if (done.length === 0) continue
    const pending = new Map(ctx.state.pending)
    pending.set(
      device,
      list.filter((one) => !done.includes(one)),
    )
    ctx.state = { ...ctx.state, pending }
    for (const one of done) {
      const wanted = one.fact === 'temperature' ? get(ctx, device, 'set_temperature') : one.to
      if (typeof wanted === 'object' && wanted !== null) set(ctx, device, one.fact, one.to)
    }
  }
}

const names = (step: Step, device: string): boolean =>
  step.acts.some((act) => keysOf(act).includes(device))

/** The same code at the same place for the same thing, once; a breach beats an unknown. */
function distinct(findings: readonly TraceFinding[]): TraceFinding[] {
  const seen = new Map<string, TraceFinding>()
  for (const f of findings) {
    const key = `${f.code}|${f.at}|${JSON.stringify(f.facts)}`
    const before = seen.get(key)
    if (before === undefined || before.kind === 'unknown') seen.set(key, f)
  }
  return [...seen.values()]
}
