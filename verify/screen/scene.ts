// What every check reads: the plan's nodes with their registry rows and the strings of their args.
// Built once for each plan, in canonical order, so that no check depends on the order of an array.
import { topologicalOrder } from '../../protocol/graph.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import type { Plan, PlanNode } from '../../protocol/plan.ts'
import { toPointer, type PathStep } from '../../protocol/pointer.ts'
import type { Registry, ToolEntry } from '../../protocol/registry.ts'
import type { SiteSnapshot, Submitter } from '../../protocol/snapshot.ts'
import { unknownState } from '../../protocol/state.ts'
import { readSteps } from '../read/index.ts'
import type { Step } from '../read/scene.ts'
import { vocabulary } from '../read/vocabulary.ts'
import { keptFor } from '../lexicon/remembered.ts'

/** One scalar in a node's args. */
export type Leaf = {
  /** JSON pointer into the plan. */
  readonly at: string
  /**
   * The role that the site file binds it to (`to`, `as`, `signature`); '' when it is bound to none.
   * What a lab calls its arguments says nothing.
   */
  readonly role: string
  /** The nearest object key above it: text that a planner may have written, and nothing more. */
  readonly key: string
  readonly value: string | number | boolean | null
}

export type TextLeaf = Leaf & { readonly value: string }

export type SceneNode = {
  readonly node: PlanNode
  /** JSON pointer of the node. */
  readonly at: string
  /** Undefined when the registry has no such tool: checks then refuse. */
  readonly tool: ToolEntry | undefined
  /** What the call does, in acts. */
  readonly step: Step
  readonly leaves: readonly Leaf[]
  readonly texts: readonly TextLeaf[]
}

export type Scene = {
  readonly plan: Plan
  readonly snapshot: SiteSnapshot
  readonly submitter: Submitter
  readonly nowMs: number
  /** In canonical order: topological, ties by smallest id. */
  readonly nodes: readonly SceneNode[]
  readonly byId: ReadonlyMap<string, SceneNode>
  /** Goal and instructions with their pointers. */
  readonly prose: readonly { readonly at: string; readonly text: string }[]
}

function collect(
  value: JsonValue,
  path: readonly PathStep[],
  to: { readonly roles: ReadonlyMap<string, string>; readonly out: Leaf[] },
): void {
  if (Array.isArray(value)) {
    for (const [i, item] of (value as readonly JsonValue[]).entries()) {
      collect(item, [...path, i], to)
    }
    return
  }
  if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) collect(item, [...path, key], to)
    return
  }
  const at = toPointer(path)
  // The first three steps are `nodes`, the index and `args`.
  const keys = path.slice(3).filter((step): step is string => typeof step === 'string')
  to.out.push({ at, role: to.roles.get(at) ?? '', key: keys.at(-1) ?? '', value })
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Places of the keys of a tool's schema, in the order in which the site file lists them. */
const schemaOrder = keptFor((tool: ToolEntry): ReadonlyMap<string, number> => {
  const order = new Map<string, number>()
  const walk = (schema: JsonValue | undefined): void => {
    if (!isObject(schema)) return
    for (const [key, inner] of Object.entries(schema['properties'] ?? {})) {
      if (!order.has(key)) order.set(key, order.size)
      walk(inner as JsonValue)
    }
    walk(schema['items'])
  }
  walk(tool.args_schema)
  return order
})

/**
 * Leaves in the order of the schema, whatever the order in the plan, so that texts that are read in one
 * piece do not change places with what a lab calls its arguments. What no schema lists comes last.
 */
function inOrder(leaves: readonly Leaf[], tool: ToolEntry | null): readonly Leaf[] {
  const order = tool === null ? null : schemaOrder(tool)
  const ranked = leaves.map((leaf) => ({
    leaf,
    ranks: leaf.at
      .split('/')
      .slice(4)
      .map((step) => order?.get(step) ?? (/^\d+$/.test(step) ? Number(step) : Infinity)),
  }))
  ranked.sort((a, b) => {
    for (let i = 0; i < Math.min(a.ranks.length, b.ranks.length); i += 1) {
      const [x = 0, y = 0] = [a.ranks[i], b.ranks[i]]
      if (x !== y) return x < y ? -1 : 1
    }
    return a.leaf.at < b.leaf.at ? -1 : 1
  })
  return ranked.map(({ leaf }) => leaf)
}

const isText = (leaf: Leaf): leaf is TextLeaf => typeof leaf.value === 'string'

/** Which role each argument is bound to, by its pointer into the plan. */
function rolesOf(step: Step): Map<string, string> {
  const roles = new Map<string, string>()
  for (const act of step.acts) {
    for (const [role, values] of Object.entries(act.roles)) {
      for (const { at } of values) if (!roles.has(at)) roles.set(at, role)
    }
  }
  return roles
}

function sceneNode(step: Step): SceneNode {
  const leaves: Leaf[] = []
  const [, , index = '0'] = step.at.split('/')
  collect(step.node.args, ['nodes', Number(index), 'args'], { roles: rolesOf(step), out: leaves })
  const sorted = inOrder(leaves, step.row)
  return {
    node: step.node,
    at: step.at,
    tool: step.row ?? undefined,
    step,
    leaves: sorted,
    texts: sorted.filter(isText),
  }
}

/** The plan's nodes in canonical order, each with its registry row and the scalars of its args. */
export function sceneNodes(plan: Plan, registry: Registry): readonly SceneNode[] {
  // The floor needs no state of the cell: what stands where changes nothing that it asks.
  const order = topologicalOrder(plan.nodes)
  return readSteps(plan, order, registry, unknownState, vocabulary).map(sceneNode)
}

/** Gathers what the checks read. Throws on a graph that was never admitted. */
export function buildScene(
  plan: Plan,
  snapshot: SiteSnapshot,
  who: { readonly submitter: Submitter; readonly nowMs: number },
): Scene {
  const nodes = sceneNodes(plan, snapshot.registry)
  const byId = new Map(nodes.map((used) => [used.node.id, used]))
  const prose = [
    { at: '/goal', text: plan.goal },
    ...plan.instructions.map((text, i) => ({ at: `/instructions/${i}`, text })),
  ]
  return { plan, snapshot, submitter: who.submitter, nowMs: who.nowMs, nodes, byId, prose }
}
