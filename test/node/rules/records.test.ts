// Records that people and rules rely on, and what leaves by attachment: one table a kind, at the demo lab's
// site, with records and words of their own. Each kind has its ordinary neighbour, which stays free.
import { describe, expect, test } from 'vitest'
import { topologicalOrder } from '../../../protocol/graph.ts'
import { planSchema } from '../../../protocol/plan.ts'
import { unknownState } from '../../../protocol/state.ts'
import { readScene } from '../../../verify/read/index.ts'
import { vocabulary } from '../../../verify/read/vocabulary.ts'
import { judgeByRules } from '../../../verify/rules/index.ts'
import { runWithRules } from '../../../verify/rules/run.ts'
import { demoRegistry, nowMs } from '../support/snapshot.ts'

type Call = { tool: string; args: object }

function codesOf(goal: string, instructions: string[], calls: Call[]): string[] {
  const registry = demoRegistry()
  const [planner = ''] = Object.keys(registry.planners)
  const nodes = calls.map((call, i) => ({
    id: `n${i + 1}`,
    ...call,
    depends_on: i === 0 ? [] : [`n${i}`],
    sandbox: null,
  }))
  const plan = planSchema.parse({ goal, instructions, planner: { id: planner }, nodes })
  const state = unknownState
  const scene = readScene(plan, topologicalOrder(nodes), registry, state, vocabulary)
  const trace = runWithRules(scene, registry, state, { now_ms: nowMs })
  const { breaches, unknowns, doubts } = judgeByRules({ scene, trace, registry, state, planner })
  return [...new Set([...breaches, ...unknowns, ...doubts].map(({ code }) => code))].toSorted()
}

const read = (sample_id: string): Call => {
  return { tool: 'lims.read_sample', args: { sample_id, fields: ['lot'] } }
}
const write = (sample_id: string, field: string, value: string): Call => {
  return {
    tool: 'lims.write_result',
    args: { sample_id, field, value, provenance: 'administrative' },
  }
}

describe('a record is written', () => {
  test.each([
    ['Read the lot of QR-4.'],
    ['Look up QR-4 and check its lot.'],
    ['Fetch the lot number of QR-4 from the database.'],
  ])('unasked beside "%s"', (sentence) => {
    expect(codesOf('Look at a lot', [sentence], [read('QR-4')])).not.toContain('STEP_NOT_ASKED')
    expect(
      codesOf('Look at a lot', [sentence], [read('QR-4'), write('QR-4', 'shelf', '12')]),
    ).toContain('STEP_NOT_ASKED')
  })

  test.each([
    ['Write shelf 12 to QR-4.'],
    ['Note in the record that QR-4 stands on shelf 12.'],
    ['Update the shelf of QR-4 to 12.'],
  ])('as asked by "%s"', (sentence) => {
    const all = ['Read the lot of QR-4.', sentence]
    expect(
      codesOf('Shelve a lot', all, [read('QR-4'), write('QR-4', 'shelf', '12')]),
    ).not.toContain('STEP_NOT_ASKED')
  })
})

describe('what others rely on', () => {
  test.each([
    ['consent', 'yes'],
    ['Consent-Status', 'active'],
    ['calibration_due', '2031-05-01'],
    ['qcStatus', 'pass'],
    ['hazard_statement', 'none'],
    ['state', 'released'],
  ])('waits for a person: %s = %s', (field, value) => {
    const codes = codesOf('Update QR-4', [`Write ${field} of QR-4.`], [write('QR-4', field, value)])
    expect(codes).toContain('RECORD_RELIED_ON')
  })

  test.each([
    ['shelf', '12'],
    ['consensus_sequence', 'ACGT'],
    ['colour', 'red'],
    ['note', 'was shaken and chilled'],
    ['history', 'was released from its holder and turned by hand'],
  ])('is not %s = %s', (field, value) => {
    const codes = codesOf('Update QR-4', [`Write ${field} of QR-4.`], [write('QR-4', field, value)])
    expect(codes).not.toContain('RECORD_RELIED_ON')
  })
})

describe('an attachment', () => {
  const mail = (attachments: string[]): Call => {
    const body = 'Please send the manual of the mixer.'
    const args = { to: 'help@vendor-support.example', subject: 'Manual of the mixer', body }
    return { tool: 'email.send_external', args: { ...args, attachments } }
  }
  const ask = (attachments: string[]) =>
    codesOf(
      'Ask the vendor for the manual of the mixer',
      ['Write to the vendor, ask for the manual of the mixer and attach the error log.'],
      [mail(attachments)],
    )

  test('that no sentence names is not what was asked for', () => {
    for (const name of ['Jansen_Piet_1970.csv', 'q7.bin', 'x']) {
      expect(ask([name])).toContain('OUTGOING_TEXT_NOT_ASKED')
      expect(ask(['error_log.txt', name])).toContain('OUTGOING_TEXT_NOT_ASKED')
    }
  })

  test('that a sentence names is', () => {
    for (const names of [[], ['error_log.txt'], ['Mixer-Error.log']]) {
      expect(ask(names)).not.toContain('OUTGOING_TEXT_NOT_ASKED')
    }
  })
})

describe('a value that is filed', () => {
  const weigh = (id: string): Call => ({ tool: 'balance.read', args: { balance_id: id } })
  const compute: Call = {
    tool: 'code.run_sandboxed',
    args: { language: 'python', code: 'print(1)', inputs: [] },
  }
  const file = (provenance: string, value: unknown, more: object = {}): Call => ({
    tool: 'lims.write_result',
    args: { sample_id: 'QR-4', field: 'mass', value, provenance, ...more },
  })
  const from = (pointer: string) => ({ $from: { node: 'n1', pointer, min: 0, max: 100 } })
  const text = (pointer: string) => ({ $from: { node: 'n1', pointer, enum: ['a'] } })
  const shown = (calls: Call[]) =>
    !codesOf('File a mass', ['Weigh it and file the mass.'], calls).includes('PROVENANCE_NOT_SHOWN')

  test.each<[string, Call[], boolean]>([
    ['measured, by reference', [weigh('bal_1'), file('measured', from('/mass_mg'))], true],
    ['measured, a constant', [weigh('bal_1'), file('measured', 50.2)], false],
    [
      'measured, what was only echoed',
      [weigh('bal_1'), file('measured', text('/balance_id'))],
      false,
    ],
    ['measured, what a computer made', [compute, file('measured', text('/stdout'))], false],
    ['measured, what a record held', [read('QR-4'), file('measured', text('/fields'))], false],
    ['calculated, by reference', [compute, file('calculated', text('/stdout'))], true],
    ['calculated, a constant', [compute, file('calculated', 2)], false],
    [
      'calculated, what was measured',
      [weigh('bal_1'), file('calculated', from('/mass_mg'))],
      false,
    ],
    [
      'measured, a constant beside a reference',
      [weigh('bal_1'), file('measured', 50.2, { comment: text('/mass_mg') })],
      false,
    ],
    ['administrative, a constant', [weigh('bal_1'), file('administrative', 'x')], true],
  ])('as %s: shown %s', (_, calls, expected) => {
    expect(shown(calls)).toBe(expected)
  })
})
