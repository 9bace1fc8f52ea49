// The dry run with the site's rules around every act: one trace for floor, rules, judges, monitor and
// reviewer. Pure; the same scene and state give the same trace.
import type { FactName } from '../../protocol/condition.ts'
import { limits } from '../../protocol/limits.ts'
import { measuredOf } from '../../protocol/units.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { CellState } from '../../protocol/state.ts'
import type { Scene } from '../read/scene.ts'
import { canBeOn, isOn } from '../simulate/access.ts'
import { factValue, get, placeOf, vessel, type Ctx, type Rested } from '../simulate/context.ts'
import { joinFills, pour, type Fill } from '../simulate/fill.ts'
import { loadOf } from '../simulate/thermal.ts'
import { dryRun } from '../simulate/run.ts'
import { context, type Run } from '../simulate/step.ts'
import type { FactValue, Trace, TraceFinding } from '../simulate/trace.ts'
import { factKey, type Device } from '../simulate/world.ts'
import { chargesOf, hasTotals, type PlanCharge } from './charges.ts'
import { mayStay, type Covered } from './may-stay.ts'
import type { Around, Target } from './terms.ts'
import { totalsOver } from './totals.ts'
import { siteRules } from './site-rules.ts'

const empty: Fill = { volume: { lo: 0, hi: 0 }, list: [], open: false }

function fillOf(ctx: Ctx, target: Target): Fill {
  const parts = vessel(ctx, target.key)
  const own = target.part === null ? undefined : parts.by.get(target.part)
  if (own !== undefined) return own
  // A part that nothing set apart is like the rest; without a part any of them is meant.
  if (target.part !== null) return parts.rest
  return [...parts.by.values()].reduce(joinFills, parts.rest)
}

/** Whether a device holds something itself, as a reactor does, beside what stands on it. */
function holdsItself({ world, state }: Ctx, device: Device): boolean {
  const told = (['contents', 'contents_volume'] as const).some((fact) =>
    world.facts.has(factKey(device.id, null, fact)),
  )
  return device.class === 'reactor' || state.vessels.has(device.id) || told
}

/** What is in a vessel, or in a device and everything on it; open where something may be. */
function contentsOf(ctx: Ctx, target: Target): Fill {
  const device = ctx.world.devices.get(target.key)
  if (device === undefined) return fillOf(ctx, target)
  const { things, maybe, known } = loadOf(ctx, device)
  const itself = holdsItself(ctx, device)
  const inside = itself ? [fillOf(ctx, target)] : []
  const fills = [...things, ...maybe].map((key) => fillOf(ctx, { key, id: key, part: null }))
  const fill = [...inside, ...fills].reduce(pour, empty)
  // A vessel that is a device has no places to stand on: nobody records that those are empty.
  const places = ctx.world.placesOf.get(device.id) ?? []
  const sure = known || (itself && places.length === 0)
  return sure ? fill : { ...fill, volume: { ...fill.volume, hi: Infinity }, open: true }
}

/** The highest risk group of what is in it; ordinary substances have none. */
function riskGroup({ list, open }: Fill): FactValue | null {
  if (open || list.some(({ substance }) => !substance.known)) return null
  const value = Math.max(0, ...list.map(({ substance }) => substance.risk_group ?? 0))
  return { kind: 'quantity', value: { lo: value, hi: value }, unit: '1' }
}

const secondsBetween = (from_ms: number, to_ms: number): FactValue | null => {
  if (Number.isNaN(from_ms) || Number.isNaN(to_ms)) return null
  const value = (to_ms - from_ms) / 1_000
  return { kind: 'quantity', value: { lo: value, hi: value }, unit: 's' }
}

/** A record from the future is no inspection. */
const sinceThen = (from_ms: number, now_ms: number): FactValue | null =>
  from_ms > now_ms + limits.clockSkewMsMax ? null : secondsBetween(from_ms, now_ms)

/** Facts that the inventory holds of a thing, and that no step of a plan changes. */
function recorded(ctx: Ctx, target: Target, fact: FactName, now_ms: number): FactValue | null {
  const item = ctx.world.items.get(target.id ?? target.key)
  if (fact === 'consent') return { kind: 'word', value: item?.consent ?? null }
  if (fact === 'held') return { kind: 'flag', value: item?.held ?? null }
  if (fact === 'inspected_within') {
    return item?.inspected_on === undefined
      ? null
      : sinceThen(Date.parse(item.inspected_on), now_ms)
  }
  if (fact === 'expires_in') {
    return item?.expires_on === undefined
      ? null
      : secondsBetween(now_ms, Date.parse(item.expires_on))
  }
  return null
}

const ofRecord: ReadonlySet<FactName> = new Set<FactName>([
  'consent',
  'held',
  'inspected_within',
  'expires_in',
])

function factOf(ctx: Ctx, target: Target, fact: FactName, now_ms: number): FactValue | null {
  if (fact === 'contents_volume') {
    return { kind: 'quantity', value: contentsOf(ctx, target).volume, unit: 'uL' }
  }
  if (fact === 'contents') {
    const { open, list } = contentsOf(ctx, target)
    return open ? null : { kind: 'contents', value: list }
  }
  if (fact === 'risk_group') return riskGroup(contentsOf(ctx, target))
  if (fact === 'place') return factValue('place', placeOf(ctx, target.key))
  const device = ctx.world.devices.get(target.key)
  // A device is on by what it was set to, whichever fact says it.
  if (fact === 'energised' && device !== undefined && canBeOn(device)) {
    return factValue('energised', isOn(ctx, device))
  }
  const said = factValue(fact, get(ctx, target.key, fact))
  return said ?? (ofRecord.has(fact) ? recorded(ctx, target, fact, now_ms) : null)
}

function quantity(text: string): ReturnType<Around['quantity']> {
  const measured = measuredOf(text)
  if (measured === null) return null
  const { value, dim } = measured
  return { kind: 'quantity', value: { lo: value, hi: value }, dim }
}

/** A dry run, and what a rule may look at around each of its acts. */
function lookAround(scene: Scene, registry: Registry, cell: CellState, now_ms: number) {
  const ran = dryRun(scene, registry, cell, now_ms)
  const rested = new Map<string, Rested>()
  const run: Run = { ...ran.run, rested }
  const acts = scene.steps.flatMap((step, i) => {
    const [before, after] = [ran.before[i], ran.after[i]]
    if (before === undefined || after === undefined) return []
    return step.acts.map((act, k) => {
      const around: Around = {
        scene,
        step,
        act,
        registry,
        state: cell,
        fact: (target, fact, when) =>
          factOf(
            context(run, when === 'before' ? before : when === 'after' ? after : ran.end, step),
            target,
            fact,
            now_ms,
          ),
        quantity,
        now_ms,
        // Whether a rule applies must not depend on its own sum: then it may apply.
        total: () => [null],
      }
      return { i, k, around }
    })
  })
  return { ran, rested, acts }
}

type At = { readonly now_ms: number }

/** What a plan may add to the sums that the site's rules limit, over the cell as it is. */
export function planCharges(
  scene: Scene,
  registry: Registry,
  cell: CellState,
  { now_ms }: At,
): readonly PlanCharge[] {
  if (!registry.rules.some(hasTotals)) return []
  const { acts } = lookAround(scene, registry, cell, now_ms)
  return chargesOf(
    registry.rules,
    acts.map(({ around }) => around),
  )
}

/** Runs a scene and every checked rule of the site over it. */
export function runWithRules(
  scene: Scene,
  registry: Registry,
  cell: CellState,
  { now_ms }: At,
): Trace {
  const { ran, rested, acts } = lookAround(scene, registry, cell, now_ms)
  const checked = registry.rules.filter((rule) => rule.if !== undefined)
  const charges = chargesOf(
    checked,
    acts.map(({ around }) => around),
  )
  const totals = totalsOver(charges, cell.totals)
  const findings: TraceFinding[] = []
  const ruled: Covered[] = []
  const covered: Trace['covered'][number][] = [...ran.trace.covered]
  const touched = new Map<number, Set<string>>()
  for (const { i, k, around } of acts) {
    const outcome = siteRules(around, checked, totals)
    findings.push(...outcome.findings)
    for (const rule of outcome.covers) covered.push({ step: i, act: k, by: `rule:${rule}` })
    ruled.push({
      act: around.act,
      rules: checked.filter(({ id }) => outcome.covers.includes(id)),
    })
    const at = touched.get(i) ?? new Set<string>()
    for (const rule of outcome.touched) at.add(rule)
    touched.set(i, at)
  }
  const steps = ran.trace.steps.map((traced, i) => ({
    ...traced,
    rules: [...new Set([...traced.rules, ...(touched.get(i) ?? [])])],
  }))
  const rested_on = new Map(
    [...ran.trace.rested_on, ...rested.values()].map((one) => [
      `${one.thing}|${one.fact}|${one.part ?? ''}`,
      one,
    ]),
  )
  findings.unshift(...ran.trace.findings.filter((finding) => !mayStay(finding, ruled)))
  return { ...ran.trace, steps, findings, covered, rested_on: [...rested_on.values()] }
}
