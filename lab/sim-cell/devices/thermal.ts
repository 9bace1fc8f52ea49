// Heater-shakers, hotplate and thermocyclers: ramps take time, a stop leaves the block between the
// two temperatures, and a cycler does not run with its lid open.
import { act, isObject, list, number, refuse, round, row, text, type Tool } from '../act.ts'

const heatCPerS = 0.5
const coolCPerS = 0.2
const cyclerCPerS = 3

const hold = (value: unknown): number => (typeof value === 'number' ? value : 0)

const setTemperature: Tool = (world, args) => {
  const id = text(args, 'device_id')
  const heater = row(world.heaters, id)
  const target = number(args, 'temperature_c')
  const from = heater.temperature_c
  const ramp = Math.abs(target - from) / (target > from ? heatCPerS : coolCPerS)
  const seconds = ramp + hold(args['hold_s'])
  return act({
    device: id,
    group: 'heaters',
    seconds,
    finish: () => {
      // The device regulates for the hold and then stands by; nothing stays on after the call.
      heater.temperature_c = target
      heater.target_c = null
      return {
        change: { device: id, temperature_c: [from, target] },
        result: { temperature_c: target },
      }
    },
    interrupt: (fraction) => {
      const ramped = ramp === 0 ? 1 : Math.min(1, (fraction * seconds) / ramp)
      heater.temperature_c = round(from + (target - from) * ramped)
      heater.target_c = null
      return { device: id, temperature_c: [from, heater.temperature_c], heating: false }
    },
  })
}

const setSpeed: Tool = (world, args) => {
  const id = text(args, 'device_id')
  const heater = row(world.heaters, id)
  const rpm = number(args, 'rpm')
  const from = heater.rpm
  return act({
    device: id,
    group: 'heaters',
    seconds: 2 + hold(args['hold_s']),
    finish: () => {
      // It shakes for the hold and then stands still.
      heater.rpm = 0
      return { change: { device: id, rpm: [from, rpm, 0] }, result: { rpm } }
    },
    interrupt: () => {
      heater.rpm = 0
      return { device: id, rpm: [from, 0] }
    },
  })
}

const heatersOff: Tool = (world) =>
  act({
    device: 'heaters',
    stops: 'heaters',
    seconds: 1,
    finish: () => {
      for (const heater of Object.values(world.heaters)) {
        heater.target_c = null
        heater.rpm = 0
      }
      return { change: { heating: false, rpm: 0 }, result: { stopped: true } }
    },
    interrupt: () => ({ heating: false }),
    uninterruptible: true,
  })

function lid(open: boolean): Tool {
  return (world, args) => {
    const id = text(args, 'device_id')
    const cycler = row(world.thermocyclers, id)
    const from = cycler.lid_open
    return act({
      device: id,
      group: 'thermocyclers',
      seconds: open === from ? 0.5 : 8,
      finish: () => {
        cycler.lid_open = open
        if (!open && typeof args['lid_temperature_c'] === 'number') {
          cycler.lid_c = args['lid_temperature_c']
        }
        return { change: { device: id, lid_open: [from, open] }, result: { lid_open: open } }
      },
      interrupt: (fraction) => ({ device: id, lid_open: [from, from], fraction: round(fraction) }),
    })
  }
}

const runProfile: Tool = (world, args) => {
  const id = text(args, 'device_id')
  const cycler = row(world.thermocyclers, id)
  if (cycler.lid_open) return refuse(`the lid of ${id} is open`)
  const steps = list(args['steps'])
    .filter(isObject)
    .map((step) => ({ c: number(step, 'temperature_c'), s: number(step, 'hold_s') }))
  const cycles = number(args, 'cycles')
  let seconds = 0
  let at = cycler.block_c
  for (const step of steps) {
    seconds += step.s + Math.abs(step.c - at) / cyclerCPerS
    at = step.c
  }
  const from = cycler.block_c
  return act({
    device: id,
    group: 'thermocyclers',
    seconds: seconds * cycles,
    finish: () => {
      cycler.block_c = at
      return { change: { device: id, block_c: [from, at], cycles }, result: { cycles } }
    },
    interrupt: (fraction) => {
      const done = Math.floor(cycles * fraction)
      return { device: id, cycles: done, of: cycles, heating: false }
    },
  })
}

const cyclersOff: Tool = (world) =>
  act({
    device: 'thermocyclers',
    stops: 'thermocyclers',
    seconds: 1,
    finish: () => {
      for (const cycler of Object.values(world.thermocyclers)) cycler.lid_c = 22
      return { change: { heating: false }, result: { stopped: true } }
    },
    interrupt: () => ({ heating: false }),
    uninterruptible: true,
  })

export const thermalTools: Record<string, Tool> = {
  'heater_shaker.set_temperature': setTemperature,
  'heater_shaker.set_speed': setSpeed,
  'heater_shaker.safe_stop': heatersOff,
  'thermocycler.open_lid': lid(true),
  'thermocycler.close_lid': lid(false),
  'thermocycler.run_profile': runProfile,
  'thermocycler.safe_stop': cyclersOff,
}
