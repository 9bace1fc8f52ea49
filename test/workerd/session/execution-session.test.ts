// ExecutionSession in the real runtime: the whole life, and every way out of it.
import { describe, expect, test } from 'vitest'
import { Peer, rig } from './agent.ts'

describe('a session from start to end', () => {
  test('runs every node in the order, once, and completes', async () => {
    const of = await rig()
    const peer = await Peer.hello(of)
    const welcome = await peer.next('welcome')
    expect(welcome.ctx).toBe(of.ctx)
    const ran = [await peer.run(), await peer.run(), await peer.run()]
    expect(ran).toEqual(of.context.order)
    expect(await peer.pull()).toMatchObject({ type: 'done', status: 'completed' })
    const status = await of.stub.status()
    expect(status).toMatchObject({ status: 'completed', reason: null })
    expect(status?.nodes.map((node) => node.state)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  })
})
