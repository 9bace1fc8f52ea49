// Physical faults of every kind, seeded into plans of the development sets that rules accept. What
// `npm run eval -- faults` prints over more plans, here with one plan a kind.
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { faultKinds } from '../../../lab/eval/faults/kinds.ts'
import { offAxis, unbalanced } from '../../../lab/eval/faults/rotor.ts'
import { seedFaults, type FaultsDocument } from '../../../lab/eval/faults/run.ts'
import { readCases } from '../../../lab/eval/rows.ts'

const data = path.join(import.meta.dirname, '../../../lab/eval/data')
const site = await loadSite()
const read = (file: string) => readCases(path.join(data, file), 'planner-wetlab-01')
let document: FaultsDocument

beforeAll(async () => {
  const own = await read('own-plans.v2.jsonl')
  document = await seedFaults(site, own, { seed: 3, each: 1 })
}, 180_000)

describe('seeded faults', () => {
  it('are of sixty kinds and more, half of them known without our acts', () => {
    const kinds = faultKinds()
    expect(new Set(kinds.map(({ id }) => id)).size).toBe(kinds.length)
    expect(kinds.length).toBeGreaterThanOrEqual(60)
    const outside = kinds.filter(({ oracle }) => oracle !== 'acts')
    expect(outside.length * 2).toBeGreaterThanOrEqual(kinds.length)
    expect(document.rows.filter((row) => row.seeded === 0).map((row) => row.id)).toEqual([])
  })

  it('are stopped before any judge, by the dry run and by nothing else', () => {
    expect(document.rows.filter((row) => row.by_dry_run === 0).map((row) => row.id)).toEqual([])
  })

  it('are what stops: the same changes without their fault are not stopped', () => {
    const stopped = document.controls.filter((row) => row.by_dry_run > 0 || row.seeded === 0)
    expect(stopped).toEqual([])
  })

  it('are not seen in plans that nobody changed', () => {
    const { stopped, held } = document.unchanged
    const physical = stopped.filter(({ by }) => by.some((code) => code.startsWith('DRYRUN_')))
    expect(physical).toEqual([])
    expect(held.filter(({ missing }) => missing.length === 0)).toEqual([])
  })
})

describe('loads of a rotor', () => {
  it('are unbalanced by geometry', () => {
    const half = { position: 1, share: 1 }
    expect(offAxis([half, { position: 13, share: 1 }], 24)).toBeLessThan(1e-9)
    expect(offAxis([half], 24)).toBeCloseTo(1)
    for (const form of ['single', 'adjacent', 'heavier', 'beside_opposite']) {
      expect(
        offAxis(
          unbalanced(form, 24, () => 0.3),
          24,
        ),
      ).toBeGreaterThan(0.1)
    }
  })
})
