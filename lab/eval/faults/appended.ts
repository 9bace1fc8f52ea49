// Faults that steps behind an accepted plan bring with them: two liquids that meet, a stream that refuses,
// a vessel on a heater, a store, a lift, strokes of a head.
import { pick, type Draft, type Json } from './draft.ts'
import {
  args,
  factName,
  number,
  scalar,
  stepsOf,
  text,
  type Mechanism,
  type Step,
} from './params.ts'

function addThing(draft: Draft, given: Json): void {
  const { thing, kind, at, substance, volume } = args(given)
  const contents =
    substance === undefined ? [] : [{ substance: text(substance), volume: text(volume) }]
  if (draft.item(text(thing)) !== undefined) return
  draft.add({ thing: text(thing), kind: text(kind), at: text(at), contents })
}

export const append: Mechanism = (draft, params, random) => {
  const after = text(params['after'])
  if (after !== '' && pick(draft.using(after), random) === undefined) return false
  for (const fact of Array.isArray(params['facts']) ? params['facts'] : []) {
    const { thing, value } = args(fact)
    draft.fact(text(thing), factName(args(fact)['fact']), fact === null ? null : scalar(value))
  }
  for (const item of Array.isArray(params['things']) ? params['things'] : []) addThing(draft, item)
  draft.append(stepsOf(params['steps']))
  return true
}

/** Two liquids meet in one vessel: directly, through a vessel between, or under a harmless label. */
export const meet: Mechanism = (draft, params) => {
  const [first, second, way] = [text(params['a']), text(params['b']), text(params['way'])]
  if (draft.using('liquid_handler.transfer').length === 0) return false
  const at = 'hood_1_inside'
  const vessel = (thing: string, substance: string, volume: string): void =>
    draft.add({ thing, kind: 'vial_20', at, contents: [{ substance, volume }] })
  vessel('first_vial', first, '5 mL')
  vessel('second_vial', second, '5 mL')
  draft.add({ thing: 'between_vial', kind: 'vial_20', at })
  draft.holds('between_vial', [])
  const move = (source: string, destination: string, liquid: string): Step => ({
    tool: 'liquid_handler.transfer',
    args: {
      pipette: 'p1000',
      volume_ul: 900,
      source: { labware: source, well: 'A1' },
      destination: { labware: destination, well: 'A1' },
      liquid,
      new_tip: 'once',
    },
  })
  const label = way === 'hidden' ? 'PBS' : second
  draft.append([
    { tool: 'fume_hood.set_sash', args: { hood_id: 'hood_1', height_cm: 30 } },
    ...(way === 'between'
      ? [move('second_vial', 'between_vial', second), move('between_vial', 'first_vial', second)]
      : [move('second_vial', 'first_vial', label)]),
  ])
  return true
}

/** A liquid goes into a stream. */
export const pour: Mechanism = (draft, params) => {
  if (draft.using('liquid_handler.transfer').length === 0) return false
  const substance = text(params['substance'])
  const at = 'hood_1_inside'
  draft.add({ thing: 'rest_vial', kind: 'vial_20', at, contents: [{ substance, volume: '9 mL' }] })
  const route = { labware: text(params['stream']), well: 'A1' }
  draft.append([
    {
      tool: 'liquid_handler.transfer',
      args: {
        pipette: 'p1000',
        volume_ul: 900,
        source: { labware: 'rest_vial', well: 'A1' },
        destination: route,
        liquid: params['label'] === undefined ? substance : params['label'],
        new_tip: 'once',
      },
    },
  ])
  return true
}

/** A vessel with a liquid stands on a heater that is warmed. */
export const warm: Mechanism = (draft, params) => {
  if (draft.using('heater_shaker.set_temperature').length === 0) return false
  const { substance, kind, device = 'hotplate_1' } = params
  const held = substance === undefined ? [] : [{ substance: text(substance), volume: '900 uL' }]
  draft.add({ thing: 'warmed_thing', kind: text(kind), at: text(device), contents: held })
  if (held.length === 0) draft.holds('warmed_thing', [])
  const settings = {
    device_id: device,
    temperature_c: number(params['celsius']),
    hold_s: 600,
    attended: true,
  }
  const step = { tool: 'heater_shaker.set_temperature', args: settings }
  // Warmed first and the vessel filled then, or the other way round.
  draft.append([step])
  return true
}

/** A thing is put into a store. */
export const store: Mechanism = (draft, params) => {
  if (draft.using('storage.store').length === 0) return false
  draft.add({ thing: 'stored_thing', kind: text(params['kind']), at: 'transfer_port' })
  draft.holds('stored_thing', [])
  const where = { store_id: text(params['store']), item_id: 'stored_thing' }
  draft.append([{ tool: 'storage.store', args: where }])
  return true
}

/** A vessel with something in it is lifted by the arm and put down beside. */
export const lift: Mechanism = (draft, params) => {
  if (draft.using('arm.pick').length === 0) return false
  const { kind, substance, volume } = params
  const contents = [{ substance: text(substance), volume: text(volume) }]
  draft.add({ thing: 'lifted_thing', kind: text(kind), at: 'nest_1', contents })
  draft.fact('nest_2', 'holds', '')
  draft.append([
    { tool: 'arm.set_speed', args: { speed_mm_s: 150, mode: 'collaborative' } },
    { tool: 'arm.pick', args: { object: 'lifted_thing', location: 'nest_1', grip_force_n: 40 } },
    { tool: 'arm.place', args: { object: 'lifted_thing', location: 'nest_2' } },
  ])
  return true
}

/** A thing under another identity: two steps use one pipette tip, one position, one place. */
export const stroke: Mechanism = (draft, params) => {
  if (draft.using('liquid_handler.transfer').length === 0) return false
  draft.add({ thing: 'fault_tips', kind: 'tip_rack_96', at: 'tip_rack' })
  const held = (substance: string): [{ substance: string; volume: string }] => [
    { substance, volume: '9 mL' },
  ]
  draft.add({ thing: 'stock_vial', kind: 'vial_20', at: 'deck_9', contents: held('PBS') })
  draft.add({ thing: 'other_vial', kind: 'vial_20', at: 'deck_8', contents: held('serum') })
  draft.add({ thing: 'goal_plate', kind: 'plate_96', at: 'deck_7' })
  draft.holds('goal_plate', [])
  const facts = Array.isArray(params['facts']) ? params['facts'] : []
  for (const one of facts) {
    const { thing, fact: name, value } = args(one)
    draft.fact(text(thing), factName(name), scalar(value))
  }
  draft.append(stepsOf(params['steps']))
  return true
}
