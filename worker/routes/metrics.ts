// Prometheus text from the index in D1: counts of the whole deployment, without any name of a site,
// planner or plan, since anyone may read it.
import { countAgents, countCredentials } from '../../adapters/counts-d1.ts'
import { countPlans } from '../../adapters/plan-index.ts'
import type { Env } from '../../durable-objects/env.ts'
import { openRoute, type App } from '../routing.ts'
import { SharedAnswer } from '../shared-answer.ts'

/** A scraper asks every few seconds; a stranger who asks more often gets the same text. */
const freshMs = 5_000
const shared = new SharedAnswer<string>(freshMs)

type Sample = { labels: Record<string, string>; value: number }

function family(name: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(({ labels, value }) => {
    const inner = Object.entries(labels).map(([key, text]) => `${key}="${text}"`)
    return `${name}${inner.length > 0 ? `{${inner.join(',')}}` : ''} ${value}`
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines, ''].join('\n')
}

async function render(env: Env): Promise<string> {
  const [plans, agents, credentials] = await Promise.all([
    countPlans(env.DB),
    countAgents(env.DB),
    countCredentials(env.DB),
  ])
  return [
    family(
      'portcullis_plans',
      'Plans by state and verdict.',
      plans.map(({ state, verdict, n }) => ({
        labels: { state, verdict: verdict ?? 'none' },
        value: n,
      })),
    ),
    family('portcullis_agents', 'Enrolled agents that are not revoked.', [
      { labels: {}, value: agents },
    ]),
    family(
      'portcullis_credentials',
      'Credentials that are not revoked, by role.',
      credentials.map(({ role, n }) => ({ labels: { role }, value: n })),
    ),
  ].join('')
}

export function metricRoutes(app: App): void {
  openRoute(
    app,
    {
      method: 'get',
      path: '/metrics',
      tag: 'system',
      summary: 'Metrics of the deployment for Prometheus.',
      security: 'none',
      answers: {
        200: {
          description: 'Text format 0.0.4.',
          type: 'text/plain',
          example: '# TYPE portcullis_agents gauge\nportcullis_agents 2\n',
        },
      },
    },
    async (c) => {
      const text = await shared.get(() => render(c.env), Date.now())
      return c.body(text, 200, { 'content-type': 'text/plain; version=0.0.4' })
    },
  )
}
