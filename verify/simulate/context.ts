// One step under way: a draft of the state, and what the step reads, writes and finds. Acts are
// written against this and see neither maps nor the start.
import type { Dimension } from '../../protocol/acts.ts'
import { dimensions } from '../../protocol/acts.ts'
import type { SimulateCode } from '../../protocol/codes/simulate.ts'
import type { FactName } from '../../protocol/condition.ts'
import type { Interval, SceneAct, Step, ThingRef } from '../read/scene.ts'
import type { Fill, Parts } from './fill.ts'
import { startParts } from './start.ts'
import type { Residue, Start, State, TipUse } from './state.ts'
import type { FactChange, FactValue, TraceFinding, Tri } from './trace.ts'
import type { Value, World } from './world.ts'
import { factUnits, startValue } from './world.ts'

/** How a step uses something, for the question whether the order of two steps matters. */
export type Mode = 'reads' | 'adds' | 'draws' | `sets ${string}`
export type Touch = {
  readonly thing: string
  readonly group: string
  readonly part: string | null
  readonly mode: Mode
}

export type Rested = {
  readonly thing: string
  readonly part: string | null
  readonly fact: FactName
}

export type Ctx = {
  readonly world: World
  readonly start: Start
  readonly step: Step
  readonly rested: Map<string, Rested>
  /** What the run itself checks just before the call: preconditions and `require`. */
  readonly assured: ReadonlyMap<string, Value>
  readonly findings: TraceFinding[]
  readonly changes: FactChange[]
  readonly touches: Touch[]
  /** Half-sentences behind the act's own clause. */
  readonly notes: string[]
  readonly covered: { act: number; by: string }[]
  act: number
  state: State
}

type Facts = TraceFinding['facts']

/** Records a finding: a breach when it is so for sure, an unknown when it only may be. */
export function find(
  ctx: Ctx,
  code: SimulateCode,
  broken: true | null,
  verdict: 'escalate' | 'reject',
  at: string,
  facts: Facts = {},
): void {
  const kind = broken === true ? 'breach' : 'unknown'
  ctx.findings.push({ kind, code, verdict, at, rule: null, facts, remedy: null })
}

/** Something that must hold: nothing when it does, a breach when it does not, else an unknown. */
export function need(
  ctx: Ctx,
  code: SimulateCode,
  holds: Tri,
  verdict: 'escalate' | 'reject',
  at: string,
  facts: Facts = {},
): void {
  if (holds !== true) find(ctx, code, holds === false ? true : null, verdict, at, facts)
}

export function touch(ctx: Ctx, thing: string, group: string, mode: Mode, part?: string): void {
  ctx.touches.push({ thing, group, part: part ?? null, mode })
}

// --- roles ---

export function refOf(act: SceneAct, role: string): ThingRef | null {
  const value = act.roles[role]?.[0]
  return value !== undefined && (value.kind === 'thing' || value.kind === 'place')
    ? value.ref
    : null
}

export type Amount = {
  readonly at: string
  readonly dim: Dimension
  readonly value: Interval
  readonly shown: string
}

export const amountsOf = (act: SceneAct, role: string): readonly Amount[] =>
  (act.roles[role] ?? []).flatMap((value) => (value.kind === 'quantity' ? [value] : []))

export const amountOf = (act: SceneAct, role: string): Amount | null =>
  amountsOf(act, role)[0] ?? null

export function atOf(ctx: Ctx, act: SceneAct, role: string): string {
  return act.roles[role]?.[0]?.at ?? ctx.step.at
}

export function wordOf(act: SceneAct, role: string): string | null {
  const value = act.roles[role]?.[0]
  if (value?.kind === 'choice') return value.means ?? value.raw
  return value?.kind === 'text' || value?.kind === 'address' ? value.text : null
}

export function flagOf(act: SceneAct, role: string): boolean | null {
  const value = act.roles[role]?.[0]
  return value?.kind === 'flag' ? value.value : null
}

// --- facts ---

/** JSON has no infinity: an open end is the largest double. */
const finite = (value: Interval): Interval => ({
  lo: Math.max(value.lo, -Number.MAX_VALUE),
  hi: Math.min(value.hi, Number.MAX_VALUE),
})

export function factValue(fact: FactName, value: Value | undefined): FactValue | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return { kind: 'flag', value }
  if (typeof value === 'string') return { kind: 'word', value }
  const dim = factUnits[fact]
  const unit = dim === undefined ? '1' : dimensions[dim]
  return { kind: 'quantity', value: finite(value), unit }
}

function rest(ctx: Ctx, thing: string, part: string | null, fact: FactName): void {
  const key = `${thing}|${fact}|${part ?? ''}`
  if (!ctx.rested.has(key)) ctx.rested.set(key, { thing, part, fact })
}

/** A fact now; undefined: nobody ever said it; null: not known. */
export function get(ctx: Ctx, thing: string, fact: FactName): Value | undefined {
  const key = `${thing}|${fact}`
  const sure = ctx.assured.get(key)
  if (sure !== undefined) return sure
  const now = ctx.state.facts.get(key)
  if (now !== undefined) return now
  if (ctx.state.dark) return null
  const start = startValue(ctx.world, thing, fact)
  if (start !== undefined) rest(ctx, thing, null, fact)
  return start
}

export function tri(ctx: Ctx, thing: string, fact: FactName): Tri {
  const value = get(ctx, thing, fact)
  return typeof value === 'boolean' ? value : null
}

export function interval(ctx: Ctx, thing: string, fact: FactName): Interval | null {
  const value = get(ctx, thing, fact)
  return typeof value === 'object' && value !== null ? value : null
}

export function word(ctx: Ctx, thing: string, fact: FactName): string | null {
  const value = get(ctx, thing, fact)
  return typeof value === 'string' ? value : null
}

export function set(ctx: Ctx, thing: string, fact: FactName, value: Value): void {
  const before = get(ctx, thing, fact)
  const facts = new Map(ctx.state.facts)
  facts.set(`${thing}|${fact}`, value)
  ctx.state = { ...ctx.state, facts }
  stamp(ctx, thing, fact)
  const change = { before: factValue(fact, before), after: factValue(fact, value) }
  ctx.changes.push({ thing, part: null, fact, ...change })
}

/** Marks that a fact may have changed here: what was read of it before says nothing any more. */
export function stamp(ctx: Ctx, thing: string, fact: FactName): void {
  const stamps = new Map(ctx.state.stamps)
  stamps.set(`${thing}|${fact}`, ctx.step.i)
  ctx.state = { ...ctx.state, stamps }
}

// --- where things stand ---

/** Place, device or holder of a thing; `''` gone; null or undefined: not known. */
export function placeOf(ctx: Ctx, thing: string): string | null | undefined {
  const moved = ctx.state.places.get(thing)
  if (moved !== undefined) return moved
  if (ctx.state.dark) return null
  const start = startValue(ctx.world, thing, 'place')
  if (start !== undefined) rest(ctx, thing, null, 'place')
  return typeof start === 'string' ? start : start === undefined ? undefined : null
}

export function putAt(ctx: Ctx, thing: string, place: string | null): void {
  const before = placeOf(ctx, thing)
  const places = new Map(ctx.state.places)
  places.set(thing, place)
  ctx.state = { ...ctx.state, places }
  const change = { before: factValue('place', before), after: factValue('place', place) }
  ctx.changes.push({ thing, part: null, fact: 'place', ...change })
}

/** Things at a place or device now, and things that may be there. */
export function standingAt(ctx: Ctx, place: string): { sure: string[]; maybe: string[] } {
  const sure: string[] = []
  const maybe: string[] = []
  for (const thing of ctx.world.standsAt.get(place) ?? []) {
    if (ctx.state.places.has(thing)) continue
    if (ctx.state.dark) maybe.push(thing)
    else sure.push(thing)
    rest(ctx, thing, null, 'place')
  }
  for (const [thing, at] of ctx.state.places) {
    if (at === place) sure.push(thing)
    else if (at === null) maybe.push(thing)
  }
  return { sure, maybe }
}

// --- vessels, tips ---

export function vessel(ctx: Ctx, thing: string): Parts {
  const now = ctx.state.vessels.get(thing)
  if (now !== undefined) return now
  rest(ctx, thing, null, 'contents')
  return startParts(ctx.world, thing, ctx.state.dark)
}

export function setVessel(ctx: Ctx, thing: string, parts: Parts): void {
  const vessels = new Map(ctx.state.vessels)
  vessels.set(thing, parts)
  ctx.state = { ...ctx.state, vessels }
}

export function contentsChange(
  ctx: Ctx,
  thing: string,
  part: string | null,
  before: Fill,
  after: Fill,
): void {
  const quantity = (fill: Fill): FactValue => ({
    kind: 'quantity',
    value: finite(fill.volume),
    unit: dimensions.volume,
  })
  const contents = (fill: Fill): FactValue | null =>
    fill.open
      ? null
      : {
          kind: 'contents',
          value: fill.list.map((c) => ({ ...c, volume: finite(c.volume) })),
        }
  const fact = { thing, part }
  ctx.changes.push(
    { ...fact, fact: 'contents_volume', before: quantity(before), after: quantity(after) },
    { ...fact, fact: 'contents', before: contents(before), after: contents(after) },
  )
}

export function setResidue(ctx: Ctx, head: string, fill: Residue | null): void {
  const residue = new Map(ctx.state.residue)
  if (fill === null) residue.delete(head)
  else residue.set(head, fill)
  ctx.state = { ...ctx.state, residue }
}

export function setTips(ctx: Ctx, rack: string, use: TipUse): void {
  const tips = new Map(ctx.state.tips)
  tips.set(rack, use)
  ctx.state = { ...ctx.state, tips }
}
