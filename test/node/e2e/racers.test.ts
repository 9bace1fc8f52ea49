// A thousand racers in two processes, for everything that only one of them may get: arming, the plan that
// an arming lets go, a `go`, a clearance, a decision. One gets it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HostileAgent, type HostileSession } from '../../../lab/local/attacks/hostile-agent.ts'
import { bundleAll } from '../../../lab/local/bundle.ts'
import {
  createCredential,
  createSite,
  must,
  recordCell,
  type SiteHandle,
} from '../../../lab/local/client.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { getPlan, submit, until, type PlanView } from '../../../lab/local/plans.ts'
import {
  startGatewayProcess,
  startNode,
  type GatewayProcess,
} from '../../../lab/local/processes.ts'
import type { PolicyInput } from '../../../protocol/policy.ts'
import { policySchema } from '../../../protocol/policy.ts'
import { standing, threeNodes } from './harness.ts'
import type { Outcome, Race, RacerCall } from './racer.ts'

const racers = 1_000
const planner = 'planner-wetlab-01'

let dir = ''
let gateway: GatewayProcess
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'portcullis-racers-'))
  await bundleAll()
  gateway = await startGatewayProcess(['--no-bundle', '--port', '0', '--state', dir])
}, 300_000)
afterAll(async () => {
  await gateway.child.kill('SIGKILL')
  await rm(dir, { recursive: true, force: true })
})

type Site = {
  handle: SiteHandle
  planner: string
  operators: string[]
  reviewers: string[]
  agent: HostileAgent
}

/** A site with one cell and its agent, and eight people of each kind. */
async function siteWith(name: string, more: PolicyInput = {}): Promise<Site> {
  const { registry, policy, proven } = await loadSite(undefined)
  const handle = await createSite(gateway.url, gateway.operatorToken, {
    site: name,
    registry,
    policy: policySchema.parse({ ...policy, ...more }),
    proven,
  })
  const people = (role: 'operator' | 'reviewer') =>
    Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        createCredential(handle, { role, subject: `${role}-${i}`, owner: `${role}.${i}` }),
      ),
    )
  const operators = await people('operator')
  const cell = 'cell-1'
  const agent = await HostileAgent.create(handle, { name: 'agent-1', cell, enrol: true })
  await agent.goOnline()
  await recordCell(handle.base, person(operators, 0), cell, standing)
  return {
    handle,
    planner: await createCredential(handle, { role: 'planner', subject: planner, owner: 'p' }),
    operators,
    reviewers: await people('reviewer'),
    agent,
  }
}

type Cell = {
  cell: string
  change: number
  session: string | null
  needs_clearance: boolean
  not_at_rest: string[]
}
async function cellsOf(site: Site): Promise<Cell[]> {
  const token = site.operators[0] ?? ''
  const where = '/v1/cells'
  return (await must<{ items: Cell[] }>(gateway.url, { method: 'GET', path: where, token })).items
}
const cellOf = async (site: Site, name: string): Promise<Cell> => {
  const found = (await cellsOf(site)).find(({ cell }) => cell === name)
  if (found === undefined) throw new Error(`no cell ${name}`)
  return found
}

/** Two processes, half of the racers in each, let go at the same moment. */
async function run(halves: readonly [Omit<Race, 'base'>, Omit<Race, 'base'>]): Promise<Outcome[]> {
  const children = await Promise.all(
    halves.map(async (half, i) => {
      const file = path.join(dir, `race-${i}-${crypto.randomUUID()}.json`)
      await writeFile(file, JSON.stringify({ base: gateway.url, ...half } satisfies Race))
      const child = startNode('test/node/e2e/racer.ts', [file])
      await child.line(/^ready$/, 240_000)
      return child
    }),
  )
  for (const child of children) child.process.stdin?.write('go\n')
  return Promise.all(
    children.map(
      async (child) => JSON.parse(await child.line(/^\{"statuses"/, 400_000)) as Outcome,
    ),
  )
}

/** A race of calls: racer i makes the i-th, even ones in one process, odd ones in the other. */
async function raceCalls(callOf: (i: number) => RacerCall): Promise<number[]> {
  const calls = Array.from({ length: racers }, (_, i) => callOf(i))
  const half = (odd: number) => ({ calls: calls.filter((_, i) => i % 2 === odd), starts: null })
  return (await run([half(0), half(1)])).flatMap(({ statuses }) => statuses)
}

/** How many racers got each answer. */
function tally(statuses: readonly number[]): Record<number, number> {
  const out: Record<number, number> = {}
  for (const status of statuses) out[status] = (out[status] ?? 0) + 1
  return out
}
const person = (list: readonly string[], i: number): string => list[i % list.length] ?? ''

/** A plan with a step that moves something, accepted and waiting for an armed cell. */
async function waiting(site: Site): Promise<PlanView> {
  const plan = await submit(gateway.url, site.planner, threeNodes)
  expect(plan.verdict, JSON.stringify(plan)).toBe('accept')
  return plan
}

/** Runs the first step and lets the second one go, which moves something: then it is in mid-act. */
async function moving(agent: HostileAgent, session: string): Promise<HostileSession> {
  const line = await agent.join(session)
  await line.expect('welcome')
  const read = await line.pull()
  line.socket.send(await line.startFrame(read.token))
  await line.expect('go')
  line.socket.send(await line.reportFrame(read.token))
  await line.expect('ack')
  const moves = await line.pull()
  line.socket.send(await line.startFrame(moves.token))
  await line.expect('go')
  return line
}

test('arm, bind, clear: one arms, the plan gets one session, one clears', async () => {
  const site = await siteWith('arming')
  const { plan } = await waiting(site)
  const before = (await cellOf(site, 'cell-1')).change
  const armed = await raceCalls((i) => ({
    method: 'POST',
    path: '/v1/cells/cell-1/arm',
    token: person(site.operators, i),
    body: { until_ms: Date.now() + 1_800_000 + i, seen: before },
  }))
  expect(tally(armed)).toEqual({ 200: 1, 409: racers - 1 })
  const bound = await until(
    () => getPlan(gateway.url, site.planner, plan),
    ({ session }) => session !== null,
    60_000,
  )
  const { cell, session } = await cellOf(site, 'cell-1')
  expect(session).toBe(bound.session)

  // The run is stopped in mid-act: its cell needs a person who clears it, once.
  const line = await moving(site.agent, bound.session ?? '')
  const stop = { method: 'POST', path: `/v1/cells/${cell}/stop`, token: person(site.operators, 0) }
  await must(gateway.url, stop)
  line.socket.send(await line.restFrame(['lc7-cell']))
  await until(
    () => cellOf(site, cell),
    (row) => row.needs_clearance && row.session === null && row.not_at_rest.length === 0,
    60_000,
  )
  const seen = (await cellOf(site, cell)).change
  const cleared = await raceCalls((i) => ({
    method: 'POST',
    path: `/v1/cells/${cell}/clear`,
    token: person(site.operators, i),
    body: { note: `Racer ${i} has looked.`, seen },
  }))
  expect(tally(cleared)).toEqual({ 200: 1, 409: racers - 1 })
  expect((await cellOf(site, cell)).needs_clearance).toBe(false)
  site.agent.goOffline()
}, 900_000)

test('go: a thousand different starts of one node, in two processes that hold the key', async () => {
  const site = await siteWith('starting')
  await must(gateway.url, {
    method: 'POST',
    path: '/v1/cells/cell-1/arm',
    token: person(site.operators, 0),
    body: { until_ms: Date.now() + 1_800_000, seen: (await cellOf(site, 'cell-1')).change },
  })
  const { plan } = await waiting(site)
  const { session } = await until(
    () => getPlan(gateway.url, site.planner, plan),
    (view) => view.session !== null,
    60_000,
  )
  const { agent } = site
  const line = await agent.join(session ?? '')
  await line.expect('welcome')
  const { token } = await line.pull()
  const { name, cell, jwk, bootId } = agent
  const starts = {
    handle: site.handle,
    held: { name, cell, jwk, bootId },
    session: session ?? '',
    token,
    sockets: 20,
    each: racers / 2 / 20,
  }
  const half = { calls: [], starts }
  const outcomes = await run([half, half])
  expect(outcomes.reduce((sum, { sent }) => sum + sent, 0)).toBe(racers)
  const own = line.socket.drain().filter(({ type }) => type === 'go').length
  expect(outcomes.reduce((sum, { gos }) => sum + gos, own)).toBe(1)
  site.agent.goOffline()
}, 900_000)

test('approve: one of a thousand decisions stands', async () => {
  const site = await siteWith('deciding', { least_depth: 7 })
  const plan = await submit(gateway.url, site.planner, threeNodes)
  expect(plan.verdict).toBe('escalate')
  const { status } = await must<{ status: { packet_digest: string } }>(gateway.url, {
    method: 'GET',
    path: `/v1/reviews/${plan.plan}`,
    token: person(site.reviewers, 0),
  })
  const statuses = await raceCalls((i) => ({
    method: 'POST',
    path: `/v1/reviews/${plan.plan}`,
    token: person(site.reviewers, i),
    body: {
      verdict: i % 3 === 0 ? 'reject' : 'accept',
      rationale: `Racer ${i} has read all of it.`,
      packet_digest: status.packet_digest,
    },
  }))
  expect(tally(statuses)).toEqual({ 200: 1, 409: racers - 1 })
  site.agent.goOffline()
}, 900_000)
