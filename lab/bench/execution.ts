// What execution costs over loopback with real processes: one node's pull → go → report without any
// tool time, nodes per second over 50 parallel sessions, and the memory of gateway and agent.
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { HostileAgent, type HostileSession } from '../local/attacks/hostile-agent.ts'
import { must } from '../local/client.ts'
import type { NodeResult } from '../../protocol/node-result.ts'
import { startLab, type Lab } from '../local/lab.ts'
import { getPlan, submit, until } from '../local/plans.ts'
import { benchCase, type BenchCase } from './case.ts'

const nodesPerPlan = 20
const soloSessions = 6
const parallelSessions = 50
const planner = 'planner-wetlab-01'

/** Twenty readings in a row: nothing moves, so what is measured is the gateway. */
const readings = {
  goal: 'Watch the balance settle before the weighing',
  instructions: ['Read balance 1 twenty times in a row.'],
  planner: { id: planner },
  nodes: Array.from({ length: nodesPerPlan }, (_, i) => ({
    id: `n${String(i + 1).padStart(2, '0')}`,
    tool: 'balance.read',
    args: { balance_id: 'bal_1' },
    depends_on: i === 0 ? [] : [`n${String(i).padStart(2, '0')}`],
    sandbox: null,
  })),
}

/** The same, where each reading expects what the one before it gave. */
const referring = {
  ...readings,
  goal: 'Watch the balance settle, each reading against the one before',
  nodes: readings.nodes.map((node, i) => {
    const before = readings.nodes[i - 1]?.id
    const from = { node: before, pointer: '/mass_mg', unit: 'mg', min: 0, max: 100 }
    return before === undefined
      ? node
      : { ...node, args: { ...node.args, expected_mass_mg: { $from: from } } }
  }),
}

/** What each of them answers. */
const settled: NodeResult = {
  data: { balance_id: 'bal_1', mass_mg: 50.25 },
  from: 'structured',
  kept: [],
  left_out: 0,
}

/** A driver that keeps the protocol and has no device: enrolled, armed, online. */
async function driver(lab: Lab, index: number): Promise<HostileAgent> {
  const name = `driver-${index}`
  const agent = await HostileAgent.create(lab.handle, {
    name,
    cell: `cell-${index}`,
    enrol: true,
    features: 'results references',
  })
  await must(lab.url, {
    method: 'POST',
    path: `/v1/cells/cell-${index}/arm`,
    token: lab.record.operator,
    body: { until_ms: Date.now() + 3_600_000 },
  })
  await agent.goOnline()
  return agent
}

/** Submits one plan and opens its session on the driver's connection. */
async function openPlan(
  lab: Lab,
  agent: HostileAgent,
  plan: object = readings,
): Promise<HostileSession> {
  const token = lab.record.planners[planner] ?? ''
  const posted = await submit(lab.url, token, { ...plan, agent: agent.name })
  if (posted.verdict !== 'accept') throw new Error(`not accepted: ${JSON.stringify(posted)}`)
  const bound = await until(
    () => getPlan(lab.url, token, posted.plan),
    (plan) => plan.session !== null,
    60_000,
  )
  const session = await agent.join(bound.session ?? '')
  await session.expect('welcome')
  return session
}

/** Runs one session to its end; returns the milliseconds of each node. */
async function drive(session: HostileSession, answer?: NodeResult): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < nodesPerPlan; i++) {
    const started = performance.now()
    const released = await session.pull()
    session.socket.send(await session.startFrame(released.token))
    await session.expect('go')
    session.socket.send(await session.reportFrame(released.token, answer))
    await session.expect('ack')
    times.push(performance.now() - started)
  }
  session.socket.close()
  return times
}

/** Resident memory in MiB of a process and everything below it (Linux). */
async function residentMb(pid: number): Promise<number> {
  const children = new Map<number, number[]>()
  const resident = new Map<number, number>()
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '')
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? '0')
    const kb = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? '0')
    resident.set(Number(entry), kb)
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const sum = (id: number): number =>
    (resident.get(id) ?? 0) +
    (children.get(id) ?? []).reduce((total, child) => total + sum(child), 0)
  return sum(pid) / 1024
}

/** The cases; the lab is made and thrown away. */
export async function cases(): Promise<BenchCase[]> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'portcullis-bench-'))
  const lab = await startLab({ stateDir, timeScale: 1_000 })
  try {
    const out: BenchCase[] = []
    const first = await driver(lab, 1)
    await drive(await openPlan(lab, first))
    const solo: number[] = []
    for (let i = 0; i < soloSessions; i++) solo.push(...(await drive(await openPlan(lab, first))))
    out.push(benchCase('pull → go → report, one node, tool time zero', 'ms', { own: solo }))

    // In turns, so that both see the same machine.
    const plain: number[] = []
    const referred: number[] = []
    for (let i = 0; i < soloSessions; i++) {
      plain.push(...(await drive(await openPlan(lab, first), settled)))
      referred.push(...(await drive(await openPlan(lab, first, referring), settled)))
    }
    out.push(
      benchCase('the same, every argument a reference and every answer kept', 'ms', {
        own: referred,
        peers: { 'the same without references': plain },
      }),
    )

    const drivers = [first]
    for (let i = 2; i <= parallelSessions; i++) drivers.push(await driver(lab, i))
    const sessions: HostileSession[] = []
    for (const agent of drivers) sessions.push(await openPlan(lab, agent))
    const started = performance.now()
    const runs = await Promise.all(sessions.map((session) => drive(session)))
    const seconds = (performance.now() - started) / 1_000
    const nodes = runs.reduce((sum, times) => sum + times.length, 0)
    out.push(
      benchCase(`nodes per second over ${parallelSessions} parallel sessions`, '1/s', {
        own: [nodes / seconds],
      }),
      benchCase(`one node while ${parallelSessions} sessions run`, 'ms', { own: runs.flat() }),
      benchCase('memory of the gateway, workerd and graph included', 'MiB', {
        own: [await residentMb(lab.gateway().child.pid)],
      }),
      benchCase('memory of one agent with its MCP server', 'MiB', {
        own: [await residentMb(lab.agent().pid)],
      }),
    )
    for (const agent of drivers) agent.goOffline()
    return out
  } finally {
    await lab.close()
    await rm(stateDir, { recursive: true, force: true })
  }
}
