// Every finding code is explained: its public ids have names, planners and reviewers see what is theirs.
import { describe, expect, test } from 'vitest'
import { allForPlanner, forPlanner, forReviewer } from '../../../protocol/audience.ts'
import { finding, findingSchema } from '../../../protocol/finding.ts'
import { findingCodes, type FindingCode } from '../../../protocol/finding-codes.ts'
import { riskNames } from '../../../protocol/risk-names.ts'

const codes = Object.keys(findingCodes) as FindingCode[]

describe('explanations of findings', () => {
  test('every risk id of every code has a name of its own', () => {
    const used = codes.flatMap((code) => [...findingCodes[code].cwe, ...findingCodes[code].atlas])
    expect([...new Set(used)].filter((id) => !Object.hasOwn(riskNames, id))).toEqual([])
  })

  test('every named risk is used by some code', () => {
    const used = new Set<string>(
      codes.flatMap((code) => [...findingCodes[code].cwe, ...findingCodes[code].atlas]),
    )
    expect(Object.keys(riskNames).filter((id) => !used.has(id))).toEqual([])
  })

  test('the planner sees code, place and remedy and nothing else, for every code', () => {
    for (const code of codes) {
      const full = finding(code, 'flag', '/nodes/0', { span: [0, 3], facts: { sigma: 0.9 } })
      expect(Object.keys(forPlanner(full)).toSorted()).toEqual(['at', 'code', 'remedy'])
      expect(forPlanner(full).remedy.length).toBeGreaterThan(5)
    }
  })

  test('the planner sees each code and place once', () => {
    const one = finding('ADMIN_TOOL', 'flag', '/nodes/0/tool')
    expect(allForPlanner([one, one, finding('ADMIN_TOOL', 'flag', '/nodes/1/tool')])).toHaveLength(
      2,
    )
  })

  test('the reviewer sees everything, with names for the risks', () => {
    const full = finding('CODE_OUTSIDE_SANDBOX', 'block', '/nodes/0', { facts: { kind: 'shell' } })
    const shown = forReviewer(full)
    expect(findingSchema.parse(full)).toEqual(full)
    expect(shown.facts).toEqual({ kind: 'shell' })
    expect(shown.risks).toEqual([
      { id: 'CWE-94', name: riskNames['CWE-94'] },
      { id: 'AML.T0053', name: riskNames['AML.T0053'] },
    ])
  })
})
