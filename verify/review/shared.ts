// Things that several cells of a site may use, and which of them a plan needs: what its steps name, what
// the dry run changes, and what it rests on. A door that must stay closed is needed like one that opens.
import type { Registry } from '../../protocol/registry.ts'
import type { CellState } from '../../protocol/state.ts'
import type { Scene } from '../read/scene.ts'
import type { Trace } from '../simulate/trace.ts'

/** A shared thing → the cells that share it. */
export function sharedThings(registry: Registry): ReadonlyMap<string, readonly string[]> {
  const all = [registry.devices, registry.barriers, registry.places, registry.things].flat()
  return new Map(
    all.flatMap(({ id, shared_by }) =>
      shared_by === undefined || shared_by.length === 0 ? [] : [[id, shared_by] as const],
    ),
  )
}

/** Every text in a value, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

/** A thing, what it belongs to or stands on, and the barriers around it. */
function withItsOwn(registry: Registry, state: CellState, ids: ReadonlySet<string>): Set<string> {
  const out = new Set(ids)
  // A set takes in what is added while it is gone through; each id once, so it ends.
  for (const id of out) {
    const place = registry.places.find((one) => one.id === id)
    const barrier = registry.barriers.find((one) => one.id === id)
    const device = registry.devices.find((one) => one.id === id)
    const at =
      state.inventory.find((one) => one.thing === id)?.at ??
      registry.things.find((one) => one.id === id)?.at
    const zone = registry.zones.find((one) => one.id === (place?.zone ?? device?.zone))
    const around = [...(device?.closed_while_on ?? []), ...(zone?.barriers ?? [])]
    for (const next of [place?.device, barrier?.device, at, ...around]) {
      if (next !== undefined) out.add(next)
    }
  }
  return out
}

/** The shared things that a run of the plan may use, sorted; all of them where a step may do anything. */
export function sharedBy(
  { scene, trace }: { readonly scene: Scene; readonly trace: Trace },
  registry: Registry,
  state: CellState,
): string[] {
  const shared = sharedThings(registry)
  if (shared.size === 0) return []
  if (scene.steps.some(({ opaque }) => opaque !== null)) return [...shared.keys()].toSorted()
  const named = scene.steps.flatMap((step) =>
    step.acts.flatMap((act) =>
      Object.values(act.roles)
        .flat()
        .flatMap((value) =>
          value.kind === 'thing' || value.kind === 'place' ? value.ref.key : [],
        ),
    ),
  )
  const changed = trace.steps.flatMap((step) => step.changes.map(({ thing }) => thing))
  const rested = trace.rested_on.map(({ thing }) => thing)
  // Known or not: what a rule of the site asks about is not for others to change meanwhile.
  const asked = new Set(trace.steps.flatMap(({ rules }) => rules))
  const ruled = textsIn(registry.rules.filter(({ id }) => asked.has(id)).map((rule) => rule.needs))
  const used = withItsOwn(registry, state, new Set([...named, ...changed, ...rested, ...ruled]))
  return [...shared.keys()].filter((id) => used.has(id)).toSorted()
}

/** For every other cell that shares one of these things, what of a list is about them. */
export function forOtherCells<T extends { readonly thing: string }>(
  registry: Registry,
  cell: string,
  about: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const shared = sharedThings(registry)
  const out = new Map<string, T[]>()
  for (const one of about) {
    for (const other of shared.get(one.thing) ?? []) {
      if (other !== cell) out.set(other, [...(out.get(other) ?? []), one])
    }
  }
  return out
}
