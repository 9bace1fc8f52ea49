// Plans through the door: taken, decided, listed, repeated, reviewed; each limit at its edge.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { listPlans, upsertPlan } from '../../adapters/plan-index.ts'
import type { PlanIndexRow } from '../../protocol/status.ts'
import { preferredWaitS } from '../../worker/headers.ts'
import { limits } from '../../protocol/limits.ts'
import {
  call,
  codeOf,
  freshSite,
  readingPlan,
  submitReading,
  type TestSite,
} from './support/door.ts'
import { unmet } from './support/openapi.ts'
import { hush } from '../shared/hush.ts'

hush(/^KNOWLEDGE_UNAVAILABLE: no graph is loaded$/)

const unknownPlan = `plan_${'0'.repeat(26)}`

let a: TestSite
let b: TestSite

beforeAll(async () => {
  a = await freshSite()
  b = await freshSite()
})

const key = (name: string) => ({ 'idempotency-key': name })

const review = (rationale: string) =>
  call('POST', `/v1/reviews/${unknownPlan}`, {
    token: a.reviewer,
    body: { verdict: 'accept', rationale, packet_digest: `packet:${'A'.repeat(43)}` },
  })

describe('plans', () => {
  it('are taken with 202 and a Location, and decided without anybody waiting', async () => {
    const taken = await submitReading(a)
    expect(taken.status).toBe(202)
    const location = taken.headers.get('location') ?? ''
    expect(location).toBe(`/v1/plans/${String(taken.body['plan'])}`)
    await expect
      .poll(async () => (await call('GET', location, { token: a.planner })).body['state'], {
        timeout: 20_000,
      })
      .not.toBe('judging')
  })

  it('are answered with the decision inside the wait that was asked for', async () => {
    const answer = await submitReading(a, {}, { prefer: 'respond-async, wait=20' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('preference-applied')).toBe('wait=20')
    expect(answer.body['verdict']).not.toBe(null)
  })

  it('wait no longer than the limit, however long is asked for', async () => {
    const answer = await submitReading(a, {}, { prefer: 'wait=99999' })
    expect(answer.headers.get('preference-applied')).toBe(`wait=${limits.waitSecondsMax}`)
  })

  it('are answered 422 with a pointer when malformed, and nothing is stored', async () => {
    const before = await call('GET', '/v1/plans', { token: a.planner })
    const cases: [string, string, string][] = [
      ['{', 'not_json', ''],
      ['{"goal":"a","goal":"b"}', 'duplicate_key', '/goal'],
      [JSON.stringify(readingPlan(a.plannerId, { surprise: 1 })), 'unknown_field', ''],
      [JSON.stringify(readingPlan('somebody-else')), 'planner_mismatch', '/planner/id'],
      [
        JSON.stringify(readingPlan(a.plannerId, { supersedes: unknownPlan })),
        'supersedes_unknown',
        '/supersedes',
      ],
    ]
    for (const [raw, code, at] of cases) {
      const answer = await call('POST', '/v1/plans', { token: a.planner, raw })
      expect([answer.status, codeOf(answer)]).toEqual([422, 'violations'])
      const violations = answer.body['violations'] as { code: string; at: string }[]
      expect(violations.map((v) => v.code)).toContain(code)
      if (code !== 'unknown_field') expect(violations.find((v) => v.code === code)?.at).toBe(at)
    }
    const after = await call('GET', '/v1/plans', { token: a.planner })
    expect(after.body).toEqual(before.body)
  })

  it('are taken up to the size limit and answered 413 above it', async () => {
    const empty = JSON.stringify(readingPlan(a.plannerId))
    const pad = (size: number) => empty + ' '.repeat(size - empty.length)
    const at = await call('POST', '/v1/plans', { token: a.planner, raw: pad(limits.planBytesMax) })
    expect(at.status).toBe(202)
    const over = await call('POST', '/v1/plans', {
      token: a.planner,
      raw: pad(limits.planBytesMax + 1),
    })
    expect([over.status, codeOf(over)]).toEqual([413, 'body_too_large'])
    const stream = new Blob([pad(limits.planBytesMax + 1)]).stream()
    const unsized = await call('POST', '/v1/plans', { token: a.planner, raw: stream })
    expect([unsized.status, codeOf(unsized)]).toEqual([413, 'body_too_large'])
  })

  it('come as JSON without an encoding', async () => {
    const raw = JSON.stringify(readingPlan(a.plannerId))
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-encoding': 'gzip' },
    ]) {
      const answer = await call('POST', '/v1/plans', { token: a.planner, raw, headers })
      expect([answer.status, codeOf(answer)]).toEqual([415, 'media_type'])
    }
  })

  it('are paged, newest first, without loss or repetition', async () => {
    const site = await freshSite()
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.push(String((await submitReading(site)).body['plan']))
    await expect
      .poll(async () => {
        const all = await call('GET', '/v1/plans', { token: site.planner })
        return (all.body['items'] as unknown[]).length
      })
      .toBe(5)
    const seen: string[] = []
    let after = ''
    do {
      const page = await call('GET', `/v1/plans?limit=2${after}`, { token: site.planner })
      seen.push(...(page.body['items'] as { plan: string }[]).map((row) => row.plan))
      const next = page.body['next']
      after = typeof next === 'string' ? `&after=${next}` : ''
    } while (after !== '')
    expect(seen.toSorted()).toEqual(made.toSorted())
    const tooMany = await call('GET', `/v1/plans?limit=${limits.listPageMax + 1}`, {
      token: site.planner,
    })
    expect([tooMany.status, codeOf(tooMany)]).toEqual([400, 'query_invalid'])
    const forged = await call('GET', '/v1/plans?after=AAAA', { token: site.planner })
    expect(forged.status).toBe(400)
  })

  it('tell their story as events and end the stream with the last state', async () => {
    const plan = String((await submitReading(a)).body['plan'])
    await call('POST', `/v1/plans/${plan}/withdraw`, { token: a.planner })
    const stream = await call('GET', `/v1/plans/${plan}/events`, { token: a.planner })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const events = stream.text.split('\n\n').filter((event) => event.startsWith('event: status'))
    expect(events.length).toBeGreaterThan(0)
    expect(stream.text).toMatch(/"state":"(?:withdrawn|rejected)"/)
  })
})

describe('an idempotency key', () => {
  it('gives the first plan for the same body, and a conflict for another one', async () => {
    const first = await submitReading(a, {}, key('k-1'))
    const same = await submitReading(a, {}, key('k-1'))
    const quoted = await submitReading(a, {}, key('"k-1"'))
    const other = await submitReading(a, { goal: 'Read it twice.' }, key('k-1'))
    expect(same.body['plan']).toBe(first.body['plan'])
    expect(quoted.body['plan']).toBe(first.body['plan'])
    expect([other.status, codeOf(other)]).toEqual([422, 'idempotency_conflict'])
  })

  it('makes one plan of many submissions at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => submitReading(a, {}, key('at-once'))),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]))
    expect(new Set(answers.map((answer) => answer.body['plan'])).size).toBe(1)
  })

  it('belongs to one credential', async () => {
    const mine = await submitReading(a, {}, key('shared'))
    const theirs = await submitReading(b, {}, key('shared'))
    expect(theirs.status).toBe(202)
    expect(theirs.body['plan']).not.toBe(mine.body['plan'])
  })

  it('is short and printable', async () => {
    const at = await submitReading(a, {}, key('k'.repeat(limits.idempotencyKeyCharsMax)))
    expect(at.status).toBe(202)
    const over = await submitReading(a, {}, key('k'.repeat(limits.idempotencyKeyCharsMax + 1)))
    expect([over.status, codeOf(over)]).toEqual([400, 'header_invalid'])
    expect((await submitReading(a, {}, key('a b'))).status).toBe(400)
  })
})

describe('the index of plans', () => {
  it('does not let a late or repeated copy overwrite a newer one', async () => {
    const row: PlanIndexRow = {
      site: a.site,
      plan: `plan_${'1'.repeat(26)}`,
      version: 2,
      planner: a.plannerId,
      owner: 'pia',
      state: 'rejected',
      verdict: 'reject',
      reasons: ['floor_block'],
      concern: null,
      packet_digest: null,
      review_expires_ms: null,
      assignee: null,
      supersedes: null,
      session: null,
      session_reason: null,
      received_ms: 1,
      decided_ms: 2,
      ended_ms: null,
      summary: null,
    }
    await upsertPlan(env.DB, row)
    await upsertPlan(env.DB, { ...row, version: 1, state: 'judging' })
    await upsertPlan(env.DB, { ...row, state: 'escalated' })
    const page = { planner: null, state: null, after: null, limit: 100 }
    const stored = (await listPlans(env.DB, a.site, page)).find(({ plan }) => plan === row.plan)
    expect(stored).toEqual(row)
    await upsertPlan(env.DB, { ...row, version: 3, state: 'withdrawn' })
    expect((await listPlans(env.DB, b.site, page)).map(({ plan }) => plan)).not.toContain(row.plan)
    const later = (await listPlans(env.DB, a.site, page)).find(({ plan }) => plan === row.plan)
    expect(later?.state).toBe('withdrawn')
  })
})

describe('Prefer', () => {
  it.each([
    ['wait=10', 10],
    ['respond-async, wait=5', 5],
    ['Wait = "7"; foo=bar', 7],
    ['wait=0', 0],
    [`wait=${limits.waitSecondsMax}`, limits.waitSecondsMax],
    [`wait=${limits.waitSecondsMax + 1}`, limits.waitSecondsMax],
    ['respond-async', null],
    ['wait=-1', null],
    ['wait=1.5', null],
    ['await=3', null],
    ['', null],
  ])('reads %j', (header, expected) => {
    expect(preferredWaitS(header)).toBe(expected)
  })
})

describe('a full queue', () => {
  it('is answered 429 with a time, and the same key works once there is room', async () => {
    const site = await freshSite()
    const hub = env.SITE_HUB.getByName(site.site)
    const fill = (n: number) =>
      runInDurableObject(hub, (_, state) => {
        state.storage.sql.exec('DELETE FROM queue')
        for (let i = 0; i < n; i++) {
          state.storage.sql.exec(
            'INSERT INTO queue (plan, entry, enqueued_ms) VALUES (?, ?, 0)',
            `plan_${i}`,
            '{"planner":"x","servers":[],"sandboxes":[],"valid_until_ms":1e15}',
          )
        }
      })
    const node = {
      id: 'n1',
      tool: 'balance.read',
      args: { balance_id: 'bal_1' },
      depends_on: [],
      sandbox: null,
    }
    const plan = { nodes: [node] }
    await fill(limits.queuedPlansMax)
    const full = await submitReading(site, plan, key('full'))
    expect([full.status, codeOf(full)]).toEqual([429, 'queue_full'])
    expect(full.headers.get('retry-after')).toBe('30')
    expect((await submitReading(site)).status).toBe(202)
    await fill(limits.queuedPlansMax - 1)
    expect((await submitReading(site, plan, key('full'))).status).toBe(202)
    await fill(0)
  })
})

describe('reviews', () => {
  it('show the packet to reviewers and refuse a stale or premature resolution', async () => {
    const decided = await submitReading(a, {}, { prefer: 'wait=20' })
    const plan = String(decided.body['plan'])
    const record = await call('GET', `/v1/reviews/${plan}`, { token: a.reviewer })
    expect(record.status).toBe(200)
    expect(record.body['packet']).not.toBe(null)
    const stale = await call('POST', `/v1/reviews/${plan}`, {
      token: a.reviewer,
      body: {
        verdict: 'accept',
        rationale: 'looks fine',
        packet_digest: `packet:${'A'.repeat(43)}`,
      },
    })
    expect(stale.status).toBe(409)
    expect(['stale_packet', 'not_escalated']).toContain(codeOf(stale))
  })

  it('refuse an empty rationale and one character too many', async () => {
    expect((await review('  ')).status).toBe(422)
    expect((await review('x'.repeat(limits.rationaleCharsMax))).status).toBe(404)
    expect((await review('x'.repeat(limits.rationaleCharsMax + 1))).status).toBe(422)
  })
})

describe('the memory of a site', () => {
  it('is seen and settled by its own reviewers only', async () => {
    // Text alone waits for a person, whatever it says.
    const decided = await submitReading(a, {}, { prefer: 'wait=20' })
    expect(decided.body['state']).toBe('escalated')
    const plan = String(decided.body['plan'])
    const record = await call('GET', `/v1/reviews/${plan}`, { token: a.reviewer })
    const { packet_digest } = record.body['status'] as { packet_digest: string }
    const resolution = { verdict: 'reject', rationale: 'It has no steps.', packet_digest }
    const path = `/v1/reviews/${plan}`
    const [first, second] = await Promise.all([
      call('POST', path, { token: a.reviewer, body: resolution }),
      call('POST', path, { token: a.reviewer, body: resolution }),
    ])
    expect([first.status, second.status].toSorted((x, y) => x - y)).toEqual([200, 409])
    const items = async () => {
      const list = await call('GET', '/v1/memories', { token: a.reviewer })
      return list.body['items'] as { id: string; plan: string; resolved_by: string | null }[]
    }
    await expect
      .poll(async () => (await items()).map((item) => item.plan), { timeout: 10_000 })
      .toContain(plan)
    const memory = (await items()).find((item) => item.plan === plan)
    const settle = `/v1/memories/${memory?.id}/resolve`
    const body = { reason: 'A drill.' }
    expect((await call('POST', settle, { token: b.reviewer, body })).status).toBe(404)
    expect((await call('POST', settle, { token: a.planner, body })).status).toBe(403)
    expect((await call('POST', settle, { token: a.reviewer, body })).status).toBe(200)
    expect((await call('POST', settle, { token: a.reviewer, body })).status).toBe(404)
    expect((await items()).find((item) => item.id === memory?.id)?.resolved_by).toBe('rosa')
    const theirs = await call('GET', '/v1/memories', { token: b.reviewer })
    expect(theirs.text).not.toContain(String(memory?.id))
  })
})

describe('the OpenAPI document', () => {
  it('is complete: every route, every reference, and every answer of this file fits it', async () => {
    const answer = await call('GET', '/openapi.json')
    expect(answer.body['openapi']).toBe('3.1.0')
    expect(unmet(answer.body)).toEqual([])
  })
})
