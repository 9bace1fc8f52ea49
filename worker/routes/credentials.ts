// Credentials of a site. A token is shown once; a revocation holds at the next request and ends what
// the planner has running or queued (invariant 10).
import {
  credentialsOfOwner,
  listCredentials,
  revokeCredential,
  type Credential,
} from '../../adapters/credentials.ts'
import type { Env } from '../../durable-objects/env.ts'
import { limits } from '../../protocol/limits.ts'
import type { Result } from '../../protocol/result.ts'
import type { Principal } from '../context.ts'
import { grant } from '../grant.ts'
import { siteHub } from '../objects.ts'
import { page, pageQuery } from '../paging.ts'
import { credentialParams, ownerParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'

/** Revokes in the database, the trail and at the hub, where what rests on the credential falls. */
async function revokeWhole(
  env: Env,
  principal: Principal,
  credential: string,
): Promise<Result<Credential, 'not_found' | 'last_administrator'>> {
  const { site, owner: by } = principal
  const hub = siteHub(env, site)
  const revoked = await revokeCredential(env.DB, { site, id: credential, by, now_ms: Date.now() })
  if (!revoked.ok) return revoked
  const { id, role, subject, owner, revoked_ms } = revoked.value
  const facts = { credential: id, role, subject, owner }
  // Both again on every repetition: a first call may have failed after the row was written.
  await hub.note(by, 'credential_revoked', facts)
  await hub.revokeCredential({ ...facts, revoked_ms: revoked_ms ?? Date.now() }, by)
  return revoked
}

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
      const revoked = await revokeWhole(c.env, principal, params.credential)
      return revoked.ok ? c.json(revoked.value) : problem({ code: revoked.error }, c.var.requestId)
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/owners/{owner}/revoke',
      tag: 'credentials',
      summary:
        'Revoke every credential of a person: one act by which somebody leaves. Sign-ins end with them.',
      roles: ['administrator'],
      params: ownerParams,
      answers: { 200: { description: 'What was revoked by this call.', schema: 'CredentialList' } },
      refusals: ['last_administrator'],
    },
    async (c, { principal, params }) => {
      const at = { site: principal.site, owner: params.owner }
      const items: Credential[] = []
      let lastStays = false
      // The administrator's own credential last: the call must not lose its right half way.
      const all = (await credentialsOfOwner(c.env.DB, at)).toSorted(
        (a, b) => Number(a.id === principal.id) - Number(b.id === principal.id),
      )
      for (const { id } of all) {
        const revoked = await revokeWhole(c.env, principal, id)
        if (revoked.ok) items.push(revoked.value)
        else if (revoked.error === 'last_administrator') lastStays = true
      }
      if (!lastStays) return c.json({ items, next: null })
      const detail = `Everything else of ${params.owner} is revoked.`
      return problem({ code: 'last_administrator', detail }, c.var.requestId)
    },
  )
}
