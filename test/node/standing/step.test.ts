// No sequence of acts on a standing approval covers a run that its signers were not shown, or more of them
// (invariant 7): random histories against a model that remembers them whole and asks anew each time.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StandingSignature } from '../../../protocol/standing.ts'
import {
  approve,
  count,
  notInForce,
  proposed,
  revoke,
  suspend,
  type StandingRow,
} from '../../../verify/standing/step.ts'
import { recordOf, terms } from './fixture.ts'

const shown = `standing:${'S'.repeat(43)}`
const other = `standing:${'T'.repeat(43)}`
const runs = 4
const lookEvery = 3
const required = 2
const record = await recordOf({
  terms: { ...terms, runs, look_every: lookEvery, until_ms: 100 },
  approvals_required: required,
  owners: ['paula'],
})

type Act =
  | { do: 'approve'; by: string; digest: string }
  | { do: 'suspend' }
  | { do: 'revoke' }
  | { do: 'run'; planner: string; owner: string }
  | { do: 'wait'; ms: number }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('approve' as const),
      by: fc.constantFrom('rita', 'Rita ', 'otto', 'paula', 'olga'),
      digest: fc.constantFrom(shown, shown, shown, other),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'suspend' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'revoke' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('run' as const),
      planner: fc.constantFrom('planner-1', 'planner-1', 'planner-1', 'planner-2'),
      owner: fc.constantFrom('paula', 'paula', 'otto', 'quentin'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 30 }) }),
  },
)

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Who has signed what was shown since it was last taken out of force, in time and with no stake in it. */
function signers(history: readonly (Act & { at: number })[]): string[] {
  const since = history.slice(history.findLastIndex((one) => one.do === 'suspend') + 1)
  const people: string[] = []
  for (const one of since) {
    if (one.do !== 'approve' || one.digest !== shown || one.at >= 100) continue
    if (same(one.by, 'paula') || people.some((known) => same(known, one.by))) continue
    if (people.length < required) people.push(one.by)
  }
  return people
}

function play(acts: readonly Act[]): { covered: number; looked: number } {
  let row: StandingRow = proposed
  let now = 0
  const history: (Act & { at: number })[] = []
  let covered = 0
  let looked = 0
  for (const one of acts) {
    const at = now
    if (one.do === 'wait') now += one.ms
    else if (one.do === 'suspend') row = suspend(row, { why: 'run_ended', plan: 'p', now_ms: at })
    else if (one.do === 'revoke') row = revoke(row, 'olga', at)
    else if (one.do === 'approve') {
      const { by: approver, digest } = one
      const signature: StandingSignature = {
        approver,
        credential: `cred_${approver}`,
        digest,
        rationale: 'seen',
        at_ms: at,
      }
      const done = approve({ record, digest: shown }, row, signature)
      if (done.ok) row = done.value
    } else {
      const { planner, owner } = one
      const refused = notInForce(record, row, { planner, owner, now_ms: at })
      const counted = refused === null ? count(record, row) : null
      const people = signers(history)
      const revoked = history.some((past) => past.do === 'revoke')
      const may =
        people.length === required &&
        !revoked &&
        at < 100 &&
        planner === 'planner-1' &&
        !people.some((person) => same(person, owner)) &&
        covered < runs
      expect(counted?.ok ?? false).toBe(may)
      if (counted?.ok === true) {
        row = counted.value.row
        covered += 1
        expect(counted.value.nth).toBe(covered)
        expect(counted.value.look).toBe(covered % lookEvery === 0)
        if (counted.value.look) looked += 1
      }
    }
    history.push({ ...one, at })
  }
  return { covered, looked }
}

describe('a standing approval', () => {
  test('covers a run exactly when its whole history says so', () => {
    let covered = 0
    let looked = 0
    fc.assert(
      fc.property(fc.array(act, { minLength: 15, maxLength: 60 }), (acts) => {
        const done = play(acts)
        covered += done.covered
        looked += done.looked
      }),
      { seed: 20_261_130, numRuns: 3_000 },
    )
    // Histories in which nothing ever runs show nothing.
    expect(covered).toBeGreaterThan(1_000)
    expect(looked).toBeGreaterThan(100)
  })

  test('whoever signs is told why not', () => {
    const of = { record, digest: shown }
    const by = (approver: string, digest = shown, at_ms = 0): StandingSignature => {
      return { approver, credential: 'cred_1', digest, rationale: 'seen', at_ms }
    }
    const once = approve(of, proposed, by('rita'))
    if (!once.ok) throw new Error(once.error)
    expect(once.value).toMatchObject({ state: 'proposed' })
    expect(approve(of, once.value, by('RITA'))).toMatchObject({ error: 'same_approver' })
    expect(approve(of, proposed, by('Paula'))).toMatchObject({ error: 'conflict_of_interest' })
    expect(approve(of, proposed, by('otto', other))).toMatchObject({ error: 'stale_packet' })
    expect(approve(of, proposed, by('otto', shown, 100))).toMatchObject({ error: 'expired' })
    const twice = approve(of, once.value, by('otto'))
    if (!twice.ok) throw new Error(twice.error)
    expect(twice.value).toMatchObject({ state: 'standing' })
    expect(approve(of, twice.value, by('olga'))).toMatchObject({ error: 'not_proposed' })
    expect(approve(of, revoke(twice.value, 'olga', 1), by('olga'))).toMatchObject({
      error: 'not_proposed',
    })
  })
})
