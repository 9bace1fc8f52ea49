// Every object with storage, and every table of it: with a column of the release after, without what came
// since the release before, empty, and as it was an hour ago. Nothing that was consumed comes back, and
// people can stop and clear the cell whatever one object has lost (invariant 13).
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { objectName } from '../../protocol/ids.ts'
import { call, type TestSite } from './support/door.ts'
import { bound, cellOf, clear, ready } from './support/hub.ts'
import { hubOf, loadTinyGraph, reviewOf, sessionOf, until } from './support/site.ts'

beforeAll(loadTinyGraph)

type Stub = DurableObjectStub
type Rows = Record<string, SqlStorageValue>[]
type Kind = 'hub' | 'session' | 'review' | 'cell'

/** One site with a bound plan, and the objects behind it. */
async function stage() {
  const { site, presence } = await ready()
  const { plan, session, ask, hub } = await bound(site)
  const cell: unknown = env.CELL_STATE.getByName(objectName(site.site, 'cell-1'))
  const of: Record<Kind, Stub> = {
    hub,
    session: sessionOf(site.site, session),
    review: reviewOf(site.site, plan),
    cell: cell as Stub,
  }
  return { site, presence, plan, session, ask, hub, of }
}
type Stage = Awaited<ReturnType<typeof stage>>

const tablesOf = (sql: SqlStorage): string[] =>
  sql
    .exec<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'
         AND name NOT LIKE 'sqlite%' ORDER BY name`,
    )
    .toArray()
    .map(({ name }) => name)

async function change<T>(stub: Stub, work: (sql: SqlStorage) => T): Promise<T> {
  const out = await runInDurableObject(stub, (_, { storage }) => work(storage.sql))
  await evictDurableObject(stub)
  return out
}

const dump = (stub: Stub): Promise<Record<string, Rows>> =>
  runInDurableObject(stub, (_, { storage: { sql } }) =>
    Object.fromEntries(
      tablesOf(sql).map((name) => [name, sql.exec(`SELECT * FROM ${name}`).toArray()]),
    ),
  )

const restore = (stub: Stub, rows: Record<string, Rows>) =>
  change(stub, (sql) => {
    for (const name of tablesOf(sql)) sql.exec(`DELETE FROM ${name}`)
    for (const [table, list] of Object.entries(rows)) {
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

/** Whatever was done to one object: stopped, cleared, and nothing of the old run may go on. */
async function peopleHaveTheirWay({ site, ask, hub }: Stage): Promise<void> {
  const stopped = await call('POST', '/v1/cells/cell-1/stop', { token: site.operator })
  expect(stopped.status, stopped.text).toBe(200)
  expect((await hub.mayActuate(ask)).ok).toBe(false)
  await until('cleared', async () => (await clear(site)).status === 200)
  const now = await cellOf(site)
  expect(now).toMatchObject({ needs_clearance: false, session: null, armed_until_ms: null })
  expect((await hub.mayActuate(ask)).ok).toBe(false)
}

/** A site whose hub was emptied has no registry: what it is given again is what D1 knows. */
const latched = async (site: TestSite): Promise<void> =>
  until('latched', async () => (await cellOf(site))?.needs_clearance === true)

/**
 * Every table of every object as the release writes it. A table that is added stands here, or the first
 * test fails: its rows are then covered by all the others.
 */
const tables: Record<Kind, readonly string[]> = {
  hub: [
    'agents',
    'approved',
    'audit',
    'bindings',
    'cell_stops',
    'cells',
    'done_calls',
    'epochs',
    'holds',
    'keys',
    'outbox',
    'proven',
    'queue',
    'recent',
    'revoked_credentials',
    'settings',
    'shared_holds',
    'stops',
    'submitted',
    'waits',
  ],
  session: [
    'audit',
    'binding',
    'executed',
    'frames',
    'more',
    'nodes',
    'outbox',
    'results',
    'session',
    'tokens',
  ],
  review: ['audit', 'calls', 'opinions', 'outbox', 'parts', 'review'],
  cell: ['approvals', 'audit', 'facts', 'held', 'inventory', 'settings'],
}
const kinds = Object.keys(tables) as Kind[]

/** What came since the release before: the product adds it again. */
const added: Record<Kind, readonly string[]> = {
  hub: [
    'DROP TABLE stops',
    'DROP TABLE holds',
    'DROP TABLE cell_stops',
    'ALTER TABLE cells DROP COLUMN change_by',
    'ALTER TABLE cells DROP COLUMN not_at_rest',
    'DROP INDEX bindings_not_done',
    'ALTER TABLE bindings DROP COLUMN check_ms',
  ],
  session: ['DROP TABLE more', 'DROP TABLE results'],
  review: ['DROP TABLE calls'],
  cell: ['DROP TABLE held'],
}

describe('every object', () => {
  it('has the tables that are tested here', async () => {
    const { of } = await stage()
    for (const kind of kinds) {
      const names = await runInDurableObject(of[kind], (_, { storage }) => tablesOf(storage.sql))
      const known = new Set(tables[kind])
      expect(
        names.filter((name) => !known.has(name)),
        kind,
      ).toEqual([])
      expect(names.length, kind).toBeGreaterThan(3)
    }
  })

  it.each(kinds)('%s with a column of the release after in each table goes on', async (kind) => {
    const set = await stage()
    await change(set.of[kind], (sql) => {
      for (const name of tablesOf(sql)) sql.exec(`ALTER TABLE ${name} ADD COLUMN later TEXT`)
    })
    expect((await set.hub.mayActuate(set.ask)).ok).toBe(true)
    expect(await sessionOf(set.site.site, set.session).status()).toMatchObject({ status: 'bound' })
    expect((await reviewOf(set.site.site, set.plan).status())?.state).toBe('bound')
    await peopleHaveTheirWay(set)
    set.presence.close()
  })

  it.each(kinds)('%s of the release before goes on', async (kind) => {
    const set = await stage()
    await change(set.of[kind], (sql) => {
      for (const statement of added[kind]) {
        const name = /TABLE (\w+)$/.exec(statement)?.[1]
        if (name === undefined || tablesOf(sql).includes(name)) sql.exec(statement)
      }
    })
    expect((await set.hub.mayActuate(set.ask)).ok).toBe(true)
    expect((await reviewOf(set.site.site, set.plan).status())?.state).toBe('bound')
    await peopleHaveTheirWay(set)
    set.presence.close()
  })

  it.each(kinds)('%s without any storage leaves a cell that people can use', async (kind) => {
    const set = await stage()
    if (kind === 'hub') {
      // D1 has to know of the trail that is lost.
      const mark = (await set.hub.audit(-1)).length
      await env.DB.prepare('UPDATE sites SET hub_mark = ? WHERE site = ?')
        .bind(mark, set.site.site)
        .run()
    }
    await runInDurableObject(set.of[kind], (_, { storage }) => storage.deleteAll())
    await evictDurableObject(set.of[kind])
    if (kind === 'hub') await latched(set.site)
    await peopleHaveTheirWay(set)
    set.presence.close()
  })

  it.each(kinds)('%s as it was before its run ended brings nothing back', async (kind) => {
    const set = await stage()
    const before = await dump(set.of[kind])
    await call('POST', `/v1/sessions/${set.session}/stop`, { token: set.site.operator })
    await until('free', async () => (await cellOf(set.site))?.session === null)
    const mark = (await hubOf(set.site.site).audit(-1)).length
    await env.DB.prepare('UPDATE sites SET hub_mark = ? WHERE site = ?')
      .bind(mark, set.site.site)
      .run()
    await restore(set.of[kind], before)
    if (kind === 'hub') await latched(set.site)
    expect((await set.hub.mayActuate(set.ask)).ok).toBe(false)
    await peopleHaveTheirWay(set)
    set.presence.close()
  })
})
