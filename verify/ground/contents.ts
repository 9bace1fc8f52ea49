// What a plan puts where: materials by place over all nodes, so that two steps that are harmless
// alone show when they meet in one vessel, stream or machine.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import type { PlanNode } from '../../protocol/plan.ts'
import { linkText } from './link.ts'
import { strengthIn } from './quantity.ts'
import type { Retrieved } from './retrieve.ts'

/** One material in a place: who brought it, and how strong the text says it is. */
export type Material = {
  readonly rid: number
  readonly at: string
  readonly percent: number | null
  readonly molar: number | null
  /** Hydrogen peroxide: below 8 % it is no oxidiser for transport. */
  readonly peroxide: boolean
}

/** A node puts materials into a place; a place is named by a label of the plan. */
export type Deposit = {
  readonly at: string
  readonly place: string
  readonly materials: readonly Material[]
}

const isObject = (v: JsonValue | undefined): v is JsonObject =>
  typeof v === 'object' && v !== null && !Array.isArray(v)

const textOf = (v: JsonValue | undefined): string => (typeof v === 'string' ? v : '')

/** Where a node's liquid ends up; null when it only takes or moves nothing. */
export function placeOf(node: PlanNode): string | null {
  const { destination, labware, container, vessel, target } = node.args
  if (isObject(destination)) return textOf(destination['labware']) || null
  if (textOf(destination) !== '') return textOf(destination)
  if (/aspirate|pick_up|read|fetch/.test(node.tool)) return null
  return textOf(container) || textOf(vessel) || textOf(target) || textOf(labware) || null
}

function sourceOf(node: PlanNode): string | null {
  const { source } = node.args
  if (isObject(source)) return textOf(source['labware']) || null
  return textOf(source) || null
}

/** Materials that a text names, with the strength it gives. */
export function materialsIn(text: string, at: string, got: Retrieved): Material[] {
  const strength = strengthIn(text)
  return linkText(text, got.names)
    .filter((rid) => got.nodes.get(rid)?.kind === 'chemical')
    .map((rid) => ({
      rid,
      at,
      ...strength,
      peroxide: /hydrogen-peroxide/.test(got.nodes.get(rid)?.id ?? ''),
    }))
}

/** Deposits in plan order, and the contents of every place at the end. */
export function depositsOf(
  nodes: readonly PlanNode[],
  got: Retrieved,
): { deposits: Deposit[]; contents: Map<string, Material[]> } {
  const deposits: Deposit[] = []
  const contents = new Map<string, Material[]>()
  for (const [i, node] of nodes.entries()) {
    const place = placeOf(node)
    const liquid = ['liquid', 'reagent', 'material', 'substance', 'chemical']
      .map((key) => textOf(node.args[key]))
      .join(' ; ')
    const named = materialsIn(liquid, `/nodes/${i}`, got)
    const carried = named.length > 0 ? [] : (contents.get(sourceOf(node) ?? '') ?? [])
    const materials = [...named, ...carried.map((m) => ({ ...m, at: `/nodes/${i}` }))]
    if (place === null || materials.length === 0) continue
    deposits.push({ at: `/nodes/${i}`, place, materials })
    contents.set(place, [...(contents.get(place) ?? []), ...materials])
  }
  return { deposits, contents }
}
