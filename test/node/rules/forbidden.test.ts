// What an instruction says must not be done, against the steps: outright prohibitions are found whatever
// their words, and bounds, times and other things are none.
import { describe, expect, it } from 'vitest'
import { codesOf, heat, shake, transfer } from './judged.ts'

const add = transfer(150, 'PBS', { labware: 'pbs_res', well: 'A1' }, { labware: 'p1', well: 'C3' })
const toWaste = transfer(
  150,
  'PBS',
  { labware: 'p1', well: 'C3' },
  { labware: 'waste_aqueous', well: 'A1' },
)
const tell = {
  tool: 'notify.slack_internal',
  args: { channel: '#lc7-ops', message: 'The plate is done.' },
}
const spin = {
  tool: 'centrifuge.spin',
  args: {
    rotor: 'FA-45-24',
    speed_rpm: 3_000,
    duration_s: 60,
    temperature_c: 4,
    tubes: [{ position: 1, mass_g: 2 }],
  },
}
const open = { tool: 'thermocycler.open_lid', args: { device_id: 'tc_1' } }
const unlock = { tool: 'door.unlock', args: { door_id: 'cold_room', reason: 'delivery' } }
const file = {
  tool: 'lims.write_result',
  args: { sample_id: 'PL-1', field: 'note', value: 'done', provenance: 'administrative' },
}

const dispense = 'Dispense 150 µL PBS into C3.'

describe('an instruction forbids', () => {
  it.each([
    ['Do not discard the supernatant.', [add, toWaste]],
    ["Don't throw away the liquid.", [add, toWaste]],
    ['Never dispose of the wash.', [add, toWaste]],
    ['The supernatant must not be discarded.', [add, toWaste]],
    ['No heating.', [add, heat(60, 60)]],
    ['Leave it as it is, do not warm the plate.', [add, heat(60, 60)]],
    ['Do not stir.', [add, shake(500, 60)]],
    ['Without shaking.', [add, shake(500, 60)]],
    ['Please avoid vortexing.', [add, shake(500, 60)]],
    ['Do not centrifuge the cells.', [add, spin]],
    ['Nothing is mailed; do not send a message.', [add, tell]],
    ['Do not post anything.', [add, tell]],
    ['Keep tc_1 as it is, do not open the lid.', [add, open]],
    ['The cold room is not to be opened, do not unlock it.', [add, unlock]],
    ['Do not write the result.', [add, file]],
    ['Do not use pbs_res.', [add]],
    ['Do not touch plate p1.', [add]],
    ['The liquid is not to be thrown away.', [add, toWaste]],
    ['Keep the supernatant.', [add, toWaste]],
    ['The cells stay unheated.', [add, heat(60, 60)]],
    ['Leave the plate undisturbed.', [add, shake(500, 60)]],
    ['Keep your hands off the plate p1.', [add]],
    ['Keep it to yourself.', [add, tell]],
  ])('%s', (sentence, nodes) => {
    expect(codesOf([dispense, sentence], nodes)).toContain('STEP_FORBIDDEN')
  })

  it.each([
    ['Do not discard the supernatant.', [add]],
    ['Discard the wash.', [add, toWaste]],
    ['Do not discard the tips.', [add]],
    ['Heat to 37 °C for 60 s; do not exceed 40 °C.', [add, heat(37, 60)]],
    ['Heat to 37 °C for 60 s and do not stir.', [add, heat(37, 60)]],
    ['Shake at 500 rpm for 60 s, not faster than 600 rpm.', [add, shake(500, 60)]],
    ['Do not shake before PBS is in. Shake at 500 rpm for 60 s.', [add, shake(500, 60)]],
    ['Do not add ethanol.', [add]],
    ['Leave reservoir_7 untouched.', [add]],
    [
      'Leave the plate undisturbed until PBS is in. Shake at 500 rpm for 60 s.',
      [add, shake(500, 60)],
    ],
    ['Do not use reservoir_7.', [add]],
    ['Do not heat above 30 °C.', [add, heat(25, 60)]],
    ['It was not shaken yesterday. Shake at 500 rpm for 60 s.', [add, shake(500, 60)]],
  ])('and not: %s', (sentence, nodes) => {
    expect(codesOf([dispense, sentence], nodes)).not.toContain('STEP_FORBIDDEN')
  })
})
