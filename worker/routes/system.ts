// What anyone may read: the keys that verify what the gateway signs, and whether it is well.
import { loadSigner } from '../../adapters/signer.ts'
import { drainingSites } from '../../adapters/counts-d1.ts'
import type { Env } from '../../durable-objects/env.ts'
import { limits } from '../../protocol/limits.ts'
import { versions, type Versions } from '../../protocol/versions.ts'
import { siteHub } from '../objects.ts'
import { problem } from '../problems.ts'
import { openRoute, type App } from '../routing.ts'
import { SharedAnswer } from '../shared-answer.ts'

async function storageCheck(env: Env): Promise<string> {
  try {
    await env.DB.prepare('SELECT site FROM sites LIMIT 1').first()
    return 'ok'
  } catch {
    return 'down'
  }
}

async function signerCheck(env: Env): Promise<string> {
  const signer = await loadSigner(env.SIGNING_KEYS)
  return signer.ok ? 'ok' : signer.error
}

/** Without a graph the gateway works, and every plan that needs grounding waits for a person. */
async function knowledgeCheck(env: Env): Promise<string> {
  try {
    const version = await env.DB.prepare('SELECT version FROM kg_active').first<string>('version')
    return version ?? 'none'
  } catch {
    return 'down'
  }
}

/** Sites that bind no plan are well: somebody wants it so. */
async function drainCheck(env: Env): Promise<string> {
  try {
    const n = await drainingSites(env.DB)
    return n === 0 ? 'no' : n === 1 ? '1 site' : `${n} sites`
  } catch {
    return 'down'
  }
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

type Health = {
  well: boolean
  body: {
    status: 'ok' | 'down'
    deployment: string
    checks: Record<string, string>
    versions: Versions
  }
}

async function checkHealth(env: Env): Promise<Health> {
  const checks = {
    storage: await storageCheck(env),
    signer: await signerCheck(env),
    objects: await objectsCheck(env),
  }
  const well = Object.values(checks).every((check) => check === 'ok')
  const knowledge = await knowledgeCheck(env)
  const draining = await drainCheck(env)
  const status = well ? 'ok' : 'down'
  const all = { ...checks, knowledge, draining }
  return { well, body: { status, deployment: env.DEPLOYMENT, checks: all, versions } }
}

/** The health of a few seconds ago, or of now: whoever asks often costs no more than one who does not. */
const shared = new SharedAnswer<Health>(limits.healthMsMax)

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
      const signer = await loadSigner(c.env.SIGNING_KEYS)
      if (!signer.ok) {
        return problem({ code: 'not_configured', detail: signer.error }, c.var.requestId)
      }
      return c.json(signer.value.jwks)
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
      const { body, well } = await shared.get(() => checkHealth(c.env), Date.now())
      return c.json(body, well ? 200 : 503)
    },
  )
}
