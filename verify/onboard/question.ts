// The form of a question: what is asked, the server's own words beside it, and what may be answered.
import type { ToolEntry } from '../../protocol/registry.ts'
import type { Edit } from './edits.ts'
import { leavesOf } from './leaves.ts'

export type Proposal = {
  readonly label: string
  readonly edits: readonly Edit[]
}

export type Question = {
  /** Stable: `does:TOOL`, `argument:TOOL/pointer` … */
  readonly id: string
  readonly kind:
    | 'does'
    | 'argument'
    | 'values'
    | 'thing'
    | 'limit'
    | 'people'
    | 'rest'
    | 'stop'
    | 'rule'
    | 'planner'
  readonly ask: string
  /** The server's own words; '' where the question is about the lab. */
  readonly server_says: string
  readonly proposals: readonly Proposal[]
  /** What may be written instead of a number. */
  readonly own: string
  /** Greater is asked first. */
  readonly danger: number
  /** Tools and things whose plans wait for it. */
  readonly about: readonly string[]
}

/** Characters of a server's words that are shown with a question. */
export const wordsMax = 600

/** What the server says of a call and, if given, of one argument of it. */
export function serverSays(row: ToolEntry, at?: string): string {
  const leaf = at === undefined ? undefined : leavesOf(row.args_schema).find((one) => one.at === at)
  const own =
    leaf === undefined
      ? leavesOf(row.args_schema)
          .map(
            ({ at: pointer, type, unit }) => `${pointer} ${type}${unit === null ? '' : ` ${unit}`}`,
          )
          .join(', ')
      : `${leaf.at}: ${leaf.says === '' ? leaf.type : leaf.says}${leaf.values === null ? '' : ` [${leaf.values.join(' | ')}]`}`
  return `${row.mcp_tool}: ${row.description.slice(0, wordsMax)} (${own.slice(0, wordsMax)})`
}
