// What takes a standing approval out of force, at the moments at which a run might slip past it: between the end
// of one run and the next bind, between the writing and the opening of a session, between two signatures, and
// when the person who was to look at a sample never does (invariants 7 and 14).
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { standingOf } from '../../durable-objects/standing/api.ts'
import { standingStoredSchema } from '../../durable-objects/standing/view.ts'
import { call, credential, type Answer, type TestSite } from './support/door.ts'
import { arm, ended, freshSession, queuedPlan, ready, request } from './support/hub.ts'
import { idOf, loadTinyGraph, plateBack, reaches, reviewOf, sessionOf } from './support/site.ts'

beforeAll(loadTinyGraph)

const signed = (site: TestSite, template: string, digest: string, token = site.reviewer) =>
  call('POST', `/v1/templates/${template}/approve`, {
    token,
    body: { digest, rationale: 'The same each time.' },
  })

/** A template of the fetching plan, which moves and so waits for an armed cell, signed by one person. */
async function standing(more: object = {}) {
  const { site } = await ready()
  const plan = await queuedPlan(site)
  const body = {
    plan,
    holes: [],
    planners: [site.plannerId],
    runs: 9,
    until_ms: Date.now() + 3_600_000,
    ...more,
  }
  const made = await call('POST', '/v1/templates', { token: site.reviewer, body })
  if (made.status !== 201) throw new Error(`template: ${made.status} ${made.text}`)
  const { template, digest } = made.body as { template: string; digest: string }
  expect((await signed(site, template, digest)).status).toBe(200)
  // The plan that it was made from has done its part; nothing else is in the queue.
  await call('POST', `/v1/plans/${plan}/withdraw`, { token: site.planner })
  await plateBack(site)
  return { site, template, digest }
}

let keys = 0
const ask = (site: TestSite, template: string): Promise<Answer> =>
  call('POST', `/v1/templates/${template}/runs`, {
    token: site.planner,
    headers: { 'idempotency-key': `run-${keys++}` },
    body: { values: {} },
  })

/** A run in a state. */
async function run(site: TestSite, template: string, state: string): Promise<string> {
  const plan = idOf(await ask(site, template))
  await reaches(site, plan, [state])
  return plan
}

async function now(site: TestSite, template: string) {
  const text = await standingOf(env, site.site, template).view()
  return standingStoredSchema.parse(JSON.parse(text ?? 'null')).row
}

/** Why a plan that came back from binding did. */
const changedIn = async (site: TestSite, plan: string) =>
  (await reviewOf(site.site, plan).record())?.packet?.trace?.changed

describe('a run that ends badly', () => {
  it('has taken its template out of force before anybody hears of its end from the plan', async () => {
    const { site, template } = await standing()
    const plan = await run(site, template, 'queued')
    await arm(site)
    await reaches(site, plan, ['bound'])
    const session = (await reviewOf(site.site, plan).status())?.session ?? ''
    await reviewOf(site.site, plan).sessionEnded(
      ended(session, plan, { reason: 'node_failed', node: 'n2' }),
    )
    expect(await now(site, template)).toMatchObject({
      state: 'suspended',
      approvals: [],
      stopped: { why: 'run_ended', plan },
    })
  })
})

describe('a run that was written down as bound and whose session was never opened', () => {
  it('is not opened once its template was revoked', async () => {
    const { site, template } = await standing()
    const plan = await run(site, template, 'queued')
    const session = freshSession()
    const asked = { ...(await request(site)), session }
    // The deployment has lost its signing key for a moment: nothing can be opened.
    const without = (keyless: boolean) =>
      runInDurableObject(sessionOf(site.site, session), (instance) => {
        const held = instance as unknown as { env: { SIGNING_KEYS?: string | undefined } }
        held.env = { ...held.env, SIGNING_KEYS: keyless ? undefined : env.SIGNING_KEYS }
      })
    await without(true)
    const failed = await reviewOf(site.site, plan)
      .bind(asked)
      .then(() => '', String)
    expect(failed).toContain('no signing key')
    await reaches(site, plan, ['bound'])
    await call('POST', `/v1/templates/${template}/revoke`, { token: site.operator })
    await without(false)
    expect(await reviewOf(site.site, plan).bind(asked)).toMatchObject({
      ok: false,
      error: { code: 'not_accepted' },
    })
    expect(await reviewOf(site.site, plan).status()).toMatchObject({ state: 'expired' })
    expect(await sessionOf(site.site, session).status()).toBeNull()
  })
})

describe('a run that waits under signatures', () => {
  it('does not run under others that were given since', async () => {
    const { site, template, digest } = await standing()
    const plan = await run(site, template, 'queued')
    const object = standingOf(env, site.site, template)
    await object.suspend({ plan: 'plan_other', why: 'run_ended', now_ms: Date.now() })
    const rolf = await credential(site.admin, 'reviewer', 'rolf', 'rolf')
    expect((await signed(site, template, digest, rolf)).status).toBe(200)
    expect((await now(site, template)).state).toBe('standing')
    const bound = await reviewOf(site.site, plan).bind(await request(site))
    expect(bound).toMatchObject({ ok: false, error: { code: 'state_changed' } })
    await reaches(site, plan, ['escalated'])
    expect(await changedIn(site, plan)).toEqual([
      { kind: 'standing', at: '', why: 'approver_revoked' },
    ])
  })
})

describe('a sample', () => {
  it.each<[string, (site: TestSite, plan: string) => Promise<Answer>, string]>([
    [
      'that a person rejects',
      async (site, plan) => {
        const { packet_digest } = (await reviewOf(site.site, plan).status()) ?? {}
        const body = { verdict: 'reject', rationale: 'The plate is wet.', packet_digest }
        return call('POST', `/v1/reviews/${plan}`, { token: site.reviewer, body })
      },
      'run_rejected',
    ],
    [
      'that its planner takes back',
      (site, plan) => call('POST', `/v1/plans/${plan}/withdraw`, { token: site.planner }),
      'sample_unseen',
    ],
  ])('%s takes the template with it', async (_what, act, why) => {
    const { site, template } = await standing({ look_every: 2 })
    const first = await run(site, template, 'queued')
    const sample = await run(site, template, 'escalated')
    expect((await reviewOf(site.site, sample).status())?.reasons).toEqual(['standing_look'])
    expect((await act(site, sample)).status).toBe(200)
    expect(await now(site, template)).toMatchObject({ state: 'suspended', stopped: { why } })
    // The one that was accepted before does not run either.
    const bound = await reviewOf(site.site, first).bind(await request(site))
    expect(bound.ok).toBe(false)
  })
})

describe('a run as the beginning of another template', () => {
  it('is refused, whoever accepted it', async () => {
    const { site, template } = await standing()
    const plan = await run(site, template, 'queued')
    const body = {
      plan,
      holes: [],
      planners: [site.plannerId],
      runs: 9,
      until_ms: Date.now() + 3_600_000,
    }
    const made = await call('POST', '/v1/templates', { token: site.reviewer, body })
    expect(made.status).toBe(422)
    expect(made.body['violations']).toMatchObject([{ code: 'hole_invalid', at: '/plan' }])
  })
})
