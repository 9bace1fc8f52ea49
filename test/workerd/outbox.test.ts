// The outbox of an object, in real storage: at least once, slots, later and later, given up by name.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { Outbox, type Delivery, type Message } from '../../durable-objects/outbox.ts'
import { reviewOf } from './support/site.ts'
import { hush } from '../shared/hush.ts'

hush(/^outbox a: (Error: down|NoAnswer)/)

type Kind = 'a' | 'b'
let count = 0

/** An outbox in the storage of an object that holds nothing else. */
function within(work: (outbox: Outbox<Kind>, sql: SqlStorage) => Promise<void>): Promise<void> {
  count += 1
  const stub = reviewOf('outbox', `plan_${String(count).padStart(26, '0')}`)
  return runInDurableObject(stub, async (_, state) => {
    const outbox = new Outbox<Kind>(state.storage.sql, ['a', 'b'])
    outbox.create()
    await work(outbox, state.storage.sql)
  })
}

const how = (change: Partial<Delivery<Kind>> = {}): Delivery<Kind> => ({
  now_ms: 1_000,
  only: null,
  within_ms: 5_000,
  deliver: () => Promise.resolve(),
  attemptsMax: () => null,
  ...change,
})
const down = () => Promise.reject(new Error('down'))

describe('an outbox', () => {
  it('delivers what is due, once, and nothing before its time', () =>
    within(async (outbox) => {
      const told: Message<Kind>[] = []
      const deliver = (message: Message<Kind>) => {
        told.push(message)
        return Promise.resolve()
      }
      outbox.post('a', { n: 1 }, { due_ms: 1_000 })
      outbox.post('b', { n: 2 }, { due_ms: 1_001 })
      expect(outbox.nextDue()).toBe(1_000)
      await outbox.flush(how({ deliver }))
      await outbox.flush(how({ deliver }))
      expect(told).toEqual([{ id: 'a', kind: 'a', body: { n: 1 }, attempts: 1 }])
      expect(outbox.nextDue()).toBe(1_001)
    }))

  it('keeps a newer message that took the slot while the older one was told', () =>
    within(async (outbox) => {
      outbox.post('a', { n: 1 }, { due_ms: 1_000 })
      const replace = () => {
        outbox.post('a', { n: 2 }, { due_ms: 1_000 })
        return Promise.resolve()
      }
      await outbox.flush(how({ deliver: replace }))
      const told: unknown[] = []
      await outbox.flush(how({ deliver: ({ body }) => Promise.resolve(void told.push(body)) }))
      expect(told).toEqual([{ n: 2 }])
      // The same when the older one failed: its delay is not the newer one's.
      outbox.post('a', { n: 3 }, { due_ms: 1_000 })
      await outbox.flush(
        how({
          deliver: () => {
            outbox.post('a', { n: 4 }, { due_ms: 1_000 })
            return down()
          },
        }),
      )
      expect(outbox.nextDue()).toBe(1_000)
    }))

  it('tries again ever later, at most a minute apart, and lets no receiver hold up another', () =>
    within(async (outbox) => {
      outbox.post('a', {}, { due_ms: 0 })
      outbox.post('b', {}, { due_ms: 0 })
      const waits: number[] = []
      let now_ms = 1_000
      const deliver = ({ kind }: Message<Kind>) => (kind === 'a' ? down() : Promise.resolve())
      for (let i = 0; i < 12; i++) {
        await outbox.flush(how({ now_ms, deliver }))
        const due = outbox.nextDue() ?? 0
        waits.push(due - now_ms)
        now_ms = due
      }
      expect(waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000])
      expect(waits.at(-1)).toBe(60_000)
    }))

  it('gives up after the stated number of failures and says what', () =>
    within(async (outbox) => {
      outbox.post('a', { n: 1 }, { id: 'slot', due_ms: 0 })
      const flush = (now_ms: number) =>
        outbox.flush(
          how({ now_ms, deliver: down, attemptsMax: (kind) => (kind === 'a' ? 2 : null) }),
        )
      expect(await flush(1_000)).toEqual([])
      expect(await flush(2_000)).toEqual([{ id: 'slot', kind: 'a', body: { n: 1 }, attempts: 2 }])
      expect(outbox.nextDue()).toBe(null)
    }))

  it('does not wait longer than it is told, and tells only the kinds that are asked for', () =>
    within(async (outbox) => {
      outbox.post('a', {}, { due_ms: 0 })
      outbox.post('b', {}, { due_ms: 0 })
      const started = Date.now()
      const never = () => new Promise<never>(() => undefined)
      await outbox.flush(how({ only: ['a'], within_ms: 30, deliver: never }))
      expect(Date.now() - started).toBeLessThan(5_000)
      expect(outbox.nextDue()).toBe(0)
      outbox.retract('b')
      expect(outbox.nextDue()).toBe(1_500)
    }))
})
