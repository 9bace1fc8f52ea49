// A gateway that forgets, floods or talks nonsense: sessions and frames past what the agent takes.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { BoundSession } from './gateway-types.ts'
import { lock, move, openLab, planOf, until, type Lab } from './harness.ts'
import { limits } from '../../../protocol/limits.ts'

// One agent and one cell for all of it: an attack on one session must not stain the next.
let shared: Lab
beforeAll(async () => {
  shared = await openLab()
})
afterAll(() => shared.close())
let before = 0
afterEach(() => {
  shared.gateway.override = () => false
})

/** The shared lab, with what moved since this call. */
function open(): Lab {
  before = shared.moved().length
  const seen = shared.log().length
  return {
    ...shared,
    moved: () => shared.moved().slice(before),
    log: () => shared.log().slice(seen),
  }
}
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test.each([
  [limits.agentBadFramesMax - 1, 1],
  [limits.agentBadFramesMax, 2],
])('%i frames that it cannot read on one connection: %i connections in all', async (bad, dials) => {
  const { gateway } = open()
  let first = true
  gateway.override = async (asked) => {
    if (asked.frame.type !== 'pull' || !first) return false
    first = false
    for (let i = 0; i < bad; i++) asked.socket.send('[]')
    await gateway.answerWell(asked)
    return true
  }
  const session = await gateway.assign(planOf(lock('a')))
  await until(() => session.status === 'completed')
  expect(session.hellos).toHaveLength(dials)
})

test('keeps as many sessions in mind as the limit says, and refuses one more', async () => {
  const { gateway, log } = open()
  gateway.override = ({ frame, answer }) => {
    if (frame.type !== 'pull') return false
    answer({ type: 'wait', ms: 20 })
    return true
  }
  const sessions: BoundSession[] = []
  for (let i = 0; i < limits.agentSessionsMax; i++) {
    sessions.push(await gateway.assign(planOf(lock('a'))))
  }
  await until(() => (sessions[0]?.hellos.length ?? 0) > 0)
  await sleep(100)
  expect(log()).not.toContain('assignment_refused')
  await gateway.assign(planOf(lock('a')))
  await until(() => log().includes('assignment_refused'))
  gateway.override = () => false
  await until(() => sessions.every((s) => s.status === 'completed'))
})

test.each(['session_unknown', 'key_not_bound'])(
  'a session that the gateway answers with %s is over, and the next one runs',
  async (code) => {
    const { gateway, moved } = open()
    let refused = false
    gateway.override = ({ frame, answer }) => {
      if (frame.type !== 'hello' || refused) return false
      refused = true
      answer({ type: 'error', code, detail: '' })
      return true
    }
    const lost = await gateway.assign(planOf(move('a')))
    const next = await gateway.assign(planOf(lock('a')))
    await until(() => next.status === 'completed')
    expect(lost.status).toBe('open')
    expect(moved()).toEqual(['begin door.lock', 'end done door.lock'])
  },
)

test('frames that it does not know are dropped, and too many of them end the connection', async () => {
  const { gateway, log, moved } = open()
  let seen: WebSocket | null = null
  gateway.override = ({ frame, socket }) => {
    if (frame.type !== 'pull') return false
    seen ??= socket
    if (seen !== socket) return false
    socket.send('not json')
    socket.send(JSON.stringify({ v: 1, re: null, type: 'actuate', nid: 'a' }))
    socket.send(JSON.stringify({ v: 2, re: null, type: 'halt', reason: 'deadline_passed' }))
    socket.send('{"v":1,"re":null,"type":"ack","nid":null,"nid":"a"}')
    socket.send(Buffer.from([1, 2, 3]))
    for (let i = 0; i < limits.agentBadFramesMax; i++) socket.send('[]')
    return true
  }
  const session = await gateway.assign(planOf(move('a')))
  await until(() => session.status === 'completed')
  expect(log()).toContain('too many frames it cannot read')
  expect(moved()).toEqual(['begin arm.move_to_pose', 'end done arm.move_to_pose'])
})

test.each([
  [0, false],
  [1, true],
])('a frame of the limit + %i bytes is refused: %s', async (over, refused) => {
  const { gateway, log } = open()
  gateway.override = ({ frame, socket }) => {
    if (frame.type !== 'pull') return false
    const head = '{"v":1,"re":null,"type":"error","code":"internal","detail":"'
    const fill = 'x'.repeat(limits.gatewayFrameBytesMax + over - head.length - 2)
    socket.send(`${head}${fill}"}`)
    gateway.override = () => false
    return true
  }
  const session = await gateway.assign(planOf(move('a')))
  await until(() => session.status === 'completed')
  expect(log().includes('code=1009') || log().includes('Max payload')).toBe(refused)
  expect(log().includes('gateway_error')).toBe(!refused)
})
