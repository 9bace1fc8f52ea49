// Prometheus text of the deployment, by site, cell and agent. It names them, so it has a token of its own,
// which can do nothing else.
import { limits } from '../../protocol/limits.ts'
import { showsDeploymentToken } from '../auth.ts'
import { liveFamilies } from '../metrics/live.ts'
import { measuredFamilies } from '../metrics/measured.ts'
import { storedFamilies } from '../metrics/stored.ts'
import { textOf } from '../metrics/text.ts'
import { problem } from '../problems.ts'
import { openRoute, type App } from '../routing.ts'
import { SharedAnswer } from '../shared-answer.ts'

/** Two scrapers cost no more than one. */
const shared = new SharedAnswer<string>(limits.metricsFreshMs)

export function metricRoutes(app: App): void {
  openRoute(
    app,
    {
      method: 'get',
      path: '/metrics',
      tag: 'system',
      summary: 'Metrics of the deployment for Prometheus, for whoever shows the metrics token.',
      security: 'metrics',
      answers: {
        200: {
          description: 'Text format 0.0.4.',
          type: 'text/plain',
          example: '# TYPE portcullis_agents gauge\nportcullis_agents 2\n',
        },
      },
      refusals: ['credential_invalid', 'not_configured', 'too_many_requests'],
    },
    async (c) => {
      const { METRICS_TOKEN_SHA256 } = c.env
      const allowed = await showsDeploymentToken(c, 'METRICS_TOKEN_SHA256', METRICS_TOKEN_SHA256)
      if (!allowed.ok) return problem(allowed.error, c.var.requestId)
      const now_ms = Date.now()
      const text = await shared.get(async () => {
        const [stored, measured, live] = await Promise.all([
          storedFamilies(c.env.DB, now_ms),
          measuredFamilies(c.env.DB),
          liveFamilies(c.env, now_ms),
        ])
        return textOf([...stored, ...measured, ...live])
      }, now_ms)
      return c.body(text, 200, { 'content-type': 'text/plain; version=0.0.4' })
    },
  )
}
