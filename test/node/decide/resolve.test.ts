// A person's resolution (invariants 3 and 7): exactly that packet, once, by someone without a stake.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Packet } from '../../../protocol/records.ts'
import { packetExpiry, reviewClass } from '../../../verify/decide/expiry.ts'
import {
  expire,
  rederiveResolved,
  resolve,
  type ResolveInput,
  type ResolvePolicy,
} from '../../../verify/decide/resolve.ts'
import { calmInput, inputArb } from './arbitraries.ts'
import { decide } from '../../../verify/decide/decide.ts'

const facts = {
  plan_digest: 'plan:x',
  citations: [],
  registry_digest: 'reg:x',
  policy_version: 'pol:x',
  graph_version: null,
  expires: 1_000,
}
const calm = calmInput('offline')
const escalated: Packet = {
  ...facts,
  floor: { ...calm.floor, level: 'flag' },
  grounding: { degraded: null, nodes: [], findings: [] },
  depth: calm.depth,
  trace: null,
  evidence: calm.evidence,
  opinions: [...calm.opinions],
  chief: calm.chief,
  memory: [],
}
const policy: ResolvePolicy = { ...calm.policy, approvals_required: 1, decision_valid_ms: 500 }
const ask = (change: Partial<ResolveInput> = {}): ResolveInput => ({
  packet: escalated,
  packet_digest: 'packet:1',
  policy,
  owner: 'olga',
  approvals: [],
  review: { approver: 'rita', verdict: 'accept', rationale: 'seen', packet_digest: 'packet:1' },
  now_ms: 100,
  ...change,
})
const review = (change: Partial<ResolveInput['review']>): Partial<ResolveInput> => ({
  review: { ...ask().review, ...change },
})
const refusal = (input: ResolveInput) => {
  const result = resolve(input)
  return result.ok ? 'taken' : result.error
}

describe('resolve', () => {
  test('one person lowers an escalation to an accept that expires', () => {
    expect(resolve(ask())).toMatchObject({
      ok: true,
      value: { verdict: 'accept', reasons: ['person_accept'], valid_until: 600 },
    })
  })
  test('refuses a stale packet, a late review, an interested person and a second resolution', () => {
    expect(refusal(ask(review({ packet_digest: 'packet:0' })))).toBe('stale_packet')
    expect(refusal(ask({ now_ms: 1_000 }))).toBe('expired')
    expect(refusal(ask({ now_ms: 999 }))).toBe('taken')
    expect(refusal(ask(review({ approver: 'olga' })))).toBe('conflict_of_interest')
    expect(refusal(ask(review({ approver: ' OLGA ' })))).toBe('conflict_of_interest')
    const first = resolve(ask())
    const approvals = first.ok ? first.value.approvals : []
    expect(refusal(ask({ approvals, ...review({ approver: 'sam' }) }))).toBe('already_resolved')
  })
  test('two people where the policy asks for two, never one person twice', () => {
    const two = { ...policy, approvals_required: 2 }
    const first = resolve(ask({ policy: two }))
    expect(first).toMatchObject({ ok: true, value: { verdict: 'escalate', valid_until: null } })
    const approvals = first.ok ? first.value.approvals : []
    expect(refusal(ask({ policy: two, approvals }))).toBe('same_approver')
    expect(refusal(ask({ policy: two, approvals, ...review({ approver: 'Rita' }) }))).toBe(
      'same_approver',
    )
    expect(resolve(ask({ policy: two, approvals, ...review({ approver: 'sam' }) }))).toMatchObject({
      ok: true,
      value: { verdict: 'accept' },
    })
    expect(
      resolve(ask({ policy: two, approvals, ...review({ approver: 'sam', verdict: 'reject' }) })),
    ).toMatchObject({ ok: true, value: { verdict: 'reject', reasons: ['person_reject'] } })
  })
  test('a block or any other rejection of the machine cannot be resolved', () => {
    fc.assert(
      fc.property(
        inputArb,
        fc.constantFrom('accept' as const, 'reject' as const),
        (input, verdict) => {
          const packet: Packet = {
            ...facts,
            ...input,
            opinions: [...input.opinions],
            memory: [...input.memory],
            trace: null,
          }
          const at = { ...policy, ...input.policy }
          const machine = decide(input).verdict
          const result = resolve(ask({ packet, policy: at, ...review({ verdict }) }))
          if (machine !== 'escalate')
            expect(result).toStrictEqual({ ok: false, error: 'not_escalated' })
          else expect(result).toMatchObject({ ok: true, value: { verdict } })
        },
      ),
      { numRuns: 1_000 },
    )
  })
  test('waiting rejects', () => {
    expect(expire(escalated, 999)).toBeNull()
    expect(expire(escalated, 1_000)).toStrictEqual({
      verdict: 'reject',
      reasons: ['review_expired'],
    })
  })
  test('an auditor re-derives the resolved verdict and sees forged approvals', () => {
    const done = resolve(ask())
    const approvals = done.ok ? done.value.approvals : []
    const stored = { packet: escalated, packetDigest: 'packet:1', approvals, owner: 'olga', policy }
    expect(rederiveResolved(stored)).toBe('accept')
    const against = resolve(ask(review({ verdict: 'reject' })))
    const refused = against.ok ? against.value.approvals : []
    expect(rederiveResolved({ ...stored, approvals: refused })).toBe('reject')
    expect(rederiveResolved({ ...stored, approvals: [...approvals, ...refused] })).toBe('reject')
    expect(rederiveResolved({ ...stored, packetDigest: 'packet:2' })).toBe('escalate')
    expect(rederiveResolved({ ...stored, owner: 'rita' })).toBe('escalate')
    expect(rederiveResolved({ ...stored, policy: { ...policy, approvals_required: 2 } })).toBe(
      'escalate',
    )
  })
})

describe('expiry', () => {
  const routes = {
    review_expiry_ms: { safety: 10, alignment: 20, adversarial: 30 },
    decision_valid_ms: 7,
  }
  test('a packet expires by its class when it waits for a person, else as a decision', () => {
    expect(packetExpiry({ verdict: 'escalate', classification: 'adversarial' }, routes, 0)).toBe(30)
    expect(packetExpiry({ verdict: 'escalate', classification: 'none' }, routes, 1)).toBe(11)
    expect(packetExpiry({ verdict: 'accept', classification: 'none' }, routes, 0)).toBe(7)
    expect(reviewClass('none')).toBe('safety')
  })
})
