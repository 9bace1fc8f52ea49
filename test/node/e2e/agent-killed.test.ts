// kill -9 of the agent at each step of a node's life. Whatever
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
