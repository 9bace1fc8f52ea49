// What a run itself makes sure of just before a call: preconditions of the row, and `when` and `require` of
// the node over declared results. Where one fails the call does not happen, so the step may rest on it.
import { factNames, type FactName, type RunCondition } from '../../protocol/condition.ts'
import type { ToolMeaning } from '../../protocol/tool-meaning.ts'
import { scaled, unitOf } from '../../protocol/units.ts'
import type { Step } from '../read/scene.ts'
import { point } from './interval.ts'
import type { State } from './state.ts'
import { ageOf, type Value, type World } from './world.ts'

const names: ReadonlySet<string> = new Set(factNames)
const isFact = (name: string | null): name is FactName => name !== null && names.has(name)

type Told = {
  readonly eq?: unknown
  readonly gt?: number | undefined
  readonly ge?: number | undefined
  readonly lt?: number | undefined
  readonly le?: number | undefined
  readonly unit?: string | undefined
}

const none: ReadonlyMap<string, Value> = new Map()

/** Earlier steps by id, so that a condition finds the reading that it compares. */
export type Earlier = ReadonlyMap<string, Step>

/** `thing|fact` → value, for facts without which the call cannot happen. */
export function assuredBy(
  world: World,
  step: Step,
  state: State,
  earlier: Earlier,
): ReadonlyMap<string, Value> {
  const preconditions = step.row?.meaning?.preconditions ?? []
  const conditions = [step.node.when, step.node.require].filter((one) => one !== undefined)
  if (preconditions.length === 0 && conditions.length === 0) return none
  const out = new Map<string, Value>()
  for (const one of conditions.flatMap(conjuncts)) {
    const source = earlier.get(one.result.node)
    if (source === undefined) continue
    const found = assured(source.row?.meaning, one.result.pointer, one)
    // A reading from before the last change, or from long ago, says nothing about what is so now.
    if (found === null || (state.stamps.get(found.key) ?? -1) >= source.i) continue
    if (lasts(world, found.fact, toldBetween(source, step, earlier))) {
      out.set(found.key, found.value)
    }
  }
  for (const one of preconditions) {
    const reader = world.registry.tools.find((row) => row.name === one.tool)
    const found = assured(reader?.meaning, one.pointer, one)
    if (found !== null) out.set(found.key, found.value)
  }
  return out
}

type Comparison = Extract<RunCondition, { readonly result: unknown }>

/** Comparisons that all must hold; of an `any` or a `not` nothing is sure alone. */
function conjuncts(condition: RunCondition): readonly Comparison[] {
  if ('all' in condition) return condition.all.flatMap(conjuncts)
  return 'result' in condition ? [condition] : []
}

/** What a device holds by itself while nobody calls it. The rest, people change without being asked. */
const heldByDevices: ReadonlySet<FactName> = new Set<FactName>([
  'temperature',
  'set_temperature',
  'rotation',
  'speed',
  'pressure',
  'flow',
])

/** Whether a reading still stands after so many told seconds: as long as the site says, if it says so. */
function lasts(world: World, fact: FactName, told_s: number): boolean {
  if (told_s <= 0) return true
  const age_s = ageOf(world.registry, fact)
  return age_s === null ? heldByDevices.has(fact) : told_s <= age_s
}

/** Seconds that the calls after a reading and before a step take at most, as far as the plan tells them. */
function toldBetween(source: Step, step: Step, earlier: Earlier): number {
  let sum = 0
  for (const one of earlier.values()) if (one.i > source.i && one.i < step.i) sum += toldTime(one)
  return sum
}

/** The times that a call is given, as often as it repeats them; no bound for what nobody described. */
function toldTime({ acts, opaque }: Step): number {
  if (opaque !== null) return Infinity
  return acts.reduce((sum, { roles }) => {
    const amounts = Object.values(roles)
      .flat()
      .filter((value) => value.kind === 'quantity')
    const time_s = amounts
      .filter(({ dim }) => dim === 'time')
      .reduce((total, { value }) => total + Math.max(0, value.hi), 0)
    if (time_s === 0) return sum
    const counts = amounts.filter(({ dim }) => dim === 'count').map(({ value }) => value.hi)
    return sum + counts.reduce((total, count) => total * Math.max(1, count), time_s)
  }, 0)
}

function assured(
  meaning: ToolMeaning | undefined,
  pointer: string,
  told: Told,
): { fact: FactName; key: string; value: Value } | null {
  const result = meaning?.results[pointer]
  if (result?.kind !== 'observed' || result.of === undefined || !isFact(result.quantity))
    return null
  const fact = result.quantity
  const key = `${result.of}|${fact}`
  const { eq } = told
  if (typeof eq === 'boolean') return { fact, key, value: eq }
  if (eq === 0 && fact === 'people') return { fact, key, value: false }
  // The bound is written in its own unit, the state is kept in that of the scene.
  const code = told.unit ?? result.unit
  const unit = code === undefined ? null : unitOf(code)
  if (code !== undefined && unit === null) return null
  const inScene = (value: number): number => (unit === null ? value : scaled(value, unit))
  if (typeof eq === 'number') return { fact, key, value: point(inScene(eq)) }
  // An open end is kept as a closed one: wider, never narrower.
  const lows = [told.ge, told.gt].filter((bound) => bound !== undefined).map(inScene)
  const highs = [told.le, told.lt].filter((bound) => bound !== undefined).map(inScene)
  if (lows.length === 0 && highs.length === 0) return null
  const value = { lo: Math.max(-Infinity, ...lows), hi: Math.min(Infinity, ...highs) }
  return { fact, key, value }
}
