// The dry run with the site's rules around every act: one trace for floor, rules, judges, monitor and
// reviewer. Pure; the same scene and state give the same trace.
import type { FactName } from '../../protocol/condition.ts'
import { measuredOf } from '../../protocol/units.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { CellState } from '../../protocol/state.ts'
import type { Scene, Step } from '../read/scene.ts'
import type { Vocabulary } from '../read/vocabulary.ts'
import { factValue, get, placeOf, vessel, type Rested } from '../simulate/context.ts'
import { joinFills, type Fill } from '../simulate/fill.ts'
import { dryRun } from '../simulate/run.ts'
import type { State } from '../simulate/state.ts'
import { context, type Run } from '../simulate/step.ts'
import type { FactValue, Trace, TraceFinding } from '../simulate/trace.ts'
import type { Around, Target } from './condition.ts'
import { portsOf } from './ports.ts'
import { siteRules } from './site-rules.ts'

/** Sums over earlier plans that met a rule; null: nobody kept them, so they are not known. */
export type Totals = (
  role: string,
  over: 'hour' | 'day' | 'week',
) => { readonly lo: number; readonly hi: number } | null

const noTotals: Totals = () => null

function fillOf(run: Run, state: State, step: Step, target: Target): Fill {
  const ctx = context(run, state, step)
  const parts = vessel(ctx, target.key)
  const own = target.part === null ? undefined : parts.by.get(target.part)
  if (own !== undefined) return own
  // A part that nothing set apart is like the rest; without a part any of them is meant.
  if (target.part !== null) return parts.rest
  return [...parts.by.values()].reduce(joinFills, parts.rest)
}

function factOf(
  run: Run,
  state: State,
  step: Step,
  target: Target,
  fact: FactName,
): FactValue | null {
  if (fact === 'contents' || fact === 'contents_volume') {
    const fill = fillOf(run, state, step, target)
    if (fact === 'contents_volume') {
      return { kind: 'quantity', value: fill.volume, unit: 'uL' }
    }
    return fill.open ? null : { kind: 'contents', value: fill.list }
  }
  const ctx = context(run, state, step)
  if (fact === 'place') return factValue('place', placeOf(ctx, target.key))
  return factValue(fact, get(ctx, target.key, fact))
}

function quantity(text: string): ReturnType<Around['quantity']> {
  const measured = measuredOf(text)
  if (measured === null) return null
  const { value, dim } = measured
  return { kind: 'quantity', value: { lo: value, hi: value }, dim }
}

/** Runs a scene and every checked rule of the site over it. */
export function runWithRules(
  scene: Scene,
  registry: Registry,
  cell: CellState,
  given: {
    readonly now_ms: number
    readonly vocabulary: Vocabulary
    readonly totals?: Totals
  },
): Trace {
  const ran = dryRun(scene, registry, cell, given.now_ms, portsOf(registry, given.vocabulary))
  const checked = registry.rules.filter((rule) => rule.if !== undefined)
  const rested = new Map<string, Rested>()
  const run: Run = {
    world: ran.world,
    rested,
    earlier: new Map(scene.steps.map((step) => [step.node.id, step])),
  }
  const findings: TraceFinding[] = [...ran.trace.findings]
  const covered: Trace['covered'][number][] = [...ran.trace.covered]
  const steps = ran.trace.steps.map((traced, i) => {
    const step = scene.steps[i]
    const before = ran.before[i]
    const after = ran.after[i]
    if (step === undefined || before === undefined || after === undefined) return traced
    const touched = step.acts.flatMap((act, k) => {
      const around: Around = {
        scene,
        step,
        act,
        registry,
        state: cell,
        fact: (target, fact, when) =>
          factOf(
            run,
            when === 'before' ? before : when === 'after' ? after : ran.end,
            step,
            target,
            fact,
          ),
        quantity,
        total: given.totals ?? noTotals,
      }
      const outcome = siteRules(around, checked)
      findings.push(...outcome.findings)
      for (const rule of outcome.covers) covered.push({ step: i, act: k, by: `rule:${rule}` })
      return outcome.touched
    })
    return { ...traced, rules: [...new Set([...traced.rules, ...touched])] }
  })
  const rested_on = new Map(
    [...ran.trace.rested_on, ...rested.values()].map((one) => [
      `${one.thing}|${one.fact}|${one.part ?? ''}`,
      one,
    ]),
  )
  return { ...ran.trace, steps, findings, covered, rested_on: [...rested_on.values()] }
}
