// kill -9 of the whole gateway while its judges are at work: what they have said stays, and only those
// that are missing are asked again, counted at the vendor simulator.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startGatewayProcess, type GatewayProcess } from '../../../lab/local/processes.ts'
import { startVendorSim, type VendorSim } from '../../../lab/local/vendor-sim/server.ts'
import type { SimRequest } from '../../../lab/local/vendor-sim/types.ts'
import { calmAnswer } from '../panel/harness.ts'
import {
  callsOf,
  decided,
  openLiveSite,
  opinionsOf,
  post,
  readingPlan,
  type LiveSite,
} from './live-site.ts'

const seats = ['judge-1', 'judge-2', 'judge-3', 'judge-4', 'judge-5']
let sim: VendorSim
let dir: string
let gateway: GatewayProcess
let sites = 0

const start = () =>
  startGatewayProcess(['--state', dir], {
    env: { MODEL_ENDPOINTS: JSON.stringify(sim.endpoints()) },
  })

const open = (): Promise<LiveSite> =>
  openLiveSite(gateway, `restart-${sites++}`, {
    judges: seats.map((name, i) => ({
      name,
      endpoint: i % 2 === 0 ? 'openai' : 'anthropic',
      model: name,
    })),
    chief: { name: 'chief', endpoint: 'anthropic', model: 'chief' },
    least_depth: 5,
    judge_deadline_ms: 120_000,
  })

/** Requests by model. */
const counts = (): Record<string, number> => {
  const out: Record<string, number> = {}
  for (const { model } of sim.requests) out[model] = (out[model] ?? 0) + 1
  return out
}

/** Lets these models think until the gate is opened. */
function holdBack(models: readonly string[]): () => void {
  let opened: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    opened = resolve
  })
  sim.setAnswer(async (asked: SimRequest) => {
    if (models.includes(asked.model)) await gate
    return calmAnswer(asked)
  })
  return opened
}

/** Submits a plan and waits until so many calls have been answered and all others are under way. */
async function midway(site: LiveSite, answered: number, asked: number): Promise<string> {
  const plan = await post(gateway.url, site.planner, readingPlan)
  const until = Date.now() + 60_000
  for (;;) {
    const { items } = await callsOf(gateway.url, site.reviewer, plan)
    if (items.length === answered && sim.requests.length === asked) break
    if (Date.now() > until) throw new Error(`${items.length} calls, ${JSON.stringify(counts())}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // An opinion is written a moment after its call.
  await new Promise((resolve) => setTimeout(resolve, 500))
  return plan
}

async function killAndRestart(): Promise<void> {
  await gateway.child.kill('SIGKILL')
  gateway = await start()
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'portcullis-panel-'))
  sim = await startVendorSim()
  gateway = await start()
})
afterAll(async () => {
  await gateway.child.kill('SIGKILL')
  await sim.close()
  await rm(dir, { recursive: true, force: true })
})
beforeEach(() => sim.reset())

test('a gateway that is killed in mid-panel asks only the judges that are missing', async () => {
  const openGate = holdBack(['judge-2', 'judge-4', 'judge-5'])
  const site = await open()
  const plan = await midway(site, 2, 5)
  site.close()
  await killAndRestart()
  openGate()
  const view = await decided(gateway.url, site.planner, plan)
  expect(view).toMatchObject({ verdict: 'accept', reasons: ['all_accept'] })
  expect(counts()).toStrictEqual({
    'judge-1': 1,
    'judge-2': 2,
    'judge-3': 1,
    'judge-4': 2,
    'judge-5': 2,
    chief: 1,
  })
  const { models, chief } = await opinionsOf(gateway.url, site.reviewer, plan)
  expect(models.map((one) => [one.judge, one.outcome])).toStrictEqual(
    seats.map((name) => [name, 'answered']),
  )
  expect(chief?.outcome).toBe('answered')
  // What was cut off by the kill left no reply; every other call stands once.
  const { items } = await callsOf(gateway.url, site.reviewer, plan)
  expect(items.map((call) => call.seat).sort()).toStrictEqual(['chief', ...seats])
})

test('a gateway that is killed while its chief thinks asks no judge again', async () => {
  const openGate = holdBack(['chief'])
  const site = await open()
  const plan = await midway(site, 5, 6)
  site.close()
  await killAndRestart()
  openGate()
  const view = await decided(gateway.url, site.planner, plan)
  expect(view).toMatchObject({ verdict: 'accept', reasons: ['all_accept'] })
  expect(counts()).toStrictEqual({
    ...Object.fromEntries(seats.map((name) => [name, 1])),
    chief: 2,
  })
})
