// Answers that are given once: about single words and texts, because plans repeat both and a dozen rules look at
// each text, and about a site file, because every plan rests on it.
// What is kept of texts is bounded in number and length: whoever writes the texts must not fill the memory.

type Bounds = {
  /** Answers that are kept; past it the memory starts anew. */
  readonly count: number
  /** The answer to anything longer is not kept. */
  readonly chars: number
}

/** Words and names. */
const ofWords: Bounds = { count: 8_192, chars: 200 }

/** Whole texts of a plan. */
export const ofTexts: Bounds = { count: 2_048, chars: 2_000 }

/** The same answer as `answer`, which must be pure, given once for each word. */
export function remembered<T>(
  answer: (word: string) => T,
  { count, chars }: Bounds = ofWords,
): (word: string) => T {
  const known = new Map<string, T>()
  return (word) => {
    const old = known.get(word)
    if (old !== undefined) return old
    const made = answer(word)
    if (known.size >= count) known.clear()
    if (word.length <= chars) known.set(word, made)
    return made
  }
}

/** What follows from one value alone, made once and kept for as long as the value is. */
export function keptFor<K extends object, T>(make: (of: K) => T): (of: K) => T {
  const kept = new WeakMap<K, { readonly made: T }>()
  return (of) => {
    let known = kept.get(of)
    if (known === undefined) kept.set(of, (known = { made: make(of) }))
    return known.made
  }
}

/** What follows from two values. */
export function keptForBoth<A extends object, B extends object, T>(
  make: (a: A, b: B) => T,
): (a: A, b: B) => T {
  const of = keptFor((a: A) => keptFor((b: B) => make(a, b)))
  return (a, b) => of(a)(b)
}
