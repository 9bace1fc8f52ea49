// kill -9 of the gateway at each step of a node's life. Whatever
// happens, the journal shows no node twice, out of order or after the end (invariant 2).
import { describe, expect, it } from 'vitest'
import { atStep, lifeSteps, stageOfFile } from './harness.ts'

const onStage = stageOfFile()

describe('the gateway is killed', () => {
  for (const step of lifeSteps) {
    it(`at ${step.name} without a node running twice`, async () => {
      let killed: Promise<void> = Promise.resolve()
      const at = atStep(step, (text) => {
        killed = onStage().lab.gateway().child.kill('SIGKILL')
        return { send: [{ text }] }
      })
      onStage().hook(at.hook)
      const session = await onStage().sessionOf(await onStage().accept())
      await onStage().reached(session, at.fired)
      await killed
      await onStage().lab.restartGateway()
      const view = await onStage().ended(session)
      const begun = await onStage().checkJournal(view)
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
    onStage().hook(at.hook)
    const session = await onStage().sessionOf(await onStage().accept())
    await onStage().reached(session, at.fired)
    await onStage().begun(session, 'n2')
    await onStage().lab.gateway().child.kill('SIGKILL')
    await onStage().lab.restartGateway()
    const view = await onStage().ended(session)
    expect(view.nodes.find((node) => node.nid === 'n2')?.state).toBe('succeeded')
    expect(view.status).toBe('completed')
    expect(await onStage().checkJournal(view)).toEqual(['n1', 'n2', 'n3'])
  })
})
