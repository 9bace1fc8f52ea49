// A disk that is full when authority ends: by the cell's journal, the device is stopped first; the agent
// is then out of service, and comes back by itself when there is room again. A real, small file system.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { scratch } from '../support/scratch.ts'
import { lock, move, openLab, pick, planOf, until, type Lab } from './harness.ts'

/** Only a root of its own namespace may mount; elsewhere the same kind is shown on KeptLedger alone. */
const mountable = process.platform === 'linux' && process.getuid?.() === 0
const small = path.join(scratch(), 'small')
const filler = path.join(small, 'filler')

beforeAll(() => {
  if (!mountable) return
  mkdirSync(small)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300k', 'tmpfs', small])
})
afterAll(() => {
  if (mountable) execFileSync('umount', ['-l', small])
})

let lab: Lab | null = null
afterEach(async () => {
  rmSync(filler, { force: true })
  await lab?.close()
  rmSync(path.join(small, 'state'), { recursive: true, force: true })
})

function fill(): void {
  for (const size of [65_536, 4_096, 512, 64, 1]) {
    try {
      for (;;) appendFileSync(filler, Buffer.alloc(size))
    } catch {
      // Full to this grain.
    }
  }
}

const begun = (l: Lab, tool: string) =>
  l.journal().some((j) => j.phase === 'begin' && j.tool === tool)

test.skipIf(!mountable).each([
  ['stop', 'arm.move_to_pose', () => planOf(move('a'), lock('b', ['a']))],
  ['hold', 'arm.pick', () => planOf(pick('a'))],
] as const)(
  'a full disk never stands between a stop and the device (policy %s)',
  async (_policy, tool, plan) => {
    const l = await openLab({
      cellArgs: ['--time-scale', '0.3'],
      config: { state_dir: path.join(small, 'state') },
    })
    lab = l
    const session = await l.gateway.assign(plan())
    await until(() => begun(l, tool))
    fill()
    session.status = 'terminated'
    const stoppedMs = Date.now()
    l.gateway.push(session, { type: 'halt', reason: 'stopped_by_person' })
    await until(() => begun(l, 'arm.safe_stop'))
    const stop = l.journal().find((j) => j.tool === 'arm.safe_stop')
    // hold_grace_ms of the test's configuration is 300.
    expect((stop?.at_ms ?? 0) - stoppedMs).toBeLessThan(1_000)
    // Signed and told from memory, although it could not be written down.
    await until(() => session.reports.length > 0)
    await until(() => l.log().includes('out_of_service'))
    await until(() => l.gateway.health.at(-1)?.servers['lc7-cell']?.state === 'down')
    const waits = await l.gateway.assign(planOf(lock('z')))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(waits.hellos).toEqual([])
    rmSync(filler, { force: true })
    await until(() => waits.status === 'completed')
    expect(l.exited()).toBe(null)
    expect(l.log()).toContain('back_in_service')
  },
)
