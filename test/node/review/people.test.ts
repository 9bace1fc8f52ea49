// What people do to a plan that waits beside deciding: a touch that signs, who looks at it, and what is told in time.
import { describe, expect, test } from 'vitest'
import type { ReviewEffect, ReviewState } from '../../../verify/review/state.ts'
import { step } from '../../../verify/review/step.ts'
import { nextTime } from '../../../verify/review/status.ts'
import { at, decidedAs, factsFor, review, specOf, states, until } from './fixture.ts'

const names = (effects: readonly ReviewEffect[]): string[] =>
  effects.map((effect) => {
    if (effect.do === 'trail') return `trail ${effect.event}`
    return effect.do === 'mail' ? `mail ${effect.event}` : effect.do
  })

describe('a plan that waits', () => {
  const facts = factsFor(states.escalated)

  test('accepts without a touch only where the policy asks for none, and keeps the touch in the trail', () => {
    const asks = factsFor(states.escalated, { touch_to_accept: true })
    const by = (change = {}) =>
      step(asks, states.escalated, { type: 'review', review: review(change), outdated: false }, at)
    expect(by()).toEqual({
      state: states.escalated,
      effects: [],
      refused: { code: 'touch_needed' },
    })
    expect(by({ verdict: 'reject' }).state.state).toBe('rejected')
    const touch = {
      passkey: 'key',
      public_key: 'AA',
      client_data: 'AA',
      authenticator_data: 'AA',
      signature: 'AA',
      about: '{}',
    }
    const signed = by({ touch })
    expect(signed.state.state).toBe('queued')
    expect(signed.effects[0]).toMatchObject({ event: 'reviewed', facts: { touch } })
  })

  test('is told to everybody once more when its time is nearly over, and only where the site wants mail', () => {
    const near_expiry_ms = until - 60_000
    const open: ReviewState = { ...states.escalated, remind_ms: null, near_expiry_ms }
    expect(nextTime(open)).toBe(near_expiry_ms)
    const tick = { type: 'tick', idle: true } as const
    expect(step(facts, open, tick, near_expiry_ms - 1)).toEqual({
      state: open,
      effects: [],
      refused: null,
    })
    const told = step(facts, open, tick, near_expiry_ms)
    expect(names(told.effects)).toEqual(['trail near_expiry_told', 'mail near_expiry'])
    expect(nextTime(told.state)).toBe(until)
    expect(step(facts, told.state, tick, near_expiry_ms + 1).effects).toEqual([])
  })

  test('is looked at by one person at a time, which gives no right', () => {
    const assign = (state: ReviewState, by: string, to_: string | null, seen: string | null) =>
      step(facts, state, { type: 'assign', assign: { by, to: to_, seen } }, at)
    const taken = assign(states.escalated, 'rita', 'rita', null)
    expect(taken.state).toMatchObject({ state: 'escalated', assignee: { person: 'rita' } })
    expect(names(taken.effects)).toEqual(['trail assigned', 'announce'])
    expect(assign(taken.state, 'ravi', 'ravi', null).refused).toEqual({ code: 'stale_assignee' })
    expect(assign(taken.state, 'rita', ' Olga', 'rita').refused).toEqual({
      code: 'conflict_of_interest',
    })
    expect(assign(taken.state, 'ravi', null, 'rita').state).toEqual(states.escalated)
    expect(assign(states.queued, 'rita', 'rita', null).refused).toEqual({ code: 'not_escalated' })
    const ravi = review({ approver: 'ravi' })
    const decided = step(facts, taken.state, { type: 'review', review: ravi, outdated: false }, at)
    expect(decided.state.state).toBe('queued')
    expect(names(assign(taken.state, 'rita', 'rita', 'rita').effects)).not.toContain(
      'mail assigned',
    )
    const late = step(
      facts,
      taken.state,
      { type: 'assign', assign: { by: 'rita', to: null, seen: 'rita' } },
      until,
    )
    expect([late.state.state, late.refused]).toEqual(['expired', { code: 'not_escalated' }])
  })

  test('is told by mail where the site wants it, and the second reviewers before it expires', () => {
    const asked = (policy: Parameters<typeof specOf>[0]) =>
      step(
        { spec: specOf(policy), packet: null },
        states.judging,
        { type: 'judged', decided: decidedAs('escalate') },
        at,
      )
    expect(names(asked({}).effects)).not.toContain('mail waiting')
    const { state, effects } = asked({ review_mail: { near_expiry_ms: 60_000, second: ['tina'] } })
    expect(names(effects).at(-1)).toBe('mail waiting')
    expect(state).toMatchObject({ near_expiry_ms: until - 60_000 })
  })
})
