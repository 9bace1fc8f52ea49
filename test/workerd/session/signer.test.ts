// The deployment's keys: named refusals, rotation, and nothing private in what is published.
import { describe, expect, test } from 'vitest'
import { loadSigner } from '../../../adapters/signer.ts'
import { signClaims } from '../../../contain/sign.ts'
import { verifySigned } from '../../../contain/verify.ts'
import keys from '../../vectors/keys.json' with { type: 'json' }
import { signingKey } from '../../shared/session-fixture.ts'

async function signer(...jwks: unknown[]) {
  const loaded = await loadSigner(JSON.stringify(jwks))
  if (!loaded.ok) throw new Error(loaded.error)
  return loaded.value
}

describe('the signing keys', () => {
  test.each<[string, string | undefined, string]>([
    ['no secret', undefined, 'keys_missing'],
    ['an empty secret', '', 'keys_missing'],
    ['an empty list', '[]', 'keys_missing'],
    ['no JSON', '{', 'keys_malformed'],
    ['one key without a list', JSON.stringify(keys.gateway), 'keys_malformed'],
    ['a public key', JSON.stringify([{ ...keys.gateway, d: undefined }]), 'keys_malformed'],
    ['a short private half', JSON.stringify([{ ...keys.gateway, d: 'AAAA' }]), 'keys_malformed'],
    ['another curve', JSON.stringify([{ ...keys.gateway, crv: 'X25519' }]), 'keys_malformed'],
    [
      'a name that is not the thumbprint',
      JSON.stringify([{ ...keys.gateway, kid: 'x' }]),
      'keys_malformed',
    ],
    ['one damaged key among good ones', JSON.stringify([keys.gateway, {}]), 'keys_malformed'],
  ])('are an outage with a name: %s', async (_, secret, error) => {
    expect(await loadSigner(secret)).toEqual({ ok: false, error })
  })

  test('sign with the first, and keep what another has signed', async () => {
    const before = await signer(keys.gateway)
    const after = await signer(keys.stranger, keys.gateway)
    const removed = await signer(keys.stranger)
    expect(after.key.kid).toBe((await signingKey(keys.stranger)).kid)
    const claims = { sub: 'a', sid: null, nonce: 'n', boot_id: 'b', iat_ms: 0 }
    const text = await signClaims(before.key, 'hello', claims)
    expect(await verifySigned('hello', text, after.keys)).toEqual({ ok: true, value: claims })
    expect(await verifySigned('hello', text, removed.keys)).toEqual({
      ok: false,
      error: 'unknown_key',
    })
  })

  test('publish nothing private', async () => {
    const { jwks } = await signer(keys.gateway, keys.agent)
    for (const jwk of jwks.keys) {
      expect(Object.keys(jwk).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    }
    expect(JSON.stringify(jwks)).not.toContain(keys.gateway.d)
  })
})
