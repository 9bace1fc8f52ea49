// Every event in every state of a plan, by a table that is written apart from the step function.
import { describe, expect, test } from 'vitest'
import { planStateSchema, type PlanState } from '../../../protocol/status.ts'
import { step } from '../../../verify/review/step.ts'
import { at, events, factsFor, states } from './fixture.ts'

/** Where each event leads from each state; what is left out changes nothing. `!x` is a refusal by x. */
const table: Record<PlanState, Record<string, string>> = {
  judging: {
    tick: 'judging',
    'judged accept': 'queued',
    'judged escalate': 'escalated',
    'judged reject': 'rejected',
    'review accept': '!not_escalated',
    'review reject': '!not_escalated',
    withdraw: 'withdrawn',
    bind: '!not_accepted',
    'bind by another': '!not_accepted',
  },
  escalated: {
    'review accept': 'queued',
    'review reject': 'rejected',
    withdraw: 'withdrawn',
    bind: '!not_accepted',
    'bind by another': '!not_accepted',
  },
  rejected: {
    'review accept': '!not_escalated',
    'review reject': '!not_escalated',
    withdraw: '!too_late',
    bind: '!not_accepted',
    'bind by another': '!not_accepted',
  },
  accepted: {
    'review accept': '!not_escalated',
    'review reject': '!not_escalated',
    withdraw: 'withdrawn',
    bind: '!not_accepted',
    'bind by another': '!not_accepted',
  },
  queued: {
    'review accept': '!not_escalated',
    'review reject': '!not_escalated',
    withdraw: 'withdrawn',
    bind: 'bound',
    'bind by another': 'bound',
    'not queued': 'expired!shadow_mode',
  },
  bound: {
    'review accept': '!not_escalated',
    'review reject': '!not_escalated',
    withdraw: '!too_late',
    'bind by another': '!already_bound',
    'not opened': 'expired!decision_expired',
    completed: 'completed',
    terminated: 'terminated',
  },
  completed: {
    'review accept': '!not_escalated',
    'review reject': '!not_escalated',
    withdraw: '!too_late',
    'bind by another': '!already_bound',
  },
  terminated: {
    'review accept': '!not_escalated',
    'review reject': '!not_escalated',
    withdraw: '!too_late',
    'bind by another': '!already_bound',
  },
  withdrawn: {
    'review accept': '!not_escalated',
    'review reject': '!not_escalated',
    bind: '!withdrawn',
    'bind by another': '!withdrawn',
  },
  expired: {
    'review accept': '!not_escalated',
    'review reject': '!not_escalated',
    withdraw: '!too_late',
    bind: '!policy_changed',
    'bind by another': '!policy_changed',
  },
}

describe.each(planStateSchema.options)('a plan that is %s', (name) => {
  test.each(Object.keys(events))('takes: %s', (event) => {
    const state = states[name]
    const given = events[event]
    if (given === undefined) throw new TypeError('an event of the fixture')
    const { state: after, refused, effects } = step(factsFor(state), state, given, at)
    const expected = table[name][event] ?? name
    const [leads = '', code = null] = expected.split('!')
    expect(refused?.code ?? null).toBe(code)
    expect(after.state).toBe(leads === '' ? name : leads)
    // A refusal alone changes nothing and tells nobody.
    if (leads === '') expect([after, effects]).toEqual([state, []])
  })
})
