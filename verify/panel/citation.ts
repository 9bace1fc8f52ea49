// What may settle a doubt: an argument that a node carries out, a step of the dry run, a row of the
// site or an id of the graph, each of which stood in the prompt. The plan's prose is no citation, and
// neither is a text that the planner wrote into an argument: a claim cannot settle a doubt about it.
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan } from '../../protocol/plan.ts'
import { valueAt } from './place.ts'

export type CitationContext = {
  readonly plan: Plan
  /** The plan as it stood in the prompt: with placeholders for what is hidden from vendors. */
  readonly seen: JsonValue
  /** Ids of the graph, rules and tools in the prompt. */
  readonly citable: ReadonlySet<string>
  /** Sentences of the dry run in the prompt. */
  readonly steps: readonly string[]
  /** The site's tables in the prompt. */
  readonly site: JsonValue
  /** True for what stood in the prompt with something hidden: nobody can settle a doubt by it. */
  readonly isHidden: (value: JsonValue) => boolean
  /** Every string of the site's tables and of the schemas of its tools. */
  readonly vocabulary: ReadonlySet<string>
}

/** A value that says only what a machine will do: a number, a switch, or a name that the site knows. */
function isPlain(value: unknown, vocabulary: ReadonlySet<string>): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true
  return typeof value === 'string' && vocabulary.has(value)
}

/**
 * True when the citation is evidence: `/nodes/2/args/rpm`, `step:3`, `site:/limits/arm` (JSON pointer
 * into the SITE section), or an id of the RULES, TOOLS or KNOWLEDGE section.
 */
export function isCitation(citation: string, context: CitationContext): boolean {
  if (/^\/nodes\/\d{1,3}\/args\/./.test(citation)) {
    return isPlain(valueAt(context.seen, citation), context.vocabulary)
  }
  const step = /^step:([1-9]\d{0,3})$/.exec(citation)?.[1]
  if (step !== undefined) {
    const sentence = context.steps[Number(step) - 1]
    return sentence !== undefined && !context.isHidden(sentence)
  }
  const row = /^site:(\/.+)$/.exec(citation)?.[1]
  if (row !== undefined) {
    const value = valueAt(context.site, row) as JsonValue | undefined
    return value !== undefined && !context.isHidden(value)
  }
  return context.citable.has(citation)
}

/** Of which kind a citation is, for readers that must not see the plan's own names. */
export function citationKind(citation: string): 'argument' | 'state' | 'site' | 'graph' {
  if (citation.startsWith('/')) return 'argument'
  if (citation.startsWith('step:')) return 'state'
  return /^(site|rule|tool):/.test(citation) ? 'site' : 'graph'
}

function stringsOf(value: unknown, out: Set<string>): void {
  if (typeof value === 'string') out.add(value)
  else if (Array.isArray(value)) for (const item of value as unknown[]) stringsOf(item, out)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      out.add(key)
      stringsOf(item, out)
    }
  }
}

/** The names that a site knows: strings and keys of its tables, enumerations of its tools. */
export function vocabularyOf(values: readonly unknown[]): Set<string> {
  const out = new Set<string>()
  for (const value of values) stringsOf(value, out)
  return out
}
