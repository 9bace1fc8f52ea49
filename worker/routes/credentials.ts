// Credentials of a site. A token is shown once; a revocation holds at the next request and ends what
// the planner has running or queued (invariant 10).
import { listCredentials, revokeCredential, type Credential } from '../../adapters/credentials.ts'
import { limits } from '../../protocol/limits.ts'
import { grant } from '../grant.ts'
import { siteHub } from '../objects.ts'
import { page, pageQuery } from '../paging.ts'
import { credentialParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'

export function credentialRoutes(app: App): void {
  route(
    app,
    {
      method: 'post',
      path: '/v1/credentials',
      tag: 'credentials',
      summary: 'Create a credential; the token is shown once and stored only as a digest.',
      roles: ['administrator'],
      body: { schema: 'CredentialInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 201: { description: 'Created.', schema: 'CredentialCreated' } },
      refusals: ['too_many_credentials'],
    },
    async (c, { principal, body }) => {
      const created = await grant(c.env, {
        site: principal.site,
        role: body.role,
        subject: body.subject,
        owner: body.owner,
        expires_ms: body.expires_ms ?? null,
        created_by: principal.owner,
      })
      return created.ok ? c.json(created.value, 201) : problem(created.error, c.var.requestId)
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/credentials',
      tag: 'credentials',
      summary: 'Credentials, oldest first, without their secrets.',
      roles: ['administrator'],
      query: pageQuery,
      answers: { 200: { description: 'One page.', schema: 'CredentialList' } },
    },
    async (c, { principal, query }) => {
      const limit = query.limit ?? limits.listPageMax
      const after = query.after
      const rows = await listCredentials(c.env.DB, principal.site, {
        after: after === undefined ? null : { created_ms: after.at_ms, id: after.id },
        limit: limit + 1,
      })
      const see = {
        view: (row: Credential) => row,
        cursor: (row: Credential) => ({ at_ms: row.created_ms, id: row.id }),
      }
      return c.json(page(rows, limit, see))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/credentials/{credential}/revoke',
      tag: 'credentials',
      summary:
        'Revoke a credential. What it submitted, approved or armed falls with it, and nothing else.',
      roles: ['administrator'],
      params: credentialParams,
      answers: { 200: { description: 'Revoked, now or before.', schema: 'Credential' } },
      refusals: ['last_administrator'],
    },
    async (c, { principal, params }) => {
      const hub = siteHub(c.env, principal.site)
      const revoked = await revokeCredential(c.env.DB, {
        site: principal.site,
        id: params.credential,
        by: principal.owner,
        now_ms: Date.now(),
      })
      if (!revoked.ok) return problem({ code: revoked.error }, c.var.requestId)
      const { id, role, subject, owner, revoked_ms } = revoked.value
      // Both again on every repetition: a first call may have failed after the row was written.
      await hub.note(principal.owner, 'credential_revoked', {
        credential: id,
        role,
        subject,
        owner,
      })
      await hub.revokeCredential(
        { credential: id, role, subject, owner, revoked_ms: revoked_ms ?? Date.now() },
        principal.owner,
      )
      return c.json(revoked.value)
    },
  )
}
