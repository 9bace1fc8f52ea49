// Hostile sessions from seeds, in the real runtime and through real sockets: not one act that was not
// decided (invariants 1 and 2). A failure names its seed; PORTCULLIS_SEED repeats it, PORTCULLIS_HOSTILE sets how many are played.
import { expect, test } from 'vitest'
import { testEnv } from './agent.ts'
import { Siege, type Loot } from './hostile.ts'

const count = Number(testEnv.HOSTILE_SESSIONS)
const first = Number(testEnv.HOSTILE_SEED)
/** Sessions that are played at the same time. */
const beside = 8
/** A session takes a tenth of a second, on a machine that is busy with other things a whole one. */
const timeout = 60_000 + count * 2_000

test(
  `${count} hostile sessions from seed ${first}: nothing moves undecided`,
  { timeout },
  async () => {
    const loot: Loot = { tokens: [], frames: [] }
    const total = { went: 0, hostile: 0, played: 0 }
    for (let i = 0; i < count; i += beside) {
      const seeds = Array.from({ length: Math.min(beside, count - i) }, (_, j) => first + i + j)
      const played = await Promise.all(
        seeds.map((seed) =>
          Siege.run(seed, loot).catch((cause: unknown) => {
            throw new Error(`seed ${seed}: ${String(cause)}`, { cause })
          }),
        ),
      )
      for (const { went, hostile } of played) {
        total.went += went
        total.hostile += hostile
        total.played++
      }
    }
    console.log(JSON.stringify(total))
    expect(total.played).toBe(count)
    // Or the schedules show nothing: many nodes went, under far more frames that were hostile.
    expect(total.went).toBeGreaterThan(count / 4)
    expect(total.hostile).toBeGreaterThan(count * 4)
  },
)
