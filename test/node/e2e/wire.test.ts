// Duplicated, delayed and reordered frames, a held-back `go`, and two agents wanting one session, with
// real processes. The journal decides: each node at most once, in order (invariants 1 and 2).
import { writeFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { programPaths } from '../../../lab/local/bundle.ts'
import { startNode } from '../../../lab/local/processes.ts'
import { passOn, type FrameHook } from '../../../lab/local/proxy.ts'
import { limits } from '../../../protocol/limits.ts'
import { atStep, lifeSteps, stageOfFile } from './harness.ts'

const onStage = stageOfFile()

const ofSession = (path_: string): boolean => path_.includes('/sessions/')

/** Opening a connection is not part of a run: a second `hello` on one socket only closes it. */
const opens = (text: string): boolean => {
  const { type } = JSON.parse(text) as { type: string }
  return type === 'challenge' || type === 'hello'
}

/** mulberry32: a small seeded generator; the seed is in the test's name. */
function seeded(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('frames on the wire', () => {
  it('come twice, and the run completes once', async () => {
    onStage().hook(({ path: path_, text }) => ({
      send: ofSession(path_) && !opens(text) ? [{ text }, { text }] : [{ text }],
    }))
    const view = await onStage().ended(await onStage().sessionOf(await onStage().accept()))
    expect(view.status, JSON.stringify(view)).toBe('completed')
    expect(await onStage().checkJournal(view)).toEqual(view.order)
  })

  it('come late but in order, and the run completes', async () => {
    onStage().hook(({ path: path_, text }) => ({
      send: [ofSession(path_) ? { text, afterMs: 120 } : { text }],
    }))
    const view = await onStage().ended(await onStage().sessionOf(await onStage().accept()))
    expect(view.status, JSON.stringify(view)).toBe('completed')
    expect(await onStage().checkJournal(view)).toEqual(view.order)
  })

  for (const seed of [20_261, 20_262, 20_263, 20_264]) {
    it(`come late, twice and out of order (seed ${seed})`, async () => {
      const random = seeded(seed)
      const hook: FrameHook = ({ path: path_, text }) => {
        if (!ofSession(path_) || opens(text)) return { send: [{ text }] }
        const once = { text, afterMs: Math.floor(random() * 150) }
        return {
          send: random() < 0.4 ? [once, { text, afterMs: Math.floor(random() * 300) }] : [once],
        }
      }
      onStage().hook(hook)
      const view = await onStage().ended(await onStage().sessionOf(await onStage().accept()))
      const begun = await onStage().checkJournal(view)
      if (view.status === 'completed') expect(begun).toEqual(view.order)
    })
  }

  it('hold a `go` back past its life, and the device does not move', async () => {
    const go = lifeSteps.find((step) => step.type === 'go')
    if (go === undefined) throw new Error('no step')
    const at = atStep(go, (text) => ({ send: [{ text, afterMs: limits.goLifetimeMs + 200 }] }))
    onStage().hook(at.hook)
    const session = await onStage().sessionOf(await onStage().accept())
    await onStage().reached(session, at.fired)
    const view = await onStage().ended(session)
    expect(view).toMatchObject({ status: 'terminated', reason: 'node_failed' })
    expect(await onStage().checkJournal(view)).toEqual(['n1'])
    // Nothing moved in that node, and the agent's signed word says so: the cell stays usable
    // unless an earlier node of the plan had moved metal.
    expect((await onStage().cell()).session).toBeNull()
  })
})

describe('two processes of one agent', () => {
  it('want one session, and no node runs twice', async () => {
    const config = JSON.parse(await readFile(onStage().lab.agentConfig, 'utf8')) as {
      state_dir: string
    }
    const second = path.join(path.dirname(onStage().lab.agentConfig), 'agent-2.json')
    await writeFile(second, JSON.stringify({ ...config, state_dir: `${config.state_dir}-2` }))
    const go = lifeSteps.find((step) => step.type === 'go')
    if (go === undefined) throw new Error('no step')
    const at = atStep(go, (text) => ({ send: [{ text }] }))
    onStage().hook(at.hook)
    const session = await onStage().sessionOf(await onStage().accept())
    await onStage().reached(session, at.fired)
    onStage().hook(passOn)
    const rival = startNode(programPaths.agent, ['--config', second])
    try {
      const view = await onStage().ended(session)
      const begun = await onStage().checkJournal(view)
      if (view.status === 'completed') expect(begun).toEqual(view.order)
      // Told apart when the first process is heard to live; both end the run.
      else expect(['agent_duplicate', 'agent_restarted']).toContain(view.reason)
    } finally {
      await rival.kill('SIGTERM')
    }
  })
})
