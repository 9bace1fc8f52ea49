// What a run itself makes sure of just before a call: preconditions of the row, and `when` and `require` of
// the node over declared results. Where one fails the call does not happen, so the step may rest on it.
import { factNames, type FactName, type RunCondition } from '../../protocol/condition.ts'
import type { ToolMeaning } from '../../protocol/tool-meaning.ts'
import { scaled, unitOf } from '../../protocol/units.ts'
import type { Step } from '../read/scene.ts'
import { point } from './interval.ts'
import type { State } from './state.ts'
import type { Value, World } from './world.ts'

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
    // A reading from before the last change says nothing about what is so now.
    if (found !== null && (state.stamps.get(found.key) ?? -1) < source.i) {
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

function assured(
  meaning: ToolMeaning | undefined,
  pointer: string,
  told: Told,
): { key: string; value: Value } | null {
  const result = meaning?.results[pointer]
  if (result?.kind !== 'observed' || result.of === undefined || !isFact(result.quantity))
    return null
  const key = `${result.of}|${result.quantity}`
  const { eq } = told
  if (typeof eq === 'boolean') return { key, value: eq }
  if (eq === 0 && result.quantity === 'people') return { key, value: false }
  // The bound is written in its own unit, the state is kept in that of the scene.
  const code = told.unit ?? result.unit
  const unit = code === undefined ? null : unitOf(code)
  if (code !== undefined && unit === null) return null
  const inScene = (value: number): number => (unit === null ? value : scaled(value, unit))
  if (typeof eq === 'number') return { key, value: point(inScene(eq)) }
  // An open end is kept as a closed one: wider, never narrower.
  const lows = [told.ge, told.gt].filter((bound) => bound !== undefined).map(inScene)
  const highs = [told.le, told.lt].filter((bound) => bound !== undefined).map(inScene)
  if (lows.length === 0 && highs.length === 0) return null
  return { key, value: { lo: Math.max(-Infinity, ...lows), hi: Math.min(Infinity, ...highs) } }
}
