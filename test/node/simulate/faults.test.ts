// Physical faults of many kinds, seeded into plans that may run: each is stopped by the dry run alone.
import { describe, expect, it } from 'vitest'
import { codesOf, run } from './bench.ts'
import { cell } from './cell.ts'
import { matterFaults, motionFaults } from './faults.bench.ts'
import { energyFaults } from './faults.energy.ts'
import { tableFaults } from './faults.tables.ts'

const faults = [...matterFaults, ...motionFaults, ...energyFaults, ...tableFaults]

describe('seeded faults', () => {
  it.each(faults.map((fault) => [fault.kind, fault] as const))('%s', (_kind, fault) => {
    const bench = fault.bench ?? cell()
    const sane = run(bench, fault.sane)
    expect(sane.findings.filter((f) => f.kind === 'breach')).toEqual([])
    const broken = run(fault.brokenBench ?? bench, fault.broken ?? fault.sane)
    expect(codesOf(broken, 'breach')).toContain(fault.code)
  })

  it('are of at least sixty kinds, half of them from tables of makers', () => {
    expect(new Set(faults.map((f) => f.kind)).size).toBe(faults.length)
    expect(faults.length).toBeGreaterThanOrEqual(60)
    expect(tableFaults.length).toBeGreaterThanOrEqual(30)
  })

  it('leave nothing unknown in the plans that may run', () => {
    const open = faults.filter((f) => run(f.bench ?? cell(), f.sane).findings.length > 0)
    expect(open.map((f) => f.kind)).toEqual([])
  })
})
