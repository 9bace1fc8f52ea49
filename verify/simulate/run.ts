// The dry run: a scene from the state at the start, step by step, in the exact order of execution.
// Conditional steps are joined; what depends on one is run from the case in which that one ran.
import { limits } from '../../protocol/limits.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { CellState } from '../../protocol/state.ts'
import type { Scene, Step } from '../read/scene.ts'
import type { Rested } from './context.ts'
import { leftovers } from './end.ts'
import { entered, newLedger } from './order.ts'
import { portsOf } from './ports.ts'
import { startParts } from './start.ts'
import { joinStates, startState, type Start, type State } from './state.ts'
import { context, stepState, type Run } from './step.ts'
import type { Trace, TraceFinding, TraceStep } from './trace.ts'
import type { FactName } from '../../protocol/condition.ts'
import { startValue, worldOf, type Ports, type World } from './world.ts'

/** A trace with the states behind it, for the rules: before each step, after it, and at the end. */
export type DryRun = {
  readonly trace: Trace
  /** What the run read the state with: rules look through the same. */
  readonly run: Run
  readonly before: readonly State[]
  readonly after: readonly State[]
  readonly end: State
}

/**
 * Ids of the conditional nodes that must have run for each step to run: its own `when` and those of
 * everything that it depends on.
 */
function guardsOf(steps: readonly Step[]): ReadonlyMap<string, ReadonlySet<string>> {
  const out = new Map<string, ReadonlySet<string>>()
  for (const step of steps) {
    const guards = new Set<string>()
    for (const id of step.node.depends_on) for (const g of out.get(id) ?? []) guards.add(g)
    // A step that may be skipped for a reason that its node does not show is a guard itself.
    if (step.node.when !== undefined || (!step.certain && guards.size === 0)) {
      guards.add(step.node.id)
    }
    out.set(step.node.id, step.certain ? new Set() : guards)
  }
  return out
}

/** Cases that are kept apart; each costs one more run of every step. */
const tracksMax = 24

type Track = { readonly guards: ReadonlySet<string>; state: State }

const covers = (track: ReadonlySet<string>, guards: ReadonlySet<string>): boolean =>
  [...guards].every((g) => track.has(g))

function startOf(world: World): Start {
  return {
    value: (key) => {
      const bar = key.indexOf('|')
      return startValue(world, key.slice(0, bar), key.slice(bar + 1) as FactName)
    },
    place: (thing) => {
      const value = startValue(world, thing, 'place')
      return typeof value === 'string' ? value : undefined
    },
    parts: (thing) => startParts(world, thing, false),
  }
}

/** Runs a scene and keeps every state. Pure: the same input gives the same trace. */
export function dryRun(
  scene: Scene,
  registry: Registry,
  cell: CellState,
  now_ms: number,
  ports: Ports = portsOf(registry),
): DryRun {
  const world = worldOf(registry, cell, now_ms, ports)
  const rested = new Map<string, Rested>()
  const start = startOf(world)
  const run: Run = {
    world,
    start,
    rested,
    earlier: new Map(scene.steps.map((step) => [step.node.id, step])),
  }
  const guards = guardsOf(scene.steps)
  // The track without guards holds for every run; one with guards for the runs in which those ran.
  const tracks = new Map<string, Track>([['', { guards: new Set<string>(), state: startState }]])
  const ledger = newLedger()
  const findings: TraceFinding[] = []
  const steps: TraceStep[] = []
  const covered: Trace['covered'][number][] = []
  const before: State[] = []
  const after: State[] = []
  const lastAt = new Map<string, string>()
  for (const [i, step] of scene.steps.entries()) {
    const own = guards.get(step.node.id) ?? new Set<string>()
    const track = trackFor(tracks, own)
    before.push(track.state)
    const done = stepState(run, track.state, step)
    for (const other of tracks.values()) {
      if (other === track) continue
      const taken = stepState(run, other.state, step).state
      other.state = covers(other.guards, own) ? taken : joinStates(other.state, taken, start)
    }
    track.state = covers(track.guards, own)
      ? done.state
      : joinStates(track.state, done.state, start)
    after.push(done.state)
    findings.push(...done.findings, ...entered(ledger, step, done.touches))
    for (const c of done.covered) covered.push({ step: i, act: c.act, by: c.by })
    for (const change of done.changes) lastAt.set(change.thing, step.at)
    const { sentence, changes } = done
    const sure = step.certain && step.acts.every((act) => !act.maybe && act.one_of.length === 0)
    steps.push({ node: step.node.id, at: step.at, sentence, changes, sure, rules: [] })
  }
  const end = tracks.get('')?.state ?? startState
  const last = scene.steps.at(-1)
  const final = last === undefined ? null : context(run, end, last)
  const left_on = final === null ? [] : leftovers(final, lastAt)
  if (final !== null) findings.push(...final.findings)
  const trace: Trace = {
    steps,
    findings: bounded(findings),
    rested_on: [...rested.values()],
    left_on,
    covered,
  }
  return { trace, run, before, after, end }
}

/**
 * The track in which exactly these guards are known to have run. A new one starts as the most special
 * track whose guards it shares: every track is right for all runs in which its guards ran.
 */
function trackFor(tracks: Map<string, Track>, guards: ReadonlySet<string>): Track {
  const key = [...guards].sort().join(' ')
  const known = tracks.get(key)
  if (known !== undefined) return known
  let best: Track | undefined
  for (const track of tracks.values()) {
    if (!covers(guards, track.guards)) continue
    if (best === undefined || track.guards.size > best.guards.size) best = track
  }
  // Beyond the bound a step runs from a more general case: wider, never narrower.
  if (best !== undefined && tracks.size >= tracksMax) return best
  const made: Track = { guards, state: best?.state ?? startState }
  tracks.set(key, made)
  return made
}

/** At the bound breaches stay before unknowns, and every code before its repetitions. */
function bounded(findings: readonly TraceFinding[]): readonly TraceFinding[] {
  if (findings.length <= limits.findingsMax) return findings
  const seen = new Map<string, number>()
  const ranked = findings.map((f, i) => {
    const nth = seen.get(f.code) ?? 0
    seen.set(f.code, nth + 1)
    return { f, i, rank: f.kind === 'breach' ? 0 : 1, nth }
  })
  return ranked
    .sort((a, b) => Math.sign(a.nth) - Math.sign(b.nth) || a.rank - b.rank || a.i - b.i)
    .slice(0, limits.findingsMax)
    .sort((a, b) => a.i - b.i)
    .map(({ f }) => f)
}

/** What a plan would do to the cell, from its state now; `ports` answer for the lexicon. */
export function simulate(
  scene: Scene,
  registry: Registry,
  cell: CellState,
  now_ms: number,
  ports: Ports = portsOf(registry),
): Trace {
  return dryRun(scene, registry, cell, now_ms, ports).trace
}
