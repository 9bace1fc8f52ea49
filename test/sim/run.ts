// One seed: a time in which people work and things break, a calm after it, and then the questions: is
// everything in a stated end, can every cell be stopped and cleared, does a new plan run.
import { cells } from './gateway/site.ts'
import { breakThings, chooseKinds } from './faults.ts'
import { wrongIn } from './holds.ts'
import { People } from './people.ts'
import { calm, World } from './world.ts'

const activeMs = 120_000
/** A session lives four minutes, a decision fifteen. */
const calmMs = 1_500_000
const tendMs = 4_000

const statedEnds: ReadonlySet<string> = new Set([
  'completed',
  'terminated',
  'expired',
  'withdrawn',
  'rejected',
])

/** With these the last word about a device can be lost for good: then it is an administrator's. */
const losesWords: ReadonlySet<string> = new Set([
  'session_restored',
  'hub_restored',
  'state_folder_restored',
  'frames_lost',
  'twin',
])

export type Ran = {
  readonly wrong: readonly string[]
  readonly kinds: readonly string[]
  readonly acts: number
  readonly plans: number
  readonly completed: number
  readonly steps: number
  readonly journal: World['journal']
}

export async function runSeed(
  seed: number,
  migrations: readonly string[],
  given: { readonly kinds?: readonly string[]; readonly stops?: number | undefined } = {},
): Promise<Ran> {
  const world = await World.open(seed, migrations)
  const { time, random } = world
  const begun = time.now_ms
  try {
    const people = new People(world)
    const kinds = given.kinds ?? chooseKinds(world)
    await time.runTo(begun + 2_000)
    people.stopChance = given.stops ?? random.pick([0, 0.02, 0.1])
    people.work(tendMs)
    for (let i = 0; i < 4 + random.below(4); i++) {
      const cell = random.pick(cells)
      time.after(random.between(0, activeMs), () => void people.submit(cell, random.below(12)))
    }
    breakThings(world, kinds, begun + activeMs)
    await time.runTo(begun + activeMs)
    quiet(world, people)
    const wrong: string[] = []
    const ends = await settle(world, people, begun + activeMs + calmMs)
    wrong.push(...ends.open)
    people.working = false
    // What was broken for a while is whole again by then.
    await time.runTo(Math.max(time.now_ms + 20_000, begun + activeMs + 100_000))
    for (const cell of cells) wrong.push(...(await worksAgain(world, people, cell)))
    const { runs } = await look(world, people)
    wrong.push(...wrongIn(world, people, new Map(runs.map(({ session, plan }) => [session, plan]))))
    const lost = kinds.some((kind) => losesWords.has(kind))
    if (people.forced > 0 && !lost) wrong.push('only an administrator could free a cell')
    const acts = world.machines.reduce((sum, { bench }) => sum + bench.acts.length, 0)
    const { completed } = ends
    const { steps } = time
    const { journal } = world
    return { wrong, kinds, acts, plans: people.plans.length, completed, steps, journal }
  } finally {
    world.close()
  }
}

/** Nothing breaks any more, and whatever was broken for a while is mended. */
function quiet(world: World, people: People): void {
  world.log('world', 'calm')
  world.rates = calm
  people.stopChance = 0
}

type Run = { readonly session: string; readonly plan: string; readonly state: string }

/** Every plan and every session as the gateway tells of them. */
async function look(world: World, people: People): Promise<{ plans: string[]; runs: Run[] }> {
  const { gateway } = world
  const runs: Run[] = []
  for (const session of gateway.sessions()) {
    const status = await world.until(
      gateway
        .session(session)
        .status()
        .catch(() => undefined),
    )
    // One that refused to open was never a session.
    if (status === null) continue
    runs.push({ session, plan: status?.plan ?? '', state: status?.status ?? 'unreachable' })
  }
  const plans: string[] = []
  for (const { plan } of people.plans) {
    const status = await world.until(
      gateway
        .review(plan)
        .status()
        .catch(() => null),
    )
    plans.push(status?.state ?? 'unreachable')
  }
  return { plans, runs }
}

/** Time passes until everything has come to its end, and no longer than it may; the people go on. */
async function settle(
  world: World,
  people: People,
  until_ms: number,
): Promise<{ open: string[]; completed: number }> {
  for (;;) {
    await world.time.runTo(world.time.now_ms + 15_000)
    const { plans, runs } = await look(world, people)
    const open = [
      ...plans.flatMap((state, i) =>
        statedEnds.has(state) ? [] : [`${people.plans[i]?.plan ?? ''} is ${state}`],
      ),
      ...runs.flatMap(({ session, state }) =>
        state === 'completed' || state === 'terminated' ? [] : [`${session} is ${state}`],
      ),
    ]
    if (open.length > 0 && world.time.now_ms < until_ms) continue
    return { open, completed: plans.filter((state) => state === 'completed').length }
  }
}

/** Stops a cell, clears it, arms it, and runs a plan in it. */
async function worksAgain(
  world: World,
  people: People,
  cell: (typeof cells)[number],
): Promise<string[]> {
  const { gateway, time } = world
  const hub = gateway.hub()
  for (const machine of world.machines.slice(0, 2)) machine.start()
  const stopped = await world.until(hub.stopCell(cell, 'olga'))
  if (!stopped.ok) return [`${cell} cannot be stopped: ${stopped.error.reason}`]
  let last = 'never'
  for (let i = 0; i < 40; i++) {
    await time.runTo(time.now_ms + 3_000)
    const now = (await world.until(hub.cells())).find((one) => one.cell === cell)
    if (now === undefined) return [`${cell} is gone`]
    if (now.armed_until_ms !== null && now.held_by === null && now.holds.length === 0) {
      last = ''
      break
    }
    // Fifteen looks of three seconds without a way on: whoever is in charge decides.
    if (i === 15 && now.not_at_rest.length > 0) await world.until(people.force(now))
    else await world.until(people.tend(now))
    last = JSON.stringify(now)
  }
  if (last !== '') return [`${cell} cannot be cleared and armed: ${last}`]
  const n = people.plans.length
  await world.until(people.submit(cell, 1))
  const plan = people.plans[n]?.plan
  if (plan === undefined) return [`${cell}: a new plan is not taken`]
  for (let i = 0; i < 20; i++) {
    await time.runTo(time.now_ms + 5_000)
    const status = await world.until(gateway.review(plan).status())
    if (status?.state === 'completed') return []
    last = JSON.stringify({ state: status?.state, reason: status?.session_reason })
  }
  return [`${cell}: a new plan does not run: ${last}`]
}
