// The plan's graph: what makes it valid and the one order in which it may run. Both halves need it and
// may not import each other, and the agent computes the order again (docs/decisions/0003).
import type { PlanNode } from './plan.ts'
import { toPointer } from './pointer.ts'
import type { Violation, ViolationCode } from './reasons.ts'

type GraphNode = Pick<PlanNode, 'id' | 'depends_on'>

/** UTF-16 order (ECMAScript `<`), the order of RFC 8785 keys. */
function before(a: string, b: string): boolean {
  return a < b
}

/** A binary heap of ids, smallest first, so that 256 nodes cost n log n whatever their shape. */
class SmallestFirst {
  readonly #heap: string[] = []

  get size(): number {
    return this.#heap.length
  }

  push(id: string): void {
    const heap = this.#heap
    let i = heap.push(id) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      // Both indices are inside the heap by construction.
      if (!before(heap[i] as string, heap[parent] as string)) return
      ;[heap[i], heap[parent]] = [heap[parent] as string, heap[i] as string]
      i = parent
    }
  }

  pop(): string {
    const heap = this.#heap
    const top = heap[0]
    const last = heap.pop()
    if (top === undefined || last === undefined) throw new RangeError('pop of an empty heap')
    if (heap.length === 0) return top
    heap[0] = last
    let i = 0
    for (;;) {
      let least = i
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < heap.length && before(heap[child] as string, heap[least] as string)) {
          least = child
        }
      }
      if (least === i) return top
      ;[heap[i], heap[least]] = [heap[least] as string, heap[i] as string]
      i = least
    }
  }
}

/** Kahn's algorithm; nodes on or behind a cycle are missing from the result. */
function kahn(nodes: readonly GraphNode[]): string[] {
  const open = new Map<string, number>()
  const dependents = new Map<string, string[]>()
  for (const node of nodes) {
    open.set(node.id, node.depends_on.length)
    for (const dependency of node.depends_on) {
      const list = dependents.get(dependency)
      if (list === undefined) dependents.set(dependency, [node.id])
      else list.push(node.id)
    }
  }
  const ready = new SmallestFirst()
  for (const [id, count] of open) if (count === 0) ready.push(id)
  const order: string[] = []
  while (ready.size > 0) {
    const id = ready.pop()
    order.push(id)
    for (const dependent of dependents.get(id) ?? []) {
      const left = (open.get(dependent) ?? 0) - 1
      open.set(dependent, left)
      if (left === 0) ready.push(dependent)
    }
  }
  return order
}

/** One cycle among the nodes that Kahn's algorithm left over, smallest id first. */
function findCycle(nodes: readonly GraphNode[], ordered: ReadonlySet<string>): string[] {
  const left = new Map<string, string[]>()
  for (const node of nodes) {
    if (ordered.has(node.id)) continue
    left.set(node.id, node.depends_on.filter((id) => !ordered.has(id)).toSorted())
  }
  // Every node left over waits for another one left over, so this walk must meet itself.
  const seen = new Map<string, number>()
  const walk: string[] = []
  let at = [...left.keys()].toSorted()[0]
  while (at !== undefined && !seen.has(at)) {
    seen.set(at, walk.length)
    walk.push(at)
    at = left.get(at)?.[0]
  }
  const cycle = walk.slice(at === undefined ? 0 : seen.get(at))
  const smallest = cycle.indexOf(cycle.toSorted()[0] ?? '')
  return [...cycle.slice(smallest), ...cycle.slice(0, smallest)]
}

function nodeViolations(nodes: readonly GraphNode[]): Violation[] {
  const out: Violation[] = []
  const add = (code: ViolationCode, path: readonly PropertyKey[], message: string) => {
    out.push({ code, at: toPointer(['nodes', ...path]), message })
  }
  const first = new Map<string, number>()
  for (const [i, node] of nodes.entries()) {
    const earlier = first.get(node.id)
    if (earlier === undefined) first.set(node.id, i)
    else add('id_duplicate', [i, 'id'], `the id ${node.id} is already that of node ${earlier}`)
  }
  for (const [i, node] of nodes.entries()) {
    const seen = new Set<string>()
    for (const [j, dependency] of node.depends_on.entries()) {
      const path = [i, 'depends_on', j]
      if (dependency === node.id) add('dependency_self', path, 'a node cannot wait for itself')
      else if (!first.has(dependency)) {
        add('dependency_unknown', path, `no node has the id ${dependency}`)
      } else if (seen.has(dependency)) {
        add('dependency_duplicate', path, `${dependency} is already listed`)
      }
      seen.add(dependency)
    }
  }
  return out
}

/**
 * Everything that is wrong with the graph, in document order. A cycle is named with its path, from
 * its smallest id along the dependencies. Only looked for when ids and dependencies are sound.
 */
export function validateGraph(nodes: readonly GraphNode[]): Violation[] {
  const violations = nodeViolations(nodes)
  if (violations.length > 0) return violations
  const order = kahn(nodes)
  if (order.length === nodes.length) return []
  const cycle = findCycle(nodes, new Set(order))
  const at = nodes.findIndex((node) => node.id === cycle[0])
  const path = [...cycle, cycle[0]].join(' → ')
  return [{ code: 'cycle', at: `/nodes/${at}/depends_on`, message: `cycle: ${path}` }]
}

/**
 * The one order in which the nodes may run: topological, among ready nodes always the smallest id in
 * UTF-16 order, whatever the order of the array. Throws on a graph that `validateGraph` refuses.
 */
export function topologicalOrder(nodes: readonly GraphNode[]): string[] {
  const order = kahn(nodes)
  if (order.length !== nodes.length || new Set(order).size !== nodes.length) {
    throw new TypeError('the graph is not valid: validateGraph first')
  }
  return order
}
