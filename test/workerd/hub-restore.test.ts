// A hub whose storage was set back, or lost: it notices by D1's copy of its own number, and comes back with
// every cell latched and with what D1 knows of agents and credentials (invariant 13). What happens to cells
// meanwhile is told to the site's webhook, opening and closing.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { Continuity } from '../../durable-objects/hub/mark.ts'
import { HubStore } from '../../durable-objects/hub/store.ts'
import { call, type TestSite } from './support/door.ts'
import { arm, bound, cellOf, clear, ended, ready, revokeOf } from './support/hub.ts'
import {
  decided,
  hubOf,
  idOf,
  loadTinyGraph,
  reaches,
  readPlan,
  reviewOf,
  setPolicy,
  until,
} from './support/site.ts'

beforeAll(loadTinyGraph)

type Dump = Record<string, Record<string, SqlStorageValue>[]>

/** All rows of the hub, as point-in-time recovery would give them back. */
const dump = (site: TestSite): Promise<Dump> =>
  runInDurableObject(hubOf(site.site), (_, { storage: { sql } }) =>
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

async function restore(site: TestSite, rows: Dump): Promise<void> {
  await runInDurableObject(hubOf(site.site), (_, { storage }) => {
    for (const [table, list] of Object.entries(rows)) {
      storage.sql.exec(`DELETE FROM ${table}`)
      for (const row of list) {
        const names = Object.keys(row)
        const marks = names.map(() => '?').join(', ')
        storage.sql.exec(
          `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`,
          ...Object.values(row),
        )
      }
    }
  })
  await evictDurableObject(hubOf(site.site))
}

/** D1 knows the number of the hub's last entry. */
async function told(site: TestSite): Promise<void> {
  await until('told', async () => {
    await runDurableObjectAlarm(hubOf(site.site))
    const mark = await env.DB.prepare('SELECT hub_mark FROM sites WHERE site = ?')
      .bind(site.site)
      .first<number>('hub_mark')
    const last = (await hubOf(site.site).audit(-1)).at(-1)?.seq ?? -1
    return mark === last + 1
  })
}

describe('a hub that was set back', () => {
  it('latches every cell, forgets no revocation, and goes on once people have looked', async () => {
    const { site, presence } = await ready()
    await arm(site)
    const before = await dump(site)
    const plan = idOf(await decided(site, readPlan(site.plannerId)))
    await reaches(site, plan, ['bound'])
    await call('POST', `/v1/cells/cell-1/stop`, { token: site.operator })
    await revokeOf(site, 'reviewer')
    await told(site)
    const epoch = (await hubOf(site.site).settings())?.epoch ?? 0
    await restore(site, before)
    await until('noticed', async () => (await cellOf(site))?.needs_clearance === true)
    expect(await cellOf(site)).toMatchObject({
      latch_reason: 'site_restored',
      armed_until_ms: null,
      changed: { what: 'site_restored' },
    })
    const revoked = await runInDurableObject(hubOf(site.site), (_, { storage: { sql } }) =>
      sql.exec('SELECT role FROM revoked_credentials').toArray(),
    )
    expect(revoked).toEqual([{ role: 'reviewer' }])
    // No decision of the time that is lost can be bound, nor one of before.
    expect((await hubOf(site.site).settings())?.epoch).toBeGreaterThan(epoch)
    expect((await hubOf(site.site).audit(-1)).map(({ event }) => event)).toContain('site_restored')
    // Said once: the next start finds nothing lost.
    await told(site)
    const { change } = (await cellOf(site)) ?? {}
    await evictDurableObject(hubOf(site.site))
    await scheduler.wait(300)
    expect((await cellOf(site))?.change).toBe(change)
    expect((await clear(site)).status).toBe(200)
    presence.close()
  })

  it('to nothing at all has its cells again, latched, and people can stop and clear them', async () => {
    const { site } = await ready()
    const { session } = await bound(site)
    await told(site)
    await runInDurableObject(hubOf(site.site), (_, { storage }) => storage.deleteAll())
    await evictDurableObject(hubOf(site.site))
    await until('back', async () => (await cellOf(site))?.latch_reason === 'site_restored')
    // The session that it has forgotten is still stopped by its name.
    const stopped = await call('POST', `/v1/sessions/${session}/stop`, { token: site.operator })
    expect([stopped.status, stopped.body['status']]).toEqual([200, 'terminated'])
    const cell = await call('POST', '/v1/cells/cell-1/stop', { token: site.operator })
    expect(cell.status).toBe(200)
    expect((await clear(site)).status).toBe(200)
    const put = await call('PUT', '/v1/tools', { token: site.admin, body: env.TEST_REGISTRY })
    expect(put.status).toBe(200)
  })

  it('compares until D1 has taken its number, and remembers meanwhile what it was found with', async () => {
    const { site } = await ready()
    await told(site)
    // Nobody is told of this site again: what follows is a hub of its own over the same storage.
    await env.DB.prepare('UPDATE sites SET hub_mark = hub_mark + 1000 WHERE site = ?')
      .bind(site.site)
      .run()
    await runInDurableObject(hubOf(site.site), async (_, { storage: { sql } }) => {
      const store = new HubStore(sql)
      const found = () => store.get('mark_found')
      const trail = () => Promise.resolve()
      const waking = (DB: D1Database): Continuity =>
        new Continuity({
          env: { ...env, DB },
          store,
          name: site.site,
          trail,
          tell: () => undefined,
          dispatch: () => undefined,
        })
      const withSession = () => env.DB.withSession('first-primary')
      const down = () => {
        throw new Error('D1 is down')
      }
      expect(found()).toBeNull()
      // It ends before D1 answers.
      const first = waking(
        Object.assign(Object.create(env.DB) as D1Database, { withSession, prepare: down }),
      )
      const asked = first.compare().catch(() => 'down')
      const had = found()
      expect(had).not.toBeNull()
      // D1 answers, and does not take the number: it is asked again.
      expect(await asked).toBe('down')
      expect([first.known, found()]).toEqual([false, had])
      const next = waking(env.DB)
      await next.compare()
      expect([next.known, found()]).toEqual([true, null])
    })
  })

  it('is not suspected when nothing was lost', async () => {
    const { site } = await ready()
    const { plan } = await bound(site)
    await told(site)
    await evictDurableObject(hubOf(site.site))
    await scheduler.wait(300)
    expect((await cellOf(site))?.needs_clearance).toBe(false)
    expect((await reviewOf(site.site, plan).status())?.state).toBe('bound')
  })
})

describe('what happens to a cell while nobody looks', () => {
  it('is posted to the site’s webhook, opening and closing, each once', async () => {
    const { site } = await ready()
    const hook = `${inject('webhook')}/${crypto.randomUUID()}`
    await setPolicy(site, { review_webhook: hook })
    const { session, plan, hub } = await bound(site)
    await hub.sessionEnded(ended(session, plan, { latch: true, reason: 'node_unknown' }))
    const posted = async () => (await fetch(hook)).json<Record<string, unknown>[]>()
    await until('posted', async () => (await posted()).length === 1)
    expect(await posted()).toMatchObject([
      { event: 'cell_needs_clearance', cell: 'cell-1', reason: 'node_unknown', site: site.site },
    ])
    await clear(site)
    await until('closed', async () => (await posted()).length === 2)
    expect((await posted())[1]).toMatchObject({ event: 'cell_cleared', cell: 'cell-1' })
    expect(new Set((await posted()).map(({ id }) => id)).size).toBe(2)
  })
})
