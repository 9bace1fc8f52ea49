// A site with one robot agent, and plans that wait, are bound or have ended: what the tests of the hub share.
import type { BindRequest, SessionEnd, SiteHead } from '../../../durable-objects/contracts.ts'
import { makeId } from '../../../protocol/ids.ts'
import { agentJwk } from '../../shared/session-fixture.ts'
import { call, freshSite, type TestSite } from './door.ts'
import {
  accepted,
  enrolAgent,
  fetchPlan,
  hubOf,
  idOf,
  reaches,
  reviewOf,
  until,
  type Presence,
} from './site.ts'

export const robot = { agent: 'robot', cell: 'cell-1', jwk: agentJwk }
export const freshSession = () => makeId('sess', crypto.getRandomValues(new Uint8Array(26)))

export async function ready(): Promise<{ site: TestSite; presence: Presence }> {
  const site = await freshSite()
  const presence = await enrolAgent(site, robot)
  presence.health()
  await until('health', async () => (await hubOf(site.site).agents())[0]?.health !== null)
  return { site, presence }
}

/** A person looks at the cell and arms it. */
export const arm = async (site: TestSite, ms = 60_000) =>
  call('POST', '/v1/cells/cell-1/arm', {
    token: site.operator,
    body: { until_ms: Date.now() + ms, seen: await seenOf(site) },
  })

export const cellOf = async (site: TestSite) => (await hubOf(site.site).cells())[0]
export const ended = (
  session: string,
  plan: string,
  more: Partial<SessionEnd> = {},
): SessionEnd => ({
  session,
  plan,
  cell: 'cell-1',
  status: 'terminated',
  reason: 'stopped_by_person',
  latch: false,
  node: null,
  ended_ms: Date.now(),
  ...more,
})

/** What the hub would ask a review to bind. */
export async function request(
  site: TestSite,
  change: Partial<SiteHead> = {},
): Promise<BindRequest> {
  const answer = await hubOf(site.site).snapshot(null)
  if (answer === null || answer.snapshot.registry === null) throw new TypeError('no snapshot')
  const { registry: _registry, ...head } = answer.snapshot
  return {
    session: freshSession(),
    cell: 'cell-1',
    agent: 'robot',
    agent_jkt: (await hubOf(site.site).agents())[0]?.jkt ?? '',
    features: ['signed-rows'],
    boot_id: null,
    snapshot: { ...head, ...change },
    now_ms: Date.now(),
  }
}

/** An accepted plan that waits because its cell is not armed. */
export const queuedPlan = async (site: TestSite, more: object = {}): Promise<string> => {
  const plan = idOf(await accepted(site, fetchPlan(site.plannerId, more)))
  await until('queued', async () => ((await cellOf(site))?.queued ?? 0) > 0)
  return plan
}

export const refusalOf = async (site: TestSite, plan: string) => {
  await reaches(site, plan, ['expired', 'withdrawn'])
  return (await reviewOf(site.site, plan).status())?.bind_refusal ?? null
}

/** A plan that is bound and waits for its agent, with the question its session would ask. */
export async function bound(site: TestSite) {
  await arm(site)
  const plan = idOf(await accepted(site, fetchPlan(site.plannerId)))
  await reaches(site, plan, ['bound'])
  const hub = hubOf(site.site)
  const session = (await reviewOf(site.site, plan).status())?.session ?? ''
  const epoch = (await hub.settings())?.epoch ?? 0
  const ask = {
    session,
    cell: 'cell-1',
    agent_jkt: (await hub.agents())[0]?.jkt ?? '',
    planner: site.plannerId,
    tool: 'storage.fetch',
    epoch,
  }
  await until('authority', async () => (await hub.mayActuate(ask)).ok)
  return { plan, session, ask, hub }
}

/** Revokes the first credential of a role through the door. */
export async function revokeOf(site: TestSite, role: string): Promise<void> {
  const list = await call('GET', '/v1/credentials', { token: site.admin })
  const { items } = list.body as { items: { id: string; role: string }[] }
  const id = items.find((item) => item.role === role)?.id ?? ''
  const done = await call('POST', `/v1/credentials/${id}/revoke`, { token: site.admin })
  if (done.status !== 200) throw new Error(`revoke: ${done.status} ${done.text}`)
}

/** What a person who looks at the cell now would name. */
export const seenOf = async (site: TestSite): Promise<number> => (await cellOf(site))?.change ?? -1

/** A person looks at the cell and records its state. */
export const clear = async (site: TestSite, note = 'Looked at it.') =>
  call('POST', '/v1/cells/cell-1/clear', {
    token: site.operator,
    body: { note, seen: await seenOf(site) },
  })

/** A person looks at the cell and lets the queue go on. */
export const release = async (site: TestSite) =>
  call('POST', '/v1/cells/cell-1/release', {
    token: site.operator,
    body: { seen: await seenOf(site) },
  })
