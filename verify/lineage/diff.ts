// What changed between two versions of a plan, for a reviewer: pointers into the new version (or the
// old one for what is gone), never a judgement. Nodes are compared by id, instructions by position.
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan, PlanNode } from '../../protocol/plan.ts'
import { toPointer } from '../../protocol/pointer.ts'

export type Difference = {
  readonly change: 'added' | 'removed' | 'changed'
  /** RFC 6901 pointer; into the older version when removed. */
  readonly at: string
  /** JSON text, cut at `valueCharsMax`; null where there is none. */
  readonly before: string | null
  readonly after: string | null
}

/** Differences listed; a plan that changed in more places is best read as a new one. */
export const differencesMax = 200

const valueCharsMax = 500

const shown = (value: JsonValue | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value).slice(0, valueCharsMax)

const isObject = (value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that the object has itself: arguments may have names that every object inherits. */
const own = (value: { readonly [key: string]: JsonValue }, key: string): JsonValue | undefined =>
  Object.hasOwn(value, key) ? value[key] : undefined

const equal = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: readonly (string | number)[],
  out: Difference[],
): void {
  if (equal(before, after) || out.length >= differencesMax) return
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    for (const key of keys) compare(own(before, key), own(after, key), [...path, key], out)
    return
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const longest = Math.max(before.length, after.length)
    for (let i = 0; i < longest; i++) {
      compare(
        before[i] as JsonValue | undefined,
        after[i] as JsonValue | undefined,
        [...path, i],
        out,
      )
    }
    return
  }
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  out.push({ change, at: toPointer(path), before: shown(before), after: shown(after) })
}

const bare = (node: PlanNode) => ({ ...node, depends_on: [...node.depends_on].sort() }) as JsonValue

/** The differences from `before` to `after`, at most `differencesMax`, in the order of the plan. */
export function diffPlans(before: Plan, after: Plan): Difference[] {
  const out: Difference[] = []
  compare(before.goal, after.goal, ['goal'], out)
  compare(before.instructions, after.instructions, ['instructions'], out)
  compare(before.planner.model, after.planner.model, ['planner', 'model'], out)
  compare(before.agent, after.agent, ['agent'], out)
  const older = new Map(before.nodes.map((node, index) => [node.id, { node, index }]))
  const newer = new Set(after.nodes.map((node) => node.id))
  after.nodes.forEach((node, index) => {
    const was = older.get(node.id)
    compare(was === undefined ? undefined : bare(was.node), bare(node), ['nodes', index], out)
  })
  for (const { node, index } of older.values()) {
    if (!newer.has(node.id)) compare(bare(node), undefined, ['nodes', index], out)
  }
  return out.slice(0, differencesMax)
}
