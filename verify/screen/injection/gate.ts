// What a text must hold for a row to be able to hit, read off the row's own expression: words that begin in
// certain ways, or certain marks. It decides which rows are tried where; it never decides a hit.
import type { RegexNode } from '../../linear-regex/parse.ts'
import { markBit } from './traits.ts'

/** A number for four characters; collisions only cost a trial. */
export function headKey(a: number, b: number, c: number, d: number): number {
  return (a + b * 131 + c * 17_161 + d * 2_248_091) | 0
}

/** The key of a word's beginning: four characters, or three or two when no more are fixed. */
export const keyOf = (head: string): number =>
  headKey(
    head.charCodeAt(0),
    head.charCodeAt(1),
    head.length > 2 ? head.charCodeAt(2) : 0,
    head.length > 3 ? head.charCodeAt(3) : 0,
  )

/** Keys of three characters lie below this. */
export const gramSlots = 16_384

/** A key of three characters in a row. */
export const gramKey = (a: number, b: number, c: number): number =>
  (a + b * 37 + c * 1_369) & (gramSlots - 1)

/** The key of a literal's first three characters, −1 when it has fewer. */
export const gramOf = (text: string): number =>
  text.length < 3 ? -1 : gramKey(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2))

/** Ways in which a pattern may begin, and in which a cue may: a cue of many words says little. */
const headWaysMax = 400
const cueWaysMax = 64

/** The strings, cut at four characters, that a match of `node` can begin with; `\0` marks an open end. */
export function prefixes(node: RegexNode, waysMax = headWaysMax): Set<string> {
  if (node.kind === 'atom') {
    if (node.literal !== null) return new Set([node.literal])
    const members = /^\[([^\]^\\]+)\]$/.exec(node.source)?.[1]
    if (members === undefined || members.includes('-')) return new Set(['\0'])
    return new Set(members)
  }
  if (node.kind === 'alt') return new Set(node.items.flatMap((x) => [...prefixes(x, waysMax)]))
  if (node.kind === 'rep') {
    const once = prefixes(node.body, waysMax)
    // What follows a first pass of a loop is not worth following: the prefix stops there.
    const heads = node.max > 1 ? [...once].map((x) => (x.includes('\0') ? x : `${x}\0`)) : once
    return new Set(node.min === 0 ? ['', ...heads] : heads)
  }
  return node.kind === 'cat' ? prefixesOf(node.items, waysMax) : new Set([''])
}

function prefixesOf(items: readonly RegexNode[], waysMax: number): Set<string> {
  let heads = new Set([''])
  for (const item of items) {
    if ([...heads].every((x) => x.length >= 4 || x.includes('\0'))) break
    const tails = prefixes(item, waysMax)
    const next = new Set<string>()
    for (const head of heads) {
      if (head.length >= 4 || head.includes('\0')) next.add(head)
      else for (const tail of tails) next.add((head + tail).slice(0, 4))
    }
    if (next.size > waysMax) throw new TypeError(`a pattern begins in more than ${waysMax} ways`)
    heads = next
  }
  return heads
}

/** Beginnings of words of which a text must hold at least one: their keys, cut to 16 bits. */
export type Cue = Uint16Array

/** The beginnings of words with which `items` can begin, or null when some are open. */
function cueOf(items: readonly RegexNode[]): Set<string> | null {
  let heads: Set<string>
  try {
    heads = prefixesOf(items, cueWaysMax)
  } catch {
    return null
  }
  const cue = new Set<string>()
  for (const head of heads) {
    const fixed = head.split('\0')[0] ?? ''
    if (fixed.length < 2) return null
    cue.add(fixed)
  }
  return cue
}

/** Whether a match of `node` surely ends with a space, given whether it begins after one. */
function endsWord(node: RegexNode, after: boolean): boolean {
  if (node.kind === 'atom') return node.literal === ' '
  if (node.kind === 'cat') return node.items.reduce((state, item) => endsWord(item, state), after)
  if (node.kind === 'alt') return node.items.every((item) => endsWord(item, after))
  if (node.kind === 'rep') return endsWord(node.body, after) && (node.min > 0 || after)
  return after
}

/** Few and long beginnings say more than many and short ones. */
const looseness = (cue: ReadonlySet<string>): number =>
  [...cue].reduce(
    (sum, head) => sum + (head.length < 4 || head.includes(' ') ? 5 - head.length : 1),
    0,
  )

const tightest = (cues: readonly Set<string>[]): Set<string> | undefined =>
  cues.toSorted((a, b) => looseness(a) - looseness(b))[0]

/**
 * Cues that every match of `node` meets. `after`: it begins where a word begins. `first`: where the match
 * itself begins, which says nothing new: a row is tried only there.
 */
function cuesIn(node: RegexNode, after: boolean, first: boolean): Set<string>[] {
  if (node.kind === 'alt') {
    const best = node.items.map((item) => tightest(cuesIn(item, after, first)))
    const all = new Set<string>()
    for (const one of best) {
      if (one === undefined) return []
      for (const head of one) all.add(head)
    }
    return all.size > cueWaysMax ? [] : [all]
  }
  if (node.kind === 'rep') return node.min === 0 ? [] : cuesIn(node.body, after, first)
  const items = node.kind === 'cat' ? node.items : node.kind === 'atom' ? [node] : []
  const cues: Set<string>[] = []
  let state = after
  for (const [i, item] of items.entries()) {
    const begins = first && i === 0
    if (state && !begins) {
      const cue = cueOf(items.slice(i))
      if (cue !== null) cues.push(cue)
    }
    if (item.kind !== 'atom') cues.push(...cuesIn(item, state, begins))
    state = endsWord(item, state)
  }
  return cues
}

const cuesKept = 4

/** Cues that a text must meet for the row of this expression to hit, tightest first. */
export function cuesOf(tree: RegexNode): readonly Cue[] {
  const seen = new Set<string>()
  const cues: Cue[] = []
  for (const cue of cuesIn(tree, true, true).toSorted((a, b) => looseness(a) - looseness(b))) {
    const name = [...cue].toSorted().join(',')
    if (seen.has(name) || cues.length >= cuesKept) continue
    seen.add(name)
    cues.push(Uint16Array.from([...cue].map(keyOf)))
  }
  return cues
}

/** Sets of marks, as bits: a text must hold one of each for the row of this expression to hit. */
export function markGates(node: RegexNode): readonly number[] {
  if (node.kind === 'atom') {
    if (node.literal !== null) return bitOf([node.literal])
    const members = /^\[([^\]^\\-]+)\]$/.exec(node.source)?.[1]
    return members === undefined ? [] : bitOf(members.split(''))
  }
  if (node.kind === 'cat') return [...new Set(node.items.flatMap((item) => markGates(item)))]
  if (node.kind === 'rep') return node.min === 0 ? [] : markGates(node.body)
  if (node.kind !== 'alt') return []
  let all = 0
  for (const item of node.items) {
    const first = markGates(item)[0]
    if (first === undefined) return []
    all |= first
  }
  return [all]
}

/** One set of marks, when all of the characters are marks. */
function bitOf(characters: readonly string[]): readonly number[] {
  let all = 0
  for (const c of characters) {
    const bit = markBit(c.charCodeAt(0))
    if (bit === 0) return []
    all |= bit
  }
  return [all]
}

/** Whether a match of `node` can go on behind the end of a sentence, which the fold writes as `|`. */
export function crossesSentences(node: RegexNode): boolean {
  if (node.kind === 'atom') {
    if (node.literal !== null) return node.literal === '|'
    return new RegExp(`^(?:${node.source})$`).test('|')
  }
  if (node.kind === 'rep') return node.max > 0 && crossesSentences(node.body)
  return (node.kind === 'cat' || node.kind === 'alt') && node.items.some(crossesSentences)
}
