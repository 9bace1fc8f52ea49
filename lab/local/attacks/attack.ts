// What every attack is: a name, what must happen, and a run against real processes that tells what
// did happen. The demo prints them; the tests assert them.
import type { CellRecord } from '../../../protocol/state.ts'
import { ApiError, must } from '../client.ts'
import { recordStanding } from '../standing.ts'
import type { Lab } from '../lab.ts'
import { getSession, sessionOf, submit, until, type SessionView } from '../plans.ts'
import type { HostileAgent, HostileSession } from './hostile-agent.ts'

export type AttackResult = {
  name: string
  /** The refusal that was expected; any of them is right. */
  expected: readonly string[]
  /** What the gateway or the agent gave as its reason. */
  reason: string
  session_terminated: boolean
  /** Whether the attacked node ran, or ran again. */
  executed: boolean
}

export type AttackContext = {
  readonly lab: Lab
  readonly hostile: HostileAgent
  /** Token of the planner whose plans are bound. */
  readonly planner: string
  /** A plan of three nodes n1 → n2 → n3 that the site accepts. */
  readonly plan: Record<string, unknown>
  /** What stands in the cell at its start: after a run that broke off a person records it again. */
  readonly state: CellRecord
}

export type Attack = {
  readonly name: string
  readonly run: (context: AttackContext) => Promise<AttackResult>
}

/** True when the outcome is what the attack's name promises. */
export function asExpected(result: AttackResult): boolean {
  const terminated =
    result.name === 'stranger_socket' ? !result.session_terminated : result.session_terminated
  return result.expected.includes(result.reason) && terminated && !result.executed
}

const sessionUpMs = 30_000

/** Submits the plan for one agent and waits until a session is bound to it. */
export async function bindSession(
  context: AttackContext,
  agent: string,
  plan: Record<string, unknown> = context.plan,
): Promise<string> {
  const { lab, planner, hostile } = context
  const cell = agent === hostile.name ? hostile.cell : lab.record.cell
  await recordStanding(lab, cell, context.state)
  const posted = await submit(lab.url, planner, { ...plan, agent })
  if (posted.verdict !== 'accept') {
    throw new Error(`the attack's plan was not accepted: ${JSON.stringify(posted)}`)
  }
  return sessionOf(lab.url, { planner, operator: lab.record.operator }, posted.plan)
}

/** Waits for the end of a session, as an operator sees it. */
export function ended(lab: Lab, session: string, timeoutMs = 60_000): Promise<SessionView> {
  return until(
    () => getSession(lab.url, lab.record.operator, session),
    (view) => view.status === 'completed' || view.status === 'terminated',
    timeoutMs,
  )
}

/** Asks again while a device is not at rest yet, or the cell has changed meanwhile: looks again. */
async function onceAtRest<T>(ask: () => Promise<T>): Promise<T> {
  const end = Date.now() + 8_000
  for (;;) {
    try {
      return await ask()
    } catch (cause) {
      const waits =
        cause instanceof ApiError && /not_at_rest|stale_change/.test(JSON.stringify(cause.body))
      if (!waits || Date.now() > end) throw cause
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** Makes a cell ready again after an attack: looked at and cleared by a person, armed again. */
export async function readyCell(lab: Lab, cell: string): Promise<void> {
  const token = lab.record.operator
  const call = (action: string, body: object) =>
    must<{ change: number }>(lab.url, {
      method: 'POST',
      path: `/v1/cells/${cell}/${action}`,
      token,
      body,
    })
  /** The cell's last change, once no session holds it. */
  const seen = async (): Promise<number | undefined> => {
    const { items } = await until(
      () =>
        must<{ items: { cell: string; session: string | null; change: number }[] }>(lab.url, {
          method: 'GET',
          path: '/v1/cells',
          token,
        }),
      ({ items: rows }) => rows.some((row) => row.cell === cell && row.session === null),
      sessionUpMs,
    )
    return items.find((row) => row.cell === cell)?.change
  }
  // An agent that came back tells a moment later that its devices are at rest.
  await onceAtRest(async () =>
    call('clear', { note: 'checked: nothing moved, arm parked', seen: await seen() }),
  )
  await onceAtRest(async () =>
    call('arm', { until_ms: Date.now() + 3_600_000, seen: await seen() }),
  )
}

/** Runs `act` on a fresh session of the hostile agent and reads how the session ended. */
export async function onHostileSession(
  context: AttackContext,
  name: string,
  expected: readonly string[],
  act: (session: HostileSession) => Promise<{ executed: boolean }>,
): Promise<AttackResult> {
  const { lab, hostile } = context
  const id = await bindSession(context, hostile.name)
  const session = await hostile.join(id)
  await session.expect('welcome')
  const { executed } = await act(session)
  const view = await ended(lab, id)
  session.socket.close()
  await readyCell(lab, hostile.cell)
  return {
    name,
    expected,
    reason: view.reason ?? view.status,
    session_terminated: view.status === 'terminated',
    executed,
  }
}

/** True when a `go` came on this connection, after waiting long enough for a late one. */
export async function gotGo(session: HostileSession): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 300))
  return session.socket.drain().some((frame) => frame.type === 'go')
}
