// Two steps between which the plan states no order happen in the order of their ids. What would come
// out differently the other way round is therefore not known.
import type { Step } from '../read/scene.ts'
import type { Touch } from './context.ts'
import type { TraceFinding } from './trace.ts'

type Use = Touch & { readonly step: Step }

export type Ledger = { readonly byKey: Map<string, Use[]>; readonly told: Set<string> }
export const newLedger = (): Ledger => ({ byKey: new Map(), told: new Set() })

/** Whether the two uses give the same in either order. */
function commutes(a: Touch, b: Touch): boolean {
  // Readers, additions, and draws do not disturb their own kind; equal settings neither.
  return a.mode === b.mode && a.group === b.group
}

const overlap = (a: Touch, b: Touch): boolean =>
  a.part === null || b.part === null || a.part === b.part

/** Enters the uses of a step and gives a finding for each earlier step that it depends on untold. */
export function entered(ledger: Ledger, step: Step, touches: readonly Touch[]): TraceFinding[] {
  const out: TraceFinding[] = []
  const own = distinct(touches)
  for (const use of own) {
    const key = `${use.thing}|${use.group}`
    for (const earlier of ledger.byKey.get(key) ?? []) {
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
    const key = `${use.thing}|${use.group}`
    const list = ledger.byKey.get(key)
    if (list === undefined) ledger.byKey.set(key, [{ ...use, step }])
    else list.push({ ...use, step })
  }
  return out
}

function distinct(touches: readonly Touch[]): Touch[] {
  const seen = new Map<string, Touch>()
  for (const t of touches) seen.set(`${t.thing}|${t.group}|${t.part ?? ''}|${t.mode}`, t)
  return [...seen.values()]
}
