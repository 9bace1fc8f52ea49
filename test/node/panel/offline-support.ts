// Small plans over the demo site for tests of the offline judges: one fact changed at a time.
import type { JsonObject } from '../../../protocol/json.ts'
import { planSchema, type Plan } from '../../../protocol/plan.ts'
import { worse, type Verdict } from '../../../protocol/verdict.ts'
import { judgeOffline } from '../../../verify/panel/offline/index.ts'
import { demoRegistry } from '../support/snapshot.ts'

export const registry = demoRegistry()

export const passedFloor = {
  level: 'pass' as const,
  findings: [],
  sigma: 0,
  tau_advisory: 0.5,
  tau_warning: 0.8,
  snapshot_digest: '',
}

export const context = { registry, floor: passedFloor, grounding: null }

/** `[tool, args]`, each after the one before unless `after` says otherwise (indices from 1). */
export type Step = {
  readonly tool: string
  readonly args: JsonObject
  readonly after?: readonly number[]
  readonly sandbox?: string | null
}

export const step = (tool: string, args: JsonObject, more: Partial<Step> = {}): Step => ({
  tool,
  args,
  ...more,
})

export const transfer = (volumeUl: number, from: string, to: string, liquid: string): Step =>
  step('liquid_handler.transfer', {
    pipette: 'p1000',
    volume_ul: volumeUl,
    source: { labware: from, well: 'A1' },
    destination: { labware: to, well: 'A1' },
    liquid,
  })

export const sash = (cm: number): Step =>
  step('fume_hood.set_sash', { hood_id: 'hood_1', height_cm: cm })
export const heat = (celsius: number, holdS: number, attended: boolean): Step =>
  step('heater_shaker.set_temperature', {
    device_id: 'hs_1',
    temperature_c: celsius,
    hold_s: holdS,
    attended,
  })
export const read = (sample: string, ...fields: string[]): Step =>
  step('lims.read_sample', { sample_id: sample, fields })

export type Sketch = {
  readonly told: readonly string[]
  readonly steps: readonly Step[]
  readonly planner?: string
  readonly goal?: string
}

/** The wire plan of a sketch; it passes the plan's schema or the test is wrong. */
export function planOf(sketch: Sketch): Plan {
  return planSchema.parse({
    goal: sketch.goal ?? 'Ordinary work at the deck',
    instructions: [...sketch.told],
    planner: { id: sketch.planner ?? 'planner-wetlab-01' },
    nodes: sketch.steps.map((s, i) => ({
      id: `n${i + 1}`,
      tool: s.tool,
      args: s.args,
      depends_on: (s.after ?? (i === 0 ? [] : [i])).map((n) => `n${n}`),
      sandbox: s.sandbox ?? null,
    })),
  })
}

export const opinionsOn = (plan: Plan) => judgeOffline(plan, context)

/** The panel's verdict: the worst of its judges. */
export const verdictOn = (plan: Plan): Verdict =>
  opinionsOn(plan)
    .map((o) => o.verdict)
    .reduce<Verdict>(worse, 'accept')

export const verdictOf = (sketch: Sketch): Verdict => verdictOn(planOf(sketch))

/** One near-miss pair: the same plan with one fact changed, and the verdict of each. */
export type Pair = {
  readonly name: string
  readonly good: Sketch
  readonly bad: Sketch
  readonly verdict: Verdict
}
