// Loss of authority in mid-node, under each orphan policy; crashes, restarts, lost connections. The
// cell's journal says what moved, the gateway's records say what was told.
import { writeFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import type { Override, ScriptedGateway } from './gateway.ts'
import {
  lock,
  move,
  openLab,
  pick,
  planOf,
  story,
  until,
  type Lab,
  type LabOptions,
} from './harness.ts'

let lab: Lab | null = null
afterEach(async () => {
  await lab?.close()
  lab = null
})
async function open(options?: LabOptions): Promise<Lab> {
  lab = await openLab(options)
  return lab
}
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

test('halt stops a tool of policy stop, safe-stops the arm, and nothing follows', async () => {
  const l = await open({ cellArgs: ['--time-scale', '1'] })
  const session = await l.gateway.assign(planOf(move('a'), lock('b', ['a'])))
  await until(() => begun(l, 'arm.move_to_pose'))
  session.status = 'terminated'
  l.gateway.push(session, { type: 'halt', reason: 'stopped_by_person' })
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({
    outcome: 'unknown',
    reason: 'cancelled',
    actuated: true,
  })
  await until(() => l.journal().some((j) => j.tool === 'arm.safe_stop' && j.phase === 'end'))
  expect(story(l.journal())).toEqual([
    'begin arm.move_to_pose',
    'end interrupted arm.move_to_pose',
    'begin arm.safe_stop',
    'end done arm.safe_stop',
  ])
})

test('halt lets a tool of policy finish end, and reports its success', async () => {
  const l = await open({ cellArgs: slow('door.lock', 500) })
  const session = await l.gateway.assign(planOf(lock('a'), move('b', ['a'])))
  await until(() => begun(l, 'door.lock'))
  session.status = 'terminated'
  l.gateway.push(session, { type: 'halt', reason: 'stopped_by_person' })
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({ outcome: 'succeeded' })
  await sleep(300)
  expect(l.moved()).toEqual(['begin door.lock', 'end done door.lock'])
})

test('halt holds a tool of policy hold, and safe-stops it after the grace', async () => {
  const l = await open({ cellArgs: ['--time-scale', '1'] })
  const session = await l.gateway.assign(planOf(pick('a')))
  await until(() => begun(l, 'arm.pick'))
  session.status = 'terminated'
  const haltedMs = Date.now()
  l.gateway.push(session, { type: 'halt', reason: 'stopped_by_person' })
  await until(() => session.reports.length > 0)
  const end = l.journal().find((j) => j.phase === 'end' && j.tool === 'arm.pick')
  expect(end).toMatchObject({ outcome: 'interrupted', cause: 'arm.safe_stop' })
  // hold_grace_ms of the test's configuration is 300.
  expect((end?.at_ms ?? 0) - haltedMs).toBeGreaterThanOrEqual(290)
  expect(session.reports[0]).toMatchObject({ outcome: 'failed', actuated: true })
})

test('halt between start and go: a go that still comes moves nothing', async () => {
  const l = await open()
  l.gateway.override = async ({ session, frame, answer }) => {
    if (frame.type !== 'start') return false
    session.progress.set(frame.nid, 'executing')
    const go = await l.gateway.goFor(session, frame)
    answer({ re: null, type: 'halt', reason: 'stopped_by_person' })
    answer({ type: 'go', nid: frame.nid, go })
    return true
  }
  const session = await l.gateway.assign(planOf(move('a')))
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({ outcome: 'failed', reason: 'halted', actuated: false })
  await sleep(200)
  expect(l.moved()).toEqual([])
})

test('halt on the presence socket ends the running session too', async () => {
  const l = await open({ cellArgs: ['--time-scale', '1'] })
  const session = await l.gateway.assign(planOf(move('a')))
  await until(() => begun(l, 'arm.move_to_pose'))
  l.gateway.tell({ re: null, type: 'halt', reason: 'agent_revoked' })
  await until(() => session.reports.length > 0)
  expect(l.moved()).toEqual(['begin arm.move_to_pose', 'end interrupted arm.move_to_pose'])
})

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

test('SIGUSR2, a stop by a person at the cell, ends the session and keeps the agent', async () => {
  const l = await open({ cellArgs: ['--time-scale', '1'] })
  const session = await l.gateway.assign(planOf(move('a')))
  await until(() => begun(l, 'arm.move_to_pose'))
  await Promise.race([l.kill('SIGUSR2'), until(() => session.reports.length > 0)])
  expect(l.exited()).toBe(null)
  const next = await l.gateway.assign(planOf(lock('a')))
  await until(() => next.status === 'completed')
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

test('a gateway that returns within the grace gets the report, and the session goes on', async () => {
  const l = await open({ cellArgs: slow('door.lock', 700) })
  const session = await l.gateway.assign(planOf(lock('a'), move('b', ['a'])))
  await until(() => begun(l, 'door.lock'))
  const port = l.gateway.port
  await l.gateway.close()
  await sleep(900)
  await l.gateway.listen(port)
  await until(() => session.status === 'completed')
  expect(session.hellos).toHaveLength(2)
  expect(session.reports.map((r) => r.nid)).toEqual(['a', 'b'])
  expect(l.moved()).toHaveLength(4)
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

test('a report is sent again, as it was, until it is acknowledged', async () => {
  const l = await open()
  const fids: string[] = []
  const texts: string[] = []
  l.gateway.override = ({ frame, socket }) => {
    if (frame.type !== 'report' || fids.length >= 3) return false
    fids.push(frame.fid)
    texts.push(frame.report)
    socket.terminate()
    return true
  }
  const session = await l.gateway.assign(planOf(lock('a')))
  await until(() => session.status === 'completed')
  expect(new Set(fids).size).toBe(1)
  expect(new Set(texts).size).toBe(1)
  expect(l.moved()).toEqual(['begin door.lock', 'end done door.lock'])
})

/** Cuts the socket at one kind of frame, once. */
function cutOnce(type: string, before: boolean, gateway: ScriptedGateway): Override {
  let done = false
  return async (asked) => {
    if (done || asked.frame.type !== type) return false
    done = true
    if (!before) await gateway.answerWell(asked)
    asked.socket.terminate()
    return true
  }
}

test.each([
  ['hello', true],
  ['hello', false],
  ['pull', true],
  ['pull', false],
  ['start', true],
  ['report', true],
  ['report', false],
])('a socket cut at %s (before the gateway acts: %s) runs each node once', async (type, before) => {
  const l = await open()
  l.gateway.override = cutOnce(type, before, l.gateway)
  const session = await l.gateway.assign(planOf(lock('a'), move('b', ['a'])))
  await until(() => session.status === 'completed')
  expect(l.moved()).toEqual([
    'begin door.lock',
    'end done door.lock',
    'begin arm.move_to_pose',
    'end done arm.move_to_pose',
  ])
})

test('a go that was lost with its socket is given up: nothing moved, and it says so', async () => {
  const l = await open()
  l.gateway.override = ({ session, frame, socket }) => {
    if (frame.type !== 'start') return false
    session.progress.set(frame.nid, 'executing')
    socket.terminate()
    return true
  }
  const session = await l.gateway.assign(planOf(move('a')))
  await until(() => session.reports.length > 0)
  expect(session.reports[0]).toMatchObject({ outcome: 'failed', actuated: false })
  expect(['go_lost', 'go_late']).toContain(session.reports[0]?.reason)
  expect(l.moved()).toEqual([])
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
  l.gateway.tools = l.gateway.tools.map((t) =>
    t.tool === 'arm.move_to_pose' ? { ...t, timeout_ms: 200 } : t,
  )
  l.gateway.tell({
    re: null,
    type: 'registry',
    registry_digest: l.gateway.registryDigest,
    tools: l.gateway.tools,
    sandboxes: [],
  })
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
