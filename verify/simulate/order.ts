// Two steps between which the plan states no order happen in the order of their ids. What would come
// out differently the other way round is therefore not known.
import type { Step } from '../read/scene.ts'
import type { Touch } from './context.ts'
import { exclusive } from './exclusive.ts'
import type { TraceFinding } from './trace.ts'

/**
 * All equal uses so far. `last` keeps the steps that no later one of them follows: whoever follows one
 * of these follows everything before it as well, so a plan in one line costs one look. A step with a condition
 * takes nobody's place: who excludes it need not follow what it follows.
 */
type Bucket = { readonly use: Touch; last: readonly Step[] }

export type Ledger = Map<string, Map<string, Bucket>>
export const newLedger = (): Ledger => new Map()

/** Group of a use that may be anything of the thing; thing of a use that may be of anything. */
const anything = 'any'
const everything = '*'

/**
 * Whether two uses give the same in either order: readers, additions and draws do not disturb their
 * own kind, and equal settings do not either.
 */
function disturbs(a: Touch, b: Touch): boolean {
  const other = a.group !== b.group && a.group !== anything && b.group !== anything
  if (other && a.thing !== everything && b.thing !== everything) return false
  if (a.mode === b.mode && a.group === b.group) return false
  return a.part === null || b.part === null || a.part === b.part
}

/** Uses of the same thing, and of what may be any thing. */
function* rivals(ledger: Ledger, use: Touch): Generator<Bucket> {
  if (use.thing === everything) {
    for (const buckets of ledger.values()) yield* buckets.values()
    return
  }
  for (const thing of [use.thing, everything]) {
    const buckets = ledger.get(thing)
    if (buckets !== undefined) yield* buckets.values()
  }
}

/** One follows the other, or at most one of them runs. */
function ordered(earlier: Step, step: Step): boolean {
  if (step.after.has(earlier.node.id)) return true
  const [a, b] = [earlier.node.when, step.node.when]
  return a !== undefined && b !== undefined && exclusive(a, b)
}

/** Enters the uses of a step and gives a finding for each thing whose order is not stated. */
export function entered(ledger: Ledger, step: Step, touches: readonly Touch[]): TraceFinding[] {
  const own = new Map<string, Touch>()
  for (const t of touches) own.set(`${t.thing}|${t.group}|${t.part ?? ''}|${t.mode}`, t)
  const found = new Map<string, TraceFinding>()
  for (const use of own.values()) {
    for (const bucket of rivals(ledger, use)) {
      if (!disturbs(bucket.use, use)) continue
      const rival = bucket.last.find((earlier) => !ordered(earlier, step))
      if (rival === undefined) continue
      const facts = { thing: use.thing, what: use.group, other: rival.node.id }
      found.set(`${use.thing}|${rival.node.id}`, {
        kind: 'unknown',
        code: 'DRYRUN_ORDER',
        verdict: 'escalate',
        at: step.at,
        rule: null,
        facts,
        remedy: null,
      })
    }
  }
  for (const [key, use] of own) enter(ledger, step, key, use)
  return [...found.values()]
}

function enter(ledger: Ledger, step: Step, key: string, use: Touch): void {
  const buckets = ledger.get(use.thing) ?? new Map<string, Bucket>()
  ledger.set(use.thing, buckets)
  const bucket = buckets.get(key)
  if (bucket === undefined) buckets.set(key, { use, last: [step] })
  else {
    // Whoever is passed by because it excludes this step is not passed by what came before this step.
    const follows = step.node.when === undefined
    const open = bucket.last.filter((earlier) => !follows || !step.after.has(earlier.node.id))
    bucket.last = [...open, step]
  }
}
