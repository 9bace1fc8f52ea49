// Mail to reviewers, and who has a plan that waits: whom it reaches, what it says, and what it does not.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { mayMail } from '../../adapters/mails.ts'
import { sendMail } from '../../durable-objects/review/mail.ts'
import { limits } from '../../protocol/limits.ts'
import { call, codeOf, credential, freshSite, type Answer, type TestSite } from './support/door.ts'
import {
  decided,
  escalating,
  idOf,
  loadTinyGraph,
  readPlan,
  reviewOf,
  setPolicy,
  until,
} from './support/site.ts'

beforeAll(loadTinyGraph)

type Told = { to: string; subject: string; text: string }
const addressAt = (site: TestSite, owner: string): string => `${owner}@${site.site}.example`
async function toldTo(site: TestSite, owner: string): Promise<Told[]> {
  const to = addressAt(site, owner)
  return (await env.TEST_MAIL.sent()).filter((mail) => mail.to === to)
}

async function giveAddress(site: TestSite, token: string, owner: string): Promise<void> {
  const me = await call('GET', '/v1/me', { token })
  const path = `/v1/credentials/${String(me.body['credential'])}/email`
  const set = await call('PUT', path, {
    token: site.admin,
    body: { email: addressAt(site, owner) },
  })
  expect(set.status).toBe(200)
}

type Staffed = TestSite & { sam: string }

/** Rosa, Sam, Tina as the second, and Pia, who answers for the planner and may not decide on its plans. */
async function staffed(review_mail: object, policy: object = {}): Promise<Staffed> {
  const site = await freshSite()
  await setPolicy(site, { ...escalating, ...policy, review_mail })
  await giveAddress(site, site.reviewer, 'rosa')
  const tokens: Record<string, string> = {}
  for (const owner of ['sam', 'tina', 'pia']) {
    const token = await credential(site.admin, 'reviewer', owner, owner)
    await giveAddress(site, token, owner)
    tokens[owner] = token
  }
  return { ...site, sam: tokens['sam'] ?? '' }
}

async function waiting(site: TestSite): Promise<string> {
  const answer = await decided(site, readPlan(site.plannerId))
  expect(answer.body['state']).toBe('escalated')
  return idOf(answer)
}

const mail = { near_expiry_ms: 3_600_000, second: ['tina'] }

describe('a plan that waits', () => {
  it('is told to those who may decide, by link, class and eight characters, and nothing of the plan', async () => {
    const site = await staffed(mail)
    const plan = await waiting(site)
    await until('told', async () => (await toldTo(site, 'sam')).length > 0)
    const [told] = await toldTo(site, 'rosa')
    const { packet_digest = '' } = (await reviewOf(site.site, plan).status()) ?? {}
    const eight = (packet_digest ?? '').replace('packet:', '').slice(0, 8)
    expect(told?.text).toContain(`https://gateway.test/console/#/plans/${plan}\n`)
    expect(told?.text).toContain(`Packet: ${eight}.`)
    expect(told?.text).not.toContain((packet_digest ?? '').slice(0, 20))
    const { goal, instructions } = readPlan(site.plannerId)
    for (const word of [goal, ...instructions]
      .join(' ')
      .split(/\W+/)
      .filter((one) => one.length > 6)) {
      expect(`${told?.subject} ${told?.text}`).not.toContain(word)
    }
    for (const owner of ['tina', 'pia']) expect(await toldTo(site, owner)).toEqual([])
  })

  it('is told again to everybody and the second reviewers when its time is nearly over', async () => {
    const expires = { safety: 60_000, alignment: 60_000, adversarial: 60_000 }
    const site = await staffed({ ...mail, near_expiry_ms: 60_000 }, { review_expiry_ms: expires })
    await waiting(site)
    await until('told', async () => (await toldTo(site, 'tina')).length > 0)
    const subjects = (await toldTo(site, 'tina')).map(({ subject }) => subject)
    expect(subjects.map((one) => one.includes('will soon expire'))).toEqual([true])
    await until('told', async () => (await toldTo(site, 'rosa')).length === 2)
    expect(await toldTo(site, 'pia')).toEqual([])
  })

  it('is taken, given and let go by reviewers, each seeing who had it; and anybody still decides', async () => {
    const site = await staffed(mail)
    const plan = await waiting(site)
    const put = (token: string, assignee: string | null, seen: string | null): Promise<Answer> =>
      call('PUT', `/v1/reviews/${plan}/assignee`, { token, body: { assignee, seen } })
    expect((await put(site.reviewer, 'rosa', null)).body).toMatchObject({ assignee: 'rosa' })
    expect(codeOf(await put(site.sam, 'sam', null))).toBe('stale_assignee')
    expect(codeOf(await put(site.reviewer, 'nobody', 'rosa'))).toBe('no_such_reviewer')
    expect(codeOf(await put(site.reviewer, 'olga', 'rosa'))).toBe('no_such_reviewer')
    expect(codeOf(await put(site.reviewer, 'pia', 'rosa'))).toBe('conflict_of_interest')
    expect(codeOf(await put(site.operator, 'olga', 'rosa'))).toBe('role_forbidden')
    expect((await put(site.reviewer, 'sam', 'rosa')).status).toBe(200)
    await until('told', async () =>
      (await toldTo(site, 'sam')).some(({ subject }) => subject.includes('given to you')),
    )
    const rosaTold = (await toldTo(site, 'rosa')).map(({ subject }) => subject)
    expect(rosaTold.filter((subject) => subject.includes('given to you'))).toEqual([])
    await until('listed', async () => {
      const list = await call('GET', '/v1/reviews', { token: site.reviewer })
      return (list.body['items'] as { assignee: string | null }[])[0]?.assignee === 'sam'
    })
    const shown = await call('GET', `/v1/reviews/${plan}`, { token: site.reviewer })
    expect(shown.body).toMatchObject({ assignee: 'sam', may: { accept: 'yes', reject: 'yes' } })
    const { packet_digest } = shown.body['status'] as { packet_digest: string }
    const body = { verdict: 'reject', rationale: 'Not today.', packet_digest }
    const done = await call('POST', `/v1/reviews/${plan}`, { token: site.reviewer, body })
    expect(done.body['state']).toBe('rejected')
    expect(codeOf(await put(site.sam, null, 'sam'))).toBe('not_escalated')
    const trail = await call('GET', `/v1/reviews/${plan}/audit`, { token: site.reviewer })
    const given = (trail.body['items'] as { event: string; facts: object }[])
      .filter(({ event }) => event === 'assigned')
      .map(({ facts }) => facts)
    expect(given).toEqual([
      { to: 'rosa', before: null },
      { to: 'sam', before: 'rosa' },
    ])
  })
})

const noteFor = (assignee: string) => ({
  message: 'plan_x/waiting/1',
  event: 'waiting',
  plan: 'plan_x',
  owner: 'pia',
  concern: 'safety',
  digest: 'AAAAAAAA',
  expires_ms: Date.now() + 60_000,
  assignee,
  second: [],
})

describe('mail', () => {
  it('reaches a person once, again only where it was not taken, and twelve an hour at most', async () => {
    const site = await staffed(mail)
    const note = noteFor('rosa')
    const down = { send: () => Promise.reject(new Error('no')) }
    await expect(sendMail({ ...env, MAIL: down }, site.site, note)).rejects.toThrow(/not taken/)
    await sendMail(env, site.site, note)
    await sendMail(env, site.site, note)
    expect(await toldTo(site, 'rosa')).toHaveLength(1)
    const email = addressAt(site, 'rosa')
    let sent = 1
    for (let n = 0; n < 30; n += 1) {
      const one = { site: site.site, message: `m${n}`, email }
      if (await mayMail(env.DB, one, Date.now())) sent += 1
    }
    expect(sent).toBe(limits.mailsPerPersonPerHour)
    expect(
      await mayMail(env.DB, { site: site.site, message: 'later', email }, Date.now() + 3_600_001),
    ).toBe(true)
  })

  it('is not taken for sent where the deployment cannot send it', async () => {
    const { MAIL: _none, ...without } = env
    await expect(sendMail(without, 'site', noteFor('rosa'))).rejects.toThrow(/not configured/)
  })
})
