// Any order of anything that can happen to a plan, against a model that is written apart; and a crash at
// every place between reading the state and having told everybody (invariants 2, 3, 4, 7).
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unknownState } from '../../../protocol/state.ts'
import type { PolicyInput } from '../../../protocol/policy.ts'
import {
  reviewStateSchema,
  type ReviewEvent,
  type ReviewState,
} from '../../../verify/review/state.ts'
import { begin, step } from '../../../verify/review/step.ts'
import {
  askOf,
  at,
  decidedAs,
  decisionDigest,
  floor,
  packetOf,
  review,
  snapshotOf,
  specOf,
  until,
} from './fixture.ts'
import { Model, type Happening, type ModelSite } from './model.ts'

const livesMs = until - at
/** Mostly the first: the second is there to be refused. */
const session = fc.constantFrom('sess_1', 'sess_1', 'sess_1', 'sess_2')
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ kind: 'time' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('verdict' as const),
      says: fc.constantFrom(
        'accept' as const,
        'escalate' as const,
        'escalate' as const,
        'reject' as const,
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('word' as const),
      by: fc.constantFrom('rita', 'ravi', 'olga'),
      says: fc.constantFrom('accept' as const, 'accept' as const, 'reject' as const),
      stale: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
      outdated: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'withdraw' as const }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('bind' as const),
      session,
      fits: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
      differs: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('opened' as const),
      session,
      well: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'not_queued' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('over' as const), session, well: fc.boolean() }),
  },
)
const history = fc.array(
  fc.tuple(happening, fc.constantFrom(0, 0, 0, 0, 10, 10, 10, 1_000, 1_000, livesMs)),
  {
    minLength: 4,
    maxLength: 25,
    size: 'max',
  },
)
const siteArb = fc.record({ people: fc.constantFrom(1, 2), shadow: fc.integer({ min: 0, max: 5 }) })

/** The same happening as the step function takes it. */
function eventOf(what: Happening, now: number): ReviewEvent {
  switch (what.kind) {
    case 'time':
      return { type: 'tick', idle: true }
    case 'verdict': {
      const decided = decidedAs(what.says)
      const valid_until = now + livesMs
      return {
        type: 'judged',
        decided: { ...decided, decision: { ...decided.decision, valid_until } },
      }
    }
    case 'word': {
      const packet_digest = what.stale ? `packet:${'Q'.repeat(43)}` : review().packet_digest
      const said = review({ approver: what.by, verdict: what.says, packet_digest })
      return { type: 'review', review: said, outdated: what.outdated }
    }
    case 'withdraw':
      return { type: 'withdraw', by: 'olga' }
    case 'bind': {
      const snapshot = snapshotOf({}, what.fits ? {} : { epoch: 4 })
      const ask = askOf({ session: what.session, snapshot })
      return {
        type: 'bind',
        session_over: false,
        ask,
        floor,
        differences: what.differs ? [{ kind: 'finding', at: '', code: 'X' }] : [],
        cell_state: what.differs ? unknownState : null,
        rows: {},
        decision_digest: decisionDigest,
      }
    }
    case 'opened': {
      const refused = { ok: false, error: { code: 'decision_expired' } } as const
      const answer = what.well ? ({ ok: true, value: undefined } as const) : refused
      return { type: 'opened', session: what.session, answer }
    }
    case 'not_queued':
      return { type: 'not_queued', code: 'shadow_mode' }
    case 'over':
      return {
        type: 'ended',
        session: what.session,
        status: what.well ? 'completed' : 'terminated',
        reason: what.well ? null : 'node_failed',
        node: null,
        ended_ms: now,
      }
  }
}

const siteOf = (drawn: { people: number; shadow: number }) => {
  const policy: PolicyInput = {
    approvals_required: drawn.people,
    mode: drawn.shadow === 0 ? 'shadow' : 'enforce',
    decision_valid_ms: livesMs,
  }
  const site: ModelSite = {
    people: drawn.people,
    owner: 'olga',
    runs: drawn.shadow !== 0,
    livesMs,
  }
  return { policy, site }
}

/** What an object keeps: the state as text, the packet once it was closed. */
type Disk = { state: string; packet: ReturnType<typeof packetOf> | null }

function playOn(disk: Disk, spec: ReturnType<typeof specOf>, event: ReviewEvent, now: number) {
  const state: ReviewState = reviewStateSchema.parse(JSON.parse(disk.state))
  const done = step({ spec, packet: disk.packet }, state, event, now)
  const closed = done.effects.find((effect) => effect.do === 'packet')
  const packet =
    closed === undefined ? disk.packet : { ...closed.decided.packet, expires: now + livesMs }
  return { done, disk: { state: JSON.stringify(done.state), packet } }
}

describe('any history', () => {
  test('ends where the model ends, and only what was accepted is ever bound', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(siteArb, history, (drawn, happenings) => {
        const { policy, site } = siteOf(drawn)
        const spec = specOf(policy)
        const model = new Model(site)
        let disk: Disk = { state: JSON.stringify(begin(spec, at).state), packet: null }
        let now = at
        for (const [what, later] of happenings) {
          now += later
          const event = eventOf(what, now)
          const { done, disk: next } = playOn(disk, spec, event, now)
          const taken = model.play(what, now)
          expect(done.state.state).toBe(model.state)
          expect(done.refused === null).toBe(taken)
          const opens = done.effects.some((effect) => effect.do === 'open')
          if (opens && what.kind === 'bind') {
            expect([...model.sessions]).toEqual([what.session])
            expect(model.accepted).toBe(true)
          }
          disk = next
          seen.set(model.state, (seen.get(model.state) ?? 0) + 1)
        }
      }),
      { numRuns: 1_500 },
    )
    // A history that never leaves the first states shows nothing.
    for (const state of ['queued', 'bound', 'completed', 'terminated', 'expired', 'withdrawn']) {
      expect(seen.get(state) ?? 0, state).toBeGreaterThan(50)
    }
  })

  test('is the same when any event is lost in a crash before it was written and comes again', () => {
    fc.assert(
      fc.property(siteArb, history, fc.array(fc.boolean()), (drawn, happenings, crashes) => {
        const spec = specOf(siteOf(drawn).policy)
        const first: Disk = { state: JSON.stringify(begin(spec, at).state), packet: null }
        let [straight, crashed] = [first, first]
        let now = at
        for (const [i, [what, later]] of happenings.entries()) {
          now += later
          const event = eventOf(what, now)
          straight = playOn(straight, spec, event, now).disk
          // Stepped, but the write was lost with the object: the disk is as it was.
          if (crashes[i % (crashes.length + 1)] === true) playOn(crashed, spec, event, now)
          crashed = playOn(crashed, spec, event, now).disk
        }
        expect(crashed).toEqual(straight)
      }),
      { numRuns: 250 },
    )
  })

  test('never has two effects for one message slot, nor two sessions, when an answer is lost after the write', () => {
    fc.assert(
      fc.property(siteArb, history, (drawn, happenings) => {
        const spec = specOf(siteOf(drawn).policy)
        let disk: Disk = { state: JSON.stringify(begin(spec, at).state), packet: null }
        let now = at
        const contexts: string[] = []
        for (const [what, later] of happenings) {
          now += later
          const event = eventOf(what, now)
          const once = playOn(disk, spec, event, now)
          // The caller heard nothing and asks again.
          const twice = playOn(once.disk, spec, event, now)
          for (const { done } of [once, twice]) {
            for (const effect of done.effects) {
              if (effect.do === 'context') contexts.push(effect.context.session)
            }
          }
          // Asked again, nothing new is decided, stored or queued.
          const again = twice.done.effects.map((effect) => effect.do)
          for (const effect of ['packet', 'context', 'skill', 'enqueue', 'dequeue'] as const) {
            const secondWord = what.kind === 'word' && drawn.people === 2
            if (!secondWord) expect(again).not.toContain(effect)
          }
          disk = twice.disk
        }
        expect(contexts.length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 400 },
    )
  })
})

describe('a plan that the floor blocks (invariant 3)', () => {
  test('is never bound, whatever any model or person says', () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const spec = specOf({}, { floor: { ...floor, level: 'block' } })
        let disk: Disk = { state: JSON.stringify(begin(spec, at).state), packet: null }
        let now = at
        for (const [what, later] of happenings) {
          now += later
          // The machine's verdict on a block is a rejection; `decide` has its own tests for that.
          const said = what.kind === 'verdict' ? ({ ...what, says: 'reject' } as const) : what
          disk = playOn(disk, spec, eventOf(said, now), now).disk
          const { state } = reviewStateSchema.parse(JSON.parse(disk.state))
          expect(['judging', 'rejected', 'withdrawn']).toContain(state)
        }
      }),
      { numRuns: 250 },
    )
  })
})
