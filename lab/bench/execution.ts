// What execution costs over loopback with real processes: one node's pull → go → report without any
// tool time, nodes per second over 50 parallel sessions, and the memory of gateway and agent.
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { NodeResult } from '../../protocol/node-result.ts'
import type { HostileSession } from '../local/attacks/hostile-agent.ts'
import { startLab } from '../local/lab.ts'
import { benchCase, type BenchCase } from './case.ts'
import { drive, driver, openPlan, readings } from './drivers.ts'

const nodesPerPlan = 20
const soloSessions = 6
const parallelSessions = 50

/** The same readings, where each expects what the one before it gave. */
function referring(): object {
  const plain = readings(nodesPerPlan)
  const nodes = plain.nodes.map((node, i) => {
    const before = plain.nodes[i - 1]?.id
    const from = { node: before, pointer: '/mass_mg', unit: 'mg', min: 0, max: 100 }
    return before === undefined
      ? node
      : { ...node, args: { ...node.args, expected_mass_mg: { $from: from } } }
  })
  return { ...plain, goal: 'Watch the balance settle, each reading against the one before', nodes }
}

/** What each of them answers. */
const settled: NodeResult = {
  data: { balance_id: 'bal_1', mass_mg: 50.25 },
  from: 'structured',
  kept: [],
  left_out: 0,
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
    const field = { handle: lab.handle, ...lab.record }
    const first = await driver(field, 1)
    await drive(await openPlan(field, first))
    const solo: number[] = []
    for (let i = 0; i < soloSessions; i++) solo.push(...(await drive(await openPlan(field, first))))
    out.push(benchCase('pull → go → report, one node, tool time zero', 'ms', { own: solo }))

    // In turns, so that both see the same machine.
    const plain: number[] = []
    const referred: number[] = []
    for (let i = 0; i < soloSessions; i++) {
      plain.push(...(await drive(await openPlan(field, first), settled)))
      referred.push(...(await drive(await openPlan(field, first, referring()), settled)))
    }
    out.push(
      benchCase('the same, every argument a reference and every answer kept', 'ms', {
        own: referred,
        peers: { 'the same without references': plain },
      }),
    )

    const drivers = [first]
    for (let i = 2; i <= parallelSessions; i++) drivers.push(await driver(field, i))
    const sessions: HostileSession[] = []
    for (const agent of drivers) sessions.push(await openPlan(field, agent))
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
