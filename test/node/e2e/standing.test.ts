// A standing approval over a real gateway, agent and cell: one decision covers forty runs, and whatever is
// wider or other than what its approvers were shown waits for a person (invariant 7).
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { must, recordCell, request } from '../../../lab/local/client.ts'
import { submit, until } from '../../../lab/local/plans.ts'
import { recordStanding } from '../../../lab/local/standing.ts'
import { digest } from '../../../protocol/digest.ts'
import type { Packet } from '../../../protocol/records.ts'
import { cellRecordSchema } from '../../../protocol/state.ts'
import { Stage, threeNodes } from './harness.ts'
import { good, weighingSite, weighingState, writeAnswers } from './weighing-site.ts'

let stage: Stage
let dir: string
const answers = () => path.join(dir, 'answers.json')
const day = 86_400_000

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'portcullis-standing-'))
  const siteFile = path.join(dir, 'site.json')
  await writeFile(siteFile, JSON.stringify(weighingSite))
  await writeAnswers(answers(), good)
  stage = await Stage.open({
    siteFile,
    answers: answers(),
    policy: { panel: 'offline' },
    actMsMax: 20,
  })
}, 400_000)
afterAll(async () => {
  await stage.close()
  await rm(dir, { recursive: true, force: true })
})
beforeEach(async () => {
  stage.unhook()
  await stage.ready()
  await recordStanding(stage.lab, stage.lab.record.cell, weighingState)
})

const base = (volume = 10) => ({
  goal: 'Fill the beaker in small steps',
  instructions: [`Dispense ${volume} uL of water from bottle_1 into beaker_1.`],
  planner: threeNodes.planner,
  nodes: [{ id: 'n1', tool: 'dispense', args: { volume }, depends_on: [], sandbox: null }],
})

const terms = (plan: string, changes: object = {}) => ({
  plan,
  goal: 'Fill the beaker in small steps',
  instructions: ['Dispense {volume} uL of water from bottle_1 into beaker_1.'],
  holes: [{ name: 'volume', node: 'n1', pointer: '/volume', within: { min: 5, max: 15 } }],
  planners: [threeNodes.planner.id],
  runs: 45,
  until_ms: Date.now() + day,
  ...changes,
})

type Record = {
  template: string
  digest: string
  state: string
  used: number
  stopped: { why: string; plan: string | null } | null
}
const reviewer = () => ({ token: stage.lab.record.reviewer })

/** The plan that a template is made from; it runs itself, once, before anything is counted. */
async function acceptedBase(): Promise<string> {
  const { plan, verdict } = await submit(stage.lab.url, stage.planner(), base())
  expect(verdict).not.toBe('reject')
  if (verdict === 'escalate') await decide(plan)
  await stage.ended(await stage.sessionOf(plan))
  await fresh()
  return plan
}

const fresh = () => recordStanding(stage.lab, stage.lab.record.cell, weighingState)

async function decide(plan: string): Promise<void> {
  const at = { path: `/v1/reviews/${plan}`, ...reviewer() }
  const { packet } = await must<{ packet: object }>(stage.lab.url, { method: 'GET', ...at })
  const packet_digest = await digest('packet', packet)
  const body = { packet_digest, verdict: 'accept', rationale: 'It is what it says.' }
  await must(stage.lab.url, { method: 'POST', ...at, body })
}

async function propose(changes: object = {}): Promise<Record> {
  const body = terms(await acceptedBase(), changes)
  return must<Record>(stage.lab.url, { method: 'POST', path: '/v1/templates', ...reviewer(), body })
}

function sign(template: string, of: string) {
  const at = `/v1/templates/${template}/approve`
  const body = { digest: of, rationale: 'Forty small steps are one assay.' }
  return request(stage.lab.url, { method: 'POST', path: at, ...reviewer(), body })
}

async function standing(changes: object = {}): Promise<string> {
  const { template, digest: of } = await propose(changes)
  expect(await sign(template, of)).toMatchObject({ status: 200, body: { state: 'standing' } })
  return template
}

type View = { state: string; verdict: string; reasons: string[] }
let runs = 0

async function ask(template: string, values: object): Promise<string> {
  const at = `/v1/templates/${template}/runs`
  const headers = { 'idempotency-key': `run-${runs++}` }
  const asked = { method: 'POST', path: at, token: stage.planner(), headers, body: { values } }
  return (await must<{ plan: string }>(stage.lab.url, asked)).plan
}

const inState = (plan: string, is: (view: View) => boolean) => {
  const at = { method: 'GET', path: `/v1/plans/${plan}`, token: stage.planner() }
  return until(() => must<View>(stage.lab.url, at), is, 60_000)
}

async function run(template: string, values: object): Promise<View & { plan: string }> {
  const plan = await ask(template, values)
  return { plan, ...(await inState(plan, ({ state }) => state !== 'judging')) }
}

/** Why a standing approval does not cover a plan, by its packet. */
async function misfit(plan: string) {
  const at = { method: 'GET', path: `/v1/reviews/${plan}`, ...reviewer() }
  const { packet } = await must<{ packet: Packet }>(stage.lab.url, at)
  return { ...packet.standing, changed: packet.trace?.changed ?? [] }
}

const templateNow = (template: string) =>
  must<Record>(stage.lab.url, { method: 'GET', path: `/v1/templates/${template}`, ...reviewer() })

describe('one decision', () => {
  test('covers forty runs, each of which really runs', async () => {
    const template = await standing()
    let moved = 0
    for (let i = 0; i < 40; i++) {
      const made = await run(template, { volume: 6 + (i % 8) })
      expect([i, made.verdict, made.reasons]).toEqual([i, 'accept', ['standing_approval']])
      const view = await stage.ended(await stage.sessionOf(made.plan))
      expect([i, view.status]).toEqual([i, 'completed'])
      moved += (await stage.journal(view.session)).filter(({ phase }) => phase === 'begin').length
    }
    expect(moved).toBe(40)
    expect(await templateNow(template)).toMatchObject({ state: 'standing', used: 40 })
  }, 300_000)
})

describe('runs that wait together', () => {
  test('each start from what the one before has left, and the cell holds the sum', async () => {
    const template = await standing()
    const { cell, operator } = stage.lab.record
    await must(stage.lab.url, { method: 'POST', path: `/v1/cells/${cell}/disarm`, token: operator })
    const made = [
      await run(template, { volume: 15 }),
      await run(template, { volume: 15 }),
      await run(template, { volume: 12 }),
    ]
    expect(made.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
    await stage.ready()
    for (const { plan } of made) await inState(plan, ({ state }) => state === 'completed')
    const at = { method: 'GET', path: `/v1/cells/${cell}/state`, token: operator } as const
    const held = await until(
      async () => {
        const { facts } = await must<{ facts: { thing: string; fact: string; value: unknown }[] }>(
          stage.lab.url,
          at,
        )
        return facts.find(({ thing, fact }) => thing === 'beaker_1' && fact === 'contents_volume')
      },
      (volume) => volume?.value === '42 uL',
      30_000,
    )
    expect(held).toBeDefined()
  }, 120_000)
})

describe('does not run by itself:', () => {
  test('what is wider, what nobody signed, what was signed for another record', async () => {
    const { template, digest: of } = await propose({ runs: 1 })
    const early = await run(template, { volume: 10 })
    expect(early).toMatchObject({ verdict: 'escalate', state: 'escalated' })
    expect(await misfit(early.plan)).toMatchObject({ refused: 'not_approved', nth: null })
    const other = await sign(template, `standing:${'A'.repeat(43)}`)
    expect(other).toMatchObject({ status: 409, body: { code: 'stale_packet' } })
    expect(await sign(template, of)).toMatchObject({ status: 200 })
    const wide = await run(template, { volume: 15.5 })
    expect(wide.reasons).toContain('standing_misfit')
    expect((await misfit(wide.plan)).differences).toContainEqual(
      expect.objectContaining({ kind: 'value', name: 'volume' }),
    )
    const only = await run(template, { volume: 15 })
    expect(only).toMatchObject({ verdict: 'accept' })
    await stage.ended(await stage.sessionOf(only.plan))
    expect(await misfit((await run(template, { volume: 15 })).plan)).toMatchObject({
      refused: 'used_up',
    })
  }, 120_000)

  test('a beaker that would run over, seen when the run is bound', async () => {
    const template = await standing()
    const { cell, operator } = stage.lab.record
    await must(stage.lab.url, { method: 'POST', path: `/v1/cells/${cell}/disarm`, token: operator })
    const made = await run(template, { volume: 15 })
    expect(made).toMatchObject({ verdict: 'accept', state: 'queued' })
    const full = [{ substance: 'water', volume: '845 uL' }]
    const facts = [{ thing: 'beaker_1', fact: 'contents', value: full }]
    await recordCell(stage.lab.url, operator, cell, cellRecordSchema.parse({ facts }))
    await stage.ready()
    // A fact: not even a person is asked.
    const over = await inState(made.plan, ({ state }) => state === 'rejected')
    expect(over.reasons).toEqual(['breach_reject', 'state_changed'])
    expect((await misfit(made.plan)).changed).toContainEqual(
      expect.objectContaining({ kind: 'finding', code: 'DRYRUN_OVERFLOW' }),
    )
  }, 120_000)

  test('what was in the queue when its approval was revoked', async () => {
    const template = await standing()
    const { cell, operator } = stage.lab.record
    await must(stage.lab.url, { method: 'POST', path: `/v1/cells/${cell}/disarm`, token: operator })
    const made = await run(template, { volume: 10 })
    expect(made.state).toBe('queued')
    await must(stage.lab.url, {
      method: 'POST',
      path: `/v1/templates/${template}/revoke`,
      token: operator,
    })
    await stage.ready()
    await inState(made.plan, ({ state }) => state === 'escalated')
    expect((await misfit(made.plan)).changed).toEqual([
      { kind: 'standing', at: '', why: 'revoked' },
    ])
    expect(await sign(template, (await templateNow(template)).digest)).toMatchObject({
      status: 409,
      body: { code: 'not_proposed' },
    })
  }, 120_000)

  test('everything after a run that a person stopped, until people sign again', async () => {
    const template = await standing()
    // The agent never hears the answer to its first question: the run is under way when it is stopped.
    stage.hook(({ direction, path: at, text }) => {
      const lost = at.startsWith('/v1/sessions/') && direction === 'to_agent'
      return { send: lost ? [] : [{ text }] }
    })
    const made = await run(template, { volume: 10 })
    const session = await stage.sessionOf(made.plan)
    const stop = { method: 'POST', path: `/v1/sessions/${session}/stop` } as const
    await must(stage.lab.url, { ...stop, token: stage.lab.record.operator })
    expect(await stage.ended(session)).toMatchObject({ status: 'terminated' })
    stage.unhook()
    const after = await until(
      () => templateNow(template),
      ({ state }) => state === 'suspended',
      30_000,
    )
    expect(after.stopped).toMatchObject({ why: 'run_ended', plan: made.plan })
    await stage.ready()
    await fresh()
    const next = await run(template, { volume: 10 })
    expect(await misfit(next.plan)).toMatchObject({ refused: 'suspended' })
    expect(await sign(template, after.digest)).toMatchObject({ body: { state: 'standing' } })
    // In force again. What the refused runs above left in memory and window is a question of its own.
    const again = await run(template, { volume: 10 })
    expect(await misfit(again.plan)).toMatchObject({ refused: null, nth: 2, differences: [] })
  }, 120_000)
})
