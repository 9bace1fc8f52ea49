// Authority that ends in mid-node, under each orphan policy of the registry: by the cell's journal, what
// must stop stops, what must end ends, and nothing follows. One agent and one cell in real time.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { lock, move, openLab, pick, planOf, story, until, type Lab } from './harness.ts'

let shared: Lab
beforeAll(async () => {
  shared = await openLab({ cellArgs: ['--time-scale', '1'] })
})
afterAll(() => shared.close())
afterEach(() => {
  shared.gateway.override = () => false
})

/** The shared lab, with what the journal holds since this call. */
function open(): Lab {
  const lines = shared.journal().length
  const movedBefore = shared.moved().length
  return {
    ...shared,
    journal: () => shared.journal().slice(lines),
    moved: () => shared.moved().slice(movedBefore),
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const begun = (l: Lab, tool: string) =>
  l.journal().some((j) => j.phase === 'begin' && j.tool === tool)

test('halt stops a tool of policy stop, safe-stops the arm, and nothing follows', async () => {
  const l = open()
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
  const l = open()
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
  const l = open()
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
  const l = open()
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
  const l = open()
  const session = await l.gateway.assign(planOf(move('a')))
  await until(() => begun(l, 'arm.move_to_pose'))
  l.gateway.tell({ re: null, type: 'halt', reason: 'agent_revoked' })
  await until(() => session.reports.length > 0)
  expect(l.moved()).toEqual(['begin arm.move_to_pose', 'end interrupted arm.move_to_pose'])
})

test('SIGUSR2, a stop by a person at the cell, ends the session and keeps the agent', async () => {
  const l = open()
  const session = await l.gateway.assign(planOf(move('a')))
  await until(() => begun(l, 'arm.move_to_pose'))
  await Promise.race([l.kill('SIGUSR2'), until(() => session.reports.length > 0)])
  expect(l.exited()).toBe(null)
  const next = await l.gateway.assign(planOf(lock('a')))
  await until(() => next.status === 'completed')
})

test('a gateway that returns within the grace gets the report, and the session goes on', async () => {
  const l = open()
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
