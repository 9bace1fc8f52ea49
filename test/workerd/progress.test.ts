// How far a running call says it is, to whom: its numbers are as much of a result as the answer itself.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '../../durable-objects/env.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { PlanStatus } from '../../protocol/status.ts'
import type { Plan } from '../../protocol/plan.ts'
import { progressOf } from '../../worker/progress.ts'

const node = {
  nid: 'n1',
  tool: 'count',
  state: 'executing',
  reason: null,
  progress: { progress: 7, total: 9, at_ms: 5 },
}
const session = { session: 's', site: 'x', order: ['n1'], nodes: [node] }
const plan = { nodes: [{ id: 'n1', tool: 'count' }] } as unknown as Plan
const status = { plan: 'p', site: 'x', session: 's', state: 'bound' } as unknown as PlanStatus

/** The environment with one session under way, at a site with this registry. */
function running(registry: object | null): Env {
  const named = (stub: object) => ({ getByName: () => stub }) as unknown
  const of = { status: () => Promise.resolve(session), audit: () => Promise.resolve([]) }
  const settings = () => Promise.resolve(registry === null ? null : { registry })
  return { ...env, EXECUTION_SESSION: named(of), SITE_HUB: named({ settings }) } as Env
}

const site = (reads: string[] | undefined): Pick<Registry, 'planners'> & { tools: unknown[] } =>
  ({
    tools: [{ name: 'count', emits: ['study_data'] }],
    planners: { a: { capabilities: [], ...(reads === undefined ? {} : { reads }) } },
  }) as never

const numbers = async (registry: object | null, planner: string | null) =>
  (await progressOf(running(registry), status, { plan, planner })).nodes[0]?.progress

describe('the numbers of a running call', () => {
  const told = { done: 7, of: 9, at_ms: 5 }

  it('are told to people, and to a planner who may read what the tool answers', async () => {
    expect(await numbers(site(undefined), null)).toEqual(told)
    expect(await numbers(site(['study_data']), 'a')).toEqual(told)
  })

  it('are not told to a planner who may not, or of whom or which nothing is known', async () => {
    expect(await numbers(site(undefined), 'a')).toBeUndefined()
    expect(await numbers(site(['images']), 'a')).toBeUndefined()
    expect(await numbers(site(['study_data']), 'toString')).toBeUndefined()
    expect(await numbers({ ...site(['study_data']), tools: [] }, 'a')).toBeUndefined()
    expect(await numbers(null, 'a')).toBeUndefined()
  })
})
