// kill -9 of the agent at each step of a node's life. Whatever
// happens, the journal shows no node twice, out of order or after the end (invariant 2).
import { describe, expect, it } from 'vitest'
import { atStep, lifeSteps, stageOfFile } from './harness.ts'

const onStage = stageOfFile()

describe('the agent is killed', () => {
  for (const step of lifeSteps) {
    it(`at ${step.name} without a node running twice`, async () => {
      let killed: Promise<void> = Promise.resolve()
      const at = atStep(step, (text) => {
        killed = onStage().lab.agent().kill('SIGKILL')
        return { send: [{ text }] }
      })
      onStage().hook(at.hook)
      const session = await onStage().sessionOf(await onStage().accept())
      await onStage().reached(session, at.fired)
      await killed
      await onStage().lab.restartAgent()
      const view = await onStage().ended(session)
      await onStage().checkJournal(view)
    })
  }

  it('in mid-act: unknown, a latched cell, and no next session until a person clears it', async () => {
    const go = lifeSteps[3]
    if (go === undefined) throw new Error('no step')
    const at = atStep(go, (text) => ({ send: [{ text }] }))
    onStage().hook(at.hook)
    const session = await onStage().sessionOf(await onStage().accept())
    await onStage().reached(session, at.fired)
    await onStage().begun(session, 'n2')
    await onStage().lab.agent().kill('SIGKILL')
    onStage().unhook()
    await onStage().lab.restartAgent()
    const view = await onStage().ended(session)
    expect(view).toMatchObject({ status: 'terminated', reason: 'agent_restarted' })
    expect(view.nodes.find((node) => node.nid === 'n2')?.state).toBe('unknown')
    expect(await onStage().checkJournal(view)).toEqual(['n1', 'n2'])
    expect(await onStage().cell()).toMatchObject({ needs_clearance: true, session: null })

    const next = await onStage().accept()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await onStage().cell()).toMatchObject({ needs_clearance: true, session: null })
    await onStage().ready()
    const cleared = await onStage().ended(await onStage().sessionOf(next))
    expect(cleared.status).toBe('completed')
  })
})
