// Crashes: the object is torn down at any moment, without warning. What was heard must have been written
// before; what was written must never be said again.
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { chainPlan } from '../../shared/session-fixture.ts'
import { Peer, rig, type Rig } from './agent.ts'
import { hush } from '../../shared/hush.ts'

hush(/^session: Error: node \S+ has been executed before$/)

const executedRows = (of: Rig) =>
  runInDurableObject(of.stub, (_, state) =>
    state.storage.sql.exec<{ nid: string }>('SELECT nid FROM executed').toArray(),
  )

const gosIn = (...peers: Peer[]) =>
  peers.flatMap((peer) => peer.frames).filter((frame) => frame.type === 'go').length

/** Stub calls fail once after a crash; the runtime says so and a new call finds the new instance. */
async function patient<T>(call: () => Promise<T>): Promise<T> {
  for (let i = 0; ; i++) {
    try {
      return await call()
    } catch (cause) {
      if (i > 5) throw cause
      await scheduler.wait(20)
    }
  }
}

describe('a crash', () => {
  test('at any moment of a start: no go without its row, and never a second go', async () => {
    const seen = { heard: 0, lost: 0, notYet: 0 }
    for (let trial = 0; trial < 24; trial++) {
      const of = await rig(chainPlan(1))
      await of.hub.set({ delay_ms: 14 })
      const peer = await Peer.hello(of)
      const node = await peer.token()
      peer.send(await peer.startFrame(node))
      // The site takes 14 ms to answer: crashes fall before, in and after the decisive turn.
      for (let i = 0; i < trial; i++) await scheduler.wait(0.5)
      await abortAllDurableObjects()
      await scheduler.wait(30)
      const rows = await patient(() => executedRows(of))
      const heard = gosIn(peer)
      expect(heard).toBeLessThanOrEqual(rows.length)
      if (heard > 0) seen.heard++
      else if (rows.length > 0) seen.lost++
      else seen.notYet++
      const next = await patient(() => Peer.connect(of))
      next.send(await next.helloFrame())
      const welcome = await next.next('welcome')
      const state = welcome.progress[0]?.state
      expect(state).toBe(rows.length > 0 ? 'executing' : 'released')
      next.send(await next.startFrame(node))
      if (rows.length === 0) {
        await next.next('go')
        expect(gosIn(peer, next)).toBe(1)
      } else {
        expect(await next.next('halt')).toMatchObject({ reason: 'already_executed' })
        expect(gosIn(next)).toBe(0)
      }
    }
    console.log(`24 crashes: ${JSON.stringify(seen)}`)
    // Both sides of the decisive turn were hit, or the trials show nothing.
    expect(seen.heard + seen.lost).toBeGreaterThan(0)
    expect(seen.notYet).toBeGreaterThan(0)
  })

  test('after a report loses neither the report nor the end that others must hear', async () => {
    for (const waitMs of [0, 2, 5, 20]) {
      const of = await rig(chainPlan(1))
      const peer = await Peer.hello(of)
      const node = await peer.token()
      await peer.start(node)
      const report = { ...(await peer.reportFrame(node)), fid: 'report-1' }
      peer.send(report)
      await scheduler.wait(waitMs)
      await abortAllDurableObjects()
      const next = await patient(() => Peer.connect(of))
      await next.sendHello()
      next.send(report)
      expect(await next.answer('report-1')).toMatchObject({ type: 'ack' })
      expect(await of.stub.status()).toMatchObject({ status: 'completed' })
    }
  })

  test('leaves a session that ends by itself when the agent does not come back', async () => {
    const of = await rig(chainPlan(1))
    const peer = await Peer.hello(of)
    await peer.start(await peer.token())
    await abortAllDurableObjects()
    await patient(() => of.stub.status())
    const due = await runInDurableObject(of.stub, (_, state) => state.storage.getAlarm())
    expect(due).toBeGreaterThan(Date.now() + 50_000)
    expect(due).toBeLessThanOrEqual(Date.now() + 60_000)
  })
})

describe('a node that the storage knows as executed', () => {
  test('gets no go, whatever the rest of the state says', async () => {
    const of = await rig(chainPlan(1))
    const peer = await Peer.hello(of)
    const node = await peer.token()
    await runInDurableObject(of.stub, (_, state) => {
      state.storage.sql.exec("INSERT INTO executed VALUES ('n000', 'jti', 1)")
    })
    peer.send(await peer.startFrame(node))
    expect(await peer.next('error')).toMatchObject({ code: 'internal' })
    expect((await peer.whenClosed()).code).toBe(1011)
    expect(gosIn(peer)).toBe(0)
    // Nothing of the failed step was written either.
    const status = await of.stub.status()
    expect(status?.nodes[0]?.state).toBe('released')
  })
})
