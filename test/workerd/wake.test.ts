// The alarm of an object: whatever its handler does, a next one is set.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Wake } from '../../durable-objects/wake.ts'

/** Alarm storage that keeps what was asked of it. */
class Alarms {
  at: number | null
  writes = 0

  constructor(at: number | null = null) {
    this.at = at
  }

  getAlarm() {
    return Promise.resolve(this.at)
  }

  setAlarm(at: number | Date) {
    this.writes += 1
    this.at = Number(at)
    return Promise.resolve()
  }

  deleteAlarm() {
    this.at = null
    return Promise.resolve()
  }
}

const now = 1_000_000
beforeEach(() => {
  vi.useFakeTimers({ now })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('an alarm', () => {
  test('is only ever moved forward, and not written when it stands already', async () => {
    const alarms = new Alarms(now + 100)
    const wake = new Wake(alarms)
    await wake.by(null)
    await wake.by(now + 200)
    await wake.by(now + 100)
    expect([alarms.at, alarms.writes]).toEqual([now + 100, 0])
    await wake.by(now + 50)
    expect([alarms.at, alarms.writes]).toEqual([now + 50, 1])
  })

  test('stands before the work begins, so that a handler that never ends rings again', async () => {
    const alarms = new Alarms()
    const wake = new Wake(alarms)
    let during: number | null = null
    await wake.ring(
      'test',
      () => {
        during = alarms.at
        return Promise.resolve()
      },
      () => null,
    )
    expect(during).toBeGreaterThan(now)
    // And afterwards none is left when nothing is due.
    expect(alarms.at).toBe(null)
  })

  test.each([
    ['fails', () => Promise.reject(new Error('down'))],
    [
      'throws at once',
      () => {
        throw new Error('down')
      },
    ],
    ['succeeds', () => Promise.resolve()],
  ])('is set for what is due next when the work %s', async (_, work) => {
    const alarms = new Alarms()
    await new Wake(alarms).ring('test', work, () => now + 7_000)
    expect(alarms.at).toBe(now + 7_000)
  })

  test('is set when not even what is due can be read, and never in the past', async () => {
    const alarms = new Alarms()
    const wake = new Wake(alarms)
    const unreadable = () => {
      throw new Error('unreadable')
    }
    await wake.ring('test', () => Promise.resolve(), unreadable)
    expect(alarms.at).toBe(now + 60_000)
    await wake.ring(
      'test',
      () => Promise.resolve(),
      () => now - 5,
    )
    expect(alarms.at).toBe(now)
  })
})
