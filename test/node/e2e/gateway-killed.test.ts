// kill -9 of the gateway at each step of a node's life. Whatever
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
