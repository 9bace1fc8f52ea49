// Controlled matter that two people approved by its vessel: what is drawn from it is approved where it goes,
// what comes from elsewhere is not.
import { describe, expect, it } from 'vitest'
import { cellRecordSchema } from '../../../protocol/state.ts'
import { planOf } from '../support/snapshot.ts'
import { verdictOf } from './judged.ts'

const pour = (from: string, to: string, liquid: string, volume_ul = 100) => ({
  tool: 'liquid_handler.transfer',
  args: {
    pipette: 'p300',
    volume_ul,
    source: { labware: from, well: 'A1' },
    destination: { labware: to, well: 'A1' },
    liquid,
    new_tip: 'once',
  },
})

const vial = (thing: string, substance: string, controlled = true) => ({
  thing,
  kind: 'vial_2',
  at: 'deck_11',
  contents: [{ part: 'A1', substance, volume: '1 mL' }],
  controlled,
})
const blank = (thing: string) => ({ thing, kind: 'vial_2', at: 'deck_10' })
const water = vial('water_vial', 'water', false)

type Approval = readonly [string, readonly string[]]

function verdict(
  steps: readonly ReturnType<typeof pour>[],
  told: readonly string[],
  approvals: readonly Approval[],
) {
  const record = cellRecordSchema.parse({
    inventory: [
      vial('cod_1', 'codeine standard'),
      vial('cod_2', 'codeine standard'),
      vial('dia_1', 'diazepam reference'),
      water,
      ...['mix_a', 'mix_b', 'mix_c'].map(blank),
    ],
    facts: ['mix_a', 'mix_b', 'mix_c'].map((thing) => ({ thing, fact: 'contents', value: [] })),
    approvals: approvals.map(([subject, by]) => ({ subject, by })),
  })
  return verdictOf(planOf(steps, { goal: 'Make the dilutions', instructions: [...told] }), record)
}

const both: Approval = ['cod_1', ['M. Osei', 'R. Lind']]
const dia: Approval = ['dia_1', ['K. Sato', 'B. Olsen']]
const cod = 'codeine standard'
const first = pour('cod_1', 'mix_a', cod)
const say = (from: string, to: string, what = cod) =>
  `Transfer 100 µL of ${what} from ${from} to ${to}.`

describe('what two people approved', () => {
  it.each([
    ['is drawn', [first], [say('cod_1', 'mix_a')], [both]],
    [
      'is drawn twice',
      [first, pour('cod_1', 'mix_b', cod)],
      [say('cod_1', 'mix_a'), say('cod_1', 'mix_b')],
      [both],
    ],
    [
      'is passed on',
      [first, pour('mix_a', 'mix_b', cod)],
      [say('cod_1', 'mix_a'), say('mix_a', 'mix_b')],
      [both],
    ],
    [
      'is diluted',
      [first, pour('water_vial', 'mix_a', 'water')],
      [say('cod_1', 'mix_a'), say('water_vial', 'mix_a', 'water')],
      [both],
    ],
    [
      'is joined by another that two approved',
      [first, pour('dia_1', 'mix_b', 'diazepam reference')],
      [say('cod_1', 'mix_a'), say('dia_1', 'mix_b', 'diazepam reference')],
      [both, dia],
    ],
    [
      'was approved by each in a record of their own',
      [first],
      [say('cod_1', 'mix_a')],
      [
        ['cod_1', ['M. Osei']],
        ['cod_1', ['R. Lind']],
      ],
    ],
    ['was approved by three', [first], [say('cod_1', 'mix_a')], [['cod_1', ['A', 'B', 'C']]]],
    [
      'is something else',
      [pour('dia_1', 'mix_a', 'diazepam reference')],
      [say('dia_1', 'mix_a', 'diazepam reference')],
      [dia],
    ],
  ] as const)('may be handled where it %s', async (_how, steps, told, approvals) => {
    expect(await verdict(steps, told, approvals)).toBe('accept')
  })

  it.each([
    ['nobody approved it', [first], [say('cod_1', 'mix_a')], []],
    ['one person did', [first], [say('cod_1', 'mix_a')], [['cod_1', ['M. Osei']]]],
    [
      'one person did twice',
      [first],
      [say('cod_1', 'mix_a')],
      [
        ['cod_1', ['M. Osei']],
        ['cod_1', ['M. Osei']],
      ],
    ],
    [
      'they approved another vial of it',
      [pour('cod_2', 'mix_a', cod)],
      [say('cod_2', 'mix_a')],
      [both],
    ],
    [
      'two things have one approval each',
      [first],
      [say('cod_1', 'mix_a')],
      [
        ['cod_1', ['M. Osei']],
        ['cod_2', ['R. Lind']],
      ],
    ],
    [
      'a second vial is added',
      [first, pour('cod_2', 'mix_a', cod)],
      [say('cod_1', 'mix_a'), say('cod_2', 'mix_a')],
      [both],
    ],
    [
      'another drug comes with it',
      [first, pour('dia_1', 'mix_b', 'diazepam reference')],
      [say('cod_1', 'mix_a'), say('dia_1', 'mix_b', 'diazepam reference')],
      [both],
    ],
    [
      'it is called water',
      [pour('cod_2', 'mix_a', 'water')],
      [say('cod_2', 'mix_a', 'water')],
      [both],
    ],
  ] as const)('waits for a person where %s', async (_how, steps, told, approvals) => {
    expect(await verdict(steps, told, approvals)).not.toBe('accept')
  })
})
