// What a device answered, kept with its session: only as it was signed, only once, and only for its time.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, test, vi } from 'vitest'
import { digest } from '../../../protocol/digest.ts'
import { limits } from '../../../protocol/limits.ts'
import type { NodeResult, StoredResult } from '../../../protocol/node-result.ts'
import { offer } from '../../../protocol/features.ts'
import { Peer, rig, testEnv, type Rig } from './agent.ts'

const weighed: NodeResult = { data: { mass_mg: 50.5 }, from: 'structured', kept: [], left_out: 0 }

/** A session whose first node executes. */
async function executing() {
  const of = await rig()
  const peer = await Peer.hello(of, { features: offer })
  const node = await peer.token()
  expect(await peer.start(node)).toMatchObject({ type: 'go' })
  return { of, peer, node }
}

const read = async (of: Rig, nid: string) => {
  const text = await of.stub.result(nid)
  return text === null ? null : (JSON.parse(text) as StoredResult)
}

describe('a result', () => {
  test('is kept with the labels of its tool, survives, and changes by nothing', async () => {
    const { of, peer, node } = await executing()
    const result_digest = await digest('result', weighed)
    const frame = { ...(await peer.reportFrame(node, { result_digest })), result: weighed }
    const fid = peer.send(frame)
    expect(await peer.answer(fid)).toMatchObject({ type: 'ack' })
    const kept = await read(of, node.nid)
    expect(kept).toMatchObject({ nid: node.nid, digest: result_digest, result: weighed })
    expect(kept?.labels).not.toBe(null)
    // The same frame again, with another answer beside the same signed report, is the same frame.
    const other = { ...weighed, data: { mass_mg: 1 } }
    peer.send({ ...frame, result: other, fid })
    expect(await peer.pull()).toMatchObject({ type: 'token' })
    await evictDurableObject(of.stub)
    expect(await read(of, node.nid)).toMatchObject({ result: weighed })
    expect(await read(of, 'n-elsewhere')).toBe(null)
  })

  test.each([
    ['another value', { ...weighed, data: { mass_mg: 5000 } }, true],
    ['no digest in the report', weighed, false],
  ])('with %s than what was signed ends the session and is not kept', async (_, result, signed) => {
    const { of, peer, node } = await executing()
    const result_digest = signed ? await digest('result', weighed) : null
    peer.send({ ...(await peer.reportFrame(node, { result_digest })), result })
    expect(await peer.next('halt')).toMatchObject({ reason: 'frame_violation' })
    expect(await read(of, node.nid)).toBe(null)
  })

  test('of a report without it is nothing, and the node has succeeded all the same', async () => {
    const { of, peer, node } = await executing()
    expect(
      await peer.report(node, { result_digest: await digest('result', weighed) }),
    ).toMatchObject({
      type: 'ack',
    })
    expect(await read(of, node.nid)).toBe(null)
  })

  test('past the bound of a frame closes the connection, and the session goes on', async () => {
    const { of, peer, node } = await executing()
    const large = { ...weighed, data: 'x'.repeat(limits.agentFrameBytesMax) }
    const result_digest = await digest('result', large)
    peer.send({ ...(await peer.reportFrame(node, { result_digest })), result: large })
    expect(await peer.next('error')).toMatchObject({ code: 'frame_too_large' })
    expect(await of.stub.status()).toMatchObject({ status: 'active' })
  })

  test('is forgotten when its time is over; the trail keeps its digest', async () => {
    const { of, peer, node } = await executing()
    const result_digest = await digest('result', weighed)
    const frame = { ...(await peer.reportFrame(node, { result_digest })), result: weighed }
    expect(await peer.answer(peer.send(frame))).toMatchObject({ type: 'ack' })
    await of.stub.stop('stopped_by_person', 'person-1')
    await runDurableObjectAlarm(of.stub)
    expect(await read(of, node.nid)).toMatchObject({ result: weighed })
    // A quarter of a year later, by what is written down.
    await runInDurableObject(of.stub, (_, state) => {
      state.storage.sql.exec('UPDATE session SET ended_ms = ended_ms - 7776000001')
    })
    await evictDurableObject(of.stub)
    await of.stub.status()
    await runDurableObjectAlarm(of.stub)
    expect(await read(of, node.nid)).toBe(null)
    const trail = await of.stub.audit(-1)
    expect(trail.find((entry) => entry.event === 'report')?.facts).toMatchObject({ result_digest })
  })

  test('that nobody can say is held stays, and the end is told all the same', async () => {
    const { of, peer, node } = await executing()
    const result_digest = await digest('result', weighed)
    const frame = { ...(await peer.reportFrame(node, { result_digest })), result: weighed }
    expect(await peer.answer(peer.send(frame))).toMatchObject({ type: 'ack' })
    await testEnv.SITE_KEEPER.getByName(of.spec.context.site).fail()
    await of.stub.stop('stopped_by_person', 'person-1')
    await runInDurableObject(of.stub, (_, state) => {
      state.storage.sql.exec('UPDATE session SET ended_ms = ended_ms - 7776000001')
    })
    await evictDurableObject(of.stub)
    await of.stub.status()
    await runDurableObjectAlarm(of.stub)
    expect(await read(of, node.nid)).toMatchObject({ result: weighed })
    const before = Date.now()
    // Whatever comes of the question, the end goes out: its alarm rings by itself.
    await vi.waitFor(async () => expect(await of.hub.ended()).toHaveLength(1), { timeout: 10_000 })
    // And it asks again after a pause, not at once and for ever.
    const next = await runInDurableObject(of.stub, (_, state) => state.storage.getAlarm())
    expect(next === null || next >= before + 50_000).toBe(true)
  })
})
