// A gateway without any key whose deployment has the platform's model binding: the default policy asks
// three families through it, and money for the day bounds it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Gateway } from '../../../lab/local/gateway.ts'
import { startGatewayWithGraph } from '../../../lab/local/graph.ts'
import { must } from '../../../lab/local/client.ts'
import type { Packet } from '../../../protocol/records.ts'
import { decided, openLiveSite, post, readingPlan } from './live-site.ts'

let bound: Gateway
beforeAll(async () => {
  bound = await startGatewayWithGraph({ standInModels: true })
  // Building and loading the graph on a busy machine.
}, 400_000)
afterAll(() => bound.close())

type SitePolicy = Parameters<typeof openLiveSite>[2]

async function judged(name: string, policy: SitePolicy, plans = 1) {
  const site = await openLiveSite(bound, name, { panel: 'auto', ...policy })
  try {
    const out = []
    for (let i = 0; i < plans; i++) {
      // Each a plan of its own: a repeated one is answered from the first.
      const goal = `${readingPlan.goal} Round ${i + 1}.`
      const plan = await post(bound.url, site.planner, { ...readingPlan, goal })
      const { verdict, reasons } = await decided(bound.url, site.planner, plan)
      const path = `/v1/reviews/${plan}`
      const review = { method: 'GET', path, token: site.reviewer } as const
      const { packet } = await must<{ packet: Packet }>(bound.url, review)
      out.push({ verdict, reasons, packet })
    }
    return out
  } finally {
    site.close()
  }
}

describe('panel: auto', () => {
  test('with the binding three families judge, without a key, and one of another is the chief', async () => {
    const [one] = await judged('auto-bound', { least_depth: 3 })
    expect(one).toMatchObject({ verdict: 'accept', reasons: ['all_accept'] })
    const { opinions, chief, depth } = one?.packet ?? {}
    expect(depth).toMatchObject({ panel: 'models', seats: 3, short: null })
    expect(opinions?.map((o) => [o.wire, o.vendor, o.outcome])).toStrictEqual([
      ['workers-ai', 'openai', 'answered'],
      ['workers-ai', 'alibaba', 'answered'],
      ['workers-ai', 'zai', 'answered'],
    ])
    expect(chief).toMatchObject({ vendor: 'meta', wire: 'workers-ai', outcome: 'answered' })
  })

  test('money for the day that is spent sends every further plan to a person, unasked', async () => {
    const estimate = 0.05
    const policy = { budget: { cost_usd: null, latency_ms: null, day_usd: estimate } }
    const runs = await judged('auto-spent', { least_depth: 3, ...policy }, 8)
    const asked = runs.filter((run) => run.packet.opinions.length > 0)
    const unasked = runs.filter((run) => run.packet.opinions.length === 0)
    expect(asked.length).toBeGreaterThan(0)
    expect(unasked.length).toBeGreaterThan(0)
    expect(asked.every((run) => run.verdict === 'accept')).toBe(true)
    for (const run of unasked) {
      expect(run.verdict).toBe('escalate')
      expect(run.packet.depth.short).toBe('budget_day')
    }
    // Once spent it stays spent: nobody is asked in between.
    expect(runs.map((run) => run.packet.opinions.length > 0)).toStrictEqual(
      runs.map((_, i) => i < asked.length),
    )
  })
})
