// The hub's core against its reference model on random days: arm, clear, stop, release, revoke, queue, bind, end,
// the question before a go, time and restarts (invariants 12, 13 and 14). A failure prints its seed and path;
// PORTCULLIS_SEED repeats it.
import * as fc from 'fast-check'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { hubParts, type HubParts } from '../gateway/hub-core.ts'
import { command, type Command } from './commands.ts'
import { Day } from './run.ts'
import { variants } from './variants.ts'

const seed = Number(process.env['PORTCULLIS_SEED'] ?? Date.now() % 2 ** 31)
const numRuns = Math.ceil(Number(process.env['PORTCULLIS_RUNS'] ?? 4_000) / 16)

const days = fc.array(command, { maxLength: 60, size: 'max' })

function play(commands: readonly Command[], parts: HubParts): Day['seen'] {
  const database = new DatabaseSync(':memory:')
  try {
    return new Day(database, parts).run(commands).seen
  } finally {
    database.close()
  }
}

test(`the hub is as its model on ${numRuns} random days (seed ${seed})`, () => {
  const sum = { bound: 0, allowed: 0, ended: 0 }
  fc.assert(
    fc.property(days, (commands) => {
      const seen = play(commands, hubParts)
      for (const key of ['bound', 'allowed', 'ended'] as const) sum[key] += seen[key]
    }),
    { seed, numRuns },
  )
  console.log(`seed ${seed}: ${numRuns} days, ${JSON.stringify(sum)}`)
  // A day on which nothing happens would prove nothing.
  for (const count of Object.values(sum)) expect(count).toBeGreaterThan(numRuns / 4)
})

test.each(variants)('found: %s', (_, change) => {
  const parts = { ...hubParts, ...change(hubParts) }
  const outcome = fc.check(
    fc.property(days, (commands) => void play(commands, parts)),
    { seed, numRuns: 4_000, endOnFailure: true },
  )
  expect(outcome.failed).toBe(true)
})
