// Enrolling an agent without carrying a key: an administrator makes a code, the agent makes its own key
// and brings the public half with the code. The private half never leaves the agent's machine.
import { putAgentRow } from '../../adapters/agents-d1.ts'
import { createCode, takeCode } from '../../adapters/enrolment-codes.ts'
import { thumbprint } from '../../contain/keys.ts'
import { limits } from '../../protocol/limits.ts'
import { pinnedToolOf } from '../../protocol/tool-row.ts'
import { verifyAgentToken } from '../agent-token.ts'
import { addressOf, bearer } from '../auth.ts'
import { siteHub } from '../objects.ts'
import { problem } from '../problems.ts'
import { hasFailedTooOften, noteFailure } from '../rate-limit.ts'
import { openRoute, route, type App } from '../routing.ts'

export function enrolmentRoutes(app: App): void {
  openRoute(
    app,
    {
      method: 'get',
      path: '/v1/agent/standing',
      tag: 'agents',
      summary: 'What the site knows of the agent that asks, and what it pins. For its `doctor`.',
      security: 'agent',
      answers: { 200: { description: 'The agent is enrolled.', schema: 'AgentStanding' } },
    },
    async (c) => {
      const { requestId } = c.var
      const token = bearer(c.req.raw)
      const agent = token === null ? null : await verifyAgentToken(c.env.DB, token, Date.now())
      if (agent?.ok !== true) {
        noteFailure(addressOf(c.req.raw), Date.now())
        return problem({ code: 'agent_token_invalid' }, requestId)
      }
      const { site, cell, jkt } = agent.value
      const settings = await siteHub(c.env, site).settings()
      const registry = settings?.registry ?? null
      return c.json({
        site,
        agent: agent.value.agent,
        cell,
        jkt,
        tools: registry?.tools.map((entry) => pinnedToolOf(entry)) ?? [],
        sandboxes: registry?.sandboxes ?? [],
      })
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/agents/codes',
      tag: 'agents',
      summary: 'Make a one-time code with which an agent enrols its own key; it is shown once.',
      roles: ['administrator'],
      body: { schema: 'EnrolmentCodeInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 201: { description: 'Made.', schema: 'EnrolmentCode' } },
    },
    async (c, { principal, body }) => {
      const { site, id, owner } = principal
      const now_ms = Date.now()
      const expires_ms = now_ms + body.lives_s * 1_000
      const { agent, cell } = body
      const made = { site, agent, cell, credential: id, created_by: owner, expires_ms }
      // First the trail: a code that left no line in it must not work.
      await siteHub(c.env, site).note(owner, 'enrolment_code_made', { agent, cell, expires_ms })
      const code = await createCode(c.env.DB, made, now_ms)
      return c.json({ code, agent, cell, expires_ms }, 201)
    },
  )
  openRoute(
    app,
    {
      method: 'post',
      path: '/v1/enrolments',
      tag: 'agents',
      summary: 'An agent enrols its public key with a code. The code is used up by it.',
      security: 'none',
      body: { schema: 'EnrolmentInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 201: { description: 'Enrolled.', schema: 'AgentEnrolled' } },
      refusals: ['enrolment_refused', 'cell_taken', 'too_many_agents', 'too_many_requests'],
    },
    async (c, { body }) => {
      const { requestId } = c.var
      const now_ms = Date.now()
      const address = addressOf(c.req.raw)
      if (hasFailedTooOften(address, now_ms)) {
        return problem({ code: 'too_many_requests', retryAfterS: 60 }, requestId)
      }
      const { site, code, jwk, jkt } = body
      const taken = await takeCode(c.env.DB, { site, code }, now_ms)
      if (!taken.ok) {
        const { why, agent } = taken.error
        noteFailure(address, now_ms)
        // A stranger who guesses writes into nobody's trail: only a code that was real is told of.
        if (agent !== null) {
          await siteHub(c.env, site).note('enrolment', 'enrolment_refused', { why, agent, jkt })
        }
        return problem({ code: 'enrolment_refused' }, requestId)
      }
      const { agent, cell, created_by } = taken.value
      const record = { agent, cell, jkt: await thumbprint(jwk.x), jwk }
      // The agent tells which key it meant: one that was changed on the way is not enrolled.
      if (record.jkt !== jkt) {
        await siteHub(c.env, site).note('enrolment', 'enrolment_refused', {
          why: 'thumbprint',
          agent,
          jkt,
        })
        return problem({ code: 'enrolment_refused' }, requestId)
      }
      const enrolled = await siteHub(c.env, site).putAgent(record, created_by)
      if (!enrolled.ok) return problem({ code: enrolled.error.reason }, requestId)
      await putAgentRow(c.env.DB, { site, ...record, created_ms: now_ms })
      return c.json({ agent, cell, jkt: record.jkt }, 201)
    },
  )
}
