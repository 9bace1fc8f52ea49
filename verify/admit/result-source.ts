// What a reference or a comparison takes: a declared result of a node that comes before it in every order.
// A node that depends on a skipped one is skipped with it, so whoever comes before has run.
import { ancestorsOf } from '../../protocol/plan-needs.ts'
import type { Plan } from '../../protocol/plan.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { ToolMeaning } from '../../protocol/tool-meaning.ts'
import type { KnownTool } from './tools.ts'

export type Declared = ToolMeaning['results'][string]

const listedMax = 8

type Tools = ReadonlyMap<string, KnownTool>
type Wanted = { readonly node: string; readonly pointer: string }

/** What one node may take results from: what comes before it is looked up once, not for each of them. */
export type Sources = {
  readonly before: () => ReadonlySet<string>
  /** The declared result, or in words what is wrong and what to do. */
  readonly of: (wanted: Wanted) => Result<Declared, string>
}

/** The sources of the node with the id `by`. */
export function sourcesOf(plan: Plan, tools: Tools, by: string): Sources {
  let found: ReadonlySet<string> | null = null
  const before = (): ReadonlySet<string> => (found ??= ancestorsOf(plan.nodes, by))
  return {
    before,
    of: ({ node: id, pointer }) => {
      const tool = plan.nodes.find((one) => one.id === id)?.tool
      if (tool === undefined) return err(`no node has the id ${id}`)
      if (!before().has(id)) {
        return err(`${by} does not depend on ${id}: add ${id} to its depends_on`)
      }
      return declaredOf(tools, tool, pointer)
    },
  }
}

function declaredOf(tools: Tools, tool: string, pointer: string): Result<Declared, string> {
  const declared = tools.get(tool)?.entry.meaning?.results ?? {}
  const found = Object.hasOwn(declared, pointer) ? declared[pointer] : undefined
  if (found !== undefined) return ok(found)
  const known = Object.keys(declared)
  const list = known.slice(0, listedMax).join(', ')
  const more = known.length > listedMax ? ` and ${known.length - listedMax} more` : ''
  return err(
    known.length === 0
      ? `the site declares no result of ${tool}: nothing of it can be referred to`
      : `the site declares no result ${pointer} of ${tool}; it declares ${list}${more}`,
  )
}
