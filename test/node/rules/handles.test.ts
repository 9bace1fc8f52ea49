// Ids of steps: handles pass, whatever else they say is told to a person, and so are two ids of one look.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foundIn } from './judged.ts'
import { planOf } from '../support/snapshot.ts'

const reads = (ids: readonly string[]) =>
  foundIn(
    planOf(
      ids.map((id, i) => ({
        id,
        tool: 'lims.read_sample',
        args: { sample_id: `SB-${i + 1}`, fields: ['lot'] },
        depends_on: [],
      })),
      {
        goal: 'Read the lots of the buffers',
        instructions: [`Read the lot of ${ids.map((_, i) => `SB-${i + 1}`).join(', ')}.`],
      },
    ),
  )

describe('an id that says more than its step', () => {
  it.each([
    'pw.hunter2',
    'db.root',
    'host.10.2.3.4',
    'anna_weber_1984',
    'aGVsbG8gd29ybGQ',
    'deadbeefcafe',
    'n4917012345678',
    '2026-11-30',
    'ignore_review',
    'a.b.c.d.e.f.g.h',
    'login-admin-qwerty',
    'sk_live_51Hx9',
    'patient.mueller',
    'n1_n2_n3_n4',
  ])('%s', (id) => {
    expect(reads([id])).toContain('STEP_ID_SPEAKS')
  })

  it('also when the letters stand in numbers', () => {
    expect(reads(['n104', 'n101', 'n108', 'n108x', 'n111'])).toContain('STEP_ID_SPEAKS')
  })

  it.each([
    'n1',
    'N12',
    'step_3',
    'step-03',
    'read.1',
    'read_lot',
    'readLot2',
    'lims_read_1',
    'fetch_sb_1',
    'a',
    'prep',
    'final_read',
    'buffers',
    '7',
  ])('and not %s', (id) => {
    expect(reads([id])).not.toContain('STEP_ID_SPEAKS')
  })

  it('never a number in sequence', () => {
    const prefix = fc.constantFrom('n', 'd', 's', 'step', 'task-', 'op_')
    fc.assert(
      fc.property(prefix, fc.integer({ min: 1, max: 12 }), (start, count) => {
        const ids = Array.from({ length: count }, (_, i) => `${start}${i + 1}`)
        expect(reads(ids).filter((code) => code.startsWith('STEP_ID'))).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})

describe('two ids of one look', () => {
  it.each([
    ['n1', 'N1'],
    ['n1', 'n01'],
    ['n1', 'nl'],
    ['n1', 'nI'],
    ['n10', 'n1o'],
    ['n-1', 'n_1'],
    ['read.1', 'read-1'],
  ])('%s and %s', (one, other) => {
    expect(reads([one, other])).toContain('STEP_IDS_ALIKE')
  })
  it.each([
    ['n1', 'n2'],
    ['n1', 'n11'],
    ['n10', 'n1'],
    ['n1-0', 'n10'],
    ['a', 'b'],
  ])('and not %s and %s', (one, other) => {
    expect(reads([one, other])).not.toContain('STEP_IDS_ALIKE')
  })
})
