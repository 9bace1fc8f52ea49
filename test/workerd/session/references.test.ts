// Values of the run in a session: `go` names what the template became, from the stored, signed answer, also
// by another instance of the object; what is skipped is signed, and nobody's word is taken for it.
import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { conversionOf, type Conversion } from '../../../protocol/conversion.ts'
import { digest } from '../../../protocol/digest.ts'
import { offer } from '../../../protocol/features.ts'
import type { NodeResult } from '../../../protocol/node-result.ts'
import type { Plan, PlanNode } from '../../../protocol/plan.ts'
import { toolMeaningSchema } from '../../../protocol/tool-meaning.ts'
import { fixtureTools } from '../../shared/session-fixture.ts'
import { Peer, rig } from './agent.ts'

const tools = {
  ...fixtureTools,
  'camera.read': {
    ...fixtureTools['camera.read'],
    meaning: toolMeaningSchema.parse({
      acts: [{ act: 'measure', bind: {} }],
      results: { '/mass': { quantity: 'mass', unit: 'mg', kind: 'observed' } },
    }),
  },
}

const amount = { $from: { node: 'a', pointer: '/mass', unit: 'ug', min: 0, max: 5_000 } }
const heavy = { result: { node: 'a', pointer: '/mass' }, unit: 'mg', gt: 1 }
const conversions = (at: string, to: string): Conversion => {
  const made = conversionOf('mg', to)
  if (made === null) throw new Error('mg')
  return { node: 'b', at, ...made, whole: false }
}

/** `a` has weighed `mass`; `b` is next, and `c` hangs on it. */
async function weighed(mass: unknown, more: Partial<PlanNode> = { args: { amount } }) {
  const node = (id: string, tool: string, depends_on: string[]): PlanNode => {
    return { id, tool, args: {}, depends_on, sandbox: null }
  }
  const plan: Plan = {
    goal: 'g',
    instructions: ['i'],
    planner: { id: 'planner-1' },
    nodes: [
      node('a', 'camera.read', []),
      { ...node('b', 'arm.move', ['a']), ...more },
      node('c', 'arm.move', ['b']),
    ],
  }
  const fixed = [conversions('/args/amount', 'ug'), conversions('/when', 'mg')]
  const of = await rig(plan, 600_000, { tools, conversions: fixed })
  const peer = await Peer.hello(of, { features: offer })
  const first = await peer.token()
  expect(await peer.start(first)).toMatchObject({ type: 'go' })
  const result: NodeResult = { data: { mass } as never, from: 'structured', kept: [], left_out: 0 }
  const result_digest = await digest('result', result)
  const told = { ...(await peer.reportFrame(first, { result_digest })), result }
  expect(await peer.answer(peer.send(told))).toMatchObject({ type: 'ack' })
  return { of, peer }
}

const claimsOf = (jws: string) =>
  JSON.parse(atob((jws.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))) as {
    args: string
  }

describe('a reference', () => {
  test.each([false, true])(
    'is a template in the token and a value in `go`, another instance or not: %s',
    async (evicted) => {
      const { of, peer: before } = await weighed(1.5)
      if (evicted) await evictDurableObject(of.stub)
      const peer = evicted ? await Peer.hello(of, { features: offer }) : before
      const node = await peer.token()
      expect(node.args).toEqual({ amount })
      expect(claimsOf(node.token).args).toBe(await digest('args', { amount }))
      if (evicted) await evictDurableObject(of.stub)
      const last = evicted ? await Peer.hello(of, { features: offer }) : peer
      const go = await last.start(node)
      if (go.type !== 'go') throw new Error(JSON.stringify(go))
      expect(claimsOf(go.go).args).toBe(await digest('args', { amount: 1_500 }))
    },
  )

  test.each([
    ['outside', 6],
    ['as text', '1.5'],
    ['missing', null],
  ])('whose value is %s ends the session before a token leaves', async (_, mass) => {
    const { of, peer } = await weighed(mass)
    peer.send({ type: 'pull' })
    expect(await peer.next('halt')).toMatchObject({ reason: 'reference_missed' })
    expect(peer.frames.filter(({ type }) => type === 'token')).toHaveLength(1)
    const status = await of.stub.status()
    expect(status).toMatchObject({ status: 'terminated', reason: 'reference_missed' })
    // Nothing physical had a `go`: nobody has to look.
    expect(await of.stub.end()).toMatchObject({ latch: false })
  })
})

describe('a node whose condition does not hold', () => {
  const skip = { outcome: 'skipped', actuated: false } as const

  test('is skipped by the signed word of the agent, with all behind it, and the session completes', async () => {
    const { of, peer } = await weighed(0.5, { when: heavy })
    const b = await peer.token()
    expect(await peer.report(b, { ...skip, values: [0.5] })).toMatchObject({ type: 'ack' })
    const c = await peer.token()
    expect(c.nid).toBe('c')
    expect(await peer.report(c, { ...skip, values: [] })).toMatchObject({ type: 'ack' })
    expect(await of.stub.status()).toMatchObject({
      status: 'completed',
      nodes: [{ state: 'succeeded' }, { state: 'skipped' }, { state: 'skipped' }],
    })
    const trail = await of.stub.audit(-1)
    const facts = trail.filter(({ event }) => event === 'report').map((entry) => entry.facts)
    expect(facts[1]).toMatchObject({ node: 'b', outcome: 'skipped', values: [0.5] })
  })

  test.each<[string, number, object]>([
    ['over another value than was stored', 0.5, { ...skip, values: [0.6] }],
    ['over no value', 0.5, { ...skip, values: [] }],
    ['and says that it moved', 0.5, { ...skip, actuated: true, values: [0.5] }],
    ['although it is to run', 1.5, { ...skip, values: [1.5] }],
  ])('is not skipped %s', async (_, mass, change) => {
    const { of, peer } = await weighed(mass, { when: heavy })
    peer.send(await peer.reportFrame(await peer.token(), change))
    expect(await peer.next('halt')).toMatchObject({ reason: 'condition_mismatch' })
    expect(await of.stub.status()).toMatchObject({ reason: 'condition_mismatch' })
  })

  test('gets no `go`', async () => {
    const { of, peer } = await weighed(0.5, { when: heavy })
    peer.send(await peer.startFrame(await peer.token()))
    expect(await peer.next('halt')).toMatchObject({ reason: 'condition_mismatch' })
    expect(peer.frames.filter(({ type }) => type === 'go')).toHaveLength(1)
    expect(await of.stub.end()).toMatchObject({ latch: false })
  })
})
