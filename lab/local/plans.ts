// Submitting plans and waiting for what becomes of them, for start, demo and tests.
import { must, request, type Answer } from './client.ts'

export type PlanView = {
  plan: string
  state: string
  verdict: 'accept' | 'escalate' | 'reject' | null
  reasons: string[]
  findings: { code: string; at: string; remedy: string }[]
  session: string | null
  session_reason: string | null
}

export type SessionView = {
  session: string
  status: 'bound' | 'active' | 'completed' | 'terminated'
  reason: string | null
  ctx: string
  order: string[]
  nodes: { nid: string; tool: string; state: string; reason: string | null }[]
}

/** Posts a plan and waits for the verdict inside the request; any answer is returned. */
export function postPlan(base: string, token: string, plan: unknown): Promise<Answer> {
  return request(base, {
    method: 'POST',
    path: '/v1/plans',
    token,
    body: plan,
    // A command that submits the same plan again means it.
    headers: { prefer: 'wait=25', 'idempotency-key': crypto.randomUUID() },
  })
}

/** Posts a plan that must be taken in, and returns it as decided. */
export async function submit(base: string, token: string, plan: unknown): Promise<PlanView> {
  const answer = await postPlan(base, token, plan)
  if (answer.status !== 200 && answer.status !== 202) {
    throw new Error(`POST /v1/plans: HTTP ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  return until(
    () => getPlan(base, token, (answer.body as PlanView).plan),
    (plan_) => plan_.verdict !== null,
    30_000,
  )
}

export const getPlan = (base: string, token: string, plan: string): Promise<PlanView> =>
  must<PlanView>(base, { method: 'GET', path: `/v1/plans/${plan}`, token })

/**
 * The session of an accepted plan, once it is bound. A plan that would repeat what an ended run has done
 * waits for a person: the operator looks at the list and lets it run.
 */
export async function sessionOf(
  base: string,
  tokens: { planner: string; operator: string },
  plan: string,
): Promise<string> {
  const { planner, operator: token } = tokens
  const bound = await until(
    async () => {
      const view = await getPlan(base, planner, plan)
      if (view.session !== null || view.state !== 'queued') return view
      const path = `/v1/plans/${plan}`
      const call = { method: 'GET', path: `${path}/waits`, token }
      const { items } = await must<{ items: { person: boolean }[] }>(base, call)
      if (items.some(({ person }) => person)) {
        const body = { note: 'seen what was done: it may be done again' }
        await must(base, { method: 'POST', path: `${path}/release`, token, body })
      }
      return view
    },
    (view) => view.session !== null,
    30_000,
  )
  return bound.session ?? ''
}

export const getSession = (base: string, token: string, session: string): Promise<SessionView> =>
  must<SessionView>(base, { method: 'GET', path: `/v1/sessions/${session}`, token })

/** Polls until a condition holds; throws with the last value when the time is up. */
export async function until<T>(
  read: () => Promise<T>,
  done: (value: T) => boolean,
  timeoutMs: number,
): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const value = await read()
    if (done(value)) return value
    if (Date.now() > end)
      throw new Error(`timed out; last: ${JSON.stringify(value).slice(0, 1_500)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
