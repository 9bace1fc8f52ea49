// The stop of a whole cell (invariant 12) by a real agent and a real cell: only by a signed order for this
// connection, in the order of its groups, while nothing runs and while something does.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PlacedStop } from '../../../protocol/stop-order.ts'
import { move, openLab, pick, planOf, story, until, type Lab } from './harness.ts'

let lab: Lab
let lines = 0
beforeAll(async () => {
  lab = await openLab({ cellArgs: ['--time-scale', '1'] })
})
afterAll(() => lab.close())
beforeEach(() => {
  lines = lab.journal().length
})

const journal = () => lab.journal().slice(lines)
const call = (device: string, group: number | null, server = 'lc7-cell'): PlacedStop => ({
  server,
  mcp_tool: `${device}.safe_stop`,
  args: {},
  place: group === null ? null : { group, within_ms: 5_000 },
})
const answers = (order: { stop: string }) =>
  lab.gateway.stopped.filter(({ stop }) => stop === order.stop)
const last = (stop: string) =>
  answers({ stop })
    .at(-1)
    ?.calls.map(({ state }) => state) ?? []

test('while nothing runs every device is called in the order of the groups, and the answer says how each stands', async () => {
  const calls = [call('arm', 0), call('heater_shaker', 1), call('arm', 1, 'elsewhere')]
  await lab.gateway.orderStop(calls, { stop: 'stop-idle' })
  await until(
    () => last('stop-idle').every((state) => state !== 'pending') && last('stop-idle').length > 0,
  )
  expect(last('stop-idle')).toEqual(['at_rest', 'at_rest', 'absent'])
  expect(story(journal())).toEqual([
    'begin arm.safe_stop',
    'end done arm.safe_stop',
    'begin heater_shaker.safe_stop',
    'end done heater_shaker.safe_stop',
  ])
  // The same stop ordered again is answered and not carried out again.
  const before = answers({ stop: 'stop-idle' }).length
  await lab.gateway.orderStop(calls, { stop: 'stop-idle' })
  await until(() => answers({ stop: 'stop-idle' }).length > before)
  expect(journal()).toHaveLength(4)
})

test('an order for another connection, agent, cell or site, or with another signature, calls nothing', async () => {
  const calls = [call('arm', 0)]
  const bad = [{ cn: 'nonce-of-before' }, { sub: 'other' }, { cell: 'other' }, { aud: 'other' }]
  for (const change of bad) await lab.gateway.orderStop(calls, { stop: 'stop-bad', ...change })
  const order = await lab.gateway.orderStop(calls, { stop: 'stop-bad', cn: 'nonce-of-before' })
  lab.gateway.tell({ re: null, type: 'stop_order', order: `${order.slice(0, -4)}AAAA` })
  const refused = () => lab.log().split('stop_order_refused').length - 1
  await until(() => refused() === bad.length + 2)
  expect(journal()).toEqual([])
  expect(answers({ stop: 'stop-bad' })).toEqual([])
})

const refusals = () => lab.log().split('stop_order_refused').length - 1

test('an order that was carried out on this connection, or that is older than the newest, calls nothing again', async () => {
  const first = await lab.gateway.orderStop([call('arm', 0)], { stop: 'stop-first' })
  await until(() => last('stop-first').join() === 'at_rest')
  await lab.gateway.orderStop([call('heater_shaker', 0)], { stop: 'stop-second' })
  await until(() => last('stop-second').join() === 'at_rest')
  const before = { lines: journal().length, refused: refusals() }
  lab.gateway.tell({ re: null, type: 'stop_order', order: first })
  const iat_ms = Date.now() - 60_000
  await lab.gateway.orderStop([call('arm', 0)], { stop: 'stop-older', iat_ms })
  await until(() => refusals() === before.refused + 2)
  expect(journal()).toHaveLength(before.lines)
  expect(answers({ stop: 'stop-older' })).toEqual([])
})

test('a drill does not take the place of a stop that is not confirmed', async () => {
  const before = refusals()
  const calls = [call('arm', 0), call('heater_shaker', 1)]
  await lab.gateway.orderStop(calls, { stop: 'stop-real' })
  await lab.gateway.orderStop([call('arm', 0)], { stop: 'drill-late', kind: 'drill' })
  await until(() => refusals() === before + 1)
  await until(() => last('stop-real').join() === 'at_rest,at_rest')
  expect(answers({ stop: 'drill-late' })).toEqual([])
})

test('while a session runs it is halted, stops what it moved itself, and the rest of the cell is called', async () => {
  const session = await lab.gateway.assign(planOf(move('a')))
  await until(() => journal().some((line) => line.tool === 'arm.move_to_pose'))
  session.status = 'terminated'
  await lab.gateway.orderStop([call('arm', 0), call('heater_shaker', 1)], { stop: 'stop-run' })
  await until(() => last('stop-run').join() === 'at_rest,at_rest')
  expect(session.reports[0]).toMatchObject({ outcome: 'unknown', reason: 'cancelled' })
  // Once each: the session's own safe-stop is the cell's.
  const stops = journal().filter(
    ({ tool, phase }) => phase === 'begin' && tool.endsWith('safe_stop'),
  )
  expect(stops.map(({ tool }) => tool).sort()).toEqual(['arm.safe_stop', 'heater_shaker.safe_stop'])
})

test('a gripper that must hold is not told to let go before its grace is over', async () => {
  const session = await lab.gateway.assign(planOf(pick('a')))
  await until(() => journal().some((line) => line.tool === 'arm.pick'))
  session.status = 'terminated'
  const ordered_ms = Date.now()
  await lab.gateway.orderStop([call('arm', 0)], { stop: 'stop-hold' })
  await until(() => last('stop-hold').join() === 'at_rest')
  const asked = journal().find(({ tool }) => tool === 'arm.safe_stop')
  // hold_grace_ms of the test's configuration is 300.
  expect((asked?.at_ms ?? 0) - ordered_ms).toBeGreaterThanOrEqual(290)
})

test('a drill beside a running session is not begun, and says why', async () => {
  const session = await lab.gateway.assign(planOf(move('a')))
  await until(() => journal().some((line) => line.tool === 'arm.move_to_pose'))
  await lab.gateway.orderStop([call('arm', 0)], { stop: 'stop-drill', kind: 'drill' })
  await until(() => answers({ stop: 'stop-drill' }).length > 0)
  const [told] = answers({ stop: 'stop-drill' })[0]?.calls ?? []
  expect(told).toMatchObject({ state: 'pending', detail: 'session_running', asked_ms: null })
  expect(journal().some(({ tool }) => tool.endsWith('safe_stop'))).toBe(false)
  session.status = 'terminated'
  lab.gateway.push(session, { type: 'halt', reason: 'stopped_by_person' })
  await until(() => session.reports.length > 0)
})
