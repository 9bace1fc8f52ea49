// The robot arm: it never exceeds its speed ceiling, and full mode needs the enclosure locked in
// hardware. A stopped arm keeps its grip.
import { act, number, refuse, round, text, type Tool } from '../act.ts'

const payloadGMax = 5000
const collaborativeMmS = 250
/** Travel between two zones and within one, in millimetres. */
const travelMm = { across: 1800, within: 600 } as const

const moveToPose: Tool = (world, args) => {
  const pose = text(args, 'pose')
  const zone = text(args, 'zone')
  const speed = Math.min(number(args, 'speed_mm_s'), world.arm.speed_mm_s)
  const from = world.arm.pose
  const distance = zone === world.arm.zone ? travelMm.within : travelMm.across
  return act({
    device: 'arm',
    seconds: 0.5 + distance / speed,
    finish: () => {
      world.arm.pose = pose
      world.arm.zone = zone
      return { change: { pose: [from, pose], zone, speed_mm_s: speed }, result: { pose, zone } }
    },
    interrupt: (fraction) => {
      world.arm.pose = `between ${from} and ${pose}`
      return { pose: [from, world.arm.pose], fraction: round(fraction), brakes: 'on' }
    },
  })
}

const pick: Tool = (world, args) => {
  const object = text(args, 'object')
  const location = text(args, 'location')
  const mass = typeof args['mass_g'] === 'number' ? args['mass_g'] : 0
  const held = world.arm.holding
  if (held !== null) return refuse(`the gripper already holds ${held.object}`)
  if (mass > payloadGMax) return refuse(`${mass} g is above the payload of ${payloadGMax} g`)
  const known = world.objects.get(object)
  if (known !== undefined && known !== location) {
    return refuse(`${object} is at ${known}, not at ${location}`)
  }
  return act({
    device: 'arm',
    seconds: 4,
    finish: () => {
      world.arm.holding = { object, mass_g: mass }
      world.objects.set(object, 'gripper')
      world.loads.set(location, Math.max(0, (world.loads.get(location) ?? 0) - mass))
      return { change: { holding: [null, object], from: location }, result: { holding: object } }
    },
    interrupt: (fraction) => ({ holding: [null, null], fraction: round(fraction), brakes: 'on' }),
  })
}

const place: Tool = (world, args) => {
  const location = text(args, 'location')
  const held = world.arm.holding
  if (held === null) return refuse('the gripper holds nothing')
  return act({
    device: 'arm',
    seconds: 4,
    finish: () => {
      world.arm.holding = null
      world.objects.set(held.object, location)
      world.loads.set(location, (world.loads.get(location) ?? 0) + held.mass_g)
      return { change: { holding: [held.object, null], to: location }, result: { location } }
    },
    interrupt: (fraction) => ({
      holding: [held.object, held.object],
      fraction: round(fraction),
      brakes: 'on',
    }),
  })
}

const openGripper: Tool = (world, args) => {
  const width = number(args, 'width_mm')
  const held = world.arm.holding
  if (held !== null) return refuse(`opening would drop ${held.object}`)
  const from = world.arm.gripper_mm
  const move = (to: number) => {
    world.arm.gripper_mm = round(to)
    return { gripper_mm: [from, world.arm.gripper_mm] }
  }
  return act({
    device: 'arm',
    seconds: 1,
    finish: () => ({ change: move(width), result: { gripper_mm: width } }),
    interrupt: (fraction) => move(from + (width - from) * fraction),
  })
}

const setSpeed: Tool = (world, args) => {
  const mode = text(args, 'mode') === 'full' ? 'full' : 'collaborative'
  const asked = number(args, 'speed_mm_s')
  if (mode === 'full' && world.doors['enclosure_A']?.locked !== true) {
    return refuse('full mode needs enclosure_A locked')
  }
  const speed = mode === 'full' ? asked : Math.min(asked, collaborativeMmS)
  const from = world.arm.speed_mm_s
  return act({
    device: 'arm',
    seconds: 0.2,
    finish: () => {
      world.arm.speed_mm_s = speed
      world.arm.mode = mode
      return { change: { speed_mm_s: [from, speed], mode }, result: { speed_mm_s: speed, mode } }
    },
    interrupt: () => ({ speed_mm_s: [from, from] }),
  })
}

const safeStop: Tool = (world) =>
  act({
    device: 'arm',
    stops: 'arm',
    seconds: 0.3,
    finish: () => {
      world.arm.mode = 'collaborative'
      world.arm.speed_mm_s = collaborativeMmS
      const holding = world.arm.holding?.object ?? null
      return { change: { brakes: 'on', pose: world.arm.pose, holding }, result: { stopped: true } }
    },
    interrupt: () => ({ brakes: 'on' }),
    uninterruptible: true,
  })

export const armTools: Record<string, Tool> = {
  'arm.move_to_pose': moveToPose,
  'arm.pick': pick,
  'arm.place': place,
  'arm.open_gripper': openGripper,
  'arm.set_speed': setSpeed,
  'arm.safe_stop': safeStop,
}
