// What a run itself makes sure of just before a call: preconditions of the row, and `require` of the
// node over declared results. A failed one ends the run, so the step may rest on it.
import { factNames, type FactName, type RunCondition } from '../../protocol/condition.ts'
import type { ToolMeaning } from '../../protocol/tool-meaning.ts'
import type { Step } from '../read/scene.ts'
import { point } from './interval.ts'
import type { State } from './state.ts'
import type { Value, World } from './world.ts'

const names: ReadonlySet<string> = new Set(factNames)
const isFact = (name: string | null): name is FactName => name !== null && names.has(name)

type Told = {
  readonly eq?: unknown
  readonly ge?: number | undefined
  readonly le?: number | undefined
}

const none: ReadonlyMap<string, Value> = new Map()

/** Earlier steps by id, so that a `require` finds the reading that it compares. */
export type Earlier = ReadonlyMap<string, Step>

/** `thing|fact` → value, for facts without which the call cannot happen. */
export function assuredBy(
  world: World,
  step: Step,
  state: State,
  earlier: Earlier,
): ReadonlyMap<string, Value> {
  const preconditions = step.row?.meaning?.preconditions ?? []
  const { require } = step.node
  if (preconditions.length === 0 && require === undefined) return none
  const out = new Map<string, Value>()
  for (const one of require === undefined ? [] : conjuncts(require)) {
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
  const { eq, ge, le } = told
  if (typeof eq === 'boolean') return { key, value: eq }
  if (eq === 0 && result.quantity === 'people') return { key, value: false }
  if (typeof eq === 'number') return { key, value: point(eq) }
  if (le === undefined && ge === undefined) return null
  return { key, value: { lo: ge ?? -Infinity, hi: le ?? Infinity } }
}
