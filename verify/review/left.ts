// What a run does to the cell, taken from the dry run: once more at bind, over the cell as it is then,
// and as facts that the run leaves. What a run touches is not known from bind to its end.
import { topologicalOrder } from '../../protocol/graph.ts'
import { stateFactSchema, type CellState, type StateFact } from '../../protocol/state.ts'
import { readScene } from '../read/index.ts'
import { vocabulary } from '../read/vocabulary.ts'
import { runWithRules } from '../rules/run.ts'
import { compareTraces, type Difference } from '../simulate/compare.ts'
import type { Content, FactValue, Trace } from '../simulate/trace.ts'
import type { ReviewSpec } from './state.ts'

/** A fact without its source; null: it was touched and is not known. */
export type LeftFact = Omit<StateFact, 'source' | 'by' | 'at_ms'>

/** Parts beyond this many are recorded as one unknown for the whole thing. */
const factsMax = 2_000

/** The dry run of a stored plan over a state of its cell; the site file is that of the decision. */
export function traceOver(spec: ReviewSpec, cell: CellState, now_ms: number): Trace {
  const { registry } = spec.snapshot
  const scene = readScene(spec.plan, topologicalOrder(spec.plan.nodes), registry, cell, vocabulary)
  return runWithRules(scene, registry, cell, { now_ms })
}

/** What differs in the cell from what the decision was made over; none: it still holds. */
export function changedSince(spec: ReviewSpec, now: CellState, now_ms: number): Difference[] {
  if (spec.plan.nodes.length === 0) return []
  const shown = traceOver(spec, spec.snapshot.cell_state, spec.received_ms)
  const compared = compareTraces(shown, traceOver(spec, now, now_ms))
  return compared.ok ? [] : [...compared.differences]
}

function contents(list: readonly Content[]): LeftFact['value'] {
  const out = list.map(({ substance, volume }) => ({
    substance: substance.ids[0] ?? substance.raw,
    volume: `${volume.lo} uL`,
    // A name says neither that it is of a person nor what an unknown thing is: those stay unknown.
    sure: volume.lo === volume.hi && substance.known && !substance.human,
  }))
  if (!out.every(({ sure }) => sure)) return null
  return out.map(({ substance, volume }) => ({ substance, volume }))
}

/** One certain value in the words of a record, or null. */
function recorded(value: FactValue | null): LeftFact['value'] {
  if (value === null || value.value === null) return null
  switch (value.kind) {
    case 'flag':
      return value.value
    case 'word':
      return value.value === '' ? 'none' : value.value
    case 'contents':
      return contents(value.value)
    case 'quantity': {
      const { lo, hi } = value.value
      if (lo !== hi) return null
      return value.unit === '1' ? lo : `${lo} ${value.unit}`
    }
  }
}

/** The last value of every fact that the steps change, with or without what it is. */
function changes(trace: Trace, known: boolean): LeftFact[] {
  const last = new Map<string, LeftFact>()
  for (const { thing, part, fact, after } of trace.steps.flatMap((step) => step.changes)) {
    const value = known ? recorded(after) : null
    const row = { thing, ...(part === null ? {} : { part }), fact, value }
    // Names that no record can hold belong to nothing that is recorded.
    const fits = stateFactSchema.omit({ source: true, by: true, at_ms: true }).safeParse(row)
    if (fits.success) last.set(`${thing}|${fact}|${part ?? ''}`, fits.data)
    else last.set(`${thing}|${fact}|`, { thing: thing.slice(0, 80), fact, value: null })
  }
  if (last.size <= factsMax) return [...last.values()]
  const whole = new Map<string, LeftFact>()
  for (const { thing, fact } of last.values()) {
    whole.set(`${thing}|${fact}`, { thing, fact, value: null })
  }
  return [...whole.values()]
}

/** Everything that a run may change: unknown while it runs, and after one that did not complete. */
export const touchedBy = (trace: Trace): LeftFact[] => changes(trace, false)

/** What a completed run leaves: values that are certain, and unknowns. */
export const leftBy = (trace: Trace): LeftFact[] => changes(trace, true)
