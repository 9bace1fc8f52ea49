// An emergency stop or a door that is wired to the agent: it ends what runs without asking the gateway,
// keeps the cell out of service while it holds, and whatever cannot be read holds.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { isClear, Latches, type LatchIo } from '../../../robot-agent/latch.ts'
import { parseConfig } from '../../../robot-agent/config.ts'
import { lock, move, openLab, planOf, until, type Lab } from './harness.ts'
import { scratch } from '../support/scratch.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.close()
  lab = null
})

const io: LatchIo = {
  log: () => {},
  onChange: () => {},
  readResource: () => Promise.resolve(null),
}
const times = { name: 'e-stop', clear: 'released', every_ms: 20, timeout_ms: 300 }

test('a door that opens stops the arm, and the cell stays out of service until it is shut', async () => {
  const door = path.join(scratch(), 'door')
  writeFileSync(door, 'shut\n')
  const latches = [{ name: 'door', file: door, clear: 'shut', every_ms: 20 }]
  lab = await openLab({ cellArgs: ['--time-scale', '1'], config: { latches } })
  const l = lab
  await until(() => l.gateway.health.at(-1)?.out_of_service === undefined)
  const session = await l.gateway.assign(planOf(move('a'), lock('b', ['a'])))
  await until(() => l.journal().some((j) => j.phase === 'begin' && j.tool === 'arm.move_to_pose'))
  rmSync(door)
  await until(() => l.journal().some((j) => j.phase === 'end' && j.tool === 'arm.safe_stop'))
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({ outcome: 'unknown', reason: 'cancelled' })
  expect(l.moved()).toEqual(['begin arm.move_to_pose', 'end interrupted arm.move_to_pose'])
  await until(() => l.gateway.health.at(-1)?.out_of_service === 'local_latch')
  expect(l.gateway.health.at(-1)?.servers['lc7-cell']?.state).toBe('down')
  const next = await l.gateway.assign(planOf(lock('c')))
  expect(next.hellos).toEqual([])
  writeFileSync(door, 'shut')
  await until(() => next.status === 'completed')
})

test.each([
  ['the clear word', 'released\n', true],
  ['another word', 'pressed', false],
  ['more than the clear word', 'released or not', false],
  ['nothing', '', false],
])('a file that says %s', async (_what, text, clear) => {
  const file = path.join(scratch(), 'e-stop')
  writeFileSync(file, text)
  expect(await isClear({ ...times, file }, io)).toBe(clear)
})

test.each([
  ['says the clear word', 'echo released', true],
  ['says it and fails', 'echo released; exit 3', false],
  ['says it and does not end in time', 'echo released; exec sleep 5', false],
])('a command that %s', async (_what, script, clear) => {
  expect(await isClear({ ...times, command: '/bin/sh', args: ['-c', script] }, io)).toBe(clear)
})

test.each([
  ['says the clear word', () => Promise.resolve('released'), true],
  ['is away', () => Promise.resolve(null), false],
  ['breaks', () => Promise.reject(new Error('broken')), false],
  ['never answers', () => new Promise<null>(() => {}), false],
])('a resource that %s', async (_what, readResource, clear) => {
  expect(await isClear({ ...times, server: 's', resource: 'r' }, { ...io, readResource })).toBe(
    clear,
  )
})

test('a pipe that nobody writes to holds at once, as often as it is read', async () => {
  const file = path.join(scratch(), 'pipe')
  execFileSync('mkfifo', [file])
  // More than the threads that all reading of files shares: each would wait for a writer.
  const readings = Array.from({ length: 8 }, () => isClear({ ...times, file }, io))
  expect(await Promise.all(readings)).toEqual(Array.from({ length: 8 }, () => false))
  const plain = path.join(scratch(), 'plain')
  writeFileSync(plain, 'released')
  expect(await isClear({ ...times, file: plain }, io)).toBe(true)
})

test('an input that hangs holds, and is not asked again beside itself', async () => {
  let asked = 0
  let answer: (text: string) => void = () => {}
  const readResource = () => {
    asked += 1
    return asked === 2
      ? new Promise<string>((resolve) => (answer = resolve))
      : Promise.resolve('released')
  }
  const heard: string[] = []
  const said = { ...io, readResource, log: (_l: unknown, event: string) => void heard.push(event) }
  const latches = new Latches([{ ...times, every_ms: 1, server: 's', resource: 'r' }], said)
  latches.start()
  await until(() => heard.includes('latch_holds'))
  expect([latches.engaged, asked]).toEqual([true, 2])
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([latches.engaged, asked]).toEqual([true, 2])
  answer('released')
  await until(() => !latches.engaged)
  latches.close()
})

test('paths are relative to the file; a latch needs a server that there is and a name of its own', () => {
  const base = {
    gateway: 'http://gateway.test',
    site: 's',
    agent: 'a',
    cell: 'c',
    key_file: 'keys/a.jwk',
    state_dir: 'state',
    mcpServers: { arm: { command: './driver', args: ['map.json'] }, bare: { command: 'node' } },
  }
  const of = (latches: object[]) => parseConfig({ ...base, latches }, {}, '/lab/cell')
  const good = of([{ name: 'door', file: 'door', clear: 'shut' }])
  expect(good.ok && good.value).toMatchObject({
    key_file: '/lab/cell/keys/a.jwk',
    mcpServers: {
      arm: { command: '/lab/cell/driver', cwd: '/lab/cell' },
      bare: { command: 'node', cwd: '/lab/cell' },
    },
    latches: [{ file: '/lab/cell/door' }],
  })
  expect(of([{ name: 'x', server: 'none', resource: 'r', clear: '1' }])).toMatchObject({
    ok: false,
    error: expect.stringContaining('not in mcpServers') as unknown,
  })
  const one = { name: 'x', file: 'f', clear: '1' }
  expect(of([one, one])).toMatchObject({
    ok: false,
    error: expect.stringContaining('same name') as unknown,
  })
})
