// What must hold of a run, over what really moved, what people did, and how everything ended.
import { limits } from '../../protocol/limits.ts'
import type { Act } from './bench.ts'
import type { People, Submitted } from './people.ts'
import type { World } from './world.ts'

/** A `go` that left before a word reached its session may still be acted on for so long. */
const onItsWayMs = limits.goLifetimeMs + 100
/** From the start of a step to its act: the site is asked twice at most, and then the go lives. */
const startMs = 2 * limits.authorityTimeoutMs + limits.goLifetimeMs

type Node = { id: string; tool: string; args: object; depends_on: string[] }
const nodesOf = (one: Submitted): Node[] => (one.body as { nodes: Node[] }).nodes

/** Everything that is wrong with a run; empty when nothing is. */
export function wrongIn(
  world: World,
  people: People,
  sessions: ReadonlyMap<string, string>,
): string[] {
  const acts = world.machines
    .flatMap((machine) => machine.bench.acts)
    .sort((a, b) => a.begun_ms - b.begun_ms)
  return [
    ...onlyDecided(acts, people, sessions),
    ...oneAtATime(acts),
    ...notAfterStop(acts, people),
    ...notUnarmed(world, acts, people),
    ...notAfterBreak(acts, people),
  ]
}

/** Only nodes of accepted plans, each at most once, after what it depends on, in one session a plan. */
function onlyDecided(
  acts: readonly Act[],
  people: People,
  sessions: ReadonlyMap<string, string>,
): string[] {
  const wrong: string[] = []
  const seen = new Set<string>()
  const runsOf = new Map<string, string>()
  for (const act of acts) {
    const plan = sessions.get(act.session)
    const submitted = people.plans.find((one) => one.plan === plan)
    const node = submitted && nodesOf(submitted).find(({ id }) => id === act.node)
    const name = `${act.session} ${act.node}`
    if (submitted === undefined || node === undefined || plan === undefined) {
      wrong.push(`${name} was never decided`)
      continue
    }
    if (node.tool !== act.tool || JSON.stringify(node.args) !== act.args) {
      wrong.push(`${name} is not what was decided`)
    }
    if (seen.has(`${plan} ${act.node}`)) wrong.push(`${name} of ${plan} ran twice`)
    seen.add(`${plan} ${act.node}`)
    const before = runsOf.get(plan)
    if (before !== undefined && before !== act.session) wrong.push(`${plan} ran in two sessions`)
    runsOf.set(plan, act.session)
    for (const dep of node.depends_on) {
      const done = acts.some(
        (other) =>
          other.session === act.session &&
          other.node === dep &&
          other.outcome === 'succeeded' &&
          (other.ended_ms ?? Infinity) <= act.begun_ms,
      )
      if (!done) wrong.push(`${name} began before ${dep} had succeeded`)
    }
  }
  return wrong
}

function oneAtATime(acts: readonly Act[]): string[] {
  return acts.flatMap((act, i) =>
    acts
      .slice(i + 1)
      .filter((other) => other.bench === act.bench && other.begun_ms < (act.ended_ms ?? Infinity))
      .map((other) => `${other.session} ${other.node} began beside ${act.session} ${act.node}`),
  )
}

/** Told to be stopped, and it moved all the same. */
function notAfterStop(acts: readonly Act[], people: People): string[] {
  return people.deeds.flatMap(({ stops, answered_ms, what }) =>
    stops.flatMap(({ session, stop }) => {
      if (what !== 'stopped' && what !== 'session_stopped') return []
      if (stop === 'not_reached_yet') return []
      const quiet = stop === 'stopped'
      const after = acts.filter(
        (act) => act.session === session && act.begun_ms > answered_ms + (quiet ? 0 : onItsWayMs),
      )
      const moving = acts.filter(
        (act) =>
          quiet &&
          act.tool !== 'camera.read' &&
          act.session === session &&
          act.begun_ms <= answered_ms &&
          (act.ended_ms ?? Infinity) > answered_ms,
      )
      return [
        ...after.map((act) => `${session} ${act.node} began after its stop was told as ${stop}`),
        ...moving.map((act) => `${session} ${act.node} moved when its stop was told as ${stop}`),
      ]
    }),
  )
}

/** Metal moves only in a cell that a person has armed since it was last stopped, disarmed or restored. */
function notUnarmed(world: World, acts: readonly Act[], people: People): string[] {
  const ends = (cell: string): number[] => [
    ...people.deeds
      .filter((deed) => deed.cell === cell && (deed.what === 'stopped' || deed.what === 'disarmed'))
      .map(({ answered_ms }) => answered_ms),
    ...world.machines
      .filter((machine) => machine.cell === cell)
      .flatMap(({ starts }) => starts.slice(1).map(({ at_ms }) => at_ms)),
    ...world.restores.filter(({ kind }) => kind === 'hub').map(({ at_ms }) => at_ms),
  ]
  return acts.flatMap((act) => {
    if (act.tool === 'camera.read') return []
    const cell = act.bench.slice(0, 'cell-1'.length)
    const armed = people.deeds.filter(
      (deed) => deed.cell === cell && deed.what === 'armed' && deed.asked_ms <= act.begun_ms,
    )
    const last = armed.at(-1)?.asked_ms
    const name = `${act.session} ${act.node}`
    if (last === undefined) return [`${name} moved in a cell that nobody had armed`]
    const over = ends(cell).filter((at) => at > last && at + startMs < act.begun_ms)
    return over.length === 0 ? [] : [`${name} moved after its cell was disarmed`]
  })
}

/** After an act that did not come to its end, nothing of another run moves before a person cleared. */
function notAfterBreak(acts: readonly Act[], people: People): string[] {
  return acts.flatMap((act, i) => {
    if (act.outcome === 'succeeded' || act.tool === 'camera.read') return []
    const ended = act.ended_ms ?? Infinity
    const next = acts
      .slice(i + 1)
      .find(
        (other) =>
          other.bench === act.bench &&
          other.session !== act.session &&
          other.tool !== 'camera.read',
      )
    if (next === undefined) return []
    const cleared = people.deeds.some(
      (deed) =>
        deed.cell === act.bench.slice(0, 'cell-1'.length) &&
        deed.what === 'cleared' &&
        deed.answered_ms >= Math.min(ended, act.begun_ms) &&
        deed.asked_ms <= next.begun_ms,
    )
    if (cleared) return []
    return [`${next.session} ${next.node} moved after ${act.session} ${act.node} broke off`]
  })
}
