// Who is asking, as the gateway knows it: so that a planner need not be told its own name by a person.
import type { z } from 'zod'
import type { Env } from '../../durable-objects/env.ts'
import { bearer } from '../auth.ts'
import type { Principal } from '../context.ts'
import type { meSchema } from '../plan-schemas.ts'
import { siteHub } from '../objects.ts'
import { route, type App } from '../routing.ts'
import { namedSignIn } from '../sign-in-cookie.ts'

/** The holder of a credential: nothing of other people, and of the registry its own row alone. */
export async function meOf(
  env: Env,
  principal: Principal,
  sign_in: string | null,
): Promise<z.infer<typeof meSchema>> {
  const { site, role, subject, owner, id, expires_ms } = principal
  const settings = await siteHub(env, site).settings()
  const planners = settings?.registry?.planners ?? {}
  const own = role === 'planner' && Object.hasOwn(planners, subject) ? planners[subject] : null
  const capabilities = own?.capabilities ?? []
  const mode = settings?.policy.mode ?? null
  return { site, role, subject, owner, credential: id, sign_in, expires_ms, capabilities, mode }
}

export function meRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/me',
      tag: 'system',
      summary: 'Whose credential this is, and what it may call.',
      roles: ['planner', 'reviewer', 'operator', 'administrator'],
      answers: { 200: { description: 'The holder of the credential.', schema: 'Me' } },
    },
    async (c, { principal }) => {
      const sign_in = bearer(c.req.raw) === null ? namedSignIn(c.req.raw) : null
      return c.json(await meOf(c.env, principal, sign_in))
    },
  )
}
