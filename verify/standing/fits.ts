// Whether a run stays inside of what the approvers of its template were shown: the exact graph, values inside
// their holes, no finding that was not there, and steps that change the same things by no more.
import type { Evidence } from '../../protocol/evidence.ts'
import type { Floor } from '../../protocol/finding.ts'
import { canonicalForm } from '../../protocol/digest.ts'
import { topologicalOrder } from '../../protocol/graph.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Packet } from '../../protocol/records.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { HoleValues, StandingRecord } from '../../protocol/standing.ts'
import { readScene } from '../read/index.ts'
import { vocabulary } from '../read/vocabulary.ts'
import { runWithRules } from '../rules/run.ts'
import { newFloorFindings } from './found.ts'
import { compareTraces, type Difference } from '../simulate/compare.ts'
import type { Trace } from '../simulate/trace.ts'
import { outsideHoles, planOver, planWith } from './holes.ts'

/** The dry run that the approvers saw, made again from the record (invariant 8). */
export function shownTrace(record: StandingRecord, registry: Registry): Trace {
  const { plan, terms, values, cell_state, at_ms } = record
  const open = planOver(plan, terms.holes, values)
  const scene = readScene(open, topologicalOrder(open.nodes), registry, cell_state, vocabulary)
  return runWithRules(scene, registry, cell_state, { now_ms: at_ms })
}

/** `about`: which thing, device or rule it speaks of; figures may move, names may not. */
type Found = {
  readonly code: string
  readonly at: string
  readonly about: string
  readonly weight: number
}

type Facts = Evidence['unknowns'][number]['facts']

const aboutOf = (facts: Facts, rule = ''): string =>
  [rule, facts['thing'], facts['device'], facts['rule']].map(String).join('|')

function foundIn({ breaches, unknowns, doubts }: Evidence): Found[] {
  return [
    ...breaches.map(({ code, at, verdict, facts, rule }) => {
      return { code, at, about: aboutOf(facts, rule), weight: verdict === 'reject' ? 3 : 2 }
    }),
    ...unknowns.map(({ code, at, facts }) => ({ code, at, about: aboutOf(facts), weight: 1 })),
    ...doubts.map(({ code, subject }) => ({ code, at: subject, about: '', weight: 1 })),
  ]
}

const nameOf = ({ code, at, about }: Found): string => `${code}|${at}|${about}`

/** What was found that was not shown of the same thing, or was shown as less. */
function newEvidence(shown: Evidence, now: Evidence): Difference[] {
  const worst = new Map<string, number>()
  for (const one of foundIn(shown)) {
    worst.set(nameOf(one), Math.max(worst.get(nameOf(one)) ?? 0, one.weight))
  }
  return foundIn(now).flatMap((one): Difference[] => {
    const was = worst.get(nameOf(one))
    const { code, at, weight } = one
    if (was === undefined) return [{ kind: 'finding', at, code }]
    return weight > was ? [{ kind: 'finding_worse', at, code }] : []
  })
}

/** A run, as far as a template speaks of it. */
export type StandingRun = {
  readonly plan: Plan
  readonly values: HoleValues
  readonly registry: Registry
  readonly registry_digest: string
  readonly policy_version: string
  readonly floor: Floor
  readonly trace: Trace
  readonly evidence: Evidence
  /** What the graph gave; null when it did not answer, which is a reason of its own. */
  readonly grounding: Packet['grounding']
}

/** Everything that is outside; empty: the run is what was approved. Pure, the same at every asking. */
export function outsideTemplate(record: StandingRecord, run: StandingRun): Difference[] {
  const { terms, plan } = record
  const values = outsideHoles(terms.holes, run.values)
  const exact = planWith(plan, terms.holes, run.values)
  const site =
    run.registry_digest === record.registry_digest && run.policy_version === record.policy_version
  // Under another site file the names of one trace mean nothing in the other.
  if (!site) return [{ kind: 'standing', at: '', why: 'site_changed' }]
  // Who asks is for the approval to say, and not part of the graph.
  const { planner } = run.plan
  if (canonicalForm({ ...exact, planner }) !== canonicalForm(run.plan))
    return [{ kind: 'steps', at: '' }]
  const compared = compareTraces(shownTrace(record, run.registry), run.trace, 'effects')
  return [
    ...values.map((name): Difference => ({ kind: 'value', at: '', name })),
    ...(compared.ok ? [] : compared.differences),
    ...newEvidence(record.evidence, run.evidence),
    ...newFloorFindings(
      [...record.floor.findings, ...record.grounding.findings],
      [...run.floor.findings, ...(run.grounding?.findings ?? [])],
    ),
  ]
}
