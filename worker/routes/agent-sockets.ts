// The two sockets of an agent: presence (with SiteHub) and one session (with ExecutionSession). The
// door proves the agent's key, then forwards the upgrade with headers of its own; those that came
// from outside never pass.
import { addressOf, bearer } from '../auth.ts'
import { verifyAgentToken } from '../agent-token.ts'
import type { Ctx } from '../context.ts'
import { executionSession, siteHub, type Fetching } from '../objects.ts'
import { sessionParams } from '../params.ts'
import { problem } from '../problems.ts'
import { featuresHeader } from '../../protocol/features.ts'
import { noteFailure } from '../rate-limit.ts'
import { openRoute, type App } from '../routing.ts'

/** Headers that make up an upgrade; nothing else of the request goes on. */
const upgradeHeaders = [
  'upgrade',
  'connection',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
  // What the agent can do; the objects answer with what they can do too.
  featuresHeader,
]

async function connect(c: Ctx, target: (site: string) => Fetching): Promise<Response> {
  const { requestId } = c.var
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    return problem({ code: 'upgrade_required', headers: { upgrade: 'websocket' } }, requestId)
  }
  // Browsers always send Origin and no agent does: a page must not borrow somebody's network.
  if (c.req.header('origin') !== undefined) return problem({ code: 'origin_forbidden' }, requestId)
  const token = bearer(c.req.raw)
  if (token === null) return problem({ code: 'agent_token_invalid' }, requestId)
  const address = addressOf(c.req.raw)
  const agent = await verifyAgentToken(c.env.DB, token, Date.now())
  if (!agent.ok) {
    noteFailure(address, Date.now())
    console.warn(JSON.stringify({ event: 'agent_refused', reason: agent.error, requestId }))
    return problem({ code: 'agent_token_invalid' }, requestId)
  }
  const headers = new Headers()
  for (const name of upgradeHeaders) {
    const value = c.req.header(name)
    if (value !== undefined) headers.set(name, value)
  }
  headers.set('x-portcullis-agent', agent.value.agent)
  headers.set('x-portcullis-jkt', agent.value.jkt)
  // The key itself: the session checks that its thumbprint is the one that it is bound to.
  headers.set('x-portcullis-key', agent.value.jwk.x)
  headers.set('x-portcullis-site', agent.value.site)
  return target(agent.value.site).fetch(new Request(c.req.url, { method: 'GET', headers }))
}

export function agentSocketRoutes(app: App): void {
  openRoute(
    app,
    {
      method: 'get',
      path: '/v1/agent',
      tag: 'agent sockets',
      summary: 'Presence of an agent (WebSocket): health, assignments, halts.',
      security: 'agent',
      answers: { 101: { description: 'The socket; the first frame is a challenge.' } },
      refusals: ['origin_forbidden'],
    },
    (c) => connect(c, (site) => siteHub(c.env, site)),
  )
  openRoute(
    app,
    {
      method: 'get',
      path: '/v1/sessions/{session}/agent',
      tag: 'agent sockets',
      summary: 'One session with its bound agent (WebSocket): pull, start, report.',
      security: 'agent',
      params: sessionParams,
      answers: { 101: { description: 'The socket; the first frame is a challenge.' } },
      refusals: ['origin_forbidden'],
    },
    (c, { params }) => connect(c, (site) => executionSession(c.env, site, params.session)),
  )
}
