// Faults that the vendor's engine refuses, seeded into a protocol that runs: each changes the commands of one
// protocol where they allow it, and knows nothing of what the dry run looks at.
import type { JsonObject } from '../../../protocol/json.ts'
import { headOf, kindOf } from '../../../site-kit/opentrons/labware.ts'
import { textAt, type Command, type Loaded } from '../../../site-kit/opentrons/read.ts'
import { pick, type Random } from '../faults/draft.ts'

/** The changed commands; null: this protocol has no place for it. */
type Seed = (loaded: Loaded, random: Random) => Command[] | null

const isNamed =
  (...names: string[]) =>
  ({ name }: Command): boolean =>
    names.includes(name)

/** One command of that name, anywhere. */
function some({ commands }: Loaded, random: Random, fits: (one: Command) => boolean): number {
  const places = commands.flatMap((one, i) => (fits(one) ? [i] : []))
  return pick(places, random) ?? -1
}

const change =
  (
    fits: (one: Command) => boolean,
    to: (one: Command, loaded: Loaded) => readonly Command[],
  ): Seed =>
  (loaded, random) => {
    const at = some(loaded, random, fits)
    const one = loaded.commands[at]
    return one === undefined ? null : loaded.commands.toSpliced(at, 1, ...to(one, loaded))
  }

const withParams = ({ name, params }: Command, more: JsonObject): Command => ({
  name,
  params: { ...params, ...more },
})
const maxOf = ({ params }: Command, { pipettes }: Loaded): number =>
  headOf(pipettes.get(textAt(params, 'pipetteId')) ?? '')?.maxVolume ?? 1_000
const volumeOf = ({ params }: Command): number => Number(params['volume'] ?? 0)

const pickUp = isNamed('pickUpTip')
const drop = isNamed('dropTip')
const draw = isNamed('aspirate')
const give = isNamed('dispense')
const shake = isNamed('heaterShaker/setAndWaitForShakeSpeed')

const moduleCommand = (name: string, { params }: Command, more: JsonObject = {}): Command => ({
  name,
  params: { moduleId: params['moduleId'] ?? '', ...more },
})

/** A draw or a dispense at labware that stands on a thermocycler. */
function onCycler(loaded: Loaded): (one: Command) => boolean {
  const cyclers = new Set(
    [...loaded.modules].flatMap(([id, model]) => (model.startsWith('thermocycler') ? [id] : [])),
  )
  return (one) =>
    (draw(one) || give(one)) &&
    cyclers.has(loaded.labware.get(textAt(one.params, 'labwareId'))?.on ?? '')
}

export const kinds: Readonly<Record<string, Seed>> = {
  'no tip': change(pickUp, () => []),
  'a tip on a tip': change(pickUp, (one) => [one, one]),
  'a tip that is gone': (loaded, random) => {
    const at = some(loaded, random, pickUp)
    const one = loaded.commands[at]
    const later = loaded.commands.findIndex((next, i) => i > at && pickUp(next))
    const next = loaded.commands[later]
    if (one === undefined || next === undefined) return null
    if (next.params['pipetteId'] !== one.params['pipetteId']) return null
    return loaded.commands.with(later, one)
  },
  'a drop without a tip': change(drop, (one) => [one, one]),
  'more than the head takes': change(draw, (one, loaded) => [
    withParams(one, { volume: maxOf(one, loaded) + 1 }),
  ]),
  'more than the tip holds in two draws': change(draw, (one, loaded) => [
    one,
    withParams(one, { volume: maxOf(one, loaded) - volumeOf(one) + 1 }),
  ]),
  'more than was drawn': change(give, (one) => [withParams(one, { volume: volumeOf(one) + 5 })]),
  'a dispense twice': (loaded, random) => {
    // Only where the tip holds no more than this one dispense: else it is an ordinary second one.
    const at = some(loaded, random, give)
    const [before, one] = [loaded.commands[at - 1], loaded.commands[at]]
    if (before === undefined || one === undefined || !draw(before)) return null
    if (volumeOf(before) !== volumeOf(one)) return null
    const drawn = loaded.commands.slice(0, at - 1).findLast((c) => draw(c) || drop(c) || give(c))
    return drawn !== undefined && draw(drawn) ? null : loaded.commands.toSpliced(at, 0, one)
  },
  'no such well': change(give, (one) => [withParams(one, { wellName: 'Z99' })]),
  'no such labware': change(draw, (one) => [withParams(one, { labwareId: 'not-loaded' })]),
  'no such pipette': change(draw, (one) => [withParams(one, { pipetteId: 'not-loaded' })]),
  'a well past its capacity': (loaded, random) => {
    const at = some(loaded, random, (one) => {
      const about = loaded.labware.get(textAt(one.params, 'labwareId'))
      const kind = about === undefined ? null : kindOf(about.name, about.definition)
      return give(one) && kind?.class === 'plate' && (kind.capacity ?? Infinity) <= 400
    })
    const [before, one] = [loaded.commands[at - 1], loaded.commands[at]]
    if (before === undefined || one === undefined || !draw(before)) return null
    const about = loaded.labware.get(textAt(one.params, 'labwareId'))
    const capacity = (about && kindOf(about.name, about.definition)?.capacity) ?? 400
    const times = Math.ceil(capacity / Math.max(1, volumeOf(one))) + 1
    if (times > 100 || loaded.commands.length + 2 * times > 256) return null
    const again = Array.from({ length: times }, () => [before, one]).flat()
    return loaded.commands.toSpliced(at + 1, 0, ...again)
  },
  'an occupied slot': (loaded, random) => {
    const standing = [...loaded.labware].filter(
      ([id, { on }]) => /^\w{1,2}$/.test(on) && id !== 'fixedTrash',
    )
    const [one, other] = [pick(standing, random), pick(standing, random)]
    if (one === undefined || other === undefined || one[1].on === other[1].on) return null
    const params = {
      labwareId: one[0],
      newLocation: { slotName: other[1].on },
      strategy: 'manualMoveWithPause',
    }
    return loaded.commands.toSpliced(0, 0, { name: 'moveLabware', params })
  },
  'a latch opened while shaking': change(shake, (one) => [
    one,
    moduleCommand('heaterShaker/openLabwareLatch', one),
  ]),
  'a shake with an open latch': change(shake, (one) => [
    moduleCommand('heaterShaker/openLabwareLatch', one),
    one,
  ]),
  'faster than the shaker': change(shake, (one) => [withParams(one, { rpm: 3_600 })]),
  'slower than the shaker': change(shake, (one) => [withParams(one, { rpm: 100 })]),
  'hotter than the shaker': change(isNamed('heaterShaker/setTargetTemperature'), (one) => [
    withParams(one, { celsius: 110 }),
  ]),
  'hotter than the temperature module': change(
    isNamed('temperatureModule/setTargetTemperature'),
    (one) => [withParams(one, { celsius: 110 })],
  ),
  'a block past its range': change(isNamed('thermocycler/setTargetBlockTemperature'), (one) => [
    withParams(one, { celsius: 115 }),
  ]),
  'a lid past its range': change(isNamed('thermocycler/setTargetLidTemperature'), (one) => [
    withParams(one, { celsius: 130 }),
  ]),
  'through a closed lid': (loaded, random) => {
    const at = some(loaded, random, onCycler(loaded))
    const one = loaded.commands[at]
    const about = loaded.labware.get(textAt(one?.params ?? {}, 'labwareId'))
    if (one === undefined || about === undefined) return null
    const closed = { name: 'thermocycler/closeLid', params: { moduleId: about.on } }
    return loaded.commands.toSpliced(at, 0, closed)
  },
}
