// A protocol of the vendor as a plan: a sound one is accepted with its starting list, and each kind of fault that
// the vendor's engine refuses is stopped. The protocol is ours; labware, heads and modules are the vendor's.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../protocol/json.ts'
import { UsageError } from '../../../site-kit/files.ts'
import { convert } from '../../../site-kit/opentrons/plan.ts'
import { readProtocol } from '../../../site-kit/opentrons/read.ts'
import { trialSite, tryPlan, type Trial } from '../../../verify/onboard/trial.ts'

const at = Date.UTC(2026, 10, 30)
type Step = readonly [string, JsonObject]

const load = (labwareId: string, loadName: string, location: JsonObject): Step => [
  'loadLabware',
  { labwareId, loadName, namespace: 'opentrons', version: 1, location },
]
const loads: readonly Step[] = [
  ['loadPipette', { pipetteId: 'p', pipetteName: 'p300_single_gen2', mount: 'left' }],
  ['loadModule', { moduleId: 'hs', model: 'heaterShakerModuleV1', location: { slotName: '10' } }],
  ['loadModule', { moduleId: 'tc', model: 'thermocyclerModuleV1', location: { slotName: '7' } }],
  ['loadModule', { moduleId: 'td', model: 'temperatureModuleV2', location: { slotName: '3' } }],
  load('tips', 'opentrons_96_tiprack_300ul', { slotName: '1' }),
  load('plate', 'corning_96_wellplate_360ul_flat', { slotName: '2' }),
  load('pcr', 'nest_96_wellplate_100ul_pcr_full_skirt', { moduleId: 'tc' }),
  load('tank', 'agilent_1_reservoir_290ml', { slotName: '5' }),
  ['loadLiquid', { liquidId: '0', labwareId: 'tank', volumeByWell: { A1: 50_000 } }],
]
const pick = (wellName: string): Step => [
  'pickUpTip',
  { pipetteId: 'p', labwareId: 'tips', wellName },
]
const drop: Step = ['dropTip', { pipetteId: 'p', labwareId: 'fixedTrash', wellName: 'A1' }]
const draw = (volume: number, labwareId = 'tank', wellName = 'A1'): Step => [
  'aspirate',
  { pipetteId: 'p', labwareId, wellName, volume },
]
const give = (volume: number, labwareId = 'plate', wellName = 'B2'): Step => [
  'dispense',
  { pipetteId: 'p', labwareId, wellName, volume },
]
const shake = (rpm: number): Step => [
  'heaterShaker/setAndWaitForShakeSpeed',
  { moduleId: 'hs', rpm },
]
const still: Step = ['heaterShaker/deactivateShaker', { moduleId: 'hs' }]
const openLatch: Step = ['heaterShaker/openLabwareLatch', { moduleId: 'hs' }]
const closeLatch: Step = ['heaterShaker/closeLabwareLatch', { moduleId: 'hs' }]
const lid = (what: 'open' | 'close'): Step => [`thermocycler/${what}Lid`, { moduleId: 'tc' }]
const bring = (slotName: string): Step => [
  'moveLabware',
  { labwareId: 'plate', newLocation: { slotName }, strategy: 'manualMoveWithPause' },
]

async function ran(steps: readonly Step[]): Promise<Trial> {
  const commands = [...loads, ...steps].map(([commandType, params]) => ({ commandType, params }))
  const { site, plans } = convert(readProtocol({ schemaVersion: 8, commands }, 'own'), 'own')
  const [plan] = plans
  if (plan === undefined) throw new Error('no plan')
  return tryPlan(await trialSite(site), plan, at)
}
const stopped = ({ verdict, evidence, violations }: Trial): boolean =>
  evidence.breaches.length > 0 || (verdict === null && violations.length > 0)

const sound: readonly Step[] = [pick('A1'), draw(100), give(100), drop]
const beside: Readonly<Record<string, readonly Step[]>> = {
  'a plain transfer': sound,
  'a shake with the latch closed': [closeLatch, shake(500), still, openLatch, closeLatch],
  'into an open thermocycler': [
    lid('open'),
    pick('A1'),
    draw(50),
    give(50, 'pcr', 'A1'),
    drop,
    lid('close'),
  ],
  'labware to a free slot': [bring('9')],
  'waits and moves': [
    ['delay', { seconds: 5 }],
    ['home', {}],
    ['moveToWell', { pipetteId: 'p', labwareId: 'plate', wellName: 'A1' }],
  ],
}
const faults: Readonly<Record<string, readonly Step[]>> = {
  'no tip': [draw(100), give(100)],
  'no tip after a drop': [...sound, draw(100), give(100)],
  'a tip on a tip': [pick('A1'), pick('B1'), drop],
  'a tip that is gone': [pick('A1'), drop, pick('A1'), drop],
  'more than the head takes': [pick('A1'), draw(301), give(301), drop],
  'more than the tip holds in two draws': [pick('A1'), draw(200), draw(200), give(400), drop],
  'more than was drawn': [pick('A1'), draw(100), give(150), drop],
  'no such well to give to': [pick('A1'), draw(100), give(100, 'plate', 'I1'), drop],
  'no such tip': [pick('A13'), drop],
  'a well past its capacity': [pick('A1'), draw(200), give(200), draw(200), give(200), drop],
  'a latch opened while shaking': [closeLatch, shake(500), openLatch, still],
  'a shake with an open latch': [openLatch, shake(500), still],
  'faster than the shaker': [closeLatch, shake(3001), still],
  'slower than the shaker': [closeLatch, shake(100), still],
  'hotter than the shaker': [
    ['heaterShaker/setTargetTemperature', { moduleId: 'hs', celsius: 96 }],
  ],
  'hotter than the temperature module': [
    ['temperatureModule/setTargetTemperature', { moduleId: 'td', celsius: 120 }],
  ],
  'a block past its range': [
    ['thermocycler/setTargetBlockTemperature', { moduleId: 'tc', celsius: 130 }],
  ],
  'a lid past its range': [
    ['thermocycler/setTargetLidTemperature', { moduleId: 'tc', celsius: 150 }],
  ],
  'through a closed lid': [lid('close'), pick('A1'), draw(50), give(50, 'pcr', 'A1'), drop],
  'an occupied slot': [bring('5')],
}

describe('a protocol of the vendor', () => {
  it.each(Object.entries(beside))('is not stopped: %s', async (_, steps) => {
    const trial = await ran(steps)
    expect(trial.violations).toEqual([])
    expect(trial.evidence.breaches).toEqual([])
  })

  it('is accepted with its starting list, and only with it', async () => {
    expect((await ran(sound)).verdict).toBe('accept')
    const commands = [...loads, ...sound].map(([commandType, params]) => ({ commandType, params }))
    const { site, plans } = convert(readProtocol({ schemaVersion: 8, commands }, 'own'), 'own')
    const [plan] = plans
    if (plan === undefined) throw new Error('no plan')
    expect((await tryPlan(await trialSite(site), { ...plan, state: null }, at)).verdict).toBe(
      'escalate',
    )
  })

  it.each(Object.entries(faults))('is stopped: %s', async (_, steps) => {
    expect(stopped(await ran(steps))).toBe(true)
  })

  it('of an older version says the same in other words', async () => {
    const file = {
      schemaVersion: 3,
      pipettes: { p: { mount: 'left', name: 'p300_single' } },
      labware: {
        tips: { slot: '1', definitionId: 'opentrons/opentrons_96_tiprack_300ul/1' },
        plate: { slot: '2', definitionId: 'opentrons/corning_96_wellplate_360ul_flat/1' },
      },
      commands: [
        { command: 'pickUpTip', params: { pipette: 'p', labware: 'tips', well: 'A1' } },
        { command: 'aspirate', params: { pipette: 'p', labware: 'plate', well: 'A1', volume: 50 } },
        { command: 'dispense', params: { pipette: 'p', labware: 'plate', well: 'B1', volume: 50 } },
        { command: 'dropTip', params: { pipette: 'p', labware: 'trashId', well: 'A1' } },
      ],
    }
    const { site, plans } = convert(readProtocol(file, 'third'), 'third')
    const bench = await trialSite(site)
    const trials = await Promise.all(plans.map((plan) => tryPlan(bench, plan, at)))
    expect(trials.map(({ verdict }) => verdict)).toEqual(['accept'])
  })

  it('that is none is refused with its place', () => {
    expect(() => readProtocol({ schemaVersion: 2 }, 'x.json')).toThrow(UsageError)
    expect(() => readProtocol({ schemaVersion: 8 }, 'x.json')).toThrow('x.json: /commands')
    const commands = [{ commandType: 'loadPipette', params: { pipetteId: 'p', pipetteName: 'p9' } }]
    expect(() => convert(readProtocol({ schemaVersion: 8, commands }, 'x'), 'x')).toThrow(
      'pipette p9',
    )
  })
})
