// Breach, unknown and doubt: what may be asked of models, and how evidence is numbered and bounded.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  askedDoubts,
  collectEvidence,
  doubtFamilies,
  doubtsAskedMax,
  evidenceSchema,
  maySettle,
  raiseDoubts,
  type Breach,
  type DoubtFamily,
  type RaisedDoubt,
} from '../../../protocol/evidence.ts'
import { limits } from '../../../protocol/limits.ts'

const families = Object.keys(doubtFamilies) as DoubtFamily[]
const raised: fc.Arbitrary<RaisedDoubt> = fc.record({
  code: fc.constantFrom('JUDGE_MISMATCH' as const, 'JUDGE_SCOPE' as const),
  text: fc.constantFrom('Is it so?', 'Is it otherwise?'),
  subject: fc.constantFrom('/nodes/0', '/nodes/1', '/instructions/0'),
  family: fc.constantFrom(...families),
  settleable: fc.boolean(),
})

test('what no model settles is a closed list that no rule can open', () => {
  const closed = families.filter((family) => !doubtFamilies[family])
  expect(closed.toSorted()).toStrictEqual([
    'approval',
    'consent',
    'held',
    'identity',
    'injection',
    'language',
    'memory',
    'orders',
  ])
  for (const family of closed) expect(maySettle({ family, settleable: true })).toBe(false)
  expect(maySettle({ family: 'mismatch', settleable: false })).toBe(false)
})

test('numbers do not depend on the order in which rules speak, and no question stands twice', () => {
  const both = fc
    .array(raised, { maxLength: 40 })
    .chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
      ),
    )
  fc.assert(
    fc.property(both, ([list, shuffled]) => {
      const doubts = raiseDoubts(list)
      expect(raiseDoubts(shuffled)).toStrictEqual(doubts)
      expect(doubts.map((doubt) => doubt.id)).toStrictEqual(doubts.map((_, i) => i + 1))
      const keys = doubts.map((d) => `${d.code} ${d.subject} ${d.family} ${d.text}`)
      expect(new Set(keys).size).toBe(keys.length)
      for (const one of list) {
        const kept = doubts.find(
          (d) =>
            d.code === one.code &&
            d.subject === one.subject &&
            d.family === one.family &&
            d.text === one.text,
        )
        expect(kept).toBeDefined()
        // One rule that says "for people" is enough.
        if (!one.settleable) expect(kept?.settleable).toBe(false)
      }
    }),
  )
})

test('at most twelve are asked, and only those that may be settled', () => {
  fc.assert(
    fc.property(fc.array(raised, { maxLength: 40 }), (list) => {
      const doubts = raiseDoubts(list)
      const asked = askedDoubts(doubts)
      expect(asked.length).toBe(Math.min(doubtsAskedMax, doubts.filter(maySettle).length))
      expect(asked.every(maySettle)).toBe(true)
    }),
  )
})

test('beyond the bound the rejecting breaches stay', () => {
  const breach = (i: number, verdict: Breach['verdict']): Breach => ({
    code: 'JUDGE_LIMIT',
    node: null,
    at: `/nodes/${i}`,
    verdict,
    facts: {},
  })
  const many = Array.from({ length: limits.findingsMax + 50 }, (_, i) => breach(i, 'escalate'))
  const evidence = collectEvidence({
    breaches: [...many, breach(999, 'reject')],
    unknowns: [],
    doubts: [],
  })
  expect(evidence.breaches).toHaveLength(limits.findingsMax)
  expect(evidence.breaches[0]?.verdict).toBe('reject')
  expect(evidenceSchema.parse(evidence)).toStrictEqual(evidence)
})
