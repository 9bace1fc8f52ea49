// Bounds read off the tree of a pattern: how long a match can be, and in how many ways a matcher
// can walk from one start offset. Both finite means that every search is linear.
import { parseRegex, type RegexNode, type RegexRefusal } from './parse.ts'
import { ok, type Result } from '../../protocol/result.ts'

export interface MatchBounds {
  /** The longest text a match can span, in characters; Infinity when it has no bound. */
  readonly lengthMax: number
  /** Ways to match from one start offset, over all end offsets; an upper bound. */
  readonly pathsMax: number
}

/** The longest text that a node can match. */
export function lengthMaxOf(node: RegexNode): number {
  if (node.kind === 'atom') return 1
  if (node.kind === 'cat') return node.items.reduce((sum, item) => sum + lengthMaxOf(item), 0)
  if (node.kind === 'alt') return Math.max(...node.items.map(lengthMaxOf))
  if (node.kind !== 'rep') return 0
  const body = lengthMaxOf(node.body)
  return body === 0 ? 0 : body * node.max
}

/** The literal that every match of a node begins with, or null. */
function firstLiteral(node: RegexNode): string | null {
  if (node.kind === 'atom') return node.literal
  if (node.kind === 'rep') return node.min > 0 ? firstLiteral(node.body) : null
  if (node.kind !== 'cat') return null
  const first = node.items.find((item) => item.kind !== 'assert' && item.kind !== 'start')
  return first === undefined ? null : firstLiteral(first)
}

/** The one text that a node matches, or null when there are several. */
function literalOf(node: RegexNode): string | null {
  if (node.kind === 'atom') return node.literal
  if (node.kind === 'empty') return ''
  if (node.kind !== 'cat') return null
  const parts = node.items.map(literalOf)
  return parts.includes(null) ? null : parts.join('')
}

/** Of several fixed texts, those match together that are each the beginning of the next. */
function nestedTexts(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => texts.filter((x) => text.startsWith(x)).length))
}

/** Alternatives that begin with different literals exclude each other; the others add up. */
function pathsOfChoice(items: readonly RegexNode[]): number {
  const texts = items.map(literalOf).filter((x) => x !== null)
  if (texts.length === items.length) return nestedTexts(texts)
  let open = 0
  const byLiteral = new Map<string, number>()
  for (const item of items) {
    const literal = firstLiteral(item)
    const paths = pathsMaxOf(item)
    if (literal === null) open += paths
    else byLiteral.set(literal, (byLiteral.get(literal) ?? 0) + paths)
  }
  return open + Math.max(0, ...byLiteral.values())
}

function pathsMaxOf(node: RegexNode): number {
  if (node.kind === 'alt') return pathsOfChoice(node.items)
  if (node.kind === 'cat') return node.items.reduce((n, item) => n * pathsMaxOf(item), 1)
  if (node.kind !== 'rep') return 1
  const body = pathsMaxOf(node.body)
  if (node.max === Number.POSITIVE_INFINITY) return node.max
  let paths = 0
  for (let times = node.min; times <= node.max; times += 1) paths += body ** times
  return paths
}

/** Bounds of a valid pattern. Cheap: no automaton is built. Case folding is not considered. */
export function matchBounds(pattern: string, flags = ''): Result<MatchBounds, RegexRefusal> {
  const tree = parseRegex(pattern, flags)
  if (!tree.ok) return tree
  return ok({ lengthMax: lengthMaxOf(tree.value), pathsMax: pathsMaxOf(tree.value) })
}
