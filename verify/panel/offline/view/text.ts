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

/** `word`, `stem*` (prefix) or a sequence of them parted by blanks. */
export type Pattern = readonly { readonly text: string; readonly prefix: boolean }[]

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
export function pattern(source: string): Pattern {
  return source.split(' ').map((word) => {
    const prefix = word.endsWith('*')
    return { text: prefix ? word.slice(0, -1) : word, prefix }
  })
}

/** A list of alternatives. */
export function anyOf(...sources: readonly string[]): readonly Pattern[] {
  return sources.flatMap((source) => source.split('|')).map((source) => pattern(source.trim()))
}

function wordMatches(token: string | undefined, word: Pattern[number]): boolean {
  if (token === undefined) return false
  return word.prefix
    ? token.startsWith(word.text)
    : token === word.text || token === `${word.text}s`
}

/** Every place where the pattern begins. Prefixes shorter than three letters are a mistake. */
export function places(unit: TextUnit, wanted: Pattern): number[] {
  const first = wanted[0]
  if (first === undefined) return []
  const starts = unit.index.get(first.text.slice(0, keyLength)) ?? []
  const plural = first.text.length < keyLength ? (unit.index.get(`${first.text}s`) ?? []) : []
  return [...starts, ...plural].filter((start) =>
    wanted.every((word, offset) => wordMatches(unit.tokens[start + offset], word)),
  )
}

/** The places of any of the alternatives, ascending. */
export function placesOfAny(unit: TextUnit, alternatives: readonly Pattern[]): number[] {
  const found: number[] = []
  for (const wanted of alternatives) found.push(...places(unit, wanted))
  return found.sort((a, b) => a - b)
}

/** True when any of the alternatives occurs. */
export function mentions(unit: TextUnit, alternatives: readonly Pattern[]): boolean {
  return alternatives.some((wanted) => places(unit, wanted).length > 0)
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
