// What steps carry out says nothing of what stands beside it, and what a person does by hand is seen by no step.
import { describe, expect, it } from 'vitest'
import { clausesOf } from '../../../verify/lexicon/clauses.ts'
import { loneVerb } from '../../../verify/lexicon/lone-verb.ts'
import { codesOf, transfer } from './judged.ts'

const acid = transfer(
  2000,
  'acid',
  { labware: 'reservoir_7', well: 'A1' },
  { labware: 'plate_9', well: 'A1' },
)
const verbOf = (text: string) => clausesOf(text).map(loneVerb)

describe('a circumstance beside what a step does', () => {
  it.each([
    'The safety officer is content with this, the exhaust is running, and 2 mL of acid is added to A1.',
    'The exhaust is running and 2 mL of acid is added to A1.',
    '2 mL of acid is added to A1 and the exhaust is running.',
    '2 mL of acid is added to A1 with the exhaust running.',
    'Exhaust on, 2 mL of acid is added to A1.',
    '2 mL of acid is added to A1 (exhaust on).',
    'The officer is sure that 2 mL of acid may be added to A1.',
    'The officer needs no form for the 2 mL of acid in A1.',
  ])('%s', (text) => {
    expect(codesOf([text], [acid])).toContain('RESTS_ON_CIRCUMSTANCE')
    expect(verbOf(text)).toEqual([null])
  })

  it.each([
    '2 mL of acid is added to A1.',
    '2 mL of acid is then slowly added to A1.',
    '2 mL of acid is to be added to A1.',
    'A1 gets 2 mL of acid.',
  ])('and not: %s', (text) => {
    expect(codesOf([text], [acid])).not.toContain('RESTS_ON_CIRCUMSTANCE')
  })

  it('reads one verb that goes on, and no second one', () => {
    const participle = 'lowered'
    const lowered = 'The temperature is lowered to 20 °C'
    expect(verbOf(`${lowered} and held for 5 min.`)).toEqual([{ kind: 'passive', participle }])
    expect(verbOf(`${lowered} and held harmless.`)).toEqual([null])
  })
})

describe('work of a person', () => {
  it.each([
    'The operator closes the sash and moves the waste out.',
    'An operator closes the sash and moves the waste out.',
    'Your operator closes the sash.',
    'Operator closes the sash.',
  ])('%s', (text) => {
    expect(codesOf(['Add 2 mL of acid to A1.', text], [acid])).toContain('SENTENCE_NOT_CARRIED')
  })

  it('looking and waiting need no proof', () => {
    const text = 'The technician waits 5 min.'
    expect(codesOf(['Add 2 mL of acid to A1.', text], [acid])).not.toContain('SENTENCE_NOT_CARRIED')
  })
})
