// What leaves for a site's webhook: signed over id, time and body, so that a receiver can tell the gateway
// from a stranger, and a repetition from a new message.
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadSigner } from '../../adapters/signer.ts'
import { postWebhook } from '../../durable-objects/review/webhook.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const message = {
  url: 'http://127.0.0.1:8080/hook',
  payload: { id: 'plan_1/review_waiting/5', event: 'review_waiting', plan: 'plan_1' },
}

/** Posts the message and gives back what would have left. */
async function posted(of: Parameters<typeof postWebhook>[0], status = 204): Promise<Request> {
  const left: Request[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
    left.push(new Request(url, init))
    return Promise.resolve(new Response(null, { status }))
  })
  await postWebhook(of, message)
  const [request] = left
  if (request === undefined) throw new Error('nothing left')
  return request
}

describe('a webhook message', () => {
  it('verifies under the published key, and no longer when a byte of it changes', async () => {
    const request = await posted(env)
    const body = await request.text()
    expect(JSON.parse(body)).toEqual(message.payload)
    const header = (name: string): string => request.headers.get(name) ?? ''
    expect(header('webhook-id')).toBe(message.payload.id)
    const signer = await loadSigner(env.SIGNING_KEYS)
    const key = signer.ok ? [...signer.value.keys.values()][0] : undefined
    if (key === undefined) throw new Error('the tests have a key')
    const [version, base64 = ''] = header('webhook-signature').split(',')
    expect(version).toBe('v1a')
    const signature = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    const holds = async (text: string): Promise<boolean> => {
      const signed = `${header('webhook-id')}.${header('webhook-timestamp')}.${text}`
      return key(Uint8Array.from(new TextEncoder().encode(signed)), signature)
    }
    expect([await holds(body), await holds(`${body} `)]).toEqual([true, false])
  })

  it('leaves unsigned where the deployment has no key, and is not taken on an error', async () => {
    const { SIGNING_KEYS: _none, ...without } = env
    const request = await posted(without)
    expect(request.headers.has('webhook-signature')).toBe(false)
    await expect(posted(env, 503)).rejects.toThrow(/503/)
  })
})
