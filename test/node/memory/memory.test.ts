// Failure memory through the real gateway: what it holds up, what it does not, whom it believes, and
// what a person changes about it in the next request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { memoriesPerPlannerMax, writeMemory } from '../../../adapters/memory-d1.ts'
import {
  openDesk,
  post,
  readStream,
  reviewOf,
  settle,
  type Desk,
  type StreamCase,
} from '../../../lab/eval/memory.ts'
import { must } from '../../../lab/local/client.ts'
import type { Gateway } from '../../../lab/local/gateway.ts'
import { startGatewayWithGraph } from '../../../lab/local/graph.ts'
import type { MemoryNote } from '../../../verify/remember/note.ts'

let gateway: Gateway
let stream: Map<string, StreamCase>
let planners: string[]
let sites = 0
const desks: Desk[] = []

beforeAll(async () => {
  const cases = await readStream()
  stream = new Map(cases.map((item) => [item.id, item]))
  planners = [...new Set(cases.map((item) => item.plan.planner.id))]
  gateway = await startGatewayWithGraph()
}, 120_000)

afterAll(async () => {
  for (const opened of desks) opened.close()
  await gateway.close()
})

/** A fresh site: it remembers nothing yet. */
async function desk(): Promise<Desk> {
  const opened = await openDesk(gateway, `memory-${++sites}`, planners)
  desks.push(opened)
  return opened
}

/** A plan of the stream and what its author assumed of the cell. */
function plan(id: string, change: object = {}): Pick<StreamCase, 'plan' | 'state'> {
  const found = stream.get(id)
  if (found === undefined) throw new TypeError(`no plan ${id} in the stream`)
  return { plan: { ...found.plan, ...change }, state: found.state }
}

const memoryOf = async (at: Desk, id: string) => (await reviewOf(at, id)).packet.memory

type Memory = { id: string; kind: string; plan: string; basis: string; resolved_ms: number | null }
const memories = async (at: Desk): Promise<Memory[]> => {
  const call = { method: 'GET', path: '/v1/memories?limit=100', token: at.reviewer }
  return (await must<{ items: Memory[] }>(at.handle.base, call)).items
}

describe('a refused plan', () => {
  it('holds up its paraphrase in the very next request and is named by it', async () => {
    const at = await desk()
    const first = await post(at, plan('m01'))
    expect(first.verdict).toBe('reject')
    const again = await post(at, plan('m03'))
    expect(again.verdict).not.toBe('accept')
    expect(again.reasons).toContain('memory_match')
    expect(await memoryOf(at, again.plan)).toMatchObject([
      { plan: first.plan, effect: 'escalates' },
    ])
  })

  it('holds up a paraphrase that the judges alone would have let pass', async () => {
    const at = await desk()
    const first = await post(at, plan('m24'))
    await settle(at, first.plan, 'reject')
    const again = await post(at, plan('m25'))
    expect(again).toMatchObject({ verdict: 'escalate' })
    expect((await memoryOf(at, again.plan)).map((match) => match.plan)).toEqual([first.plan])
    expect((await post(await desk(), plan('m25'))).verdict).toBe('accept')
  })

  it('does not hold up an unrelated plan of the same planner', async () => {
    const at = await desk()
    for (const [refused, unrelated] of [
      ['m01', 'm02'],
      ['m05', 'm08'],
      ['m09', 'm10'],
      ['m13', 'm16'],
    ] as const) {
      await post(at, plan(refused))
      const other = await post(at, plan(unrelated))
      expect(other.verdict).toBe('accept')
      expect(await memoryOf(at, other.plan)).toEqual([])
    }
  })

  it('says nothing to another site, not even about the identical plan (invariant 6)', async () => {
    const here = await desk()
    const there = await desk()
    await post(here, plan('m01'))
    const other = await post(there, plan('m01'))
    expect(await memoryOf(there, other.plan)).toEqual([])
    expect(other.reasons).not.toContain('memory_match')
    expect((await memories(there)).map((memory) => memory.plan)).toEqual([other.plan])
  })

  it('keeps codes, ids and entities, and no text of the plan', async () => {
    const at = await desk()
    const canary = 'zebra quintessence harpsichord'
    const item = plan('m01', { goal: canary, instructions: [`Tip it away, ${canary}.`] })
    await post(at, item)
    const db = await gateway.d1()
    const site = at.handle.site
    const rows = await db.prepare('SELECT * FROM memory WHERE site = ?').bind(site).all()
    const edges = await db.prepare('SELECT * FROM memory_edges WHERE site = ?').bind(site).all()
    expect(edges.results.length).toBeGreaterThan(5)
    const kept = JSON.stringify([rows.results, edges.results])
    for (const word of [...canary.split(' '), 'bleach_study_flask'])
      expect(kept).not.toContain(word)
  })
})

describe('memory cannot be turned against another planner', () => {
  it('by ten hostile near-copies of its good protocol', async () => {
    const at = await desk()
    const good = plan('m22', { planner: { id: 'planner-calm-07' } })
    expect((await post(at, good)).verdict).toBe('accept')
    const spoilt = plan('m27').plan['nodes'] as { id: string }[]
    const own = good.plan['nodes'] as { id: string }[]
    for (let i = 0; i < 10; i++) {
      const nodes = [...own, ...spoilt.map((one) => ({ ...one, id: 'n9', depends_on: ['n3'] }))]
      const goal = `Incubate the buffer plate, variant ${i}`
      const hostile = plan('m22', { planner: { id: 'planner-chem-03' }, goal, nodes })
      expect((await post(at, hostile)).verdict).not.toBe('accept')
    }
    expect((await memories(at)).length).toBeGreaterThanOrEqual(10)
    const again = await post(at, good)
    const against = (await memoryOf(at, again.plan)).filter((match) => match.effect !== 'told')
    expect(against).toEqual([])
    expect(again.reasons).not.toContain('memory_match')
  })
})

describe('a later version of the same lineage', () => {
  it('is told and passes when what was wrong is gone', async () => {
    const at = await desk()
    const first = await post(at, plan('m33'))
    expect(first.verdict).toBe('reject')
    const mended = await post(at, plan('m35', { supersedes: first.plan }))
    expect(mended.verdict).toBe('accept')
    expect(await memoryOf(at, mended.plan)).toMatchObject([{ plan: first.plan, effect: 'told' }])
  })

  it('is held up when it still shows it, or when nothing was changed', async () => {
    const at = await desk()
    const first = await post(at, plan('m33'))
    const worse = await post(at, plan('m34', { supersedes: first.plan }))
    expect(await memoryOf(at, worse.plan)).toMatchObject([
      { plan: first.plan, effect: 'escalates' },
    ])
  })
})

describe('a person', () => {
  it('who approves makes a precedent for exactly that plan and policy, and ends the failure', async () => {
    const at = await desk()
    const first = await post(at, plan('m17'))
    expect(first.verdict).toBe('escalate')
    expect((await memories(at)).map((memory) => memory.kind)).toEqual(['failure'])
    await settle(at, first.plan, 'accept')
    expect((await memories(at)).map((memory) => memory.kind)).toEqual(['precedent'])
    const again = await post(at, plan('m17'))
    expect(again.reasons).not.toContain('memory_match')
    const precedent = async (id: string) => {
      const call = { method: 'GET', path: `/v1/reviews/${id}`, token: at.reviewer }
      return (await must<{ precedent: string | null }>(at.handle.base, call)).precedent
    }
    expect(await precedent(again.plan)).toBe(first.plan)
    const other = await post(at, plan('m17', { goal: 'Share the table.' }))
    expect(await precedent(other.plan)).toBe(null)
    const policy = { mode: 'shadow', least_depth: 3 }
    const { base, admin } = at.handle
    await must(base, { method: 'PUT', path: '/v1/policies', token: admin, body: policy })
    expect(await precedent((await post(at, plan('m17'))).plan)).toBe(null)
  })

  it('who settles a memory with a reason is heeded in the next request', async () => {
    const at = await desk()
    const first = await post(at, plan('m24'))
    await settle(at, first.plan, 'reject')
    expect((await post(at, plan('m25'))).verdict).toBe('escalate')
    for (const memory of await memories(at)) {
      await must(at.handle.base, {
        method: 'POST',
        path: `/v1/memories/${encodeURIComponent(memory.id)}/resolve`,
        token: at.reviewer,
        body: { reason: 'The record was corrected.' },
      })
    }
    const after = await post(at, plan('m25'))
    expect([after.verdict, await memoryOf(at, after.plan)]).toEqual(['accept', []])
  })
})

const keptSchema = z.array(
  z.object({
    id: z.string(),
    planner: z.string(),
    basis: z.string(),
    resolved_ms: z.number().nullable(),
  }),
)
/** The rows of a site as they are in the database. */
async function rowsOf(site: string) {
  const db = await gateway.d1()
  const sql = 'SELECT id, planner, basis, resolved_ms FROM memory WHERE site = ? ORDER BY at_ms'
  return keptSchema.parse((await db.prepare(sql).bind(site).all()).results)
}

describe('memory is bounded', () => {
  const note = (site: string, i: number, more: Partial<MemoryNote> = {}): MemoryNote => ({
    kind: 'failure',
    id: `failure:${more.planner ?? 'loud'}-${i}`,
    event: 'decision',
    site,
    plan: `${more.planner ?? 'loud'}-${i}`,
    plan_digest: `plan:${i}`,
    planner: 'loud',
    owner: 'loud',
    policy_version: 'p',
    basis: 'models',
    codes: ['X'],
    features: ['tool:a', `tool:${i}`],
    culprits: [],
    exact: false,
    supersedes: null,
    at_ms: 1_000 + i,
    expires_ms: 1_000_000_000,
    ...more,
  })

  it('a flood drives out the flooder’s least, never a person’s word or another planner', async () => {
    const db = await gateway.d1()
    const site = 'bounded'
    await writeMemory(db, note(site, 0, { planner: 'quiet' }))
    await writeMemory(db, note(site, 0, { basis: 'person' }))
    const many = Array.from({ length: memoriesPerPlannerMax }, (_, i) => note(site, i + 1))
    await db
      .prepare(
        `INSERT INTO memory (site, id, kind, event, plan, plan_digest, planner, owner, policy_version,
           basis, codes, culprits, at_ms, expires_ms)
         SELECT site, value ->> 'id', kind, event, value ->> 'plan', 'x', planner, owner, 'p',
           'models', '[]', '[]', value ->> 'at_ms', expires_ms
         FROM json_each(?2), (SELECT * FROM memory WHERE site = ?1 AND basis = 'person')`,
      )
      .bind(site, JSON.stringify(many))
      .run()
    for (let i = 1; i <= 3; i++) {
      await writeMemory(db, note(site, memoriesPerPlannerMax + i, { basis: 'models' }))
    }
    const rows = await rowsOf(site)
    expect(rows.filter((row) => row.planner === 'loud')).toHaveLength(memoriesPerPlannerMax)
    expect(rows.some((row) => row.planner === 'quiet')).toBe(true)
    expect(rows.some((row) => row.basis === 'person')).toBe(true)
    const orphans = await db
      .prepare(
        `SELECT feature FROM memory_edges WHERE site = ?1
           AND memory NOT IN (SELECT id FROM memory WHERE site = ?1)`,
      )
      .bind(site)
      .all()
    expect(orphans.results).toEqual([])
  })

  it('what has expired goes, and a repeated delivery does not undo what a reviewer settled', async () => {
    const db = await gateway.d1()
    const site = 'expiring'
    const first = note(site, 1, { expires_ms: 5_000 })
    await writeMemory(db, first)
    await db.prepare('UPDATE memory SET resolved_ms = 1 WHERE site = ?').bind(site).run()
    await writeMemory(db, first)
    expect(await rowsOf(site)).toMatchObject([{ id: first.id, resolved_ms: 1 }])
    await writeMemory(db, note(site, 2, { at_ms: 6_000 }))
    expect(await rowsOf(site)).toMatchObject([{ id: 'failure:loud-2', resolved_ms: null }])
  })
})

describe('an outage', () => {
  it('never becomes memory', async () => {
    const at = await desk()
    const db = await gateway.d1()
    const active = await db.prepare('SELECT * FROM kg_active').all()
    expect(active.results).toHaveLength(1)
    await db.prepare('DELETE FROM kg_active').run()
    const judged = await post(at, plan('m08'))
    expect(judged).toMatchObject({ verdict: 'escalate', reasons: ['knowledge_down'] })
    expect(await memories(at)).toEqual([])
  })
})
