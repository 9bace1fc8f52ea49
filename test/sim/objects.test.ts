// The simulated platform itself: what callers hear when the object that they asked loses its writes.
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { Namespace } from './gateway/objects.ts'
import type { WorldPort } from './gateway/world-port.ts'

test('a call whose writes are lost is told so and does not wait for ever', async () => {
  let fails = true
  const world: WorldPort = {
    nowMs: () => 0,
    later: (ms, run) => void setTimeout(run, ms),
    openDatabase: () => new DatabaseSync(':memory:'),
    newLife: () => ({ alive: true }),
    within: (_, work) => work(),
    current: () => null,
    flush: () => ({ ms: 1, fails }),
    call: () => ({ there_ms: 0, back_ms: 0, lost: 'no' }),
  }
  const writes = () => {
    objects.host('a').storage.touch()
    return 'written'
  }
  const objects: Namespace = new Namespace(
    'one',
    world,
    () => ({ writes }),
    () => null,
  )
  const asked = () => (objects.getByName('a') as { writes(): Promise<string> }).writes()
  await expect(asked()).rejects.toThrow('reset: the storage failed')
  fails = false
  expect(await asked()).toBe('written')
})
