// One string of a plan with its words, read once; and families of words that are all looked for in a
// single pass, so that a hundred rows of a lexicon cost one walk over the text.
import grammar from './grammar.json' with { type: 'json' }
import { ofTexts, remembered } from './remembered.ts'
import { eachHitAt, tokenise, wordsOf, type Words } from './words.ts'

export type TextUnit = {
  /** JSON pointer into the plan. */
  readonly at: string
  readonly raw: string
  readonly tokens: readonly string[]
  /** Places of each family, by its number, ascending; built once for each set of families. */
  readonly places: (family: number) => readonly number[]
  /** The families of which a word occurs. */
  readonly found: () => Iterable<number>
}

/** Families of words, numbered in the order in which they were added. */
export class Families {
  readonly #lists: (readonly string[])[] = []
  #compiled: Words<number> | null = null

  /** Adds a family (`word`, `stem*`, `two words`) and returns its number. */
  add(list: readonly string[]): number {
    if (this.#compiled !== null) throw new TypeError('families are complete once they are read')
    this.#lists.push(list)
    return this.#lists.length - 1
  }

  find(tokens: readonly string[]): ReadonlyMap<number, readonly number[]> {
    this.#compiled ??= wordsOf(
      this.#lists.flatMap((list, family) =>
        list.map((name) => [name, family] as const satisfies readonly [string, number]),
      ),
    )
    const found = new Map<number, number[]>()
    let start = 0
    const take = (family: number): void => {
      const known = found.get(family)
      if (known === undefined) found.set(family, [start])
      else if (known.at(-1) !== start) known.push(start)
    }
    for (; start < tokens.length; start += 1) eachHitAt(tokens, start, this.#compiled, take)
    return found
  }
}

/** The families of all lexicon files; modules add theirs when they are loaded. */
export const families = new Families()

const none: readonly number[] = []

type Read = Pick<TextUnit, 'tokens' | 'places' | 'found'>

function read(raw: string): Read {
  const tokens = tokenise(raw)
  let found: ReadonlyMap<number, readonly number[]> | null = null
  const all = () => (found ??= families.find(tokens))
  return {
    tokens,
    places: (family) => all().get(family) ?? none,
    found: () => all().keys(),
  }
}

const readOnce = remembered(read, ofTexts)

/** Reads one string; the same one again is read already. */
export function textUnit(raw: string, at: string): TextUnit {
  const { tokens, places, found } = readOnce(raw)
  return { at, raw, tokens, places, found }
}

/** True when a word of the family occurs. */
export function mentions(unit: TextUnit, family: number): boolean {
  return unit.places(family).length > 0
}

const negators = new Set(grammar.negators)
const negationReach = 3

/** True when a negator stands within three words before the place. */
export function negated(unit: TextUnit, place: number): boolean {
  for (let i = Math.max(0, place - negationReach); i < place; i += 1) {
    if (negators.has(unit.tokens[i] ?? '')) return true
  }
  return false
}

/** True when a word of the family occurs that nothing negates. */
export function states(unit: TextUnit, family: number): boolean {
  return unit.places(family).some((place) => !negated(unit, place))
}
