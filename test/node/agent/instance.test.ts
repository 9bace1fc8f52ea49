// A device server that becomes another process between two steps: what the first one held, heated or had
// homed is unknown, so the run ends there. And what the agent tells, signed, of its devices afterwards.
import { execFileSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { lock, move, openLab, planOf, until, type Lab } from './harness.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.close()
  lab = null
})

/** Process ids of the running cell of this lab. */
const cellPids = (l: Lab): number[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(l.journalFile) && line.includes('sim-cell'))
    .map((line) => Number(line.trim().split(/\s+/)[0]))

test('a server that is another process between two steps ends the run, with its own reason', async () => {
  const l = await openLab()
  lab = l
  let hold = true
  l.gateway.override = ({ session, frame, answer }) => {
    if (frame.type !== 'pull' || session.reports.length === 0 || !hold) return false
    answer({ type: 'wait', ms: 50 })
    return true
  }
  const session = await l.gateway.assign(planOf(lock('a'), move('b', ['a'])))
  await until(() => session.reports.length === 1)
  for (const pid of cellPids(l)) process.kill(pid, 'SIGKILL')
  await until(() => session.aborts.length > 0, 60_000)
  expect(session.aborts[0]).toMatchObject({ reason: 'server_restarted' })
  hold = false
  expect(l.moved()).toEqual(['begin door.lock', 'end done door.lock'])
  // The next session is another matter: it begins on the new process, once that is up.
  await until(() => l.gateway.health.at(-1)?.servers['lc7-cell']?.state === 'up', 60_000)
  const next = await l.gateway.assign(planOf(lock('c')))
  await until(() => next.status === 'completed', 60_000)
})

test('a session in which an earlier process of the agent moved something is not continued', async () => {
  const l = await openLab()
  lab = l
  let hold = true
  l.gateway.override = ({ session, frame, answer }) => {
    if (frame.type !== 'pull' || session.reports.length === 0 || !hold) return false
    answer({ type: 'wait', ms: 50 })
    return true
  }
  const session = await l.gateway.assign(planOf(lock('a'), move('b', ['a'])))
  await until(() => session.reports.length === 1)
  await l.kill('SIGKILL')
  hold = false
  await l.startAgent()
  await until(() => session.aborts.length > 0, 60_000)
  expect(session.aborts[0]?.reason).toBe('server_restarted')
  expect(l.moved()).toEqual(['begin door.lock', 'end done door.lock'])
})

test('after a crash a tool that must finish is left to finish, and a stoppable one is stopped', async () => {
  const l = await openLab({ cellArgs: ['--time-scale', '1'] })
  lab = l
  const session = await l.gateway.assign(planOf(lock('a')))
  await until(() => l.journal().some((j) => j.phase === 'begin'), 60_000)
  await l.kill('SIGKILL')
  await l.startAgent()
  await until(() => session.rests.length > 0, 60_000)
  expect(session.rests.at(-1)?.devices).toEqual([
    { server: 'lc7-cell', state: 'unreachable', detail: 'left_to_finish' },
  ])
  expect(l.journal().some((j) => j.tool.endsWith('safe_stop'))).toBe(false)
})

test('a stop is followed by signed word that the device is at rest, and is acknowledged', async () => {
  const l = await openLab({ cellArgs: ['--time-scale', '1'] })
  lab = l
  const session = await l.gateway.assign(planOf(move('a')))
  await until(() => l.journal().some((j) => j.phase === 'begin'), 60_000)
  session.status = 'terminated'
  l.gateway.push(session, { type: 'halt', reason: 'stopped_by_person' })
  await until(() => session.rests.at(-1)?.devices[0]?.state === 'at_rest', 60_000)
  expect(session.rests.at(-1)?.devices).toEqual([
    { server: 'lc7-cell', state: 'at_rest', detail: null },
  ])
  const seqs = session.rests.map(({ seq }) => seq)
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
  await until(() => l.log().includes('session_closed'), 60_000)
})
