// kill -9 of the gateway and of the agent, and cut sockets, at each step of a node's life. Whatever
// happens, the journal shows no node twice, out of order or after the end (invariant 2).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atStep, lifeSteps, Stage } from './harness.ts'

let stage: Stage

beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(async () => {
  await stage.close()
})
beforeEach(async () => {
  stage.unhook()
  await stage.ready()
})

describe('the gateway is killed', () => {
  for (const step of lifeSteps) {
    it(`at ${step.name} without a node running twice`, async () => {
      let killed: Promise<void> = Promise.resolve()
      const at = atStep(step, (text) => {
        killed = stage.lab.gateway().child.kill('SIGKILL')
        return { send: [{ text }] }
      })
      stage.hook(at.hook)
      const session = await stage.sessionOf(await stage.accept())
      await stage.reached(session, at.fired)
      await killed
      await stage.lab.restartGateway()
      const view = await stage.ended(session)
      const begun = await stage.checkJournal(view)
      // The agent lived on: what it had done is reported, and the rest follows or the session ended.
      if (view.status === 'completed') expect(begun).toEqual(view.order)
      const succeeded = view.nodes.filter((node) => node.state === 'succeeded').map((n) => n.nid)
      expect(begun).toEqual(expect.arrayContaining(succeeded))
    })
  }

  it('in mid-act and loses no report', async () => {
    const go = lifeSteps[3]
    if (go === undefined) throw new Error('no step')
    const at = atStep(go, (text) => ({ send: [{ text }] }))
    stage.hook(at.hook)
    const session = await stage.sessionOf(await stage.accept())
    await stage.reached(session, at.fired)
    await stage.begun(session, 'n2')
    await stage.lab.gateway().child.kill('SIGKILL')
    await stage.lab.restartGateway()
    const view = await stage.ended(session)
    expect(view.nodes.find((node) => node.nid === 'n2')?.state).toBe('succeeded')
    expect(view.status).toBe('completed')
    expect(await stage.checkJournal(view)).toEqual(['n1', 'n2', 'n3'])
  })
})

describe('the agent is killed', () => {
  for (const step of lifeSteps) {
    it(`at ${step.name} without a node running twice`, async () => {
      let killed: Promise<void> = Promise.resolve()
      const at = atStep(step, (text) => {
        killed = stage.lab.agent().kill('SIGKILL')
        return { send: [{ text }] }
      })
      stage.hook(at.hook)
      const session = await stage.sessionOf(await stage.accept())
      await stage.reached(session, at.fired)
      await killed
      await stage.lab.restartAgent()
      const view = await stage.ended(session)
      await stage.checkJournal(view)
    })
  }

  it('in mid-act: unknown, a latched cell, and no next session until a person clears it', async () => {
    const go = lifeSteps[3]
    if (go === undefined) throw new Error('no step')
    const at = atStep(go, (text) => ({ send: [{ text }] }))
    stage.hook(at.hook)
    const session = await stage.sessionOf(await stage.accept())
    await stage.reached(session, at.fired)
    await stage.begun(session, 'n2')
    await stage.lab.agent().kill('SIGKILL')
    stage.unhook()
    await stage.lab.restartAgent()
    const view = await stage.ended(session)
    expect(view).toMatchObject({ status: 'terminated', reason: 'agent_restarted' })
    expect(view.nodes.find((node) => node.nid === 'n2')?.state).toBe('unknown')
    expect(await stage.checkJournal(view)).toEqual(['n1', 'n2'])
    expect(await stage.cell()).toMatchObject({ needs_clearance: true, session: null })

    const next = await stage.accept()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await stage.cell()).toMatchObject({ needs_clearance: true, session: null })
    await stage.ready()
    const cleared = await stage.ended(await stage.sessionOf(next))
    expect(cleared.status).toBe('completed')
  })
})

describe('the socket is cut', () => {
  for (const step of lifeSteps) {
    for (const lost of [true, false]) {
      it(`at ${step.name}, the frame ${lost ? 'lost' : 'through'}, without a node running twice`, async () => {
        const at = atStep(step, (text) => ({ send: lost ? [] : [{ text }], cut: true }))
        stage.hook(at.hook)
        const session = await stage.sessionOf(await stage.accept())
        await stage.reached(session, at.fired)
        const view = await stage.ended(session)
        const begun = await stage.checkJournal(view)
        if (view.status === 'completed') expect(begun).toEqual(view.order)
        // Only a lost `go` may cost the run: it is never sent twice. A cut right behind the `start` may
        // take the `go` with it, and right behind the `go` the agent no longer begins unsupervised.
        const goMayBeLost = step.type === 'go' || (!lost && step.type === 'start')
        if (goMayBeLost && view.status !== 'completed') {
          expect(view.reason, JSON.stringify(view)).toBe('node_failed')
          expect(view.nodes.map((node) => node.reason)).toContain('go_lost')
        } else expect(view.status, JSON.stringify(view)).toBe('completed')
      })
    }
  }
})
