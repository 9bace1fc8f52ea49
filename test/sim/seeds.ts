// The seeds of one test file: every other one, so that two files run beside each other.
import { expect, test } from 'vitest'
import { readdirSync, readFileSync } from 'node:fs'
import { runSeed } from './run.ts'

const dir = new URL('../../migrations/', import.meta.url)
/** What makes D1 of an empty database. */
export const migrations = readdirSync(dir)
  .sort()
  .map((name) => readFileSync(new URL(name, dir), 'utf8'))

const only = process.env['PORTCULLIS_SEED']
const count = Number(process.env['PORTCULLIS_SEEDS'] ?? 200)
const first = Number(process.env['PORTCULLIS_FIRST_SEED'] ?? 1)

/** Runs the seeds that leave `rest` when they are divided by two. */
export function testSeeds(rest: number): void {
  const all =
    only === undefined ? Array.from({ length: count }, (_, i) => first + i) : [Number(only)]
  const seeds = all.filter((n) => n % 2 === rest)
  test(`${seeds.length} worlds end well`, async () => {
    const sum = { acts: 0, plans: 0, completed: 0, steps: 0 }
    const wrong: string[] = []
    const seen = new Set<string>()
    for (const seed of seeds) {
      const ran = await runSeed(seed, migrations)
      for (const key of ['acts', 'plans', 'completed', 'steps'] as const) sum[key] += ran[key]
      for (const kind of ran.kinds) seen.add(kind)
      if (only !== undefined) {
        for (const { at_ms, who, what } of ran.journal) console.log(at_ms, who, what)
      }
      if (ran.wrong.length === 0) continue
      wrong.push(`seed ${seed} (${ran.kinds.join()}): ${ran.wrong.join('; ')}`)
    }
    console.log(`${seeds.length} seeds, ${seen.size} kinds of faults: ${JSON.stringify(sum)}`)
    expect(wrong).toEqual([])
    // A world in which nothing moves would prove nothing.
    if (only === undefined) expect(sum.acts).toBeGreaterThan(2 * seeds.length)
  }, 3_600_000)
}
