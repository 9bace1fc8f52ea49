// How often one may knock: sustained rate, burst, and no way to be locked out by others or by a clock.
import { expect, test } from 'vitest'
import { limits } from '../../protocol/limits.ts'
import { Buckets, mayAsk, mayAskHeavy, maySubmit } from '../../worker/rate-limit.ts'
import { hush } from '../shared/hush.ts'

hush(/^rate limit (SITE_)?PLAN_RATE: Error: down$/)

test('takes a burst, then the sustained rate, and says how long to wait', () => {
  const buckets = new Buckets({ perS: 2, burst: 3 })
  const at = (ms: number) => buckets.take('a', ms)
  expect([at(0), at(0), at(0)]).toEqual([0, 0, 0])
  expect(at(0)).toBe(1)
  expect([at(500), at(500)]).toEqual([0, 1])
  expect([at(60_000), at(60_000), at(60_000), at(60_000)]).toEqual([0, 0, 0, 1])
})

test('keeps callers apart, asking takes nothing, and a clock that goes back locks nobody out', () => {
  const buckets = new Buckets({ perS: 1, burst: 1 })
  expect(buckets.take('a', 10_000)).toBe(0)
  expect(buckets.empty('a', 10_000)).toBe(true)
  expect(buckets.empty('b', 10_000)).toBe(false)
  expect(buckets.take('b', 10_000)).toBe(0)
  expect(buckets.take('a', 0)).toBe(1)
  expect(buckets.take('a', 1_000)).toBe(0)
})

test('remembers a bounded number of callers', () => {
  const buckets = new Buckets({ perS: 0.001, burst: 1 })
  for (let i = 0; i <= 10_000; i++) buckets.take(`caller-${i}`, 0)
  // The one that was seen longest ago starts anew; the latest does not.
  expect(buckets.empty('caller-0', 0)).toBe(false)
  expect(buckets.empty('caller-10000', 0)).toBe(true)
})

test('what takes long to check is taken less often, and one site keeps no other from it', () => {
  const who = caller()
  const { burst } = limits.heavyRequestsPerSite
  const waits = Array.from({ length: burst + 1 }, () => mayAskHeavy(who, 0))
  expect(waits.slice(0, burst).every((wait) => wait === 0)).toBe(true)
  expect(waits.at(-1)).toBeGreaterThan(0)
  expect(mayAskHeavy(caller(), 0)).toBe(0)
})

/** A limiter of the platform that lets some keys pass, and remembers what it was asked. */
function limiter(lets: (key: string) => boolean) {
  const keys: string[] = []
  const limit = ({ key }: { key: string }) => {
    keys.push(key)
    return Promise.resolve({ success: lets(key) })
  }
  return { keys, limit }
}

const caller = () => ({ id: crypto.randomUUID(), site: crypto.randomUUID() })

test('asks the platform by credential and by site, under the name of the deployment', async () => {
  const who = caller()
  const [one, site] = [limiter(() => true), limiter(() => true)]
  const env = { DEPLOYMENT: 'd', REQUEST_RATE: one, SITE_REQUEST_RATE: site }
  expect(await mayAsk(who, env, 0)).toBe(0)
  expect([one.keys, site.keys]).toEqual([[`d/${who.id}`], [`d/${who.site}`]])
})

test.each(['REQUEST_RATE', 'SITE_REQUEST_RATE'] as const)(
  'what %s has counted in other isolates refuses here',
  async (rate) => {
    const env = { DEPLOYMENT: 'd', [rate]: limiter(() => false) }
    expect(await mayAsk(caller(), env, 0)).toBeGreaterThan(0)
    expect(await maySubmit(caller(), env, 0)).toBe(0)
  },
)

test.each(['PLAN_RATE', 'SITE_PLAN_RATE'] as const)('%s refuses plans alone', async (rate) => {
  const env = { DEPLOYMENT: 'd', [rate]: limiter(() => false) }
  expect(await maySubmit(caller(), env, 0)).toBeGreaterThan(0)
  expect(await mayAsk(caller(), env, 0)).toBe(0)
})

test('a platform that fails refuses nobody, and the own buckets still count', async () => {
  const broken = { limit: () => Promise.reject(new Error('down')) }
  const env = { DEPLOYMENT: 'd', PLAN_RATE: broken, SITE_PLAN_RATE: broken }
  const who = caller()
  const waits: number[] = []
  for (let i = 0; i < 60; i++) waits.push(await maySubmit(who, env, 0))
  expect(waits[0]).toBe(0)
  expect(waits.at(-1)).toBeGreaterThan(0)
})
