// What stands in a cell: recorded by operators, read by people, never by planners; newer records win,
// a row that another version wrote never locks the cell.
import { env, runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CellState } from '../../durable-objects/cell-state.ts'
import { objectName } from '../../protocol/ids.ts'
import type { CellState as State } from '../../protocol/state.ts'
import { agentJwk } from '../shared/session-fixture.ts'
import { call, freshSite, publicHalf, type TestSite } from './support/door.ts'
import { hush } from '../shared/hush.ts'

hush(/rows of another version are skipped$/)

let a: TestSite
let b: TestSite

const registry = (site: TestSite) => call('GET', '/v1/tools', { token: site.admin })

beforeAll(async () => {
  for (const site of [(a = await freshSite()), (b = await freshSite())]) {
    await call('POST', '/v1/agents', {
      token: site.admin,
      body: { agent: 'robot', cell: 'cell-1', jwk: publicHalf(agentJwk) },
    })
    const { registry: now } = (await registry(site)).body as { registry: object }
    const put = await call('PUT', '/v1/tools', {
      token: site.admin,
      body: { ...now, kinds: [{ id: 'plate_96', class: 'plate', rows: 8, columns: 12 }] },
    })
    expect(put.status).toBe(200)
  }
})

const record = (site: TestSite, body: object, token = site.operator) =>
  call('PUT', '/v1/cells/cell-1/record', { token, body })
const state = async (site: TestSite) =>
  (await call('GET', '/v1/cells/cell-1/state', { token: site.reviewer })).body as {
    version: number
    inventory: { thing: string }[]
    facts: { thing: string; fact: string; value: unknown; source: string; by: string }[]
  }

describe('the record of a cell', () => {
  it('keeps what an operator records, with author, and newer facts win', async () => {
    const plate = { thing: 'p1', kind: 'plate_96', at: 'deck_1' }
    const first = await record(a, {
      inventory: [plate],
      facts: [{ thing: 'h1', fact: 'temperature', value: '22 Cel' }],
    })
    expect(first.status).toBe(200)
    await record(a, { facts: [{ thing: 'h1', fact: 'temperature', value: '60 Cel' }] })
    const known = await state(a)
    expect(known.inventory.map((item) => item.thing)).toEqual(['p1'])
    expect(known.facts).toHaveLength(1)
    expect(known.facts[0]).toMatchObject({ value: '60 Cel', source: 'person' })
    expect(known.facts[0]?.by).not.toBe('')
  })

  it('is written by operators alone and read by no planner', async () => {
    for (const token of [a.planner, a.reviewer, a.admin]) {
      expect((await record(a, { facts: [] }, token)).status).toBe(403)
    }
    const read = await call('GET', '/v1/cells/cell-1/state', { token: a.planner })
    expect(read.status).toBe(403)
  })

  it('refuses a kind that nobody approved and a cell that is not there', async () => {
    const strange = await record(a, { inventory: [{ thing: 'x', kind: 'bathtub' }] })
    expect(strange.status).toBe(422)
    expect(strange.text).toContain('kind_unknown')
    const none = await call('PUT', '/v1/cells/cell-9/record', { token: a.operator, body: {} })
    expect(none.status).toBe(404)
  })

  it('belongs to one site: another site sees nothing of it', async () => {
    expect((await state(b)).inventory).toEqual([])
  })

  it('takes a thing out with all that is known of it', async () => {
    await record(a, {
      inventory: [{ thing: 'p2', kind: 'plate_96' }],
      facts: [{ thing: 'p2', part: 'A1', fact: 'contents_volume', value: '10 uL' }],
    })
    const out = await call('DELETE', '/v1/cells/cell-1/things/p2', { token: a.operator })
    expect(out.status).toBe(200)
    expect((await state(a)).facts.some((fact) => fact.thing === 'p2')).toBe(false)
    const again = await call('DELETE', '/v1/cells/cell-1/things/p2', { token: a.operator })
    expect(again.status).toBe(404)
  })

  it('reads rows of another version leniently: unknown fields go, a broken row is not known', async () => {
    const stub = env.CELL_STATE.getByName(objectName(a.site, 'cell-1'))
    await runInDurableObject(stub, (_, ctx) => {
      const later = { thing: 'p1', kind: 'plate_96', names: [], contents: [], colour: 'blue' }
      ctx.storage.sql.exec(
        'UPDATE inventory SET item = ? WHERE thing = ?',
        JSON.stringify(later),
        'p1',
      )
      ctx.storage.sql.exec(`UPDATE facts SET row = '{"not":"a fact"}'`)
    })
    const known = await state(a)
    expect(known.inventory.map((item) => item.thing)).toEqual(['p1'])
    // Left out, it would bring back what an older row or the site file says.
    expect(known.facts.length).toBeGreaterThan(0)
    expect(known.facts.every(({ value }) => value === null)).toBe(true)
    expect((await record(a, { facts: [] })).status).toBe(200)
  })

  it('lets the newest word stand between rows, sessions and a restore', async () => {
    const stub = env.CELL_STATE.getByName(objectName(a.site, 'cell-7'))
    const tube = {
      thing: 't',
      kind: 'plate_96',
      names: [],
      held: false,
      controlled: false,
      human: false,
    }
    await runInDurableObject(stub, async (cell: CellState) => {
      const known = () =>
        (JSON.parse(cell.state('cell-7')) as State).facts.map(({ part, fact, value }) =>
          part === undefined ? [fact, value] : [fact, part, value],
        )
      const left = (session: string, at_ms: number, value: string | null, part?: string) =>
        cell.sessionLeft({
          session,
          at_ms,
          facts: [
            { thing: 't', fact: 'contents_volume', value, ...(part === undefined ? {} : { part }) },
          ],
        })
      const row = { ...tube, contents: [{ substance: 'water', volume: '1 mL' }] }
      await left('s1', 10, '5 uL')
      await cell.record({ inventory: [row], facts: [], approvals: [] }, 'olga', 20)
      expect(known()).toEqual([])
      // It ended before the row was written, and is told after it.
      await left('s2', 15, '7 uL')
      expect(known()).toEqual([])
      await left('s3', 30, null)
      await left('s4', 25, '9 uL', 'A1')
      expect(known()).toEqual([['contents_volume', null]])
      await left('s5', 40, '3 uL')
      await cell.forget('restored', 50)
      expect(known()).toEqual([
        ['contents', null],
        ['contents_volume', null],
      ])
    })
  })

  it('holds nothing for a session that has ended already', async () => {
    const stub = env.CELL_STATE.getByName(objectName(a.site, 'cell-8'))
    await runInDurableObject(stub, async (cell: CellState) => {
      const facts = [{ thing: 't', fact: 'temperature' as const, value: null }]
      await cell.hold({ session: 's1', facts, at_ms: 1 })
      expect((JSON.parse(cell.state('cell-8')) as State).facts).toHaveLength(1)
      await cell.sessionLeft({ session: 's1', facts: [], at_ms: 2 })
      await cell.hold({ session: 's1', facts, at_ms: 1 })
      expect((JSON.parse(cell.state('cell-8')) as State).facts).toEqual([])
    })
  })

  it('refuses a record beyond the limit whole, and keeps what was there', async () => {
    const before = await state(a)
    const facts = Array.from({ length: 5_000 }, (_, i) => {
      return { thing: `t${i}`, fact: 'held', value: true }
    })
    for (let i = 0; i < 4; i += 1) {
      const part = facts.map((fact) => ({ ...fact, part: `p${i}` }))
      const answer = await record(a, { facts: part })
      if (answer.status === 429) break
      expect(answer.status).toBe(200)
    }
    const over = await record(a, { facts: [...facts].map((f) => ({ ...f, part: 'over' })) })
    expect(over.status).toBe(429)
    const after = await state(a)
    expect(after.inventory).toEqual(before.inventory)
    expect(after.facts.some((fact) => fact.thing === 't0' && fact.fact === 'held')).toBe(true)
  })
})
