// The session with one planted fault each. A harness that misses one of them proves nothing.
import type { SessionEvent, SessionState, Step } from '../../../contain/session-state.ts'
import { ok } from '../../../protocol/result.ts'
import { t0 } from '../../shared/schedule-binding.ts'
import type { Parts } from './schedule.ts'

type Change = (real: Parts) => Partial<Parts>

/** Changes what goes into a step. */
const fed =
  (change: (state: SessionState, event: SessionEvent) => [SessionState, SessionEvent]): Change =>
  ({ step }) => ({
    step: (binding, state, event, now) => step(binding, ...change(state, event), now),
  })

/** Changes what comes out of a step. */
const given =
  (change: (after: Step, before: SessionState) => Partial<SessionState>): Change =>
  ({ step }) => ({
    step: (binding, state, event, now) => {
      const after = step(binding, state, event, now)
      return { ...after, state: { ...after.state, ...change(after, state) } }
    },
  })

/** Changes what the rows give back. */
const kept =
  (change: (state: SessionState) => Partial<SessionState>): Change =>
  ({ rows }) => ({
    rows: () => {
      const real = rows()
      const state: typeof real.state = (binding) => {
        const read = real.state(binding)
        return { ...read, ...change(read) }
      }
      return { ...real, state }
    },
  })

const asReleased = ({ nodes }: SessionState): Partial<SessionState> => ({
  nodes: new Map(
    [...nodes].map(([nid, node]) => [
      nid,
      node.state === 'executing' ? { ...node, state: 'released' as const } : node,
    ]),
  ),
})

export const damaged: readonly (readonly [string, Change])[] = [
  [
    'the refusal of the site is not heard',
    fed((state, event) => [
      state,
      event.type === 'authorized' ? { ...event, authority: ok(undefined) } : event,
    ]),
  ],
  [
    'frames that were answered are forgotten',
    fed((state, event) => [state, 'seen' in event ? { ...event, seen: null } : event]),
  ],
  [
    'the clock is not looked at',
    ({ step }) => ({ step: (binding, state, event) => step(binding, state, event, t0) }),
  ],
  [
    'the clock is one millisecond late',
    ({ step }) => ({ step: (binding, state, event, now) => step(binding, state, event, now - 1) }),
  ],
  ['it is forgotten that a node is executing', given(({ state }) => asReleased(state))],
  [
    'a session goes on after its end',
    fed((state, event) => [
      state.status === 'terminated' ? { ...state, status: 'active', ended_ms: null } : state,
      event,
    ]),
  ],
  [
    'a go is sent to nobody',
    fed((state, event) => [
      state,
      event.type === 'authorized' ? { ...event, connected: true } : event,
    ]),
  ],
  [
    'frames of an older process are taken',
    fed((state, event) => [
      state.boot_id === null ? state : { ...state, boot_id: 'boot-a' },
      event,
    ]),
  ],
  [
    'two live processes are let in',
    fed((state, event) => [
      state,
      event.type === 'hello' ? { ...event, older_lives: false } : event,
    ]),
  ],
  ['the latch is not persisted', kept(() => ({ latch: false }))],
  ['the reason is not persisted', kept(() => ({ reason: null }))],
  ['a running grace is not persisted', kept(() => ({ grace_until: null }))],
  ['the process is not persisted', kept(() => ({ boot_id: null }))],
  ['an executing node is persisted as released', kept(asReleased)],
  ['what was said of rest is not persisted', kept(() => ({ rest: null }))],
  [
    'answers to frames are not persisted',
    ({ rows }) => ({ rows: () => ({ ...rows(), frame: () => null }) }),
  ],
  ['no grace begins after a reset', () => ({ lostAtWake: () => null })],
  [
    'a cut socket never starts the grace',
    () => ({ lostAtClose: (proven) => ({ type: 'lost', proven_left: proven.length }) }),
  ],
  [
    'the timer of a node in flight is not set',
    ({ nextTimer }) => ({
      nextTimer: (binding, state) => nextTimer(binding, { ...state, nodes: new Map() }),
    }),
  ],
  ['a report leaves no latch', given(() => ({ latch: false }))],
  ['the end has no time', given(() => ({ ended_ms: null }))],
  ['every end has one reason', given(({ state }) => ({ reason: state.reason && 'agent_lost' }))],
]
