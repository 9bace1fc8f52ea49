// What a site keeps and for how long: periods, legal holds, export, deletion. After a deletion every table of the
// database and every table of every object is searched for the text of the plan.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../protocol/audit.ts'
import { checkExport, type ExportLine } from '../../protocol/export.ts'
import { call, codeOf, codesOf, freshSite, type TestSite } from './support/door.ts'
import { objectText, placesOf } from './support/kept-text.ts'
import { arm, bound, cellOf, clear, ready, request } from './support/hub.ts'
import {
  accepted,
  blockedPlan,
  decided,
  escalating,
  fetchPlan,
  hubOf,
  idOf,
  loadTinyGraph,
  reaches,
  readPlan,
  reviewOf,
  sessionOf,
  setPolicy,
  until,
} from './support/site.ts'

beforeAll(loadTinyGraph)

const dayMs = 86_400_000
const remove = (site: TestSite, plan: string, token = site.admin) =>
  call('POST', `/v1/plans/${plan}/delete`, { token, body: { reason: 'It was asked for.' } })

async function exported(site: TestSite): Promise<string[]> {
  const lines: string[] = []
  for (let after = ''; ;) {
    const query = after === '' ? '' : `?after=${after}`
    const page = await call('GET', `/v1/sites/${site.site}/export${query}`, { token: site.admin })
    expect(page.status).toBe(200)
    lines.push(...page.text.trimEnd().split('\n'))
    const end = JSON.parse(lines.at(-1) ?? '') as { value: { next: string | null } }
    if (end.value.next === null) return lines
    after = end.value.next
  }
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as ExportLine)
const siteTrail = (site: TestSite): Promise<AuditEntry[]> => hubOf(site.site).audit(-1)

/** Nobody has to be told anything any more. */
const settled = (site: TestSite, plan: string) =>
  until('told', async () => (await reviewOf(site.site, plan).lookForgetting()).state === 'done')

/** A plan that a person has rejected, with a word of its own in every place that takes text. */
async function rejected(site: TestSite, word: string): Promise<string> {
  const plan = readPlan(site.plannerId, 'ST-100', {
    goal: `Look up ${word} for the log.`,
    instructions: [`Read what ${word} is.`],
  })
  plan.nodes = plan.nodes.map((node) => ({ ...node, id: `step-${word}` }))
  const id = idOf(await decided(site, plan))
  await reaches(site, id, ['escalated', 'rejected'])
  if ((await reviewOf(site.site, id).status())?.state === 'escalated') {
    const packet_digest = (await reviewOf(site.site, id).status())?.packet_digest
    const body = { verdict: 'reject', rationale: `No ${word} today.`, packet_digest }
    expect((await call('POST', `/v1/reviews/${id}`, { token: site.reviewer, body })).status).toBe(
      200,
    )
  }
  await settled(site, id)
  return id
}

/** A plan with a word of its own that was bound and stopped by a person. */
async function ran(word: string) {
  const { site } = await ready()
  await arm(site)
  const goal = `List the plates of the wet-lab queue and fetch the first one, ${word}.`
  const plan = idOf(await accepted(site, fetchPlan(site.plannerId, { goal })))
  await reaches(site, plan, ['bound'])
  const session = (await reviewOf(site.site, plan).status())?.session ?? ''
  await call('POST', `/v1/sessions/${session}/stop`, { token: site.operator })
  await reaches(site, plan, ['terminated'])
  await settled(site, plan)
  const ended = async () => (await sessionOf(site.site, session).forget('look')).state === 'done'
  await until('told', ended)
  return { site, plan, session }
}

const age = (plan: string, days: number) =>
  env.DB.prepare('UPDATE plans SET received_ms = ? WHERE plan = ?')
    .bind(Date.now() - days * dayMs, plan)
    .run()

const keeperOf = (site: TestSite) => env.SITE_KEEPER.getByName(site.site)

/** Lets the keeper look until it rests: at most so many pieces. */
async function look(site: TestSite, piecesMax = 12): Promise<number> {
  await keeperOf(site).wake(site.site, true)
  for (let pieces = 1; pieces <= piecesMax; pieces++) {
    // The next piece is due in a second; a test does not wait for it.
    await runInDurableObject(keeperOf(site), (_, { storage }) => {
      storage.sql.exec(`UPDATE place SET json = json_set(json, '$.next_ms', 0)`)
    })
    await runDurableObjectAlarm(keeperOf(site))
    const next = await runInDurableObject(keeperOf(site), (_, { storage }) => storage.getAlarm())
    if (next !== null && next > Date.now() + 3_600_000) return pieces
  }
  throw new Error('the keeper does not rest')
}

describe('a plan that is deleted', () => {
  it('leaves nothing but its digests in the trail of the site, wherever one looks', async () => {
    const site = await freshSite()
    await setPolicy(site, escalating)
    const plan = await rejected(site, 'zzquokka')
    expect(await placesOf('zzquokka')).toContain('PLAN_REVIEW')
    const before = await exported(site)
    expect(before.some((line) => line.includes('zzquokka'))).toBe(true)
    expect((await remove(site, plan)).status).toBe(200)
    expect(await placesOf('zzquokka')).toEqual([])
    for (const path of [`/v1/plans/${plan}`, `/v1/reviews/${plan}`, `/v1/reviews/${plan}/audit`]) {
      expect((await call('GET', path, { token: site.reviewer })).status).toBe(404)
    }
    // The export can be held against what stays: the same digests.
    const review = parsed(before).find(({ kind }) => kind === 'review')?.value as unknown as {
      plan_digest: string
      packet_digest: string
      decision_digest: string
      audit: AuditEntry[]
    }
    const said = (await siteTrail(site)).find(({ event }) => event === 'plan_deleted')
    expect(said).toMatchObject({
      actor: 'ada',
      facts: {
        plan,
        reason: 'It was asked for.',
        plan_digest: review.plan_digest,
        packet_digest: review.packet_digest,
        decision_digest: review.decision_digest,
        trail: review.audit.at(-1)?.digest,
      },
    })
    expect(codeOf(await remove(site, plan))).toBe('not_found')
  })

  it('takes its run along, and nothing of it can be run again', async () => {
    const { site, plan, session } = await ran('zzbilby')
    const kept = ['PLAN_REVIEW', 'EXECUTION_SESSION']
    expect(await placesOf('zzbilby')).toEqual(expect.arrayContaining(kept))
    const asked = await request(site)
    expect((await remove(site, plan)).status).toBe(200)
    expect(await placesOf('zzbilby')).toEqual([])
    for (const kind of kept) expect(await placesOf(session)).not.toContain(kind)
    const again = await reviewOf(site.site, plan).bind({ ...asked, session })
    expect(again).toMatchObject({ ok: false, error: { code: 'not_accepted' } })
    expect(await sessionOf(site.site, session).status()).toBeNull()
  })

  it('stays while it is not over, while it is held, and for everybody but administrators', async () => {
    const { site } = await ready()
    await setPolicy(site, escalating)
    const { plan } = await bound(site)
    expect(codeOf(await remove(site, plan))).toBe('not_over')
    const over = await rejected(site, 'zznumbat')
    for (const token of [site.reviewer, site.operator, site.planner]) {
      expect(codeOf(await remove(site, over, token))).toBe('role_forbidden')
    }
    const hold = (held: string | null) =>
      call('POST', '/v1/keeping/holds', {
        token: site.admin,
        body: { plan: held, reason: 'Case 12.' },
      })
    const release = (held: string | null) =>
      call('POST', '/v1/keeping/release', {
        token: site.admin,
        body: { plan: held, reason: 'Closed.' },
      })
    for (const held of [over, null]) {
      expect((await hold(held)).body).toMatchObject({ holds: [{ plan: held, set_by: 'ada' }] })
      expect(codeOf(await remove(site, over))).toBe('on_hold')
      expect((await release(held)).status).toBe(200)
      expect(codeOf(await release(held))).toBe('not_found')
    }
    expect((await remove(site, over)).status).toBe(200)
    const events = (await siteTrail(site)).map(({ event }) => event)
    expect(events).toEqual(expect.arrayContaining(['hold_set', 'hold_released', 'plan_deleted']))
  })

  it('does not come back under the idempotency key that brought it', async () => {
    const site = await freshSite()
    const send = () =>
      call('POST', '/v1/plans', {
        token: site.planner,
        body: blockedPlan(site.plannerId),
        headers: { 'idempotency-key': 'once' },
      })
    const first = idOf(await send())
    expect(idOf(await send())).toBe(first)
    await settled(site, first)
    expect((await remove(site, first)).status).toBe(200)
    // It is neither the first nor a second one: what was done once is not done again because it was deleted.
    const again = await send()
    expect([again.status, codeOf(again)]).toEqual([422, 'idempotency_conflict'])
    expect(await reviewOf(site.site, first).status()).toBeNull()
  })
})

describe('the session of a plan that was deleted', () => {
  it('is stopped once more without a word about the cell, which may run something else', async () => {
    const { site, plan, session } = await ran('zzdunnart')
    expect((await clear(site)).status).toBe(200)
    expect((await remove(site, plan)).status).toBe(200)
    const before = await cellOf(site)
    expect(before?.needs_clearance).toBe(false)
    await call('POST', `/v1/sessions/${session}/stop`, { token: site.operator })
    expect(await cellOf(site)).toMatchObject({ needs_clearance: false, stops: [] })
  })
})

describe('periods', () => {
  it('take first what judges were asked, then the text, at last the trail', async () => {
    const { site, plan, session } = await ran('zzpotoroo')
    const put = await call('PUT', '/v1/keeping', {
      token: site.admin,
      body: { calls_days: 10, plans_days: 20, trails_days: 30 },
    })
    expect(put.body).toMatchObject({ periods: { calls_days: 10, memory_days: 730 } })
    const keptOf = () =>
      env.DB.prepare('SELECT kept, summary FROM plans WHERE plan = ?').bind(plan).first()
    await runInDurableObject(reviewOf(site.site, plan), (_, { storage: { sql } }) => {
      sql.exec(
        `CREATE TABLE IF NOT EXISTS calls (seq INTEGER PRIMARY KEY, seat TEXT NOT NULL,
           sample INTEGER NOT NULL, outcome TEXT NOT NULL, bytes INTEGER NOT NULL)`,
      )
      sql.exec(`INSERT INTO calls VALUES (0, 'judge-1', 0, 'answered', 3)`)
      sql.exec(`INSERT INTO parts VALUES ('call/0', 0, ?)`, new TextEncoder().encode('"zzasked"'))
    })
    await look(site)
    expect(await keptOf()).toMatchObject({ kept: 'all' })
    await age(plan, 11)
    await look(site)
    expect(await keptOf()).toMatchObject({ kept: 'no_calls' })
    expect(await objectText(reviewOf(site.site, plan))).not.toContain('zzasked')
    expect((await reviewOf(site.site, plan).status())?.state).toBe('terminated')
    await age(plan, 21)
    await look(site)
    expect(await keptOf()).toEqual({ kept: 'trail', summary: null })
    expect(await placesOf('zzpotoroo')).toEqual([])
    // The trails are there, also after the object was away, and nothing starts over them.
    await evictDurableObject(reviewOf(site.site, plan))
    await evictDurableObject(sessionOf(site.site, session))
    const trail = await call('GET', `/v1/reviews/${plan}/audit`, { token: site.reviewer })
    const events = (trail.body['items'] as AuditEntry[]).map(({ event }) => event)
    expect(events.slice(-2)).toEqual(['calls_deleted', 'text_deleted'])
    expect((await sessionOf(site.site, session).audit(-1)).at(-1)?.event).toBe('text_deleted')
    expect(await sessionOf(site.site, session).status()).toBeNull()
    expect((await checkExport(each(await exported(site)))).ok).toBe(true)
    await age(plan, 31)
    await look(site)
    expect(await keptOf()).toBeNull()
    for (const kind of ['PLAN_REVIEW', 'EXECUTION_SESSION'])
      expect(await placesOf(session)).not.toContain(kind)
  })

  it('delete a bounded piece at a time and go on, past what is held', async () => {
    const site = await freshSite()
    const rows = Array.from({ length: 45 }, (_, i) => i)
    await env.DB.batch(
      rows.map((i) =>
        env.DB.prepare(
          `INSERT INTO plans (site, plan, version, planner, owner, state, reasons, received_ms)
             VALUES (?, ?, 1, 'p', 'o', 'rejected', '[]', ?)`,
        ).bind(site.site, `plan_${String(i).padStart(26, '0')}`, i),
      ),
    )
    const held = `plan_${'3'.padStart(26, '0')}`
    const hold = { plan: held, reason: 'Case 12.' }
    await call('POST', '/v1/keeping/holds', { token: site.admin, body: hold })
    const count = () =>
      env.DB.prepare('SELECT COUNT(*) AS n FROM plans WHERE site = ?')
        .bind(site.site)
        .first<number>('n')
    // One piece, by hand: what is due next is read before anything else can happen.
    const { after, next_ms } = await runInDurableObject(
      keeperOf(site),
      async (keeper, { storage }) => {
        const place = { site: site.site, what: 'all', after: null, next_ms: 0 }
        storage.sql.exec('INSERT INTO place (id, json) VALUES (1, ?)', JSON.stringify(place))
        await keeper.alarm()
        const [row] = storage.sql.exec<{ json: string }>('SELECT json FROM place').toArray()
        return JSON.parse(row?.json ?? '{}') as { after: { plan: string }; next_ms: number }
      },
    )
    // The twenty oldest but for the one that is held.
    expect(after.plan).toBe(`plan_${'20'.padStart(26, '0')}`)
    expect(next_ms).toBeLessThan(Date.now() + 5_000)
    await look(site)
    expect(await count()).toBe(1)
  })

  it('keep everything where they say so, and refuse what does not fit together', async () => {
    const site = await freshSite()
    const wrong = await call('PUT', '/v1/keeping', {
      token: site.admin,
      body: { calls_days: null, plans_days: 5 },
    })
    expect(codesOf(wrong)).toEqual([['period_misfit', '/calls_days']])
    await setPolicy(site, escalating)
    const plan = await rejected(site, 'zzdunnart')
    const forever = { calls_days: null, plans_days: null, trails_days: null }
    await call('PUT', '/v1/keeping', { token: site.admin, body: forever })
    await age(plan, 30_000)
    await look(site)
    expect(await placesOf('zzdunnart')).toContain('PLAN_REVIEW')
  })

  it('wake the keeper of a site with its first plan', async () => {
    const site = await freshSite()
    await decided(site, blockedPlan(site.plannerId))
    await until('woken', async () => {
      const set = await runInDurableObject(keeperOf(site), (_, { storage }) => storage.getAlarm())
      return set !== null
    })
  })
})

describe('an export', () => {
  it('holds everything of the site and no secret, and says where it was changed', async () => {
    const { site, session } = await ran('zzwombat')
    const lines = await exported(site)
    const has = new Set(parsed(lines).map(({ kind }) => kind))
    for (const kind of ['settings', 'credentials', 'agents', 'cell', 'cell_state', 'site_trail'])
      expect(has).toContain(kind)
    for (const kind of ['plan', 'review', 'context', 'session', 'session_trail'])
      expect(has).toContain(kind)
    const run = parsed(lines).find(({ kind, id }) => kind === 'session' && id === session)
    expect(run?.value).toHaveProperty('binding')
    expect(lines.join('\n')).not.toMatch(/secret_sha256|"token":/)
    const checked = await checkExport(each(lines))
    expect(checked).toEqual({ ok: true, lines: lines.length, next: null, site: site.site })
    const foreign = await freshSite()
    const path = `/v1/sites/${site.site}/export`
    expect((await call('GET', path, { token: foreign.admin })).status).toBe(404)
    expect(codeOf(await call('GET', path, { token: site.reviewer }))).toBe('role_forbidden')
  })
})
