// An identity provider as the gateway sees it: keys over real HTTP, made here, and assertions that it signs.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'

export type Claims = {
  email?: string
  issuer?: string
  audience?: string
  expiresS?: number
  type?: string
}

export type IdentityProvider = {
  readonly url: string
  /** How often its keys were asked for. */
  asked: () => number
  /** A fresh key that it publishes from now on, beside the ones before. */
  rotate: () => Promise<void>
  /** From now on it answers 503. */
  down: (down: boolean) => void
  /** What it says of somebody, signed with its newest key. */
  vouch: (claims: Claims) => Promise<string>
  /** The same by a key that it does not publish, under the id of one that it does, or another. */
  forge: (claims: Claims, kid: 'known' | 'unknown') => Promise<string>
  /** The same with a symmetric key made of what it publishes: the classic confusion. */
  hmac: (claims: Claims) => Promise<string>
  close: () => Promise<void>
}

export const audience = 'application-of-the-test'

type Key = { kid: string; secret: CryptoKey; open: JWK }

async function newKey(kid: string): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const open = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
  return { kid, secret: privateKey, open }
}

export async function startProvider(): Promise<IdentityProvider> {
  const keys = [await newKey('key-1')]
  let count = 0
  let isDown = false
  const server = createServer((request, response) => {
    if (request.url === '/cdn-cgi/access/certs') count += 1
    response.statusCode = isDown || request.url !== '/cdn-cgi/access/certs' ? 503 : 200
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: keys.map(({ open }) => open) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const newest = (): Key => {
    const key = keys.at(-1)
    if (key === undefined) throw new Error('a provider has a key')
    return key
  }
  const unsigned = (claims: Claims): SignJWT => {
    const nowS = Math.floor(Date.now() / 1_000)
    const { email, type = 'app' } = claims
    return new SignJWT({ type, ...(email === undefined ? {} : { email }) })
      .setIssuer(claims.issuer ?? url)
      .setAudience([claims.audience ?? audience])
      .setIssuedAt(nowS - 60)
      .setExpirationTime(nowS + (claims.expiresS ?? 3_600))
  }
  const signed = (claims: Claims, kid: string, key: CryptoKey): Promise<string> =>
    unsigned(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(key)
  return {
    url,
    asked: () => count,
    rotate: async () => {
      keys.push(await newKey(`key-${keys.length + 1}`))
    },
    down: (down) => {
      isDown = down
    },
    vouch: (claims) => signed(claims, newest().kid, newest().secret),
    forge: async (claims, kid) => {
      const stranger = await newKey('stranger')
      return signed(claims, kid === 'known' ? newest().kid : 'stranger', stranger.secret)
    },
    hmac: (claims) =>
      unsigned(claims)
        .setProtectedHeader({ alg: 'HS256', kid: newest().kid })
        .sign(new TextEncoder().encode(JSON.stringify(newest().open))),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** The same claims without any signature. */
export function withoutSignature(token: string): string {
  const [, payload = ''] = token.split('.')
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
  return `${header}.${payload}.`
}
