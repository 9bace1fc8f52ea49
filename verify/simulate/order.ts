// Two steps between which the plan states no order happen in the order of their ids. What would come
// out differently the other way round is therefore not known.
import type { Step } from '../read/scene.ts'
import type { Touch } from './context.ts'
import type { TraceFinding } from './trace.ts'

type Use = Touch & { readonly step: Step }

/** Uses so far: of one thing by what is used of it. */
export type Ledger = {
  readonly byThing: Map<string, Map<string, Use[]>>
  readonly told: Set<string>
}
export const newLedger = (): Ledger => ({ byThing: new Map(), told: new Set() })

/** Group of a use that may be anything of the thing; thing of a use that may be of anything. */
const anything = 'any'
const everything = '*'

/** Whether the two uses give the same in either order. */
function commutes(a: Touch, b: Touch): boolean {
  // Readers, additions, and draws do not disturb their own kind; equal settings neither.
  return a.mode === b.mode && a.group === b.group
}

const overlap = (a: Touch, b: Touch): boolean =>
  a.part === null || b.part === null || a.part === b.part

/** Earlier uses that this one could disturb, or be disturbed by. */
function* rivals(ledger: Ledger, use: Touch): Generator<Use> {
  const things =
    use.thing === everything
      ? [...ledger.byThing.values()]
      : [ledger.byThing.get(use.thing), ledger.byThing.get(everything)]
  for (const groups of things) {
    if (groups === undefined) continue
    const all = use.group === anything || groups === ledger.byThing.get(everything)
    for (const [group, uses] of groups) {
      if (all || group === use.group || group === anything) yield* uses
    }
  }
}

/** Enters the uses of a step and gives a finding for each earlier step whose order is not stated. */
export function entered(ledger: Ledger, step: Step, touches: readonly Touch[]): TraceFinding[] {
  const out: TraceFinding[] = []
  const own = distinct(touches)
  for (const use of own) {
    for (const earlier of rivals(ledger, use)) {
      if (step.after.has(earlier.step.node.id)) continue
      if (commutes(earlier, use) || !overlap(earlier, use)) continue
      const pair = `${earlier.step.node.id}|${step.node.id}|${use.thing}`
      if (ledger.told.has(pair)) continue
      ledger.told.add(pair)
      out.push({
        kind: 'unknown',
        code: 'DRYRUN_ORDER',
        verdict: 'escalate',
        at: step.at,
        rule: null,
        facts: { thing: use.thing, what: use.group, other: earlier.step.node.id },
        remedy: null,
      })
    }
  }
  for (const use of own) {
    const groups = ledger.byThing.get(use.thing) ?? new Map<string, Use[]>()
    ledger.byThing.set(use.thing, groups)
    const list = groups.get(use.group)
    if (list === undefined) groups.set(use.group, [{ ...use, step }])
    else list.push({ ...use, step })
  }
  return out
}

function distinct(touches: readonly Touch[]): Touch[] {
  const seen = new Map<string, Touch>()
  for (const t of touches) seen.set(`${t.thing}|${t.group}|${t.part ?? ''}|${t.mode}`, t)
  return [...seen.values()]
}
