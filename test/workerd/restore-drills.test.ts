// Restores as drills: the database set back, and all objects of a site set back. Nothing that was used up comes
// back to life, nothing that was withdrawn returns unseen, and cells come back latched. One object set back:
// test/workerd/objects-rows.test.ts.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { thumbprint } from '../../contain/keys.ts'
import { objectName } from '../../protocol/ids.ts'
import { agentJwk, strangerJwk } from '../shared/session-fixture.ts'
import { agentToken } from './support/agent-token.ts'
import { call, codeOf, credential, publicHalf, type TestSite } from './support/door.ts'
import { arm, bound, cellOf, clear, ready, revokeOf } from './support/hub.ts'
import {
  hubOf,
  loadTinyGraph,
  reviewOf,
  sessionOf,
  setPolicy,
  until,
  windowOf,
} from './support/site.ts'

beforeAll(loadTinyGraph)

const own = { origin: 'https://gateway.test', 'sec-fetch-site': 'same-origin' }
type Rows = Record<string, SqlStorageValue>[]

const tables = [
  'credentials',
  'agents',
  'enrolment_codes',
  'sign_in_codes',
  'sign_ins',
  'legal_holds',
  'plans',
  'memory',
] as const

/** The rows of one site, and its number, as they are now. */
async function databaseOf(site: string): Promise<() => Promise<void>> {
  const kept: [string, Rows][] = []
  for (const table of tables) {
    const sql = `SELECT * FROM ${table} WHERE site = ?`
    const { results } = await env.DB.prepare(sql).bind(site).all()
    kept.push([table, results as Rows])
  }
  const sql = 'SELECT hub_mark FROM sites WHERE site = ?'
  const mark = await env.DB.prepare(sql).bind(site).first<number>('hub_mark')
  return async () => {
    for (const [table, rows] of kept.toReversed()) {
      await env.DB.prepare(`DELETE FROM ${table} WHERE site = ?`).bind(site).run()
      for (const row of rows) {
        const names = Object.keys(row)
        const marks = names.map(() => '?').join(', ')
        await env.DB.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`)
          .bind(...Object.values(row))
          .run()
      }
    }
    await env.DB.prepare('UPDATE sites SET hub_mark = ? WHERE site = ?').bind(mark, site).run()
  }
}

/** D1 has taken the number of the hub's last entry. */
async function told(site: TestSite): Promise<void> {
  await until('told', async () => {
    await runDurableObjectAlarm(hubOf(site.site))
    const sql = 'SELECT hub_mark FROM sites WHERE site = ?'
    const mark = await env.DB.prepare(sql).bind(site.site).first<number>('hub_mark')
    return mark === ((await hubOf(site.site).audit(-1)).at(-1)?.seq ?? -1) + 1
  })
}

const eventsOf = async (site: TestSite) =>
  (await hubOf(site.site).audit(-1)).map(({ event }) => event)

const dump = (stub: DurableObjectStub): Promise<Record<string, Rows>> =>
  runInDurableObject(stub, (_, { storage: { sql } }) =>
    Object.fromEntries(
      sql
        .exec<{ name: string }>(
          `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'
             AND name NOT LIKE 'sqlite%'`,
        )
        .toArray()
        .map(({ name }) => [name, sql.exec(`SELECT * FROM ${name}`).toArray()]),
    ),
  )

async function setBack(stub: DurableObjectStub, rows: Record<string, Rows>): Promise<void> {
  await runInDurableObject(stub, (_, { storage: { sql } }) => {
    for (const [table, list] of Object.entries(rows)) {
      sql.exec(`DELETE FROM ${table}`)
      for (const row of list) {
        const names = Object.keys(row)
        const marks = names.map(() => '?').join(', ')
        sql.exec(
          `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`,
          ...Object.values(row),
        )
      }
    }
  })
}

/** A one-time code of an administrator for a new key of the robot. */
async function enrolmentCode(site: TestSite): Promise<string> {
  const body = { agent: 'robot', cell: 'cell-1' }
  const made = await call('POST', '/v1/agents/codes', { token: site.admin, body })
  return String(made.body['code'])
}

async function enrol(site: TestSite, code: string, jwk: typeof agentJwk) {
  const key = publicHalf(jwk)
  const body = { site: site.site, code, jwk: key, jkt: await thumbprint(jwk.x) }
  return call('POST', '/v1/enrolments', { body })
}

const standing = async (site: TestSite, jwk: typeof agentJwk) => {
  const jti = `standing-${crypto.randomUUID()}`
  const token = await agentToken(jwk, { site: site.site, agent: 'robot', jti })
  return (await call('GET', '/v1/agent/standing', { token })).status
}

describe('the database set back', () => {
  it('brings back no credential, key, code, sign-in or end of a hold, and people are told', async () => {
    const { site } = await ready()
    const hook = `${inject('webhook')}/${crypto.randomUUID()}`
    await setPolicy(site, { review_webhook: hook })
    const signInCode = await call('POST', '/v1/sign-in-codes', { token: site.operator, body: {} })
    const opened = await call('POST', '/v1/sign-ins', {
      body: { code: signInCode.body['code'] },
      headers: own,
    })
    const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const unused = await call('POST', '/v1/sign-in-codes', { token: site.operator, body: {} })
    const code = await enrolmentCode(site)
    await told(site)
    const backThen = await databaseOf(site.site)

    await revokeOf(site, 'reviewer')
    expect((await enrol(site, code, strangerJwk)).status).toBe(201)
    expect(await standing(site, agentJwk)).toBe(401)
    await call('POST', '/v1/sign-ins', { body: { code: unused.body['code'] }, headers: own })
    await call('POST', '/v1/keeping/holds', {
      token: site.admin,
      body: { plan: null, reason: 'Case 12.' },
    })
    await told(site)

    await backThen()
    expect((await call('GET', '/v1/me', { token: site.reviewer })).status).toBe(200)
    await evictDurableObject(hubOf(site.site))
    await until('noticed', async () => (await eventsOf(site)).includes('database_restored'))
    expect((await call('GET', '/v1/me', { token: site.reviewer })).status).toBe(401)
    expect(await standing(site, agentJwk)).toBe(401)
    expect(await standing(site, strangerJwk)).toBe(200)
    expect((await call('GET', '/v1/me', { headers: { ...own, cookie } })).status).toBe(401)
    const again = { body: { code: unused.body['code'] }, headers: own }
    expect(codeOf(await call('POST', '/v1/sign-ins', again))).toBe('sign_in_refused')
    expect(codeOf(await enrol(site, code, agentJwk))).toBe('enrolment_refused')
    const kept = await call('GET', '/v1/keeping', { token: site.admin })
    expect(kept.body).toMatchObject({ holds: [{ plan: null, reason: 'Case 12.', set_by: 'ada' }] })
    await until('posted', async () => {
      await runDurableObjectAlarm(hubOf(site.site))
      const posted = await (await fetch(hook)).json<{ event: string }[]>()
      return posted.some(({ event }) => event === 'database_restored')
    })
    // Said once.
    await told(site)
    await evictDurableObject(hubOf(site.site))
    await hubOf(site.site).cells()
    await told(site)
    const said = (await eventsOf(site)).filter((event) => event === 'database_restored')
    expect(said).toHaveLength(1)
  })

  it('is noticed by a hub that stays awake, before its next word is taken', async () => {
    const { site } = await ready()
    const token = await credential(site.admin, 'reviewer', 'rolf', 'rolf')
    await told(site)
    const backThen = await databaseOf(site.site)
    const list = await call('GET', '/v1/credentials', { token: site.admin })
    const { items } = list.body as { items: { id: string; subject: string }[] }
    const id = items.find((one) => one.subject === 'rolf')?.id ?? ''
    await call('POST', `/v1/credentials/${id}/revoke`, { token: site.admin })
    await told(site)
    await backThen()
    await arm(site)
    await until('noticed', async () => {
      await runDurableObjectAlarm(hubOf(site.site))
      return (await eventsOf(site)).includes('database_restored')
    })
    expect((await call('GET', '/v1/me', { token })).status).toBe(401)
  })
})

describe('all objects of a site set back together', () => {
  it('bring back no run, no arming and no authority; the cell is latched until somebody looks', async () => {
    const { site, presence } = await ready()
    const { plan, session, ask, hub } = await bound(site)
    const cell: unknown = env.CELL_STATE.getByName(objectName(site.site, 'cell-1'))
    const stubs: DurableObjectStub[] = [
      hubOf(site.site),
      sessionOf(site.site, session),
      reviewOf(site.site, plan),
      windowOf(site.site),
      cell as DurableObjectStub,
    ]
    const backThen = await Promise.all(stubs.map(dump))
    await call('POST', `/v1/sessions/${session}/stop`, { token: site.operator })
    await until('free', async () => (await cellOf(site))?.session === null)
    await revokeOf(site, 'reviewer')
    await told(site)
    for (const [i, stub] of stubs.entries()) await setBack(stub, backThen[i] ?? {})
    for (const stub of stubs) await evictDurableObject(stub)
    // Before anybody has looked: the question before a `go` waits for the comparison.
    expect((await hub.mayActuate(ask)).ok).toBe(false)
    await until('latched', async () => (await cellOf(site))?.latch_reason === 'site_restored')
    expect((await cellOf(site))?.armed_until_ms).toBeNull()
    const known = await call('GET', '/v1/cells/cell-1/state', { token: site.operator })
    const facts = known.body['facts'] as { value: unknown }[]
    expect(facts.filter(({ value }) => value !== null)).toEqual([])
    // A person stops what came back and clears the cell; the run does not go on.
    const stop = await call('POST', '/v1/cells/cell-1/stop', { token: site.operator })
    expect(stop.status).toBe(200)
    await until('cleared', async () => (await clear(site)).status === 200)
    expect((await hub.mayActuate(ask)).ok).toBe(false)
    await until('ended', async () => {
      const state = (await reviewOf(site.site, plan).status())?.state
      return state === 'terminated' || state === 'expired'
    })
    presence.close()
  })
})
