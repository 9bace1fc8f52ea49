// The platform's limiters of a deployment count the same rates as the door's own buckets.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'

test('every limiter of wrangler.toml has the sustained rate of its bucket', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../wrangler.toml'), 'utf8')
  const found = text.matchAll(
    /\[\[ratelimits\]\]\nname = "(\w+)"\nnamespace_id = "(\d+)"\nsimple = \{ limit = (\d+), period = (\d+) \}/g,
  )
  const rows = [...found].map(([, name, id, limit, period]) => ({
    name,
    id,
    perS: Number(limit) / Number(period),
    period: Number(period),
  }))
  expect(Object.fromEntries(rows.map(({ name, perS }) => [name, perS]))).toEqual({
    REQUEST_RATE: limits.requestsPerCredential.perS,
    SITE_REQUEST_RATE: limits.requestsPerSite.perS,
    PLAN_RATE: limits.plansPerCredential.perS,
    SITE_PLAN_RATE: limits.plansPerSite.perS,
  })
  // The platform takes windows of ten or sixty seconds, and a number for each limiter.
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(rows.every(({ period }) => period === 10 || period === 60)).toBe(true)
})
