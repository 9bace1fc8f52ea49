// The door: every route group, the headers that every answer carries, and the one place where an
// exception becomes an answer. Outsiders never see its text.
import { OpenAPIHono } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './context.ts'
import { problem } from './problems.ts'
import { accessRoutes } from './routes/access.ts'
import { agentRoutes } from './routes/agents.ts'
import { drainRoutes } from './routes/drain.ts'
import { enrolmentRoutes } from './routes/enrolment.ts'
import { agentSocketRoutes } from './routes/agent-sockets.ts'
import { assigneeRoutes } from './routes/assignees.ts'
import { cellRoutes } from './routes/cells.ts'
import { cellRecordRoutes } from './routes/cell-records.ts'
import { consoleRoutes } from './routes/console.ts'
import { credentialRoutes } from './routes/credentials.ts'
import { keepingRoutes } from './routes/keeping.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { meRoutes } from './routes/me.ts'
import { judgeRoutes } from './routes/judges.ts'
import { memoryRoutes } from './routes/memories.ts'
import { metricRoutes } from './routes/metrics.ts'
import { openApiRoute } from './routes/openapi.ts'
import { planEventRoutes } from './routes/plan-events.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { planRoutes } from './routes/plans.ts'
import { policyRoutes } from './routes/policies.ts'
import { reviewRoutes } from './routes/reviews.ts'
import { reviewLiveRoutes } from './routes/reviews-live.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { signInRoutes } from './routes/sign-ins.ts'
import { siteFileRoutes } from './routes/site-file.ts'
import { siteRoutes } from './routes/sites.ts'
import { systemRoutes } from './routes/system.ts'
import { templateRoutes } from './routes/templates.ts'
import { toolRoutes } from './routes/tools.ts'
import { allowedMethods, type App } from './routing.ts'

/** On every answer: nothing is cached, sniffed, framed or leaked to another site. */
const answerHeaders: Record<string, string> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
}

const safeAnswers = createMiddleware<AppEnv>(async (c, next) => {
  c.set('requestId', crypto.randomUUID())
  await next()
  // The headers of an upgrade cannot be changed, and nobody caches one.
  if (c.res.status === 101) return
  for (const [name, value] of Object.entries(answerHeaders)) c.header(name, value)
  c.header('x-request-id', c.var.requestId)
})

/** True for an exception by which the platform says that a part of it is down or overloaded. */
function isOutage(cause: Error): boolean {
  const { retryable, overloaded } = cause as { retryable?: unknown; overloaded?: unknown }
  return retryable === true || overloaded === true || cause.message.startsWith('D1_')
}

export function createApp(): App {
  const app: App = new OpenAPIHono<AppEnv>()
  app.use(safeAnswers)
  const groups = [
    planRoutes,
    planEventRoutes,
    reviewRoutes,
    reviewLiveRoutes,
    assigneeRoutes,
    templateRoutes,
    sessionRoutes,
    cellRoutes,
    cellRecordRoutes,
    siteRoutes,
    drainRoutes,
    credentialRoutes,
    signInRoutes,
    accessRoutes,
    passkeyRoutes,
    agentRoutes,
    enrolmentRoutes,
    toolRoutes,
    siteFileRoutes,
    policyRoutes,
    keepingRoutes,
    memoryRoutes,
    judgeRoutes,
    agentSocketRoutes,
    systemRoutes,
    meRoutes,
    metricRoutes,
    mcpRoutes,
    openApiRoute,
    consoleRoutes,
  ]
  for (const group of groups) group(app)
  app.notFound((c) => {
    const methods = allowedMethods(app, new URL(c.req.url).pathname)
    if (methods.length === 0) return problem({ code: 'not_found' }, c.var.requestId)
    const headers = { allow: methods.join(', ') }
    return problem({ code: 'method_not_allowed', headers }, c.var.requestId)
  })
  app.onError((cause, c) => {
    const { requestId } = c.var
    console.error(JSON.stringify({ event: 'request_failed', requestId, cause: String(cause) }))
    return isOutage(cause)
      ? problem({ code: 'unavailable', retryAfterS: 1 }, requestId)
      : problem({ code: 'internal' }, requestId)
  })
  return app
}
