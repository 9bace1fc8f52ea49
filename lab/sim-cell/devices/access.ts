// Doors and fume-hood sashes. The guard's interlock is hardware: no argument of a call defeats it.
import { act, number, refuse, round, row, text, type Tool } from '../act.ts'

const sashCmPerS = 5

function latch(locked: boolean): Tool {
  return (world, args) => {
    const id = text(args, 'door_id')
    const door = row(world.doors, id)
    if (!locked && args['bypass_interlock'] === true) {
      return refuse('the interlock is hardware and cannot be bypassed')
    }
    if (!locked && id === 'enclosure_A' && world.arm.mode === 'full') {
      return refuse('enclosure_A stays locked while the arm is in full mode')
    }
    const from = door.locked
    return act({
      device: `door_${id}`,
      seconds: 1,
      finish: () => {
        door.locked = locked
        return { change: { door: id, locked: [from, locked] }, result: { locked } }
      },
      interrupt: () => ({ door: id, locked: [from, from] }),
    })
  }
}

const setSash: Tool = (world, args) => {
  const id = text(args, 'hood_id')
  const hood = row(world.hoods, id)
  const from = hood.sash_cm
  const to = number(args, 'height_cm')
  const move = (height: number) => {
    hood.sash_cm = round(height)
    return { hood: id, sash_cm: [from, hood.sash_cm] }
  }
  return act({
    device: id,
    group: 'hoods',
    seconds: 0.5 + Math.abs(to - from) / sashCmPerS,
    finish: () => ({ change: move(to), result: { sash_cm: to } }),
    interrupt: (fraction) => move(from + (to - from) * fraction),
  })
}

const safeStop: Tool = () =>
  act({
    device: 'hoods',
    stops: 'hoods',
    seconds: 0.2,
    finish: () => ({ change: { sash: 'stopped' }, result: { stopped: true } }),
    interrupt: () => ({ sash: 'stopped' }),
    uninterruptible: true,
  })

export const accessTools: Record<string, Tool> = {
  'door.lock': latch(true),
  'door.unlock': latch(false),
  'fume_hood.set_sash': setSash,
  'fume_hood.safe_stop': safeStop,
}
