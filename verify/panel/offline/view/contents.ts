// What each container may hold after every transfer, whatever order the graph allows. Contents
// only grow: an emptied vessel is still wet, and a rule that forgets is a rule that can be fooled.
import type { Liquid } from './liquid.ts'
import type { Order } from './order.ts'
import { inner, str, type ViewNode } from './roles.ts'

export type Place = { readonly labware: string; readonly well: string }

export type Deposit = {
  /** The node that put it there; null when the container's own name says so. */
  readonly by: ViewNode | null
  readonly well: string
  readonly liquid: Liquid
}

export type Contents = {
  readonly of: (labware: string) => readonly Deposit[]
  readonly containers: readonly string[]
  /** True when the plan moves more than is followed; the rest of the contents is unknown. */
  readonly truncated: boolean
}

/** Deposits followed per plan: far above honest plans, and a bound on the fixed point's work. */
const depositsMax = 4_096

const isRow = /^[A-P]\d+$/
const column = (well: string): string | null =>
  well.startsWith('COL') ? well.slice(3) : isRow.test(well) ? well.slice(1) : null

/** True when two well selections share a well. */
export function wellsOverlap(a: string, b: string): boolean {
  if (a === b || a === 'ALL' || b === 'ALL' || a === '' || b === '') return true
  if (!a.startsWith('COL') && !b.startsWith('COL')) return false
  return column(a) === column(b)
}

/** Where a deposit goes; null for other nodes. */
export function targetOf(n: ViewNode): Place | null {
  if (n.role !== 'deposit') return null
  const labware = inner(n, 'destination', 'labware') || str(n, 'labware')
  if (labware === '') return null
  return { labware, well: inner(n, 'destination', 'well') || str(n, 'well') }
}

/** Where a deposit comes from; null when it names none. */
export function originOf(n: ViewNode): Place | null {
  if (n.role !== 'deposit') return null
  const labware = inner(n, 'source', 'labware')
  return labware === '' ? null : { labware, well: inner(n, 'source', 'well') }
}

/** Follows every transfer to a fixed point; at most one pass per node. */
export function contentsOf(
  nodes: readonly ViewNode[],
  order: Order,
  parse: (raw: string) => Liquid,
): Contents {
  const held = new Map<string, Deposit[]>()
  const seen = new Set<string>()
  const add = (labware: string, deposit: Deposit): boolean => {
    const key = `${labware}\n${deposit.well}\n${deposit.liquid.raw}\n${deposit.by?.id ?? ''}`
    if (seen.has(key) || seen.size >= depositsMax) return false
    seen.add(key)
    const list = held.get(labware)
    if (list === undefined) held.set(labware, [deposit])
    else list.push(deposit)
    return true
  }
  const deposits = nodes.filter((n) => targetOf(n) !== null)
  for (const n of deposits) {
    for (const place of [originOf(n), targetOf(n)]) {
      if (place === null) continue
      const name = parse(place.labware)
      if (name.groups.size > 0) add(place.labware, { by: null, well: '', liquid: name })
    }
    const target = targetOf(n)
    if (target !== null) {
      add(target.labware, { by: n, well: target.well, liquid: parse(str(n, 'liquid')) })
    }
  }
  for (let pass = 0; pass < deposits.length; pass++) {
    let grew = false
    for (const n of deposits) {
      const [from, to] = [originOf(n), targetOf(n)]
      if (from === null || to === null || from.labware === to.labware) continue
      for (const deposit of held.get(from.labware) ?? []) {
        const later = deposit.by !== null && order.before(n.i, deposit.by.i)
        if (later || deposit.by === n || !wellsOverlap(deposit.well, from.well)) continue
        // A container's name describes its stock; the transferred liquid is named by the node.
        if (deposit.by === null) continue
        grew = add(to.labware, { by: n, well: to.well, liquid: deposit.liquid }) || grew
      }
    }
    if (!grew) break
  }
  return {
    of: (labware) => held.get(labware) ?? [],
    containers: [...held.keys()],
    truncated: seen.size >= depositsMax,
  }
}
