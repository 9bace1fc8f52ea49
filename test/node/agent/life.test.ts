// Loss of authority in mid-node, under each orphan policy; crashes, restarts, lost connections. The
// cell's journal says what moved, the gateway's records say what was told.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'
import { lock, move, openLab, planOf, story, until, type Lab, type LabOptions } from './harness.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.close()
  lab = null
})
async function open(options?: LabOptions): Promise<Lab> {
  lab = await openLab(options)
  return lab
}
/** Command lines of running processes that name this file. */
const processesWith = (file: string): string[] =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(file) && line.includes('sim-cell'))
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const begun = (l: Lab, tool: string) =>
  l.journal().some((j) => j.phase === 'begin' && j.tool === tool)
const slow = (tool: string, factor: number) => [
  '--time-scale',
  '1000',
  '--act-ms-max',
  '40',
  '--fault',
  `slow:${tool}@${factor}`,
]

test('SIGTERM stops the arm, reports, aborts the session and exits 0', async () => {
  const l = await open({ cellArgs: ['--time-scale', '1'] })
  const session = await l.gateway.assign(planOf(move('a'), lock('b', ['a'])))
  await until(() => begun(l, 'arm.move_to_pose'))
  await l.kill('SIGTERM')
  expect(l.exited()).toBe(0)
  expect(session.reports[0]).toMatchObject({ outcome: 'unknown', reason: 'cancelled' })
  expect(story(l.journal())).toEqual([
    'begin arm.move_to_pose',
    'end interrupted arm.move_to_pose',
    'begin arm.safe_stop',
    'end done arm.safe_stop',
  ])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to the whole process group leaves the device its orphan policy and its safe-stop',
  async (signal) => {
    const l = await open({ cellArgs: ['--time-scale', '1'] })
    const session = await l.gateway.assign(planOf(move('a'), lock('b', ['a'])))
    await until(() => begun(l, 'arm.move_to_pose'))
    await l.killGroup(signal)
    expect(l.exited()).toBe(0)
    expect(session.reports[0]).toMatchObject({ outcome: 'unknown', reason: 'cancelled' })
    expect(story(l.journal())).toEqual([
      'begin arm.move_to_pose',
      'end interrupted arm.move_to_pose',
      'begin arm.safe_stop',
      'end done arm.safe_stop',
    ])
    expect(processesWith(l.journalFile)).toEqual([])
  },
)

test('a server whose agent was killed ends by itself', async () => {
  const l = await open()
  expect(processesWith(l.journalFile)).not.toEqual([])
  await l.killGroup('SIGKILL')
  await until(() => processesWith(l.journalFile).length === 0)
})

test('a session that the gateway ends over a report closes, and the next one runs', async () => {
  const l = await open()
  let violated = true
  l.gateway.override = ({ frame, session }) => {
    if (frame.type !== 'report' || !violated) return false
    session.status = 'terminated'
    l.gateway.push(session, { type: 'halt', reason: 'frame_violation' })
    return true
  }
  await l.gateway.assign(planOf(lock('a')))
  await until(() => l.log().includes('session_closed'), limits.reportAckMs + 5_000)
  violated = false
  const next = await l.gateway.assign(planOf(lock('a')))
  await until(() => next.status === 'completed')
}, 30_000)

test('SIGTERM waits for a tool of policy finish and then aborts the rest', async () => {
  const l = await open({ cellArgs: slow('door.lock', 500) })
  const session = await l.gateway.assign(planOf(lock('a'), move('b', ['a'])))
  await until(() => begun(l, 'door.lock'))
  await l.kill('SIGTERM')
  expect(l.exited()).toBe(0)
  expect(session.reports[0]).toMatchObject({ outcome: 'succeeded' })
  expect(session.aborts[0]?.reason).toBe('shutdown')
  expect(l.moved()).toEqual(['begin door.lock', 'end done door.lock'])
})

test.each(['stdio', 'http'] as const)(
  'kill -9 in mid-node: the restarted agent does not run it again and says unknown (%s)',
  async (transport) => {
    const l = await open({ transport, cellArgs: ['--time-scale', '1'] })
    const session = await l.gateway.assign(planOf(move('a'), lock('b', ['a'])))
    await until(() => begun(l, 'arm.move_to_pose'))
    await l.kill('SIGKILL')
    const before = session.hellos[0]?.boot_id
    // The real session ends itself on the new boot id; this one goes on asking for trouble.
    await l.startAgent()
    await until(() => session.reports.length > 0)
    expect(session.hellos.at(-1)?.boot_id).not.toBe(before)
    expect(session.hellos.at(-1)?.ledger_head).toEqual([{ nid: 'a', state: 'ended' }])
    expect(session.reports[0]).toMatchObject({
      nid: 'a',
      outcome: 'unknown',
      reason: 'agent_restarted',
      actuated: true,
    })
    await until(() => begun(l, 'arm.safe_stop'))
    await sleep(300)
    const begins = l.journal().filter((j) => j.phase === 'begin' && j.node !== null)
    expect(begins.map((j) => j.node)).toEqual(['a'])
  },
)

test('kill -9 after start and before go: the node is not run and not lost', async () => {
  const l = await open()
  let silent = true
  l.gateway.override = ({ frame }) => frame.type === 'start' && silent
  const session = await l.gateway.assign(planOf(move('a')))
  await until(() => session.starts.length === 1)
  await l.kill('SIGKILL')
  silent = false
  // The gateway never recorded the start: the node is still released there.
  await l.startAgent()
  await until(() => session.status === 'completed')
  expect(l.moved()).toEqual(['begin arm.move_to_pose', 'end done arm.move_to_pose'])
})

test('a gateway that stays away: orphan policy after the grace, report on reconnect, no resumption', async () => {
  const l = await open({ cellArgs: ['--time-scale', '1'], config: { lost_grace_ms: 200 } })
  const session = await l.gateway.assign(planOf(move('a'), lock('b', ['a'])))
  await until(() => begun(l, 'arm.move_to_pose'))
  const port = l.gateway.port
  await l.gateway.close()
  await until(() => l.journal().some((j) => j.tool === 'arm.safe_stop' && j.phase === 'end'))
  await l.gateway.listen(port)
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({ nid: 'a', outcome: 'unknown', reason: 'cancelled' })
  await sleep(300)
  expect(l.moved()).toEqual(['begin arm.move_to_pose', 'end interrupted arm.move_to_pose'])
})

test.each(['redefine', 'redefine-silent'])(
  'a tool whose definition changes at run time (%s) is not called, and health shows it',
  async (kind) => {
    const l = await open({
      cellArgs: ['--time-scale', '1000', '--fault', `${kind}:arm.move_to_pose@1`],
    })
    const pinned = l.gateway.tools.find((t) => t.tool === 'arm.move_to_pose')?.definition_digest
    const session = await l.gateway.assign(planOf(lock('a'), move('b', ['a'])))
    await until(() => session.aborts.length + session.reports.length > 1)
    const told = [...session.aborts.map((x) => x.reason), ...session.reports.map((r) => r.reason)]
    expect(told).toContain('pin_changed')
    expect(l.moved()).toEqual(['begin door.lock', 'end done door.lock'])
    await until(() => {
      const shown = l.gateway.health.at(-1)?.servers['lc7-cell']?.tools['arm.move_to_pose']
      return shown !== undefined && shown !== pinned
    })
  },
)

test('a server that dies in mid-call makes the node unknown, and is started again', async () => {
  const l = await open({ cellArgs: ['--time-scale', '1000', '--fault', 'crash:arm.move_to_pose'] })
  const session = await l.gateway.assign(planOf(move('a')))
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({ outcome: 'unknown', actuated: true })
  await until(() => l.gateway.health.at(-1)?.servers['lc7-cell']?.state === 'up')
  expect(l.moved()).toEqual(['begin arm.move_to_pose'])
})

test('a tool that outlives its time-out is unknown, never failed', async () => {
  const l = await open({ cellArgs: ['--time-scale', '1000', '--fault', 'hang:arm.move_to_pose'] })
  l.gateway.rowsOf = (rows) =>
    rows.map((row) => (row.tool === 'arm.move_to_pose' ? { ...row, timeout_ms: 200 } : row))
  const session = await l.gateway.assign(planOf(move('a')))
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({
    outcome: 'unknown',
    reason: 'timeout',
    actuated: true,
  })
})

test('a second agent on the same state directory refuses to start and says why', async () => {
  const l = await open()
  const second = l.spawnAgent()
  await until(() => second.exitCode !== null)
  expect(second.exitCode).toBe(2)
  expect(l.log()).toContain('is another agent using this state_dir?')
})

test('a refused upgrade is tried again until it is let in', async () => {
  const l = await open({ start: false })
  l.gateway.refuseWith = 401
  const starting = l.startAgent()
  await until(() => l.log().includes('connection_refused'))
  l.gateway.refuseWith = null
  await starting
})

test('a configuration that is not valid is refused with the key that is wrong', async () => {
  const l = await open({ start: false })
  writeFileSync(l.configFile, JSON.stringify({ gateway: 'ftp://x', surprise: 1 }))
  await expect(l.startAgent()).rejects.toThrow()
  expect(l.exited()).toBe(2)
  expect(l.log()).toContain('gateway:')
  expect(l.log()).toContain('surprise')
})
