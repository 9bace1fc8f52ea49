// What a plan does to materials, in the words that the graph knows: what comes into which place, what is
// moved into which machine, what is heated. Taken from the one reading and the one dry run; nothing here
// reads a tool's name or an argument's key.
import type { Registry } from '../../protocol/registry.ts'
import type { CellState } from '../../protocol/state.ts'
import type { Scene } from '../read/scene.ts'
import type { Trace } from '../simulate/trace.ts'

export type Happening = {
  /** JSON pointer of the step. */
  readonly at: string
  /** Places and everything that is in them after the step, each substance as it was written. */
  readonly filled: readonly { readonly place: string; readonly materials: readonly string[] }[]
  /** Things with their contents that are put into a machine, and what that is called. */
  readonly moved: readonly { readonly materials: readonly string[]; readonly into: string }[]
  /** The hottest set temperature of the step in °C, or null. */
  readonly celsius: number | null
}

type Names = { readonly id: string; readonly names: readonly string[] }

/** Everything that a place, and the device that it belongs to, is called. */
function calledOf(registry: Pick<Registry, 'places' | 'devices'>, id: string): string {
  const place = registry.places.find((one) => one.id === id)
  const device = registry.devices.find((one) => one.id === (place?.device ?? id))
  const all: Names[] = [{ id, names: [] }, ...(place ? [place] : []), ...(device ? [device] : [])]
  return [...new Set(all.flatMap((one) => [one.id, ...one.names]))].join(' ; ')
}

function hottest(scene: Scene, i: number): number | null {
  const values = (scene.steps[i]?.acts ?? []).flatMap((act) =>
    Object.values(act.roles)
      .flat()
      .flatMap((value) =>
        value.kind === 'quantity' && value.dim === 'temperature' ? [value.value.hi] : [],
      ),
  )
  return values.length === 0 ? null : Math.max(...values)
}

type Roles = Scene['steps'][number]['acts'][number]['roles']

const keysIn = (roles: Roles, role: string): string[] =>
  (roles[role] ?? []).flatMap((value) =>
    value.kind === 'thing' || value.kind === 'place'
      ? [value.ref.part === null ? value.ref.key : `${value.ref.key} ${value.ref.part}`]
      : [],
  )

/** In the order of the steps. */
export function happeningsOf(
  scene: Scene,
  trace: Trace,
  registry: Pick<Registry, 'places' | 'devices' | 'streams'>,
  state: CellState,
): Happening[] {
  const inside = new Map<string, readonly string[]>()
  const add = (place: string, materials: readonly string[]): void => {
    inside.set(place, [...new Set([...(inside.get(place) ?? []), ...materials])])
  }
  for (const { thing, contents } of state.inventory) {
    for (const { part, substance } of contents) {
      add(part === undefined ? thing : `${thing} ${part}`, [substance])
    }
  }
  const calledThere = (place: string): string => {
    const stream = registry.streams.find(({ id }) => id === place)
    return stream === undefined ? place : [stream.id, ...stream.names].join(' ; ')
  }
  // A thing is carried with all its parts.
  const within = (thing: string): string[] =>
    [...inside].flatMap(([place, materials]) =>
      place === thing || place.startsWith(`${thing} `) ? materials : [],
    )
  return trace.steps.map((step, i) => {
    const touched = new Set<string>()
    // What a step names or draws comes to its destination, also where nobody knows what was there.
    for (const { roles } of scene.steps[i]?.acts ?? []) {
      const named = (roles['substance'] ?? []).flatMap((value) =>
        value.kind === 'substance' ? [value.substance.raw] : [],
      )
      const drawn = keysIn(roles, 'from').flatMap((from) => inside.get(from) ?? [])
      // A label never beats what was drawn.
      const materials = [...new Set([...named, ...drawn])]
      const to = keysIn(roles, 'to')
      for (const place of to.length > 0 ? to : keysIn(roles, 'device')) {
        if (materials.length === 0) continue
        add(place, materials)
        touched.add(place)
      }
    }
    for (const { thing, part, fact, after } of step.changes) {
      if (fact !== 'contents' || after?.kind !== 'contents' || after.value === null) continue
      const place = part === null ? thing : `${thing} ${part}`
      add(place, [...new Set(after.value.map(({ substance }) => substance.raw))])
      touched.add(place)
    }
    const filled = [...touched].map((place) => {
      return { place: calledThere(place), materials: inside.get(place) ?? [] }
    })
    const moved = step.changes.flatMap(({ thing, fact, after }) => {
      if (fact !== 'place' || after?.kind !== 'word' || after.value === null) return []
      const materials = within(thing)
      return materials.length === 0 ? [] : [{ materials, into: calledOf(registry, after.value) }]
    })
    return { at: step.at, filled, moved, celsius: hottest(scene, i) }
  })
}
