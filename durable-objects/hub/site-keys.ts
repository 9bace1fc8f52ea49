// Sealing of a site's own model keys: AES-256-GCM under a key derived from the deployment's secret,
// bound to site and name, so that a row copied to another site or name does not open.
import { decodeBase64url, encodeBase64url } from '../../protocol/base64url.ts'
import type { HubStore } from './store.ts'

const encoder = new TextEncoder()

async function sealingKey(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, [
    'deriveKey',
  ])
  const info = encoder.encode('portcullis/site-keys/v1')
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/** Seals one key; the result is base64url of nonce and ciphertext. */
export async function sealKey(
  secret: string,
  at: { site: string; name: string },
  clear: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const additionalData = encoder.encode(`${at.site}/${at.name}`)
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData },
    await sealingKey(secret),
    encoder.encode(clear),
  )
  return `${encodeBase64url(iv)}.${encodeBase64url(new Uint8Array(sealed))}`
}

/** Opens a sealed key; null when it was not sealed for this place under this secret. */
export async function openKey(
  secret: string,
  at: { site: string; name: string },
  sealed: string,
): Promise<string | null> {
  const [iv, body] = sealed.split('.').map((part) => decodeBase64url(part))
  if (iv === undefined || iv === null || body === undefined || body === null) return null
  try {
    const additionalData = encoder.encode(`${at.site}/${at.name}`)
    const clear = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv, additionalData },
      await sealingKey(secret),
      body,
    )
    return new TextDecoder().decode(clear)
  } catch {
    return null
  }
}

/** Keeps a site's own model key, sealed; false when the deployment has no secret to seal with. */
export async function putSiteKey(
  store: HubStore,
  secret: string | undefined,
  key: { name: string; clear: string },
): Promise<boolean> {
  const site = store.get('site')
  if (secret === undefined || secret === '' || site === null) return false
  store.set(`key:${key.name}`, await sealKey(secret, { site, name: key.name }, key.clear))
  return true
}

/** The clear key, for the model call that needs it; null when there is none. */
export async function openSiteKey(
  store: HubStore,
  secret: string | undefined,
  name: string,
): Promise<string | null> {
  const sealed = store.get(`key:${name}`)
  const site = store.get('site')
  if (sealed === null || secret === undefined || site === null) return null
  return openKey(secret, { site, name }, sealed)
}
