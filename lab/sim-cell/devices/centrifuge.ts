// The centrifuge: it reads its rotor, keeps the lid locked while the rotor turns, and trips on
// imbalance a few seconds after start, as real ones do.
import type { JsonObject } from '../../../protocol/json.ts'
import { act, isObject, list, number, refuse, round, row, text, type Tool } from '../act.ts'

const rotors: Record<string, { rpmMax: number; positions: number; imbalanceG: number }> = {
  'FA-45-24': { rpmMax: 15_000, positions: 24, imbalanceG: 0.2 },
  'SX-4-500': { rpmMax: 4_200, positions: 4, imbalanceG: 1 },
  'F-45-48-PCR': { rpmMax: 12_000, positions: 48, imbalanceG: 0.2 },
}
const tripAfterS = 5

/** Length of the sum of the mass vectors, in grams at the rotor's radius. */
function imbalance(tubes: readonly JsonObject[], positions: number): number {
  let x = 0
  let y = 0
  for (const tube of tubes) {
    const mass = typeof tube['mass_g'] === 'number' ? tube['mass_g'] : 0
    const angle = (2 * Math.PI * (number(tube, 'position') - 1)) / positions
    x += mass * Math.cos(angle)
    y += mass * Math.sin(angle)
  }
  return Math.hypot(x, y)
}

const spin: Tool = (world, args) => {
  const name = text(args, 'rotor')
  const rotor = row(rotors, name)
  const rpm = number(args, 'speed_rpm')
  const tubes = list(args['tubes']).filter(isObject)
  if (rpm > rotor.rpmMax) return refuse(`${name} takes at most ${rotor.rpmMax} rpm`)
  const places = tubes.map((tube) => number(tube, 'position'))
  if (places.some((place) => place > rotor.positions)) {
    return refuse(`${name} has ${rotor.positions} positions`)
  }
  if (new Set(places).size < places.length) return refuse('two tubes in one position')
  if (world.arm.zone === 'centrifuge_bay') return refuse('the arm is in the bay: lid not closed')
  const off = imbalance(tubes, rotor.positions)
  const ramp = rpm / 400
  return act({
    device: 'centrifuge',
    seconds: number(args, 'duration_s') + 2 * ramp,
    ...(off > rotor.imbalanceG
      ? { trip: { after_s: tripAfterS, message: `imbalance of ${round(off)} g: rotor braked` } }
      : {}),
    finish: () => {
      world.centrifuge = { rotor: name, rpm: 0, runs: world.centrifuge.runs + 1 }
      return { change: { rotor: name, rpm: [0, rpm, 0], runs: world.centrifuge.runs }, result: {} }
    },
    interrupt: (fraction) => {
      world.centrifuge.rotor = name
      world.centrifuge.rpm = 0
      return { rotor: name, rpm: 0, braked: true, fraction: round(fraction) }
    },
  })
}

const safeStop: Tool = (world) =>
  act({
    device: 'centrifuge',
    stops: 'centrifuge',
    seconds: 3,
    finish: () => {
      world.centrifuge.rpm = 0
      return { change: { rpm: 0, lid: 'locked until still' }, result: { stopped: true } }
    },
    interrupt: () => ({ rpm: 0 }),
    uninterruptible: true,
  })

export const centrifugeTools: Record<string, Tool> = {
  'centrifuge.spin': spin,
  'centrifuge.safe_stop': safeStop,
}
