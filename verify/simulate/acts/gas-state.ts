// Which gases of a device flow: each until it is shut itself.
import type { Ctx } from '../context.ts'
import type { Tri } from '../trace.ts'
import type { Device } from '../world.ts'

/** Where the state keeps whether one gas of a device flows; the device's own fact is all of them. */
export const prefixOf = (device: Device): string => `${device.id}|energised|`

/** The gases that the run has set on a device. */
export const flowing = (ctx: Ctx, device: Device): Tri[] =>
  [...ctx.state.facts].flatMap(([key, value]) =>
    key.startsWith(prefixOf(device)) ? [typeof value === 'boolean' ? value : null] : [],
  )

export function setFlowing(ctx: Ctx, key: string, on: Tri): void {
  const facts = new Map(ctx.state.facts)
  facts.set(key, on)
  ctx.state = { ...ctx.state, facts }
}

/** Every gas of a device stops with it. */
export function shutGases(ctx: Ctx, device: Device): void {
  for (const key of ctx.state.facts.keys()) {
    if (key.startsWith(prefixOf(device))) setFlowing(ctx, key, false)
  }
}
