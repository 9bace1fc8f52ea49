// Worlds by seed: the real gateway and the real agents, with storage, clock, disk, process, network, upgrade
// and restore faults between them. PORTCULLIS_SEEDS says how many, PORTCULLIS_SEED which one alone.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { runSeed } from './run.ts'

vi.mock('../../robot-agent/device.ts', () => import('./bench.ts'))
vi.mock('ws', () => import('./network.ts'))
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, value: unknown) =>
    new Promise((resolve) => void setTimeout(() => resolve(value), ms)),
}))

const dir = new URL('../../migrations/', import.meta.url)
const migrations = readdirSync(dir)
  .sort()
  .map((name) => readFileSync(new URL(name, dir), 'utf8'))

const only = process.env['PORTCULLIS_SEED']
const count = Number(process.env['PORTCULLIS_SEEDS'] ?? 12)
const seeds = only === undefined ? Array.from({ length: count }, (_, i) => i + 1) : [Number(only)]

test(`${seeds.length} worlds end well`, async () => {
  const sum = { acts: 0, plans: 0, completed: 0, steps: 0 }
  const bad: string[] = []
  for (const seed of seeds) {
    const began = process.hrtime.bigint()
    const ran = await runSeed(seed, migrations)
    const ms = Number(process.hrtime.bigint() - began) / 1e6
    for (const key of ['acts', 'plans', 'completed', 'steps'] as const) sum[key] += ran[key]
    console.log(
      seed,
      ran.kinds.join(),
      ran.acts,
      ran.plans,
      ran.completed,
      ran.steps,
      ms.toFixed(0),
    )
    if (only !== undefined) {
      for (const { at_ms, who, what } of ran.journal) console.log(at_ms.toFixed(0), who, what)
    }
    if (ran.wrong.length > 0)
      bad.push(`seed ${seed} (${ran.kinds.join()}): ${ran.wrong.join('; ')}`)
  }
  console.log(JSON.stringify(sum))
  expect(bad).toEqual([])
})
