// Sockets that break at every step of a node's life: each node runs once, and its report arrives.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Override } from './gateway-types.ts'
import type { ScriptedGateway } from './gateway.ts'
import { lock, move, openLab, planOf, until, type Lab } from './harness.ts'

let shared: Lab
beforeAll(async () => {
  shared = await openLab()
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

test('a report is sent again, as it was, until it is acknowledged', async () => {
  const l = open()
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
  const l = open()
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
  const l = open()
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
