// Whose turn it is: the groups of a stop sequence, over calls that come from anywhere, one after the other.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StopTurns } from '../../../robot-agent/stop-turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Calls with their group; says which were made, in order. */
function line(groups: (number | null)[], within_ms = 1_000) {
  const turns = new StopTurns()
  const made: number[] = []
  const ended = groups.map((group, i) => {
    const turn = turns.enter(group === null ? null : { group, within_ms })
    if (turn.wait === null) made.push(i)
    else void turn.wait.then(() => made.push(i))
    return turn.answered
  })
  return { made, ended, settle: () => vi.advanceTimersByTimeAsync(0) }
}

test('the first group, and what is in none, is called in the same tick; the next when all have answered', async () => {
  const { made, ended, settle } = line([0, 0, 1, null, 2])
  expect(made).toEqual([0, 1, 3])
  ended[0]?.()
  await settle()
  expect(made).toEqual([0, 1, 3])
  ended[1]?.()
  await settle()
  expect(made).toEqual([0, 1, 3, 2])
  ended[2]?.()
  ended[2]?.()
  await settle()
  expect(made).toEqual([0, 1, 3, 2, 4])
})

test('a device that does not answer holds up the next group for its time and no longer', async () => {
  const { made } = line([0, 1, 2])
  await vi.advanceTimersByTimeAsync(999)
  expect(made).toEqual([0])
  await vi.advanceTimersByTimeAsync(1)
  expect(made).toEqual([0, 1])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(made).toEqual([0, 1, 2])
})

test('what is wanted later, and belongs before what is being called, is not held up', () => {
  expect(line([1, 0]).made).toEqual([0, 1])
})
