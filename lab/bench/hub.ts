// From `start` to `go` over loopback while plans come in and the window over recent plans is full: what
// decides a `go` must not wait behind it. Real gateway, one driver, so many submitters in flight.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startLab } from '../local/lab.ts'
import { benchCase, type BenchCase } from './case.ts'
import { driveNode, driver, openPlan, readings, submitting, type Field } from './drivers.ts'
import { fillWindow } from './full-window.ts'

const entries = 1_024
const nodes = 10
const rounds = 2

/** From start to go of every node of one session, while `submitters` are at work. */
async function behind(
  field: Field,
  agent: Awaited<ReturnType<typeof driver>>,
  submitters: number,
): Promise<{ go: number[]; plansPerS: number }> {
  const session = await openPlan(field, agent, readings(nodes))
  const flood = submitting(field, submitters)
  const began = performance.now()
  const go: number[] = []
  try {
    for (let i = 0; i < nodes; i++) {
      if (submitters > 0) await new Promise((resolve) => setTimeout(resolve, 150))
      go.push((await driveNode(session)).go)
    }
    return { go, plansPerS: (flood.count() * 1_000) / (performance.now() - began) }
  } finally {
    await flood.end()
    session.socket.close()
  }
}

export async function cases(): Promise<BenchCase[]> {
  const stateDir = await mkdtemp(path.join(tmpdir(), 'portcullis-bench-'))
  const lab = await startLab({ stateDir, timeScale: 1_000 })
  try {
    const field = { handle: lab.handle, ...lab.record }
    const agent = await driver(field, 1)
    const sleeper = await driver(field, 2)
    sleeper.goOffline()
    await openPlan(field, agent, readings(1)).then(async (session) => driveNode(session))
    agent.goOffline()
    await lab.gateway().child.kill('SIGTERM')
    fillWindow(path.join(stateDir, 'gateway'), entries)
    await lab.restartGateway()
    await agent.goOnline()
    const go = new Map<number, number[]>([0, 4, 16].map((n) => [n, []]))
    const rate = new Map<number, number[]>([4, 16].map((n) => [n, []]))
    for (let round = 0; round < rounds; round++) {
      for (const [submitters, times] of go) {
        const one = await behind(field, agent, submitters)
        times.push(...one.go)
        rate.get(submitters)?.push(one.plansPerS)
      }
    }
    const alone = go.get(0) ?? []
    agent.goOffline()
    return [...go].flatMap(([n, own]) => {
      const peers: Record<string, number[]> = n === 0 ? {} : { 'with nobody else': alone }
      const name = `start → go, ${n} submitters in flight, window of ${entries}`
      const late = own.filter((ms) => ms > 500).length
      const plans = rate.get(n)
      return [
        benchCase(name, 'ms', { own, peers }),
        benchCase(`${name}: later than 500 ms of ${own.length}`, '', { own: [late] }),
        ...(plans === undefined
          ? []
          : [benchCase(`plans a second of ${n} submitters`, '', { own: plans })]),
      ]
    })
  } finally {
    await lab.close()
    await rm(stateDir, { recursive: true, force: true })
  }
}
