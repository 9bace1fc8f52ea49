// What every check reads: the plan's nodes with their registry rows and the strings of their args.
// Built once for each plan, in canonical order, so that no check depends on the order of an array.
import { topologicalOrder } from '../../protocol/graph.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan, PlanNode } from '../../protocol/plan.ts'
import { toPointer, type PathStep } from '../../protocol/pointer.ts'
import type { Registry, ToolEntry } from '../../protocol/registry.ts'
import type { SiteSnapshot, Submitter } from '../../protocol/snapshot.ts'
import { wordsOf } from './words.ts'

/** One scalar in a node's args. */
export type Leaf = {
  /** JSON pointer into the plan. */
  readonly at: string
  /** The nearest object key above it, as written; '' inside a bare array. */
  readonly key: string
  /** The key's words, and these in one word: `postHook` and `post-hook` are `posthook`. */
  readonly keyWords: readonly string[]
  readonly keyName: string
  /** All object keys from args down to it. */
  readonly keys: readonly string[]
  readonly value: string | number | boolean | null
}

export type TextLeaf = Leaf & { readonly value: string }

export type SceneNode = {
  readonly node: PlanNode
  /** JSON pointer of the node. */
  readonly at: string
  /** Undefined when the registry has no such tool: checks then refuse. */
  readonly tool: ToolEntry | undefined
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

/** Words of keys, which repeat from node to node. */
class KeyWords {
  readonly #known = new Map<string, Pick<Leaf, 'keyWords' | 'keyName'>>()

  of(key: string): Pick<Leaf, 'keyWords' | 'keyName'> {
    let found = this.#known.get(key)
    if (found === undefined) {
      const words = wordsOf(key)
      found = { keyWords: words, keyName: words.join('') }
      this.#known.set(key, found)
    }
    return found
  }
}

type Collector = { readonly keys: KeyWords; readonly out: Leaf[] }

function collect(value: JsonValue, path: readonly PathStep[], to: Collector): void {
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
  // The first three steps are `nodes`, the index and `args`.
  const keys = path.slice(3).filter((step): step is string => typeof step === 'string')
  const key = keys.at(-1) ?? ''
  to.out.push({
    at: toPointer(path),
    key,
    ...to.keys.of(key),
    keys,
    value,
  })
}

const isText = (leaf: Leaf): leaf is TextLeaf => typeof leaf.value === 'string'

function sceneNode(
  node: PlanNode,
  index: number,
  given: { readonly tool: ToolEntry | undefined; readonly keys: KeyWords },
): SceneNode {
  const leaves: Leaf[] = []
  collect(node.args, ['nodes', index, 'args'], { keys: given.keys, out: leaves })
  leaves.sort((a, b) => (a.at < b.at ? -1 : 1))
  return {
    node,
    at: toPointer(['nodes', index]),
    tool: given.tool,
    leaves,
    texts: leaves.filter(isText),
  }
}

/** The plan's nodes in canonical order, each with its registry row and the scalars of its args. */
export function sceneNodes(plan: Plan, registry: Registry): readonly SceneNode[] {
  const tools = new Map(registry.tools.map((tool) => [tool.name, tool]))
  const byId = new Map<string, SceneNode>()
  const keys = new KeyWords()
  for (const [i, node] of plan.nodes.entries()) {
    byId.set(node.id, sceneNode(node, i, { tool: tools.get(node.tool), keys }))
  }
  return topologicalOrder(plan.nodes).flatMap((id) => byId.get(id) ?? [])
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
