// Telling a site's own page that a review waits, that none waits any more, that an accepted plan ran out
// in the queue, or that a run broke off. A receiver may get the same message twice: it knows it by its id.
// Signed as Standard Webhooks has it (`v1a`, Ed25519 over id, time and body) with the key that
// /.well-known/jwks.json publishes first.
import { z } from 'zod'
import { parseHosts } from '../../adapters/models/endpoints.ts'
import { refuseUrl } from '../../adapters/models/hosts.ts'
import { loadSigner } from '../../adapters/signer.ts'
import type { ReviewSpec, ReviewState } from '../../verify/review/state.ts'
import { runOf, standingOf } from '../../verify/review/status.ts'
import type { Env } from '../env.ts'

const webhookTimeoutMs = 5_000

export type WebhookEvent = 'review_waiting' | 'review_closed' | 'plan_expired' | 'run_terminated'

/** What is posted, or null where the site has no webhook. */
export function webhookMessage(
  spec: ReviewSpec,
  { event, state, now_ms }: { event: WebhookEvent; state: ReviewState; now_ms: number },
): { url: string; payload: object } | null {
  const url = spec.snapshot.policy.review_webhook
  const standing = standingOf(state)
  if (url === null || standing === null) return null
  const { decision, concern } = standing
  const payload = {
    // The same at every delivery of this message, another for the next.
    id: `${spec.plan_id}/${event}/${now_ms}`,
    event,
    plan: spec.plan_id,
    site: spec.submitter.site,
    state: state.state,
    verdict: decision.verdict,
    packet_digest: decision.packet_digest,
    at_ms: now_ms,
    classification: concern,
    expires_ms: decision.valid_until,
    session: runOf(state)?.session ?? null,
    session_reason: state.state === 'terminated' ? state.reason : null,
  }
  return { url, payload }
}

const bodySchema = z.object({
  url: z.string(),
  payload: z.looseObject({ id: z.string().default('') }),
})

/** Posts one message. Throws when it was not taken. */
export async function postWebhook(env: Env, body: unknown): Promise<void> {
  const { url, payload } = bodySchema.parse(body)
  const refused = refuseUrl(url, parseHosts(env.PRIVATE_HOSTS))
  if (refused !== null) throw new Error(refused)
  const text = JSON.stringify(payload)
  const answer = await fetch(url, {
    method: 'POST',
    headers: await headersFor(env, payload.id, text),
    body: text,
    redirect: 'manual',
    signal: AbortSignal.timeout(webhookTimeoutMs),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`webhook answered ${answer.status}`)
}

async function headersFor(env: Env, id: string, text: string): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const headers = { 'content-type': 'application/json', 'webhook-id': id }
  const signer = await loadSigner(env.SIGNING_KEYS)
  // Without keys nothing is bound either; the people who must look are told all the same.
  if (!signer.ok) return headers
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const signature = await crypto.subtle.sign('Ed25519', signer.value.key.key, signed)
  const base64 = btoa(String.fromCharCode(...new Uint8Array(signature)))
  return { ...headers, 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${base64}` }
}
