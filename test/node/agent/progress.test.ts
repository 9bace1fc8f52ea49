// What a running call says of itself, over a real agent and a server that is a process: passed on, bounded
// in rate and length, and gone with the call; a server that asks something is answered at once.
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Device } from '../../../robot-agent/device.ts'
import { ProgressTeller } from '../../../robot-agent/progress.ts'
import type { Told } from '../../../protocol/progress.ts'
import { limits } from '../../../protocol/limits.ts'
import { scratch } from '../support/scratch.ts'

const server = path.join(import.meta.dirname, 'scripted-server.ts')
const open: Device[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((device) => device.close()))
})

/** One call to a server in one mode, and what was told of it. */
async function run(mode: string) {
  const log: string[] = []
  const device = new Device({
    name: 'scripted',
    config: {
      command: process.execPath,
      args: [server, mode, path.join(scratch(), 'journal')],
      env: {},
    },
    backoff: { baseMs: 20, maxMs: 100 },
    probeMs: 600_000,
    random: () => 0,
    log: (_level, event) => log.push(event),
    onChange: () => {},
  })
  open.push(device)
  device.start()
  await device.waitUp(60_000)
  const told: Told[] = []
  const teller = new ProgressTeller((_nid, one) => told.push(one))
  const ears = teller.of('n1')
  const signal = new AbortController().signal
  const about = { tool: 't0', args: {}, meta: {}, timeoutMs: 60_000, signal, expected: null }
  const end = await device.call({ ...about, ears })
  teller.end()
  return { end, told, log, teller, ears }
}

test('progress is told, the newest of a flood, and nothing after the end', async () => {
  const { end, told, ears } = await run('progress=500')
  expect(end).toMatchObject({ outcome: 'succeeded' })
  expect(told.length).toBeGreaterThan(0)
  expect(told.length).toBeLessThan(10)
  expect(told[0]).toMatchObject({ total: 500, declined: null })
  expect(told.every(({ message }) => (message?.length ?? 0) <= limits.progressCharsMax)).toBe(true)
  const before = told.length
  // Whoever still talks after that is of no call any more.
  ears.progress({ progress: Number.NaN, message: '\ud800' })
  expect(told.slice(before)).toEqual([
    { progress: null, total: null, message: '\ufffd', declined: null },
  ])
})

test('a server that asks in the middle of a call is declined at once, and the call goes on', async () => {
  const { end, told, log } = await run('asks=elicitation/create')
  expect(end).toMatchObject({ outcome: 'succeeded' })
  expect(log).toContain('question_declined')
  expect(told).toContainEqual({
    progress: null,
    total: null,
    message: null,
    declined: 'elicitation/create',
  })
})

test.each(['sampling/createMessage', 'roots/list', 'made/up'])(
  'no %s is answered',
  async (method) => {
    const { end, log } = await run(`asks=${method}`)
    expect(end).toMatchObject({ outcome: 'succeeded' })
    expect(log.filter((event) => event === 'question_declined').length).toBeLessThanOrEqual(1)
  },
)
