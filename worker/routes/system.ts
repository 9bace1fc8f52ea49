// What anyone may read: the keys that verify what the gateway signs, and whether it is well.
import { siteHub } from '../objects.ts'
import type { Env } from '../../durable-objects/env.ts'
import { openRoute, type App } from '../routing.ts'
import { publishedKeys } from '../keys.ts'

async function storageCheck(env: Env): Promise<string> {
  try {
    await env.DB.prepare('SELECT site FROM sites LIMIT 1').first()
    return 'ok'
  } catch {
    return 'down'
  }
}

async function signerCheck(env: Env): Promise<string> {
  const keys = await publishedKeys(env)
  if (!keys.ok) return keys.error
  return 'ok'
}

async function objectsCheck(env: Env): Promise<string> {
  try {
    // A name that no site can have: nothing is stored in it.
    await siteHub(env, '/health').settings()
    return 'ok'
  } catch {
    return 'down'
  }
}

export function systemRoutes(app: App): void {
  openRoute(
    app,
    {
      method: 'get',
      path: '/.well-known/jwks.json',
      tag: 'system',
      summary: 'Public keys that verify node tokens, go, receipts and manifests (RFC 7517).',
      security: 'none',
      answers: { 200: { description: 'The key set; the first key signs.', schema: 'Jwks' } },
      refusals: ['not_configured'],
    },
    async (c) => {
      const keys = await publishedKeys(c.env)
      // An empty set, not a refusal: an agent then trusts nothing, which is what it must do.
      return c.json({ keys: keys.ok ? keys.value : [] })
    },
  )
  openRoute(
    app,
    {
      method: 'get',
      path: '/healthz',
      tag: 'system',
      summary: 'Whether the gateway can work; says what is down.',
      security: 'none',
      answers: {
        200: { description: 'Well.', schema: 'Health' },
        503: { description: 'Something is down.', schema: 'Health' },
      },
    },
    async (c) => {
      const checks = {
        storage: await storageCheck(c.env),
        signer: await signerCheck(c.env),
        objects: await objectsCheck(c.env),
      }
      const well = Object.values(checks).every((check) => check === 'ok')
      const body = { status: well ? 'ok' : 'down', deployment: c.env.DEPLOYMENT, checks }
      return c.json(body, well ? 200 : 503)
    },
  )
}
