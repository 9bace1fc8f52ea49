// The life of a plan, rule by rule: what time does, what a verdict, a review, a binding and an end lead to,
// and what each makes others know.
import { describe, expect, test } from 'vitest'
import { unknownState } from '../../../protocol/state.ts'
import { planStateSchema } from '../../../protocol/status.ts'
import type { ReviewEffect, ReviewState } from '../../../verify/review/state.ts'
import { begin, passesMax, step } from '../../../verify/review/step.ts'
import { nextTime, statusOf } from '../../../verify/review/status.ts'
import {
  askOf,
  at,
  contextFor,
  decidedAs,
  decisionDigest,
  events,
  factsFor,
  floor,
  packetDigest,
  reminderMs,
  review,
  snapshotOf,
  specOf,
  standingOf,
  states,
  until,
} from './fixture.ts'

const names = (effects: readonly ReviewEffect[]): string[] =>
  effects.map((effect) => {
    if (effect.do === 'trail') return `trail ${effect.event}`
    if (effect.do === 'notify') return `notify ${effect.event}`
    return effect.do === 'judge' ? `judge ${effect.ask}` : effect.do
  })

describe('time', () => {
  const tick = { type: 'tick', idle: true } as const

  test('counts a pass before it begins, and asks nobody once too many have died', () => {
    let state: ReviewState = states.judging
    const facts = factsFor(state)
    for (let pass = 1; pass <= passesMax + 2; pass++) {
      const due = nextTime(state) ?? 0
      expect(step(facts, state, tick, due - 1).state).toBe(state)
      const begun = step(facts, state, tick, due)
      expect(names(begun.effects)).toEqual([pass > passesMax ? 'judge nobody' : 'judge judges'])
      expect(begun.state).toMatchObject({ state: 'judging', passes: pass })
      state = begun.state
      // The pass dies and says nothing: the next one is due by itself, ever later.
      expect(nextTime(state)).toBeGreaterThan(due)
      expect((nextTime(state) ?? 0) - due).toBeLessThanOrEqual(60_000)
    }
  })

  test('begins no second pass beside one that runs', () => {
    const state = states.judging
    const step1 = step(factsFor(state), state, { type: 'tick', idle: false }, at + 100_000)
    expect([step1.state, step1.effects]).toEqual([state, []])
  })

  test('asks no judge about a plan that the floor blocked', () => {
    const spec = specOf({}, { floor: { ...floor, level: 'block' } })
    const begun = step({ spec, packet: null }, states.judging, tick, at)
    expect(names(begun.effects)).toEqual(['judge nobody'])
  })

  test('reminds reviewers once a while, and rejects what nobody answered', () => {
    const state = states.escalated
    const facts = factsFor(state)
    const reminded = step(facts, state, tick, at + reminderMs)
    expect(names(reminded.effects)).toEqual(['notify review_waiting'])
    expect(nextTime(reminded.state)).toBe(at + 2 * reminderMs)
    const silent = { ...state, remind_ms: null }
    expect(step(facts, silent, tick, at + reminderMs).effects).toEqual([])
    expect(nextTime(silent)).toBe(until)
    const over = step(facts, state, tick, until)
    expect(over.state).toMatchObject({
      state: 'expired',
      standing: { decision: { verdict: 'reject', reasons: ['review_expired'] } },
      refusal: null,
    })
    expect(names(over.effects)).toEqual(['decided', 'announce', 'notify review_closed'])
  })

  test('lets an acceptance run out, and takes it out of the queue', () => {
    const gone = step(factsFor(states.queued), states.queued, tick, until)
    expect(names(gone.effects)).toEqual([
      'dequeue',
      'trail decision_expired',
      'announce',
      'notify plan_expired',
    ])
    const shown = step(factsFor(states.accepted), states.accepted, tick, until)
    expect(names(shown.effects)).toEqual(['trail decision_expired', 'announce'])
    for (const { state } of [gone, shown]) {
      expect(state).toMatchObject({ state: 'expired', refusal: null, run: null })
    }
  })

  test('has nothing to do in a final state, nor in a bound one', () => {
    for (const name of [
      'rejected',
      'bound',
      'completed',
      'terminated',
      'withdrawn',
      'expired',
    ] as const) {
      expect(nextTime(states[name])).toBe(null)
      const after = step(factsFor(states[name]), states[name], tick, until + 1e9)
      expect([after.state, after.effects]).toEqual([states[name], []])
    }
  })
})

describe('a verdict', () => {
  const judged = (verdict: 'accept' | 'escalate' | 'reject', spec = specOf()) =>
    step(
      { spec, packet: null },
      states.judging,
      { type: 'judged', decided: decidedAs(verdict) },
      at,
    )

  test('of escalate opens a review and tells the webhook', () => {
    const { state, effects } = judged('escalate')
    expect(state).toEqual(states.escalated)
    expect(names(effects)).toEqual([
      'packet',
      'trail packet_closed',
      'decided',
      'announce',
      'remember',
      'notify review_waiting',
    ])
    expect(judged('escalate', specOf({ review_webhook: null })).state).toMatchObject({
      remind_ms: null,
    })
  })

  test('of accept is queued, unless there is nothing to run or the site only watches', () => {
    expect(names(judged('accept').effects).at(-1)).toBe('enqueue')
    const text = specOf({}, { plan: { ...specOf().plan, nodes: [] } })
    for (const spec of [text, specOf({ mode: 'shadow' })]) {
      const { state, effects } = judged('accept', spec)
      expect(state.state).toBe('accepted')
      expect(names(effects)).not.toContain('enqueue')
    }
  })

  test('that comes after a withdrawal changes nothing', () => {
    const late = step(factsFor(states.withdrawn), states.withdrawn, events['judged accept']!, at)
    expect([late.state, late.effects]).toEqual([states.withdrawn, []])
  })
})

describe('a review', () => {
  const facts = factsFor(states.escalated)
  const say = (change = {}, outdated = false, state: ReviewState = states.escalated, now = at) =>
    step(facts, state, { type: 'review', review: review(change), outdated }, now)

  test('is refused for another packet, from the owner, twice, and when the site has moved on', () => {
    const other = `packet:${'Q'.repeat(43)}`
    expect(say({ packet_digest: other }).refused).toEqual({ code: 'stale_packet' })
    expect(say({ approver: ' OLGA ' }).refused).toEqual({ code: 'conflict_of_interest' })
    expect(say({}, true).refused).toEqual({ code: 'outdated' })
    expect(say({ verdict: 'reject' }, true).state.state).toBe('rejected')
    const decided = say()
    expect(step(facts, decided.state, events['review accept']!, at).refused).toEqual({
      code: 'already_resolved',
    })
    for (const no of [say({ packet_digest: other }), say({}, true)]) {
      expect([no.state, no.effects]).toEqual([states.escalated, []])
    }
  })

  test('by one of two people is kept and leaves the plan open', () => {
    const two = factsFor(states.escalated, { approvals_required: 2 })
    const first = step(
      two,
      states.escalated,
      { type: 'review', review: review(), outdated: false },
      at,
    )
    expect(first.state).toMatchObject({ state: 'escalated', approvals: [{ approver: 'rita' }] })
    expect(names(first.effects)).toEqual(['trail reviewed', 'announce'])
    const again = step(two, first.state, events['review accept']!, at)
    expect(again.refused).toEqual({ code: 'same_approver' })
    const second = {
      type: 'review',
      review: review({ approver: 'ravi' }),
      outdated: false,
    } as const
    const done = step(two, first.state, second, at)
    expect(done.state).toMatchObject({
      state: 'queued',
      standing: { decision: { approvals: [{ approver: 'rita' }, { approver: 'ravi' }] } },
    })
    expect(names(done.effects)).toEqual([
      'trail reviewed',
      'decided',
      'announce',
      'remember',
      'skill',
      'notify review_closed',
      'enqueue',
    ])
    // Nobody's word counts as a resolution when the time ran out before the second one.
    const late = step(two, first.state, second, until)
    expect(late.refused).toEqual({ code: 'expired' })
    expect(late.state.state).toBe('expired')
    expect(names(late.effects)).not.toContain('skill')
  })
})

describe('a withdrawal', () => {
  test('ends what waits for the plan: the judges, the reviewers, the queue', () => {
    const effects = (name: 'judging' | 'escalated' | 'accepted' | 'queued') => {
      const done = step(factsFor(states[name]), states[name], { type: 'withdraw', by: 'olga' }, at)
      expect(done.state.state).toBe('withdrawn')
      return names(done.effects).toSorted()
    }
    expect(effects('judging')).toEqual(['announce', 'stop_judging', 'trail withdrawn'])
    expect(effects('escalated')).toEqual(['announce', 'notify review_closed', 'trail withdrawn'])
    expect(effects('accepted')).toEqual(['announce', 'trail withdrawn'])
    expect(effects('queued')).toEqual(['announce', 'dequeue', 'trail withdrawn'])
  })
})

describe('binding', () => {
  const bind = (change: object = {}, ask = askOf(), now = at) => {
    const event = {
      type: 'bind',
      session_over: false,
      ask,
      floor,
      differences: [],
      cell_state: null,
      rows: {},
      decision_digest: decisionDigest,
      ...change,
    } as const
    return step(factsFor(states.queued), states.queued, event, now)
  }

  test('writes the session before it is opened, once (invariant 2)', () => {
    const { state, effects } = bind()
    expect(state).toEqual(states.bound)
    expect(effects[0]).toEqual({ do: 'context', context: contextFor(specOf()) })
    expect(names(effects)).toEqual(['context', 'trail bound', 'announce', 'open'])
    for (const name of ['bound', 'completed', 'terminated'] as const) {
      const again = step(factsFor(states[name]), states[name], events['bind']!, at)
      expect([again.state, names(again.effects), again.refused]).toEqual([
        states[name],
        ['open'],
        null,
      ])
    }
  })

  test('is refused for good when anything moved, or when nobody looked (invariant 10)', () => {
    const cases: [string, ReturnType<typeof bind>][] = [
      ['epoch_changed', bind({}, askOf({ snapshot: snapshotOf({}, { epoch: 4 }) }))],
      [
        'policy_changed',
        bind({}, askOf({ snapshot: snapshotOf({}, { policy_version: `pol:${'W'.repeat(43)}` }) })),
      ],
      [
        'registry_changed',
        bind({}, askOf({ snapshot: snapshotOf({}, { registry_digest: `reg:${'W'.repeat(43)}` }) })),
      ],
      ['shadow_mode', bind({}, askOf({ snapshot: snapshotOf({ mode: 'shadow' }) }))],
      ['floor_raised', bind({ floor: { ...floor, level: 'block' } })],
      ['floor_raised', bind({ floor: null })],
      ['decision_expired', bind({}, askOf(), until)],
    ]
    for (const [code, { state, refused, effects }] of cases) {
      expect(refused).toEqual({ code })
      expect(state).toMatchObject({ state: 'expired', refusal: code, run: null })
      expect(names(effects)).toEqual(['dequeue', 'trail bind_refused', 'announce'])
    }
  })

  test('over another state of the cell, a plan is judged anew with what differs (invariant 10)', () => {
    const cell_state = { ...unknownState, cell: 'cell-1', version: 7 }
    const differences = Array.from({ length: 60 }, (_, i) => {
      return { kind: 'finding', at: `/nodes/${i}`, code: 'X' } as const
    })
    const { state, refused, effects } = bind({ differences, cell_state })
    expect(refused).toEqual({ code: 'state_changed' })
    expect(state).toEqual({ state: 'judging', passes: 0, next_ms: at })
    expect(names(effects)).toEqual(['dequeue', 'trail cell_differs', 'look_again', 'announce'])
    const again = effects.find((effect) => effect.do === 'look_again')
    expect(again?.seen).toMatchObject({ cell_state, at_ms: at })
    expect(again?.seen.changed.length).toBe(20)
    // Every other reason is final, whatever the cell looks like.
    expect(bind({ differences, cell_state, floor: null }).state.state).toBe('expired')
  })

  test('stands when its session refuses, and another session never gets the plan', () => {
    const refused = step(factsFor(states.bound), states.bound, events['not opened']!, at)
    expect(refused.state).toMatchObject({ state: 'expired', run: { session: 'sess_1' } })
    const facts = factsFor(refused.state)
    expect(step(facts, refused.state, events['bind']!, at).refused).toEqual({
      code: 'decision_expired',
    })
    expect(step(facts, refused.state, events['bind by another']!, at).refused).toEqual({
      code: 'already_bound',
    })
    const strange = {
      type: 'opened',
      session: 'sess_9',
      answer: { ok: false, error: { code: 'withdrawn' } },
    } as const
    expect(step(factsFor(states.bound), states.bound, strange, at).state).toBe(states.bound)
  })
})

describe('a session that ended', () => {
  test('is heard from the bound session alone, once', () => {
    const end = events['terminated']!
    const over = step(factsFor(states.bound), states.bound, end, at)
    expect(over.state).toEqual(states.terminated)
    expect(names(over.effects)).toEqual([
      'trail session_ended',
      'left',
      'remember',
      'announce',
      'notify run_terminated',
    ])
    expect(step(factsFor(over.state), over.state, end, at)).toMatchObject({ effects: [] })
    const other = { ...end, session: 'sess_9' } as typeof end
    expect(step(factsFor(states.bound), states.bound, other, at).state).toBe(states.bound)
    const well = step(factsFor(states.bound), states.bound, events['completed']!, at)
    expect(names(well.effects)).toEqual(['trail session_ended', 'left', 'announce'])
  })
})

describe('a message that was given up', () => {
  test('is in the trail by that name', () => {
    const { effects } = step(factsFor(states.escalated), states.escalated, events['given up']!, at)
    expect(effects).toEqual([
      {
        do: 'trail',
        actor: 'gateway',
        event: 'message_given_up',
        facts: { kind: 'webhook', attempts: 8 },
      },
    ])
  })
})

describe('the beginning', () => {
  test('writes what came in and withdraws the plan that this one supersedes', () => {
    const spec = specOf({}, { plan: { ...specOf().plan, supersedes: 'plan_0' } })
    const { state, effects } = begin(spec, at)
    expect(state).toEqual(states.judging)
    expect(names(effects)).toEqual(['trail plan_received', 'withdraw_ancestor', 'announce'])
    expect(names(begin(specOf(), at).effects)).toEqual(['trail plan_received', 'announce'])
  })
})

describe('a status', () => {
  test('says of every state what is known in it and nothing else', () => {
    const head = { ...specOf(), supersedes: null }
    for (const name of planStateSchema.options) {
      const state = states[name]
      const told = statusOf(head, state, name === 'judging' ? null : decisionDigest)
      expect(told.state).toBe(name)
      expect(told.packet_digest).toBe(name === 'judging' ? null : packetDigest)
      expect(told.session_reason).toBe(name === 'terminated' ? 'node_failed' : null)
      expect(told.bind_refusal).toBe(name === 'expired' ? 'policy_changed' : null)
      const ran = name === 'bound' || name === 'completed' || name === 'terminated'
      expect(told.session).toBe(ran ? 'sess_1' : null)
    }
    expect(statusOf(head, { state: 'withdrawn', standing: null }, null)).toMatchObject({
      verdict: null,
      decision: null,
      valid_until_ms: null,
    })
    expect(
      statusOf(head, { state: 'rejected', standing: standingOf('reject') }, decisionDigest),
    ).toMatchObject({ verdict: 'reject', reasons: ['floor_flag'], decided_ms: at })
  })
})
