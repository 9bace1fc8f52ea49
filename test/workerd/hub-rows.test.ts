// Rows of another release, lost objects and objects restored to an earlier moment: whatever the state of
// one object, people can stop and clear every cell (invariant 13).
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ExecutionSession } from '../../durable-objects/execution-session.ts'
import { call, type TestSite } from './support/door.ts'
import { arm, bound, cellOf, clear, ready } from './support/hub.ts'
import {
  decided,
  hubOf,
  idOf,
  loadTinyGraph,
  reaches,
  readPlan,
  sessionOf,
  until,
} from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^(stop|session) \S+: Error: state unreadable$/, /^\{"event":"(registry|policy)_unreadable"/)

beforeAll(loadTinyGraph)
afterEach(() => vi.restoreAllMocks())

const stopCell = (token: string) => call('POST', '/v1/cells/cell-1/stop', { token })

describe('a field of a later release', () => {
  // The table, the column, and what keeps working although it cannot be read.
  const rows = [
    ['agents', 'health', 202],
    ['queue', 'entry', 202],
  ] as const
  for (const [table, column, submitted] of rows) {
    it(`in ${table}.${column} stops nobody: submit, bind, stop, clear and arm work`, async () => {
      const { site, presence } = await ready()
      await decided(site, readPlan(site.plannerId))
      await until('idle', async () => (await cellOf(site))?.session !== null)
      const hub = hubOf(site.site)
      await call('POST', '/v1/cells/cell-1/stop', { token: site.operator })
      await decided(site, readPlan(site.plannerId, 'ST-102'))
      await runInDurableObject(hub, (_, state) => {
        state.storage.sql.exec(
          `UPDATE ${table} SET ${column} = json_set(${column}, '$.later', json('{"a":1}'))`,
        )
      })
      await evictDurableObject(hub)
      const body = readPlan(site.plannerId, 'ST-101')
      const answer = await call('POST', '/v1/plans', { token: site.planner, body })
      expect(answer.status).toBe(submitted)
      expect((await stopCell(site.operator)).status).toBe(200)
      const stopped = await call('POST', `/v1/sites/${site.site}/stop`, { token: site.operator })
      expect(stopped.status).toBe(200)
      expect((await clear(site)).status).toBe(200)
      expect((await arm(site)).status).toBe(200)
      presence.close()
    })
  }

  it('in the registry or the policy is a site that is not ready: nothing runs, people still act', async () => {
    for (const key of ['registry', 'policy']) {
      const { site } = await ready()
      const { ask, hub } = await bound(site)
      await runInDurableObject(hub, (_, state) => {
        const { sql } = state.storage
        sql.exec(`UPDATE settings SET value = json_set(value, '$.later', 1) WHERE key = ?`, key)
      })
      await evictDurableObject(hub)
      const body = readPlan(site.plannerId)
      const answer = await call('POST', '/v1/plans', { token: site.planner, body })
      expect([answer.status, answer.body['code']]).toEqual([409, 'site_not_ready'])
      if (key === 'registry') expect((await hub.mayActuate(ask)).ok).toBe(false)
      expect((await stopCell(site.operator)).status).toBe(200)
      await until('free', async () => (await cellOf(site))?.session === null)
      expect((await clear(site)).status).toBe(200)
    }
  })

  it('in columns and tables of its own is left alone', async () => {
    const { site } = await ready()
    const hub = hubOf(site.site)
    await runInDurableObject(hub, (_, state) => {
      const { sql } = state.storage
      sql.exec('ALTER TABLE cells ADD COLUMN later TEXT')
      sql.exec('ALTER TABLE bindings ADD COLUMN later TEXT')
      sql.exec(`UPDATE cells SET later = 'kept'`)
      sql.exec(`UPDATE settings SET value = '99' WHERE key = 'schema_version'`)
    })
    await evictDurableObject(hub)
    await bound(site)
    const kept = await runInDurableObject(hub, (_, { storage: { sql } }) => [
      sql.exec('SELECT later FROM cells').one()['later'],
      sql.exec(`SELECT value FROM settings WHERE key = 'schema_version'`).one()['value'],
    ])
    expect(kept).toEqual(['kept', '99'])
  })
})

describe('rows of the release before', () => {
  it('get the columns that came since, and a running session goes on', async () => {
    const { site } = await ready()
    const { ask, hub } = await bound(site)
    await runInDurableObject(hub, (_, { storage: { sql } }) => {
      sql.exec(
        'CREATE TABLE old AS SELECT cell, armed_until_ms, armed_by, needs_clearance, latch_reason, note, session FROM cells',
      )
      sql.exec('DROP TABLE cells')
      sql.exec(`CREATE TABLE cells (cell TEXT PRIMARY KEY, armed_until_ms REAL, armed_by TEXT,
        needs_clearance INTEGER NOT NULL DEFAULT 0, latch_reason TEXT, note TEXT, session TEXT)`)
      sql.exec('INSERT INTO cells SELECT * FROM old')
      sql.exec('DROP TABLE stops')
    })
    await evictDurableObject(hub)
    expect((await hub.mayActuate(ask)).ok).toBe(true)
    expect((await stopCell(site.operator)).body).toMatchObject({ session: null })
  })
})

describe('a session that cannot be asked', () => {
  it('and is gone leaves a latched cell that people can clear', async () => {
    const { site } = await ready()
    const { session } = await bound(site)
    await runInDurableObject(sessionOf(site.site, session), (_, state) => state.storage.deleteAll())
    await evictDurableObject(sessionOf(site.site, session))
    expect((await stopCell(site.operator)).body).toMatchObject({
      session: null,
      needs_clearance: true,
      latch_reason: 'session_missing',
    })
    expect((await clear(site)).status).toBe(200)
    expect((await arm(site)).status).toBe(200)
  })

  it('or does not answer is taken off the cell by an administrator, latched, in the trail', async () => {
    const { site } = await ready()
    const { session, ask, hub } = await bound(site)
    const broken = () => Promise.reject(new Error('state unreadable'))
    for (const method of ['stop', 'status', 'end'] as const) {
      vi.spyOn(ExecutionSession.prototype, method).mockImplementation(broken)
    }
    expect((await stopCell(site.operator)).body).toMatchObject({
      session,
      stops: [{ session, stop: 'not_reached_yet' }],
    })
    expect((await clear(site)).body['code']).toBe('session_unreachable')
    const seen = (await cellOf(site))?.change
    const forced = await call('POST', '/v1/cells/cell-1/force-clear', {
      token: site.admin,
      body: { note: 'The record of the run is lost.', seen },
    })
    expect(forced.body).toMatchObject({ session: null, needs_clearance: true })
    expect((await hub.mayActuate(ask)).ok).toBe(false)
    expect((await hub.audit(-1)).map(({ event }) => event)).toContain('cell_force_cleared')
    expect((await clear(site)).status).toBe(200)
  })
})

describe('a hub that names a session which has ended without it', () => {
  it('adopts the end when a person stops or clears; what is new to them is shown first', async () => {
    const acts = [
      async (site: TestSite) => expect((await stopCell(site.operator)).status).toBe(200),
      async (site: TestSite) => {
        expect((await clear(site)).body['code']).toBe('stale_change')
        expect((await clear(site)).status).toBe(200)
      },
    ]
    for (const act of acts) {
      const { site } = await ready()
      const { session } = await bound(site)
      await call('POST', `/v1/sessions/${session}/stop`, { token: site.operator })
      await until('free', async () => (await cellOf(site))?.session === null)
      await runInDurableObject(hubOf(site.site), (_, { storage: { sql } }) => {
        sql.exec(`UPDATE bindings SET state = 'bound', ended_ms = NULL WHERE session = ?`, session)
        sql.exec('UPDATE cells SET session = ?', session)
        sql.exec('DELETE FROM stops')
      })
      await act(site)
      expect((await cellOf(site))?.session).toBe(null)
      const plan = idOf(await decided(site, readPlan(site.plannerId)))
      await arm(site)
      await reaches(site, plan, ['bound'])
    }
  })
})
