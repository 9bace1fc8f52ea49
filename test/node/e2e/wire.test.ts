// Duplicated, delayed and reordered frames, a held-back `go`, and two agents wanting one session, with
// real processes. The journal decides: each node at most once, in order (invariants 1 and 2).
import { writeFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNode } from '../../../lab/local/processes.ts'
import { passOn, type FrameHook } from '../../../lab/local/proxy.ts'
import { limits } from '../../../protocol/limits.ts'
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
    stage.hook(({ path: path_, text }) => ({
      send: ofSession(path_) && !opens(text) ? [{ text }, { text }] : [{ text }],
    }))
    const view = await stage.ended(await stage.sessionOf(await stage.accept()))
    expect(view.status, JSON.stringify(view)).toBe('completed')
    expect(await stage.checkJournal(view)).toEqual(view.order)
  })

  it('come late but in order, and the run completes', async () => {
    stage.hook(({ path: path_, text }) => ({
      send: [ofSession(path_) ? { text, afterMs: 120 } : { text }],
    }))
    const view = await stage.ended(await stage.sessionOf(await stage.accept()))
    expect(view.status, JSON.stringify(view)).toBe('completed')
    expect(await stage.checkJournal(view)).toEqual(view.order)
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
      stage.hook(hook)
      const view = await stage.ended(await stage.sessionOf(await stage.accept()))
      const begun = await stage.checkJournal(view)
      if (view.status === 'completed') expect(begun).toEqual(view.order)
    })
  }

  it('hold a `go` back past its life, and the device does not move', async () => {
    const go = lifeSteps.find((step) => step.type === 'go')
    if (go === undefined) throw new Error('no step')
    const at = atStep(go, (text) => ({ send: [{ text, afterMs: limits.goLifetimeMs + 200 }] }))
    stage.hook(at.hook)
    const session = await stage.sessionOf(await stage.accept())
    await stage.reached(session, at.fired)
    const view = await stage.ended(session)
    expect(view).toMatchObject({ status: 'terminated', reason: 'node_failed' })
    expect(await stage.checkJournal(view)).toEqual(['n1'])
    // Nothing moved in that node, and the agent's signed word says so: the cell stays usable
    // unless an earlier node of the plan had moved metal.
    expect((await stage.cell()).session).toBeNull()
  })
})

describe('two processes of one agent', () => {
  it('want one session, and no node runs twice', async () => {
    const config = JSON.parse(await readFile(stage.lab.agentConfig, 'utf8')) as {
      state_dir: string
    }
    const second = path.join(path.dirname(stage.lab.agentConfig), 'agent-2.json')
    await writeFile(second, JSON.stringify({ ...config, state_dir: `${config.state_dir}-2` }))
    const go = lifeSteps.find((step) => step.type === 'go')
    if (go === undefined) throw new Error('no step')
    const at = atStep(go, (text) => ({ send: [{ text }] }))
    stage.hook(at.hook)
    const session = await stage.sessionOf(await stage.accept())
    await stage.reached(session, at.fired)
    stage.hook(passOn)
    const rival = startNode('robot-agent/main.ts', ['--config', second])
    try {
      const view = await stage.ended(session)
      const begun = await stage.checkJournal(view)
      if (view.status === 'completed') expect(begun).toEqual(view.order)
      // Told apart when the first process is heard to live; both end the run.
      else expect(['agent_duplicate', 'agent_restarted']).toContain(view.reason)
    } finally {
      await rival.kill('SIGTERM')
    }
  })
})
