// The keys of the identity provider: kept, asked for again when they rotate, at most so often; and nobody new is
// let in while they cannot be had.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { accessKeys, accessOf, vouchedBy } from '../../../adapters/access.ts'
import { limits } from '../../../protocol/limits.ts'
import { audience, startProvider, type IdentityProvider } from '../support/identity-provider.ts'

let provider: IdentityProvider
beforeEach(async () => {
  provider = await startProvider()
})
afterEach(async () => {
  vi.useRealTimers()
  await provider.close()
})

const email = 'rosa@lab.example'

it('asks once, and again for a key that it does not know, but not for every guess', async () => {
  const access = { issuer: provider.url, audience: [audience] }
  const keys = accessKeys(provider.url)
  const check = async (text: string): Promise<string> => {
    const said = await vouchedBy(text, access, { keys, now_ms: Date.now() })
    return said.ok ? said.value.email : said.error
  }
  for (let i = 0; i < 5; i += 1) expect(await check(await provider.vouch({ email }))).toBe(email)
  expect(provider.asked()).toBe(1)
  await provider.rotate()
  const newest = await provider.vouch({ email })
  // Within the pause nobody makes it ask: not the new key, not a thousand invented ones.
  expect(await check(newest)).toBe('key')
  expect(await check(await provider.forge({ email }, 'unknown'))).toBe('key')
  expect(provider.asked()).toBe(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + limits.accessKeysEveryMs + 1_000 })
  expect(await check(newest)).toBe(email)
  expect(provider.asked()).toBe(2)
  provider.down(true)
  expect(await check(newest)).toBe(email)
  vi.setSystemTime(Date.now() + limits.accessKeysFreshMs + 1_000)
  expect(await check(newest)).toBe('keys_unavailable')
  provider.down(false)
  expect(await check(newest)).toBe(email)
})

it('takes no settings that are not whole, and no address inside of the network', () => {
  expect(accessOf({})).toBeNull()
  expect(accessOf({ ACCESS: '{' })?.ok).toBe(false)
  expect(accessOf({ ACCESS: '{"issuer":"https://t.cloudflareaccess.com"}' })?.ok).toBe(false)
  const inside = JSON.stringify({ issuer: 'http://10.0.0.1', audience: ['a'] })
  expect(accessOf({ ACCESS: inside })?.ok).toBe(false)
  const whole = JSON.stringify({ issuer: 'https://t.cloudflareaccess.com', audience: ['a'] })
  expect(accessOf({ ACCESS: whole })).toMatchObject({ ok: true })
})
