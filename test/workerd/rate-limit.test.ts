// How often one may knock: sustained rate, burst, and no way to be locked out by others or by a clock.
import { expect, test } from 'vitest'
import { Buckets } from '../../worker/rate-limit.ts'

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
