// The texts of a plan that grounding reads: each instruction, and each node as its tool and the
// scalar arguments, with the JSON pointer of where it stands.
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan, PlanNode } from '../../protocol/plan.ts'

export type Step = { readonly at: string; readonly text: string; readonly node: PlanNode | null }

/** Characters of one step that are read; a longer text is cut, which can only lose recall. */
const stepCharsMax = 600

/** Scalars of an argument tree, with their keys, bounded in number. */
export function scalars(value: JsonValue, key = '', out: string[] = []): string[] {
  if (out.length >= 60) return out
  if (Array.isArray(value)) for (const v of value as readonly JsonValue[]) scalars(v, key, out)
  else if (typeof value === 'object' && value !== null) {
    for (const [k, v] of Object.entries(value)) scalars(v, k, out)
  } else if (value !== null) out.push(typeof value === 'string' ? value : `${key} ${String(value)}`)
  return out
}

/** Instructions first, then nodes, in plan order. */
export function stepsOf(plan: Plan): Step[] {
  return [
    ...plan.instructions.map((text, i) => ({
      at: `/instructions/${i}`,
      text: text.slice(0, stepCharsMax),
      node: null,
    })),
    ...plan.nodes.map((node, i) => ({
      at: `/nodes/${i}`,
      text: `${node.tool.replace(/[._]/g, ' ')} ${scalars(node.args).join(' ')}`.slice(
        0,
        stepCharsMax,
      ),
      node,
    })),
  ]
}
