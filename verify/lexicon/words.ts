// Words of a plan, tokenised once and indexed, so that every rule asks in near-constant time and
// no backtracking expression ever runs over text that a peer wrote.

/** One string of the plan and where it stands. */
export type TextUnit = {
  /** JSON pointer into the plan. */
  readonly at: string
  readonly kind: 'goal' | 'instruction' | 'note' | 'name' | 'code'
  /** Index of the node that carries it; null for goal and instructions. */
  readonly node: number | null
  /** NFKC text as it stands. */
  readonly raw: string
  readonly tokens: readonly string[]
  readonly index: ReadonlyMap<string, readonly number[]>
}

type Word = { readonly text: string; readonly plural: string; readonly prefix: boolean }

/** `word`, `stem*` (prefix) or a sequence of them parted by blanks. */
export type Pattern = {
  /** As written in the lexicon. */
  readonly source: string
  readonly words: readonly Word[]
  /** Index keys under which the first word can stand. */
  readonly keys: readonly string[]
}

const keyLength = 3

/** Lower-case words and numbers; hyphens, underscores and punctuation part words. */
export function tokenise(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, '')
    .replaceAll(/[µμ]/g, 'u')
    .replaceAll('’', "'")
    .replaceAll(/n't\b/g, ' not')
    .replaceAll("'s ", ' ')
  return plain.match(/[\p{L}\p{N}]+(?:\.[0-9]+)?/gu) ?? []
}

/** Builds an indexed unit from one string of the plan. */
export function textUnit(raw: string, where: Pick<TextUnit, 'at' | 'kind' | 'node'>): TextUnit {
  const normal = raw.normalize('NFKC')
  const tokens = tokenise(normal)
  const index = new Map<string, number[]>()
  for (const [i, token] of tokens.entries()) {
    const key = token.slice(0, keyLength)
    const known = index.get(key)
    if (known === undefined) index.set(key, [i])
    else known.push(i)
  }
  return { ...where, raw: normal, tokens, index }
}

/** Compiles `'light curtain'`, `'bypass*'` … ; done once, when a lexicon is loaded. */
function pattern(source: string): Pattern {
  const words = source.split(' ').map((word) => {
    const prefix = word.endsWith('*')
    const text = prefix ? word.slice(0, -1) : word
    return { text, plural: `${text}s`, prefix }
  })
  const [first] = words
  if (first === undefined) return { source, words, keys: [] }
  const key = first.text.slice(0, keyLength)
  // A word shorter than the key has its plural under another key.
  const keys = first.text.length < keyLength && !first.prefix ? [key, first.plural] : [key]
  return { source, words, keys }
}

/** Alternatives, indexed like a text, so that a look-up costs the shorter of the two. */
export type Words = { readonly byKey: ReadonlyMap<string, readonly Pattern[]> }

function wordsOf(patterns: readonly Pattern[]): Words {
  const byKey = new Map<string, Pattern[]>()
  for (const one of patterns) {
    for (const key of one.keys) {
      const known = byKey.get(key)
      if (known === undefined) byKey.set(key, [one])
      else known.push(one)
    }
  }
  return { byKey }
}

/** A list of alternatives; an empty list never matches. */
export function anyOf(...sources: readonly string[]): Words {
  return wordsOf(sources.filter((source) => source !== '').map((source) => pattern(source)))
}

function wordMatches(token: string | undefined, word: Word): boolean {
  if (token === undefined) return false
  return word.prefix ? token.startsWith(word.text) : token === word.text || token === word.plural
}

function matchesAt(unit: TextUnit, { words }: Pattern, start: number): boolean {
  for (let offset = 0; offset < words.length; offset++) {
    const word = words[offset]
    if (word === undefined || !wordMatches(unit.tokens[start + offset], word)) return false
  }
  return true
}

/** Every match of any of the alternatives, in the order of the text's index. */
export function matches(
  unit: TextUnit,
  { byKey }: Words,
): { readonly start: number; readonly pattern: Pattern }[] {
  const found: { start: number; pattern: Pattern }[] = []
  for (const [key, starts] of unit.index) {
    for (const one of byKey.get(key) ?? []) {
      for (const start of starts)
        if (matchesAt(unit, one, start)) found.push({ start, pattern: one })
    }
  }
  return found
}

/** The places of any of the alternatives, ascending. */
export function placesOfAny(unit: TextUnit, alternatives: Words): number[] {
  const found = matches(unit, alternatives).map((match) => match.start)
  return found.length > 1 ? found.sort((a, b) => a - b) : found
}

/** True when any of the alternatives occurs. */
export function mentions(unit: TextUnit, { byKey }: Words): boolean {
  for (const [key, starts] of unit.index) {
    const candidates = byKey.get(key)
    if (candidates === undefined) continue
    for (const one of candidates) {
      for (const start of starts) if (matchesAt(unit, one, start)) return true
    }
  }
  return false
}

const negators = new Set([
  'not',
  'never',
  'no',
  'nobody',
  'none',
  'without',
  'avoid',
  'cannot',
  'nor',
  'neither',
  'nothing',
  'refuse',
  'instead',
  'prevent',
])
const negationReach = 3

/** True when a negator stands within three words before the place. */
export function negated(unit: TextUnit, place: number): boolean {
  for (let i = Math.max(0, place - negationReach); i < place; i++) {
    if (negators.has(unit.tokens[i] ?? '')) return true
  }
  return false
}
