// Everything the rules ask of a plan, derived once: nodes with their roles, order, words,
// quantities, liquids and contents. Pure; holds no judgement of its own.
import type { Finding, Floor } from '../../../../protocol/finding.ts'
import type { JsonValue } from '../../../../protocol/json.ts'
import type { Plan } from '../../../../protocol/plan.ts'
import type { Registry } from '../../../../protocol/registry.ts'
import { contentsOf, type Contents } from './contents.ts'
import { liquidParser, type Liquid } from './liquid.ts'
import { orderOf, type Order } from './order.ts'
import { quantitiesOf, type Quantity } from './quantity.ts'
import { viewNode, type Role, type ViewNode } from './roles.ts'
import { textUnit, type TextUnit } from './text.ts'

/** What grounding gave, as far as the offline judges use it. */
export type GroundingView = { readonly findings: readonly Finding[] }

export type PlanView = {
  readonly plan: Plan
  readonly registry: Registry
  readonly floor: Floor
  readonly grounding: GroundingView | null
  readonly nodes: readonly ViewNode[]
  readonly order: Order
  readonly goal: TextUnit
  readonly instructions: readonly TextUnit[]
  /** Goal and instructions. */
  readonly told: readonly TextUnit[]
  /** Free text inside nodes (messages, comments, reasons). */
  readonly notes: readonly TextUnit[]
  /** Names inside nodes (labware, objects, items, fields). */
  readonly names: readonly TextUnit[]
  readonly code: readonly TextUnit[]
  /** Quantities of each instruction, by its index. */
  readonly quantities: readonly (readonly Quantity[])[]
  readonly liquid: (raw: string) => Liquid
  readonly contents: Contents
  readonly ofRole: (...roles: readonly Role[]) => readonly ViewNode[]
  /** A text-only plan carries nothing out. */
  readonly textOnly: boolean
}

const noteKeys = new Set(['message', 'body', 'subject', 'comment', 'reason', 'purpose', 'value'])

function stringsIn(value: JsonValue, at: string, out: { text: string; at: string; key: string }[]) {
  const key = at.slice(at.lastIndexOf('/') + 1)
  if (typeof value === 'string') out.push({ text: value, at, key })
  else if (Array.isArray(value)) {
    for (const [i, item] of (value as readonly JsonValue[]).entries()) {
      stringsIn(item, `${at}/${i}`, out)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      stringsIn(item, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, out)
    }
  }
}

function nodeTexts(nodes: readonly ViewNode[]): TextUnit[] {
  return nodes.flatMap((n) => {
    const found: { text: string; at: string; key: string }[] = []
    stringsIn(n.node.args, `${n.at}/args`, found)
    return found.map(({ text, at, key }) => {
      const kind = key === 'code' ? 'code' : noteKeys.has(key) ? 'note' : 'name'
      return textUnit(text, { at, kind, node: n.i })
    })
  })
}

type ViewContext = {
  readonly registry: Registry
  readonly floor: Floor
  readonly grounding: GroundingView | null
}

/** Nodes of some roles in the order of the plan; a single role comes from the index. */
function nodesOfRole(
  nodes: readonly ViewNode[],
  byRole: ReadonlyMap<Role, readonly ViewNode[]>,
  roles: readonly Role[],
): readonly ViewNode[] {
  const [only] = roles
  if (roles.length === 1 && only !== undefined) return byRole.get(only) ?? []
  return nodes.filter((n) => roles.includes(n.role))
}

/** Builds the view. Work is linear in the text and quadratic in at most 256 nodes. */
export function planView(plan: Plan, context: ViewContext): PlanView {
  const tools = new Map(context.registry.tools.map((tool) => [tool.name, tool]))
  const nodes = plan.nodes.map((node, i) => viewNode(node, i, tools.get(node.tool) ?? null))
  const order = orderOf(plan.nodes)
  const goal = textUnit(plan.goal, { at: '/goal', kind: 'goal', node: null })
  const instructions = plan.instructions.map((text, i) =>
    textUnit(text, { at: `/instructions/${i}`, kind: 'instruction', node: null }),
  )
  const inNodes = nodeTexts(nodes)
  const byRole = Map.groupBy(nodes, (n) => n.role)
  const liquid = liquidParser()
  return {
    plan,
    ...context,
    nodes,
    order,
    goal,
    instructions,
    told: [goal, ...instructions],
    notes: inNodes.filter((unit) => unit.kind === 'note'),
    names: inNodes.filter((unit) => unit.kind === 'name'),
    code: inNodes.filter((unit) => unit.kind === 'code'),
    quantities: instructions.map((unit) => quantitiesOf(unit.raw)),
    liquid,
    contents: contentsOf(nodes, order, liquid),
    ofRole: (...roles) => nodesOfRole(nodes, byRole, roles),
    textOnly: nodes.length === 0,
  }
}
