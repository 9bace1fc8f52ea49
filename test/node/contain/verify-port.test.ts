// The agent verifies with node:crypto, everything else with WebCrypto: both must say the same of every
// text, good, forged or broken.
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importJwks, importSigningKey } from '../../../contain/keys.ts'
import { signClaims } from '../../../contain/sign.ts'
import { verifySigned } from '../../../contain/verify.ts'
import { nodeVerify } from '../../../robot-agent/node-verify.ts'

const fresh = async () => {
  const key = await importSigningKey(
    generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
  )
  if (!key.ok) throw new Error(key.error)
  return key.value
}
const claims = { iss: 'a', sub: 'a', aud: 's', iat: 1_000, exp: 1_060, jti: 'jti_1' }

test('both ports take what was signed and refuse one changed character of it', async () => {
  const [own, other] = [await fresh(), await fresh()]
  const text = await signClaims(own, 'agent', claims)
  const portable = await importJwks({ keys: [own.jwk] })
  const atOnce = await importJwks({ keys: [own.jwk] }, nodeVerify)
  if (!portable.ok || !atOnce.ok) throw new Error('keys')
  expect(await verifySigned('agent', text, atOnce.value)).toEqual({ ok: true, value: claims })
  const forged = (await signClaims(other, 'agent', claims)).split('.')
  const mixed = [...text.split('.').slice(0, 2), forged[2]].join('.')
  expect(await verifySigned('agent', mixed, atOnce.value)).toEqual({ ok: false, error: 'signature' })
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom('A', 'z', '_', '.'), async (at, c) => {
      const changed = `${text.slice(0, at)}${c}${text.slice(at + 1)}`
      const said = await verifySigned('agent', changed, atOnce.value)
      expect(said).toEqual(await verifySigned('agent', changed, portable.value))
      expect(said.ok).toBe(changed === text)
    }),
    { numRuns: 300 },
  )
})

test('what is no key is refused by both', async () => {
  const bad = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(42) }
  expect(await importJwks({ keys: [bad] }, nodeVerify)).toEqual(await importJwks({ keys: [bad] }))
})
