// What becomes of the check of a token when the node is given up, or asked for again, while it lasts.
import { expect, test } from 'vitest'
import { err, ok } from '../../../protocol/result.ts'
import { tokenEvent } from '../../../robot-agent/node-token.ts'

const good = { type: 'token_good', nid: 'n1' } as const
const missed = { precondition: 0, miss: 'not_read', read: null } as const

/** A check whose sensors fail or are read while, or after, the node is wanted. */
function checking(wanted: boolean[], reads: 'good' | 'missed' | 'none') {
  const left = [...wanted]
  return tokenEvent(
    {
      hasSensors: reads !== 'none',
      readSensors: () => Promise.resolve(reads === 'good' ? ok(undefined) : err(missed)),
    },
    'n1',
    {
      check: () => Promise.resolve(ok(good)),
      features: ['preconditions'],
      wanted: () => left.shift() ?? true,
      log: () => undefined,
    },
  )
}

test.each(['good', 'missed', 'none'] as const)(
  'of a node that nobody waits for says nothing (%s)',
  async (reads) => {
    expect(await checking([false], reads)).toBeNull()
  },
)

test('of a node that is waited for says what it found', async () => {
  expect(await checking([true], 'none')).toEqual(good)
  expect(await checking([true], 'good')).toEqual(good)
  expect(await checking([true], 'missed')).toMatchObject({ type: 'precondition_missed', missed })
})
