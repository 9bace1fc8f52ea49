// What of a plan may not reach the chief, as sets that are built once per plan: every run of four
// words and every literal of twelve characters that neither the graph, nor the registry, nor our own
// fixed prompt contains (invariant 5). Matching sees through case, width, spacing and reversal.
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Registry } from '../../protocol/registry.ts'
import { siteMeaningOf } from '../../protocol/site-file.ts'
import type { Knowledge } from '../panel/context.ts'

export const shingleWords = 4
export const literalChars = 12
/** A run without spaces that is longer than this and is no known word is not language. */
export const wordCharsMax = 28

/** Folds width and case; every kind of white space and every unseen character is one space. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
}

/** The words of a folded text: runs of letters and digits. */
export function wordsOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/** Letters and digits only, so that spelling something out with spaces or dots changes nothing. */
export function squash(folded: string): string {
  return folded.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

function windowsInto(set: Set<string>, text: string): void {
  for (let i = 0; i + literalChars <= text.length; i++) set.add(text.slice(i, i + literalChars))
}

function shinglesInto(set: Set<string>, words: readonly string[]): void {
  for (let i = 0; i + shingleWords <= words.length; i++) {
    set.add(` ${words.slice(i, i + shingleWords).join(' ')} `)
  }
}

type Sets = {
  readonly literals: Set<string>
  readonly squashed: Set<string>
  readonly shingles: Set<string>
}

function setsOf(texts: readonly string[]): Sets {
  const sets: Sets = { literals: new Set(), squashed: new Set(), shingles: new Set() }
  for (const text of texts) {
    const folded = fold(text)
    const flat = squash(folded)
    windowsInto(sets.literals, folded)
    windowsInto(sets.squashed, flat)
    windowsInto(sets.squashed, Array.from(flat).toReversed().join(''))
    shinglesInto(sets.shingles, wordsOf(folded))
  }
  return sets
}

function stringsOf(value: JsonValue, out: string[]): void {
  if (typeof value === 'string') out.push(value)
  else if (typeof value === 'number') out.push(String(value))
  else if (Array.isArray(value)) for (const item of value as JsonValue[]) stringsOf(item, out)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      out.push(key)
      stringsOf(item, out)
    }
  }
}

/** Every text of a plan: each string and key by itself, and what stands side by side, joined. */
export function planTexts(plan: Plan): string[] {
  const out: string[] = [plan.goal, ...plan.instructions]
  out.push(plan.planner.id, plan.planner.model ?? '', plan.agent ?? '')
  out.push(plan.supersedes ?? '', plan.follows ?? '')
  for (const node of plan.nodes) {
    const own: string[] = []
    stringsOf(node.args, own)
    stringsOf([node.when ?? null, node.require ?? null] as JsonValue, own)
    out.push(node.id, node.tool, node.sandbox ?? '', ...own, own.join(' '))
  }
  // A literal may be split over neighbouring instructions or ids.
  out.push(plan.instructions.join(' '), plan.nodes.map((node) => node.id).join(' '))
  return out.filter((text) => text !== '')
}

/** Every text that the chief may see whatever the plan says. */
export function vocabularyTexts(registry: Registry, knowledge: Knowledge): string[] {
  const out: string[] = []
  for (const tool of registry.tools) {
    out.push(tool.name, tool.description)
    stringsOf(tool.args_schema, out)
  }
  stringsOf(siteMeaningOf(registry) as unknown as JsonValue, out)
  for (const rule of registry.rules) out.push(rule.id, rule.text)
  for (const node of knowledge.nodes) out.push(node.id, node.title, node.text)
  return out
}

/** Makes a value once, when it is first asked for: most claims quote nothing and need none of it. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** A set of windows of the plan, minus those that the vocabulary holds; looked up when hit. */
export class Windows {
  private readonly own: ReadonlySet<string>
  private readonly known: () => string
  private readonly seen = new Map<string, boolean>()

  /** `known` is the vocabulary in the same form as the windows, its texts set apart. */
  constructor(own: ReadonlySet<string>, known: () => string) {
    this.own = own
    this.known = once(known)
  }

  has(window: string): boolean {
    if (!this.own.has(window)) return false
    const before = this.seen.get(window)
    if (before !== undefined) return before
    const forbidden = !this.known().includes(window)
    this.seen.set(window, forbidden)
    return forbidden
  }
}

/** Shingles are looked up between word boundaries. */
class Shingles extends Windows {
  override has(shingle: string): boolean {
    return super.has(` ${shingle} `)
  }
}

/** The plan's own language: what must not appear in anything that the chief reads. */
export type Forbidden = {
  readonly literals: Windows
  readonly squashed: Windows
  readonly shingles: Windows
  /** Words of the vocabulary that are longer than a word may be. */
  readonly longWords: () => ReadonlySet<string>
}

/** Builds the sets for one plan; `fixed` are the texts of ours that surround the claims. */
export function forbiddenOf(
  plan: Plan,
  vocabulary: () => readonly string[],
  fixed: readonly string[],
): Forbidden {
  const own = setsOf(planTexts(plan))
  const known = once(() => [...vocabulary(), ...fixed].map(fold))
  // The line feed cannot occur in a folded text, so no window reaches over two texts.
  return {
    literals: new Windows(own.literals, () => known().join('\n')),
    squashed: new Windows(own.squashed, () => known().map(squash).join('\n')),
    shingles: new Shingles(own.shingles, () =>
      known()
        .map((text) => ` ${wordsOf(text).join(' ')} `)
        .join('\n'),
    ),
    longWords: once(() => {
      const words = new Set<string>()
      for (const text of known()) {
        for (const word of text.split(' ')) if (word.length > wordCharsMax) words.add(word)
      }
      return words
    }),
  }
}

/** True when a text holds a forbidden run of words or literal. */
export function quotes(text: string, forbidden: Forbidden): boolean {
  const folded = fold(text)
  for (let i = 0; i + literalChars <= folded.length; i++) {
    if (forbidden.literals.has(folded.slice(i, i + literalChars))) return true
  }
  const flat = squash(folded)
  for (let i = 0; i + literalChars <= flat.length; i++) {
    if (forbidden.squashed.has(flat.slice(i, i + literalChars))) return true
  }
  const words = wordsOf(folded)
  for (let i = 0; i + shingleWords <= words.length; i++) {
    if (forbidden.shingles.has(words.slice(i, i + shingleWords).join(' '))) return true
  }
  return folded
    .split(' ')
    .some((word) => word.length > wordCharsMax && !forbidden.longWords().has(word))
}
