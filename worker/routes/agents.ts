// Robot agents: an administrator enrols the public key; the private half never leaves the lab.
import { putAgentRow, revokeAgentRow } from '../../adapters/agents-d1.ts'
import { thumbprint } from '../../contain/keys.ts'
import { limits } from '../../protocol/limits.ts'
import { siteHub } from '../objects.ts'
import { agentParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'

export function agentRoutes(app: App): void {
  route(
    app,
    {
      method: 'post',
      path: '/v1/agents',
      tag: 'agents',
      summary: 'Enrol an agent for one cell by its public Ed25519 key, or give it a new key.',
      roles: ['administrator'],
      body: { schema: 'AgentInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 201: { description: 'Enrolled.', schema: 'AgentEnrolled' } },
      refusals: ['cell_taken', 'too_many_agents'],
    },
    async (c, { principal, body }) => {
      const jkt = await thumbprint(body.jwk.x)
      const record = { agent: body.agent, cell: body.cell, jkt, jwk: body.jwk }
      const enrolled = await siteHub(c.env, principal.site).putAgent(record, principal.owner)
      if (!enrolled.ok) return problem({ code: enrolled.error.reason }, c.var.requestId)
      await putAgentRow(c.env.DB, { site: principal.site, ...record, created_ms: Date.now() })
      return c.json({ agent: body.agent, cell: body.cell, jkt }, 201)
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/agents',
      tag: 'agents',
      summary: 'All agents of the site with what they last said of themselves.',
      roles: ['administrator', 'operator', 'reviewer'],
      answers: { 200: { description: 'All of them.', schema: 'AgentList' } },
    },
    async (c, { principal }) =>
      c.json({ items: await siteHub(c.env, principal.site).agents(), next: null }),
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/agents/{agent}/revoke',
      tag: 'agents',
      summary: 'Revoke an agent: it ends what it runs and can neither connect nor be bound.',
      roles: ['administrator'],
      params: agentParams,
      answers: { 200: { description: 'Revoked, now or before.', schema: 'AgentRevoked' } },
    },
    async (c, { principal, params }) => {
      const at = { site: principal.site, agent: params.agent, now_ms: Date.now() }
      const known = await revokeAgentRow(c.env.DB, at)
      const hubKnew = await siteHub(c.env, principal.site).revokeAgent(
        params.agent,
        principal.owner,
      )
      if (!known && !hubKnew) return problem({ code: 'not_found' }, c.var.requestId)
      return c.json({ agent: params.agent, revoked: true })
    },
  )
}
