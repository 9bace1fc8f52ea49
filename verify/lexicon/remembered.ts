// Answers about single words, kept because texts repeat their words. Bounded: whoever writes the texts must
// not fill the memory.

/** Words of which one answer is kept; past it the memory starts anew. */
const wordsMax = 8_192
/** A longer run is no word, and its answer is not kept. */
const charsMax = 200

/** The same answer as `answer`, which must be pure, given once for each word. */
export function remembered<T>(answer: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>()
  return (word) => {
    const old = known.get(word)
    if (old !== undefined) return old
    const made = answer(word)
    if (known.size >= wordsMax) known.clear()
    if (word.length <= charsMax) known.set(word, made)
    return made
  }
}
