// Every row of the intent files does what its examples say, and reads no name that a lab has given
// (invariant 11).
import { describe, expect, it } from 'vitest'
import { conceptPlace } from '../../../verify/lexicon/concept.ts'
import { intents } from '../../../verify/lexicon/intents.ts'
import { textUnit } from '../../../verify/lexicon/text.ts'
import { unnamer } from '../../../verify/read/words/nouns.ts'
import { demoRegistry } from '../support/snapshot.ts'

const says = (text: string, concept: (typeof intents)[number]['concept']): boolean =>
  conceptPlace(textUnit(text, ''), concept) >= 0

describe('rows of intents', () => {
  it.each(intents.map((intent) => [intent.row.id, intent] as const))(
    '%s',
    (_id, { row, concept }) => {
      expect(row.examples.filter((text) => !says(text, concept))).toEqual([])
      expect(row.counter_examples.filter((text) => says(text, concept))).toEqual([])
    },
  )
})

describe('names of a lab', () => {
  const registry = demoRegistry()
  const [planner] = Object.keys(registry.planners)
  const sensor = registry.devices.find((device) => device.class === 'safety')
  const camera = registry.devices.find((device) => device.class === 'camera')
  const plain = unnamer(registry, {
    inventory: [
      {
        thing: 'vat 9',
        names: ['the big one'],
        kind: registry.kinds.find((kind) => kind.class === 'plate')?.id ?? '',
        contents: [],
        held: false,
        controlled: false,
        human: false,
      },
    ],
  })

  it.each([
    [`Switch off ${sensor?.id}.`, 'Switch off the interlock sensor.'],
    [`Show the ${camera?.id} a picture`, 'Show the camera a picture'],
    [`as ${planner} says`, 'as planner says'],
    ['Vat 9 is full', 'the plate is full'],
    ['seal vat-9 A1 and go', 'seal the plate and go'],
    ['nothing is named here', 'nothing is named here'],
  ])('%s', (from, to) => {
    expect(plain(from)).toBe(to)
  })
})
