// When a lost connection has to be played, and how many connections are left.
import { expect, test } from 'vitest'
import { lostAtClose, lostAtWake } from '../../../contain/session-loss.ts'
import { openedState } from '../../../contain/session-state.ts'
import { limits } from '../../../protocol/limits.ts'
import { bindingOf, t0 } from '../../shared/schedule-binding.ts'

const opened = openedState(
  bindingOf([{ id: 'n0', deps: [] }], t0 + 1_000, new Map()),
  limits.reportGraceMs,
)
const lost = { type: 'lost', proven_left: 0 }

test('a reset loses the agent of a running session, unless a connection is left', () => {
  expect(lostAtWake({ ...opened, status: 'active' }, 0)).toEqual(lost)
  expect(lostAtWake({ ...opened, status: 'active' }, 1)).toBe(null)
  for (const status of ['bound', 'completed', 'terminated'] as const) {
    expect(lostAtWake({ ...opened, status }, 0), status).toBe(null)
  }
})

test('a connection that closes is none of those that are left', () => {
  expect(lostAtClose(['a'], 'a')).toEqual(lost)
  expect(lostAtClose(['a', 'b'], 'a')).toEqual({ ...lost, proven_left: 1 })
  expect(lostAtClose(['b'], 'a')).toEqual({ ...lost, proven_left: 1 })
  expect(lostAtClose([], 'a')).toEqual(lost)
})
