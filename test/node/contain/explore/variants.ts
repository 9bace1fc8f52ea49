// The product with one planted fault each. A walk that misses one of them proves nothing.
import { ok } from '../../../../protocol/result.ts'
import type { SessionEvent, SessionState, Step } from '../../../../contain/session-state.ts'
import { executingNode, hasEnded } from '../../../../contain/session-state.ts'
import { t0 } from '../../../shared/schedule-binding.ts'
import type { Parts } from './world.ts'

type Change = (real: Parts) => Partial<Parts>

/** Changes what goes into a step. */
const fed =
  (change: (state: SessionState, event: SessionEvent) => [SessionState, SessionEvent]): Change =>
  ({ step }) => ({
    step: (binding, state, event, now) => step(binding, ...change(state, event), now),
  })

/** Changes what comes out of a step. */
const given =
  (change: (after: Step, before: SessionState, event: SessionEvent) => Step): Change =>
  ({ step }) => ({
    step: (binding, state, event, now) => change(step(binding, state, event, now), state, event),
  })

/** Changes what the rows give back. */
const kept =
  (change: (state: SessionState) => Partial<SessionState>): Change =>
  ({ stored }) => ({
    stored: (state) => ({ ...stored(state), ...change(state) }),
  })

export const variants: readonly (readonly [string, Change])[] = [
  [
    'a lower epoch is accepted',
    ({ mayActuate }) => ({
      mayActuate: (ask, site, now) =>
        mayActuate(ask, { ...site, epoch: Math.max(site.epoch, ask.epoch) }, now),
    }),
  ],
  ['the latch is not persisted', kept(() => ({ latch: false }))],
  ['no grace after a reset', () => ({ lostAtWake: () => null })],
  [
    'a cut socket never starts the grace',
    () => ({ lostAtClose: (proven) => ({ type: 'lost', proven_left: proven.length }) }),
  ],
  ['the process is not persisted', kept(() => ({ boot_id: null }))],
  ['a running grace is not persisted', kept(() => ({ grace_until: null }))],
  [
    'an executing node is persisted as released',
    kept(({ nodes }) => ({
      nodes: new Map(
        [...nodes].map(([nid, node]) => [
          nid,
          node.state === 'executing' ? { ...node, state: 'released' as const } : node,
        ]),
      ),
    })),
  ],
  ['the reason is not persisted', kept(() => ({ reason: null }))],
  [
    'frames that were answered are forgotten',
    fed((state, event) => [state, 'seen' in event ? { ...event, seen: null } : event]),
  ],
  [
    'a go is sent to a closed connection',
    fed((state, event) => [
      state,
      event.type === 'authorized' ? { ...event, connected: true } : event,
    ]),
  ],
  [
    'the refusal of the site is not heard',
    fed((state, event) => [
      state,
      event.type === 'authorized' ? { ...event, authority: ok(undefined) } : event,
    ]),
  ],
  [
    'the clock is not looked at',
    ({ step }) => ({ step: (binding, state, event) => step(binding, state, event, t0) }),
  ],
  [
    'a session goes on after its end',
    fed((state, event) => [
      state.status === 'terminated' ? { ...state, status: 'active', ended_ms: null } : state,
      event,
    ]),
  ],
  [
    'a second process takes over a node in flight',
    fed((state, event) => [
      event.type === 'hello' && executingNode(state) !== null
        ? { ...state, boot_id: event.boot_id }
        : state,
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
  [
    'an end latches nothing',
    given((after) =>
      after.state.latch ? { ...after, state: { ...after.state, latch: false } } : after,
    ),
  ],
  [
    'a hello leaves the grace running',
    given(({ state, effects }, before, { type }) => ({
      state:
        type === 'hello' && !hasEnded(state)
          ? { ...state, grace_until: before.grace_until }
          : state,
      effects,
    })),
  ],
  ['no alarm is set', () => ({ nextTimer: () => null })],
  [
    'a frame is counted twice',
    given(({ state, effects }, before) => ({
      state: { ...state, frames: before.frames + 2 * (state.frames - before.frames) },
      effects,
    })),
  ],
]
