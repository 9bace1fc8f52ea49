// Balances and cameras: they look and do not move. A reading follows from what the arm put down.
import { createHash } from 'node:crypto'
import { act, round, text, type Tool } from '../act.ts'

const readBalance: Tool = (world, args) => {
  const id = text(args, 'balance_id')
  return act({
    device: id,
    seconds: 3,
    finish: () => {
      const loaded = (world.loads.get(id) ?? 0) * 1000
      // An empty pan was loaded by a person, who told the expected mass; drift is under 0.02 %.
      const expected = typeof args['expected_mass_mg'] === 'number' ? args['expected_mass_mg'] : 0
      const mass = round((loaded > 0 ? loaded : expected) * 1.0001)
      return { change: {}, result: { balance_id: id, mass_mg: mass } }
    },
    interrupt: () => ({}),
  })
}

const capture: Tool = (world, args) => {
  const id = text(args, 'camera_id')
  return act({
    device: id,
    seconds: 1,
    finish: () => {
      world.images += 1
      const scene = JSON.stringify([id, world.arm, world.doors, world.hoods, world.images])
      const sha256 = createHash('sha256').update(scene).digest('hex')
      return { change: { images: world.images }, result: { camera_id: id, image_sha256: sha256 } }
    },
    interrupt: () => ({}),
  })
}

export const benchTools: Record<string, Tool> = {
  'balance.read': readBalance,
  'camera.capture': capture,
}
