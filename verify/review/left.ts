// What a run does to the cell, taken from the dry run: once more at bind, over the cell as it is then,
// and as facts that the run leaves. What a run touches is not known from bind to its end.
import { collectEvidence } from '../../protocol/evidence.ts'
import { topologicalOrder } from '../../protocol/graph.ts'
import { stateFactSchema, type CellState, type StateFact } from '../../protocol/state.ts'
import { readScene } from '../read/index.ts'
import { vocabulary } from '../read/vocabulary.ts'
import { judgeByRules } from '../rules/index.ts'
import type { SeenAgain } from '../../protocol/packet-trace.ts'
import type { Charge, Total } from '../../protocol/totals.ts'
import type { Scene } from '../read/scene.ts'
import { planCharges, runWithRules } from '../rules/run.ts'
import { compareTraces, type Difference } from '../simulate/compare.ts'
import type { Content, FactValue, Trace } from '../simulate/trace.ts'
import { cellSeen } from '../stages.ts'
import { sharedBy } from './shared.ts'
import { outsideTemplate, type StandingRun } from '../standing/fits.ts'
import type { ReviewSpec, StandingAsk } from './state.ts'

/** A fact without its source; null: it was touched and is not known. */
export type LeftFact = Omit<StateFact, 'source' | 'by' | 'at_ms'>

/** Parts beyond this many are recorded as one unknown for the whole thing. */
const factsMax = 2_000

function sceneOver(
  { plan, snapshot }: Pick<ReviewSpec, 'plan' | 'snapshot'>,
  cell: CellState,
): Scene {
  return readScene(plan, topologicalOrder(plan.nodes), snapshot.registry, cell, vocabulary)
}

function runOver(spec: Pick<ReviewSpec, 'plan' | 'snapshot'>, cell: CellState, now_ms: number) {
  const scene = sceneOver(spec, cell)
  return { scene, trace: runWithRules(scene, spec.snapshot.registry, cell, { now_ms }) }
}

/** What a run of the plan over this cell may add to the sums that the site's rules limit. */
export function chargedBy(spec: ReviewSpec, cell: CellState, now_ms: number): Charge[] {
  const { registry } = spec.snapshot
  return planCharges(sceneOver(spec, cell), registry, cell, { now_ms }).map(
    ({ sure: _sure, ...charge }) => charge,
  )
}

/** Sums over plans that rose since, where a rule is not known to hold with them: shown, they were less. */
function totalsRose(then: CellState, now: CellState, trace: Trace): Difference[] {
  const keyOf = ({ rule, role, of, dim, over, whose }: Total): string =>
    JSON.stringify([rule, role, of, dim, over, whose])
  const was = new Map((then.totals ?? []).map((one) => [keyOf(one), one.hi]))
  const risen = (now.totals ?? []).filter((one) => {
    const before = was.has(keyOf(one)) ? was.get(keyOf(one)) : 0
    if (before === null || before === undefined) return false
    return one.hi === null || one.hi > before
  })
  const rules = new Set(risen.map(({ rule }) => rule))
  return trace.findings
    .filter(({ rule }) => rule !== null && rules.has(rule))
    .map(({ at, code }) => ({ kind: 'finding_worse', at, code }))
}

/** The dry run of a stored plan over the cell that it was bound in, or else decided for. */
export function traceDecided(
  spec: ReviewSpec,
  bound: Pick<SeenAgain, 'cell_state' | 'at_ms'> | null = null,
): Trace {
  const { cell_state, at_ms } = bound ?? cellSeen(spec)
  return runOver(spec, cell_state, at_ms).trace
}

/** Things that the plan needs and that other cells use too, over the cell that it was decided for. */
export function sharedUsed(spec: ReviewSpec): string[] {
  const { cell_state, at_ms } = cellSeen(spec)
  return sharedBy(runOver(spec, cell_state, at_ms), spec.snapshot.registry, cell_state)
}

/** What the rules find beside the trace: holds, consent and approvals are recorded and not simulated. */
function foundOver(spec: ReviewSpec, state: CellState, ran: ReturnType<typeof runOver>) {
  const { registry } = spec.snapshot
  const { planner } = spec.submitter
  const { breaches, unknowns } = judgeByRules({ ...ran, registry, state, planner })
  return [
    ...breaches.map(({ code, at }) => ({ code, at, breach: true })),
    ...unknowns.map(({ code, at }) => ({ code, at, breach: false })),
  ]
}

/** So many differences stand in a packet; one is enough to wait. */
const differencesShown = 20

export const shownDifferences = (all: readonly Difference[]): SeenAgain['changed'] =>
  all.slice(0, differencesShown).map((one) => ({ ...one }))

/** What of a run under a standing approval is outside of it, over a cell, with what the checks found. */
export function outsideOver(
  spec: Pick<ReviewSpec, 'plan' | 'snapshot' | 'submitter'>,
  { record, values }: StandingAsk,
  over: { cell: CellState; at_ms: number } & Pick<StandingRun, 'floor' | 'grounding'>,
): Difference[] {
  const { registry, registry_digest, policy_version } = spec.snapshot
  const { cell, at_ms, floor, grounding } = over
  const ran = runOver(spec, cell, at_ms)
  const { planner } = spec.submitter
  const evidence = collectEvidence(judgeByRules({ ...ran, registry, state: cell, planner }))
  const run = { plan: spec.plan, values, registry, registry_digest, policy_version, floor }
  return outsideTemplate(record, { ...run, evidence, trace: ran.trace, grounding })
}

/**
 * What differs in the cell from what the decision was made over; none: it still holds. `covered`: it was
 * accepted under its standing approval, which speaks of every cell, and not of the one at intake alone.
 */
export function changedSince(
  spec: ReviewSpec,
  { now, now_ms, covered }: { now: CellState; now_ms: number; covered: boolean },
): Difference[] {
  if (spec.plan.nodes.length === 0) return []
  if (covered && spec.standing !== undefined) {
    // Neither the checks nor the graph look at the cell; binding compares the checks on its own.
    const { floor, standing } = spec
    const { grounding } = standing.record
    const { trace } = runOver(spec, now, now_ms)
    return [
      ...outsideOver(spec, standing, { cell: now, at_ms: now_ms, floor, grounding }),
      ...totalsRose(standing.record.cell_state, now, trace),
    ]
  }
  const { cell_state: then, at_ms } = cellSeen(spec)
  const [was, is] = [runOver(spec, then, at_ms), runOver(spec, now, now_ms)]
  const compared = compareTraces(was.trace, is.trace)
  // Nobody knew the cell when it was decided: every value was in view, only what is found counts.
  const unseen = then.cell === ''
  const differences = [
    ...(compared.ok ? [] : compared.differences).filter(
      ({ kind }) => !unseen || (kind !== 'wider' && kind !== 'gone'),
    ),
    ...totalsRose(then, now, is.trace),
  ]
  const shown = foundOver(spec, then, was)
  const seen = new Set(differences.flatMap((d) => ('code' in d ? [`${d.code}|${d.at}`] : [])))
  const more = foundOver(spec, now, is).flatMap(({ code, at, breach }): Difference[] => {
    const before = shown.filter((one) => one.code === code && one.at === at)
    if (seen.has(`${code}|${at}`)) return []
    if (before.length === 0) return [{ kind: 'finding', at, code }]
    const worse = breach && !before.some((one) => one.breach)
    return worse ? [{ kind: 'finding_worse', at, code }] : []
  })
  return [...differences, ...more]
}

function contents(list: readonly Content[]): LeftFact['value'] {
  const out = list.map(({ substance, volume }) => ({
    // As it was named: one id of a mixture, or of what the site adds to a substance, is less.
    substance: substance.raw,
    ul: volume.lo,
    // A name says neither that it is of a person nor what an unknown thing is: those stay unknown.
    sure: volume.lo === volume.hi && substance.known && !substance.human,
  }))
  if (!out.every(({ sure }) => sure)) return null
  // A record says what is there and not where it came from: one line a substance, however often it was added.
  const sums = new Map<string, number>()
  for (const { substance, ul } of out) sums.set(substance, (sums.get(substance) ?? 0) + ul)
  return [...sums].map(([substance, ul]) => ({ substance, volume: `${ul} uL` }))
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
  // What is skipped, or was one case of several, leaves nothing known: the run does not say which it was.
  const all = trace.steps.flatMap((step) =>
    step.changes.map((change) => ({ ...change, sure: step.sure })),
  )
  for (const { thing, part, fact, after, sure } of all) {
    // Several parts at once: what each of them holds now, and which they are, is not in the change.
    const whole = part === '*' ? null : part
    if (whole === null) {
      for (const key of last.keys()) if (key.startsWith(`${thing}|${fact}|`)) last.delete(key)
    }
    const value = known && sure && part !== '*' ? recorded(after) : null
    const row = { thing, ...(whole === null ? {} : { part: whole }), fact, value }
    // Names that no record can hold belong to nothing that is recorded.
    const fits = stateFactSchema.omit({ source: true, by: true, at_ms: true }).safeParse(row)
    if (fits.success) last.set(`${thing}|${fact}|${whole ?? ''}`, fits.data)
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
