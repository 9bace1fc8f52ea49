// The pipetting head: tips, volumes per well, strokes. It cannot draw without a tip, hold more than
// the tip, or draw more than a tracked well contains.
import type { JsonObject } from '../../../protocol/json.ts'
import { act, number, object, refuse, round, row, text, type Tool } from '../act.ts'
import type { Pipette, World } from '../world.ts'

/** What a reservoir that people filled by hand holds when it is first named, in microlitres. */
const stockedUl = 50_000
const strokeSeconds = 4
const tipSeconds = 3

const keyOf = (args: JsonObject): string => `${text(args, 'labware')}/${text(args, 'well')}`

/** How many wells an address covers: one, a column of eight or a plate of 96. */
function wellCount(well: string): number {
  if (well === 'ALL') return 96
  return well.startsWith('COL') ? 8 : 1
}

function available(world: World, key: string): number {
  return world.wells.get(key) ?? stockedUl
}

function addTo(world: World, key: string, ul: number): void {
  world.wells.set(key, round((world.wells.get(key) ?? 0) + ul))
}

const pickUpTip: Tool = (world, args) => {
  const name = text(args, 'pipette')
  const pipette = row(world.pipettes, name)
  if (pipette.tip) return refuse(`${name} already has a tip`)
  return act({
    device: 'liquid_handler',
    seconds: tipSeconds,
    finish: () => {
      pipette.tip = true
      return { change: { pipette: name, tip: [false, true] }, result: { tip: true } }
    },
    interrupt: (fraction) => ({ pipette: name, tip: [false, false], fraction: round(fraction) }),
  })
}

const dropTip: Tool = (world, args) => {
  const name = text(args, 'pipette')
  const pipette = row(world.pipettes, name)
  if (!pipette.tip) return refuse(`${name} has no tip`)
  return act({
    device: 'liquid_handler',
    seconds: tipSeconds,
    finish: () => {
      const lost = pipette.held_ul
      Object.assign(pipette, { tip: false, held_ul: 0, liquid: null })
      const destination = text(args, 'destination')
      return {
        change: { pipette: name, tip: [true, false], lost_ul: lost, destination },
        result: {},
      }
    },
    interrupt: (fraction) => ({ pipette: name, tip: [true, true], fraction: round(fraction) }),
  })
}

function strokeOf(args: JsonObject): number {
  const rate = typeof args['flow_rate_ul_s'] === 'number' ? args['flow_rate_ul_s'] : 100
  return 1 + number(args, 'volume_ul') / rate
}

const aspirate: Tool = (world, args) => {
  const name = text(args, 'pipette')
  const pipette = row(world.pipettes, name)
  const ul = number(args, 'volume_ul')
  const key = keyOf(args)
  if (!pipette.tip) return refuse(`${name} has no tip`)
  if (pipette.held_ul + ul > pipette.capacity_ul) {
    return refuse(`${name} holds at most ${pipette.capacity_ul} uL`)
  }
  const before = available(world, key)
  if (before < ul) return refuse(`${key} holds ${before} uL, ${ul} uL were asked`)
  const draw = (drawn: number) => {
    world.wells.set(key, round(before - drawn))
    pipette.held_ul = round(pipette.held_ul + drawn)
    pipette.liquid = text(args, 'liquid')
    return { well: key, well_ul: [before, round(before - drawn)], held_ul: pipette.held_ul }
  }
  return act({
    device: 'liquid_handler',
    seconds: strokeOf(args),
    finish: () => ({ change: draw(ul), result: { aspirated_ul: ul } }),
    interrupt: (fraction) => draw(round(ul * fraction)),
  })
}

const dispense: Tool = (world, args) => {
  const name = text(args, 'pipette')
  const pipette: Pipette = row(world.pipettes, name)
  const ul = number(args, 'volume_ul')
  const key = keyOf(args)
  if (!pipette.tip) return refuse(`${name} has no tip`)
  if (pipette.held_ul < ul)
    return refuse(`${name} holds ${pipette.held_ul} uL, ${ul} uL were asked`)
  const before = world.wells.get(key) ?? 0
  const expel = (out: number) => {
    pipette.held_ul = round(pipette.held_ul - out)
    world.wells.set(key, round(before + out))
    return { well: key, well_ul: [before, round(before + out)], held_ul: pipette.held_ul }
  }
  return act({
    device: 'liquid_handler',
    seconds: strokeOf(args),
    finish: () => ({ change: expel(ul), result: { dispensed_ul: ul } }),
    interrupt: (fraction) => expel(round(ul * fraction)),
  })
}

const transfer: Tool = (world, args) => {
  const name = text(args, 'pipette')
  const pipette = row(world.pipettes, name)
  const ul = number(args, 'volume_ul')
  const source = keyOf(object(args, 'source'))
  const destination = keyOf(object(args, 'destination'))
  const wells = wellCount(text(object(args, 'destination'), 'well'))
  if (args['new_tip'] === 'never' && !pipette.tip) return refuse(`${name} has no tip`)
  if (args['new_tip'] !== 'never' && pipette.held_ul > 0) {
    return refuse(`${name} still holds ${pipette.held_ul} uL of ${pipette.liquid ?? 'liquid'}`)
  }
  const before = available(world, source)
  // Unknown labware is restocked by people; a tracked well that runs short gives air for the rest.
  const tracked = world.wells.has(source)
  if (tracked && before <= 0) return refuse(`${source} is empty`)
  const total = tracked ? Math.min(ul * wells, before) : ul * wells
  const strokes = Math.ceil(ul / pipette.capacity_ul) * wells
  const move = (moved: number) => {
    if (tracked) world.wells.set(source, round(before - moved))
    addTo(world, destination, moved)
    return { source, destination, moved_ul: moved, wells }
  }
  return act({
    device: 'liquid_handler',
    seconds: tipSeconds + strokes * strokeSeconds + 2 * mixes(args),
    finish: () => ({ change: move(total), result: { moved_ul: total, strokes } }),
    interrupt: (fraction) => ({ ...move(round(total * fraction)), fraction: round(fraction) }),
  })
}

const mixes = (args: JsonObject): number =>
  typeof args['mix_after_cycles'] === 'number' ? args['mix_after_cycles'] : 0

const safeStop: Tool = (world) =>
  act({
    device: 'liquid_handler',
    stops: 'liquid_handler',
    seconds: 1,
    finish: () => {
      const held = Object.fromEntries(
        Object.entries(world.pipettes).map(([k, p]) => [k, p.held_ul]),
      )
      return { change: { head: 'raised', held_ul: held }, result: { stopped: true } }
    },
    interrupt: () => ({ head: 'raised' }),
    uninterruptible: true,
  })

export const liquidHandlerTools: Record<string, Tool> = {
  'liquid_handler.pick_up_tip': pickUpTip,
  'liquid_handler.drop_tip': dropTip,
  'liquid_handler.aspirate': aspirate,
  'liquid_handler.dispense': dispense,
  'liquid_handler.transfer': transfer,
  'liquid_handler.safe_stop': safeStop,
}
