// Labels travel along depends_on, references, files and records to whatever comes after, and never wash
// off: code and stores pass on what they were given. Linear in edges times the number of labels.
import type { Scene, SceneNode } from '../scene.ts'
import { ownLabels } from './labels.ts'
import { referencesOf, type Reference } from './references.ts'

/** What reaches a node, by how it gets there. Bits of `labelBit`. */
export type Inflow = {
  /** Named in the arguments: a reference, a file, a record, or the value itself. */
  readonly stated: number
  /** Along dependencies on nodes that pass data on. */
  readonly data: number
  /** Along dependencies that only order physical steps: data may come this way, but need not. */
  readonly order: number
}

export type Flow = {
  readonly inflow: ReadonlyMap<string, Inflow>
  readonly own: ReadonlyMap<string, number>
  readonly references: ReadonlyMap<string, readonly Reference[]>
  /** All nodes a node depends on, directly or not. */
  readonly ancestors: (id: string) => ReadonlySet<string>
}

/** Tools whose output is data: they hand on what they were given. */
function passesData({ tool }: SceneNode): boolean {
  if (tool === undefined || tool.sink !== null) return true
  // What a device says of itself is not what it was told.
  if (tool.emits.some((label) => label !== 'device_state')) return true
  return tool.risk_class === 'read' || tool.risk_class === 'network' || tool.risk_class === 'code'
}

type Mutable = { stated: number; data: number; order: number; out: number; outOrder: number }

/** Adds what `from` gives to `to`; true when something was new. */
function pass(from: Mutable, to: Mutable, how: 'stated' | 'data' | 'order'): boolean {
  const before = [to.stated, to.data, to.order] as const
  if (how === 'stated') to.stated |= from.out
  else if (how === 'data') to.data |= from.out
  else to.order |= from.out
  to.order |= from.outOrder
  return before[0] !== to.stated || before[1] !== to.data || before[2] !== to.order
}

function settle(used: SceneNode, own: number, state: Mutable): void {
  const given = state.stated | state.data
  if (passesData(used)) {
    state.out = own | given
    state.outOrder = state.order
  } else {
    state.out = own
    state.outOrder = state.order | given
  }
}

/** Least fixpoint over the graph; ends because bits only rise, also when references run in a circle. */
export function traceFlow(scene: Scene): Flow {
  const references = referencesOf(scene)
  const own = new Map(
    scene.nodes.map((used) => [used.node.id, ownLabels(used, scene.snapshot.registry)]),
  )
  const states = new Map<string, Mutable>()
  for (const used of scene.nodes) {
    const bits = own.get(used.node.id) ?? 0
    const state = { stated: 0, data: 0, order: 0, out: 0, outOrder: 0 }
    settle(used, bits, state)
    states.set(used.node.id, state)
  }
  for (let changed = true; changed;) {
    changed = false
    for (const used of scene.nodes) {
      const to = states.get(used.node.id)
      if (to === undefined) continue
      for (const { from } of references.get(used.node.id) ?? []) {
        const source = states.get(from)
        if (source !== undefined && pass(source, to, 'stated')) changed = true
      }
      for (const id of used.node.depends_on) {
        const source = states.get(id)
        const node = scene.byId.get(id)
        if (source === undefined || node === undefined) continue
        if (pass(source, to, passesData(node) ? 'data' : 'order')) changed = true
      }
      settle(used, own.get(used.node.id) ?? 0, to)
    }
  }
  const inflow = new Map<string, Inflow>()
  for (const [id, { stated, data, order }] of states) inflow.set(id, { stated, data, order })
  return { inflow, own, references, ancestors: ancestorsIn(scene) }
}

function ancestorsIn(scene: Scene): (id: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>()
  return (id) => {
    const cached = known.get(id)
    if (cached !== undefined) return cached
    const found = new Set<string>()
    const stack = [...(scene.byId.get(id)?.node.depends_on ?? [])]
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (found.has(at)) continue
      found.add(at)
      stack.push(...(scene.byId.get(at)?.node.depends_on ?? []))
    }
    known.set(id, found)
    return found
  }
}

/** The nearest node, by id, whose own output has the label and from which `id` can be reached. */
export function sourceOf(scene: Scene, flow: Flow, at: { id: string; bit: number }): string {
  const queue = [at.id]
  const seen = new Set(queue)
  for (let i = 0; i < queue.length; i += 1) {
    const id = queue[i] ?? ''
    if (id !== at.id && ((flow.own.get(id) ?? 0) & at.bit) !== 0) return id
    const before = [
      ...(flow.references.get(id) ?? []).map(({ from }) => from),
      ...(scene.byId.get(id)?.node.depends_on ?? []),
    ].toSorted()
    for (const next of before) {
      if (seen.has(next)) continue
      seen.add(next)
      queue.push(next)
    }
  }
  return at.id
}
