// The socket is cut at each step of a node's life, with the frame and behind it. Whatever
// happens, the journal shows no node twice, out of order or after the end (invariant 2).
import { describe, expect, it } from 'vitest'
import { atStep, lifeSteps, stageOfFile } from './harness.ts'

const onStage = stageOfFile()

describe('the socket is cut', () => {
  for (const step of lifeSteps) {
    for (const lost of [true, false]) {
      it(`at ${step.name}, the frame ${lost ? 'lost' : 'through'}, without a node running twice`, async () => {
        const at = atStep(step, (text) => ({ send: lost ? [] : [{ text }], cut: true }))
        onStage().hook(at.hook)
        const session = await onStage().sessionOf(await onStage().accept())
        await onStage().reached(session, at.fired)
        const view = await onStage().ended(session)
        const begun = await onStage().checkJournal(view)
        if (view.status === 'completed') expect(begun).toEqual(view.order)
        // Only a lost `go` may cost the run: it is never sent twice. A cut right behind the `start` may
        // take the `go` with it, or have it come later than it lives where the machine is busy, and right
        // behind the `go` the agent no longer begins unsupervised.
        const goMayBeLost = step.type === 'go' || (!lost && step.type === 'start')
        if (goMayBeLost && view.status !== 'completed') {
          expect(view.reason, JSON.stringify(view)).toBe('node_failed')
          const reasons = view.nodes.flatMap(({ reason }) => reason ?? [])
          expect([['go_lost'], ['go_late']]).toContainEqual(reasons)
        } else expect(view.status, JSON.stringify(view)).toBe('completed')
      })
    }
  }
})
