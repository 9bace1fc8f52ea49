// The ledger over a disk that fails at any write: what leads to motion is refused, what leads to rest is
// never held up, and nothing that was owed is lost once the disk works again.
import path from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PinnedTool } from '../../../protocol/tool-row.ts'
import { KeptLedger } from '../../../robot-agent/kept-ledger.ts'
import { Ledger } from '../../../robot-agent/ledger.ts'
import { SessionRows } from '../../../robot-agent/session-rows.ts'
import { scratch } from '../support/scratch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const tool: PinnedTool = {
  tool: 'arm.move',
  server: 'cell',
  mcp_tool: 'move',
  definition_digest: `def:${'A'.repeat(43)}`,
  timeout_ms: 1_000,
  orphan_policy: 'stop',
  safe_stop: { mcp_tool: 'stop', args: {} },
}

/** A ledger on a real file whose writes throw while `disk.broken` says so. */
function onBadDisk() {
  const dir = path.join(scratch(), 'state')
  const disk = { broken: false }
  const seen: string[] = []
  const open = () => {
    const ledger = new Ledger(dir)
    return new Proxy(ledger, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (disk.broken && name !== 'close') throw new Error('database or disk is full')
          return Reflect.apply(value, target, args) as unknown
        }
      },
    })
  }
  const kept = new KeptLedger({
    open,
    nowMs: () => 1,
    onFailed: () => seen.push('failed'),
    onMended: () => seen.push('mended'),
  })
  kept.before((ledger) => ledger.openSession('s', 1))
  return { kept, disk, seen, dir }
}

const node = (nid: string) => ({ nid, jti: `j-${nid}`, ctx: 'c', tool, started_ms: 1 })
const endOf = (nid: string) =>
  ({ nid, outcome: 'unknown', reason: 'cancelled', result_digest: null, actuated: true }) as const

test('an end is known at once and on disk after the disk works again', () => {
  const { kept, disk, seen } = onBadDisk()
  const rows = new SessionRows('s', kept, [])
  expect(rows.received(node('a')).ok).toBe(true)
  rows.started('a', 1)
  expect(rows.actuated('a', { boot_id: 'b', now_ms: 1 })).toEqual({ ok: true, value: true })
  disk.broken = true
  rows.ended(endOf('a'), { report: 'signed', result: '{}' }, 2)
  expect(rows.node('a')).toMatchObject({ state: 'ended', report: 'signed', actuated: true })
  expect(seen).toEqual(['failed'])
  expect(kept.working).toBe(false)
  // Nothing begins meanwhile, not even when the disk would take this very write.
  disk.broken = false
  expect(rows.received(node('b'))).toEqual({ ok: false, error: 'ledger_failed' })
  vi.advanceTimersByTime(1_000)
  expect(seen).toEqual(['failed', 'mended'])
  const stored = kept.before((ledger) => ledger.nodes('s'))
  expect(stored).toMatchObject({
    ok: true,
    value: [{ nid: 'a', state: 'ended', report: 'signed', result: '{}' }],
  })
  kept.close()
})

test('a disk that fails in the tick of the call lets no call be made', () => {
  const { kept, disk } = onBadDisk()
  const rows = new SessionRows('s', kept, [])
  rows.received(node('a'))
  rows.started('a', 1)
  disk.broken = true
  expect(rows.actuated('a', { boot_id: 'b', now_ms: 1 })).toEqual({
    ok: false,
    error: 'ledger_failed',
  })
  expect(rows.node('a')).toMatchObject({ state: 'started', actuated: false })
  kept.close()
})

test('whatever fails when, memory never knows less than the disk, and nothing owed is lost', () => {
  const acts = fc.array(
    fc.record({ nid: fc.constantFrom('a', 'b', 'c'), broken: fc.boolean(), wait: fc.boolean() }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(acts, (given) => {
      const { kept, disk } = onBadDisk()
      const rows = new SessionRows('s', kept, [])
      for (const { nid, broken, wait } of given) {
        disk.broken = broken
        if (wait) vi.advanceTimersByTime(1_000)
        rows.received(node(nid))
        rows.started(nid, 1)
        const went = rows.actuated(nid, { boot_id: 'b', now_ms: 1 })
        if (went.ok && went.value) rows.ended(endOf(nid), { report: 'signed', result: null }, 2)
        // A node that went is known as moved, so that a stop reaches its device.
        if (went.ok && went.value) expect(rows.node(nid)?.actuated).toBe(true)
      }
      disk.broken = false
      vi.advanceTimersByTime(1_000)
      expect(kept.working).toBe(true)
      const stored = kept.before((ledger) => ledger.nodes('s'))
      const ended = rows.nodes().filter((row) => row.state === 'ended')
      if (!stored.ok) throw new Error(stored.error)
      const written = stored.value.filter((row) => row.state === 'ended')
      expect(new Map(written.map((row) => [row.nid, row]))).toEqual(
        new Map(ended.map((row) => [row.nid, row])),
      )
      kept.close()
    }),
    { numRuns: 60 },
  )
})

test('closing while the disk fails says that something is left behind', () => {
  const { kept, disk } = onBadDisk()
  disk.broken = true
  kept.after((ledger) => ledger.endSession('s', 'x', 1))
  expect(kept.close()).toBe(false)
})
