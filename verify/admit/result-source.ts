// What a reference or a comparison takes: a declared result of a node that comes before it in every order.
// A node that depends on a skipped one is skipped with it, so whoever comes before has run.
import { ancestorsOf } from '../../protocol/plan-needs.ts'
import type { Plan } from '../../protocol/plan.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { ToolMeaning } from '../../protocol/tool-meaning.ts'
import type { KnownTool } from './tools.ts'

export type Declared = ToolMeaning['results'][string]

const listedMax = 8

/** The declared result, or in words what is wrong and what to do. */
export function sourceOf(
  plan: Plan,
  tools: ReadonlyMap<string, KnownTool>,
  wanted: { readonly by: string; readonly node: string; readonly pointer: string },
): Result<Declared, string> {
  const { by, node: id, pointer } = wanted
  const node = plan.nodes.find((one) => one.id === id)
  if (node === undefined) return err(`no node has the id ${id}`)
  if (!ancestorsOf(plan.nodes, by).has(id)) {
    return err(`${by} does not depend on ${id}: add ${id} to its depends_on`)
  }
  const declared = tools.get(node.tool)?.entry.meaning?.results ?? {}
  const found = Object.hasOwn(declared, pointer) ? declared[pointer] : undefined
  if (found !== undefined) return ok(found)
  const known = Object.keys(declared)
  const list = known.slice(0, listedMax).join(', ')
  const more = known.length > listedMax ? ` and ${known.length - listedMax} more` : ''
  return err(
    known.length === 0
      ? `the site declares no result of ${node.tool}: nothing of it can be referred to`
      : `the site declares no result ${pointer} of ${node.tool}; it declares ${list}${more}`,
  )
}
