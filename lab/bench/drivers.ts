// Agents that keep the protocol and have no device: enrolled, armed, online. With them the gateway alone is
// measured, and fifty of them fit beside it on two cores where fifty real agents do not.
import type { NodeResult } from '../../protocol/node-result.ts'
import { HostileAgent, type HostileSession } from '../local/attacks/hostile-agent.ts'
import { must, request, type SiteHandle } from '../local/client.ts'
import { getPlan, postPlan, submit, until, type PlanView } from '../local/plans.ts'

export const planner = 'planner-wetlab-01'

/** A site as drivers and submitters need it. */
export type Field = {
  readonly handle: SiteHandle
  readonly operator: string
  readonly planners: Readonly<Record<string, string>>
}

/** Readings in a row: nothing moves, so what is measured is the gateway. */
export const readings = (nodes: number) => ({
  goal: 'Watch the balance settle before the weighing',
  // The number is told: more steps than the words ask for are a person's business.
  instructions: [nodes === 1 ? 'Read balance 1 once.' : `Read balance 1 ${nodes} times in a row.`],
  planner: { id: planner },
  nodes: Array.from({ length: nodes }, (_, i) => ({
    id: `n${String(i + 1).padStart(2, '0')}`,
    tool: 'balance.read',
    args: { balance_id: 'bal_1' },
    depends_on: i === 0 ? [] : [`n${String(i).padStart(2, '0')}`],
    sandbox: null,
  })),
})

/** The number of a cell's last change, as a person who looks at it now would name it. */
export async function seenOf(field: Field, cell: string): Promise<number | undefined> {
  const { items } = await must<{ items: { cell: string; change: number }[] }>(field.handle.base, {
    method: 'GET',
    path: '/v1/cells',
    token: field.operator,
  })
  return items.find((row) => row.cell === cell)?.change
}

export async function armDriver(field: Field, cell: string): Promise<void> {
  await must(field.handle.base, {
    method: 'POST',
    path: `/v1/cells/${cell}/arm`,
    token: field.operator,
    body: { until_ms: Date.now() + 3_600_000, seen: await seenOf(field, cell) },
  })
}

/** One driver in a cell of its own. */
export async function driver(
  field: Field,
  index: number,
  prefix = 'driver-',
): Promise<HostileAgent> {
  const name = `${prefix}${index}`
  const cell = `cell-of-${name}`
  const agent = await HostileAgent.create(field.handle, {
    name,
    cell,
    enrol: true,
    features: 'results references',
  })
  await armDriver(field, cell)
  await agent.goOnline()
  return agent
}

/** Submits one plan and opens its session on the driver's connection. */
export async function openPlan(
  field: Field,
  agent: HostileAgent,
  plan: object = readings(20),
): Promise<HostileSession> {
  const { base } = field.handle
  const token = field.planners[planner] ?? ''
  const posted = await submit(base, token, { ...plan, agent: agent.name })
  if (posted.verdict !== 'accept') throw new Error(`not accepted: ${JSON.stringify(posted)}`)
  const bound = await until(
    () => getPlan(base, token, posted.plan),
    (view) => view.session !== null,
    60_000,
  )
  const session = await agent.join(bound.session ?? '')
  await session.expect('welcome')
  return session
}

/** One node: the milliseconds of the whole, and from `start` to `go`. */
export async function driveNode(
  session: HostileSession,
  answer?: NodeResult,
): Promise<{ node: number; go: number }> {
  const began = performance.now()
  const released = await session.pull()
  const start = await session.startFrame(released.token)
  const asked = performance.now()
  session.socket.send(start)
  await session.expect('go')
  const go = performance.now() - asked
  session.socket.send(await session.reportFrame(released.token, answer))
  await session.expect('ack')
  return { node: performance.now() - began, go }
}

/** Runs one session to its end; returns the milliseconds of each node. */
export async function drive(session: HostileSession, answer?: NodeResult): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < 20; i++) times.push((await driveNode(session, answer)).node)
  session.socket.close()
  return times
}

/** Submitters at work: how many plans they have had judged, and their end. */
export type Flood = { readonly count: () => number; readonly end: () => Promise<void> }

/**
 * So many submitters, each with one plan after the other. Nobody runs these: they name an agent that is
 * enrolled and not online. The door refuses what is too much.
 */
export function submitting(field: Field, submitters: number, agent = 'driver-2'): Flood {
  const token = field.planners[planner] ?? ''
  const { base } = field.handle
  const plan = { ...readings(20), agent }
  const state = { over: false }
  let plans = 0
  const one = async (): Promise<void> => {
    while (!state.over) {
      const answer = await postPlan(base, token, plan).catch(() => null)
      if (answer === null || answer.status > 299) {
        await new Promise((resolve) => setTimeout(resolve, 200))
        continue
      }
      plans += 1
      // It would wait for the sleeper for ever, and the queue has an end.
      const withdraw = `/v1/plans/${(answer.body as PlanView).plan}/withdraw`
      await request(base, { method: 'POST', path: withdraw, token }).catch(() => null)
    }
  }
  const work = Array.from({ length: submitters }, one)
  return {
    count: () => plans,
    end: async () => {
      state.over = true
      await Promise.all(work)
    },
  }
}

/** A session that goes on by itself, a node every few seconds, plan after plan, until it is ended. */
export function running(field: Field, agent: HostileAgent, everyMs: number): () => void {
  const state = { over: false }
  const pause = () => new Promise((resolve) => setTimeout(resolve, everyMs * (0.5 + Math.random())))
  /** One plan, until its end or until it breaks off: the next one follows. */
  const onePlan = async (): Promise<void> => {
    const session = await openPlan(field, agent, readings(40))
    for (let i = 0; i < 40 && !state.over; i++) {
      await pause()
      await driveNode(session)
    }
    session.socket.close()
  }
  const work = async (): Promise<void> => {
    while (!state.over) await onePlan().catch(pause)
  }
  void work()
  return () => {
    state.over = true
  }
}
