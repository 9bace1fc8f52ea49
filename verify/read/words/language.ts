// Which language a sentence is in, from its function words; only to know what was not read. Text that
// nobody read is no evidence: neither for a plan nor of what it asks.
import verbData from '../../lexicon/languages/en-verbs.json' with { type: 'json' }
import profiles from '../../lexicon/languages/profiles.json' with { type: 'json' }

/** Words that one language has and no other of the profiles. */
const ownWord: ReadonlyMap<string, string> = (() => {
  const owner = new Map<string, string | null>()
  for (const [language, words] of Object.entries(profiles.languages)) {
    for (const word of words) {
      const other = owner.get(word)
      owner.set(word, other === undefined || other === language ? language : null)
    }
  }
  return new Map([...owner].filter((entry): entry is [string, string] => entry[1] !== null))
})()

const english: ReadonlySet<string> = new Set(profiles.languages.en)
const verbs: ReadonlySet<string> = new Set(verbData.verbs)

/** True for an English verb in one of its forms. */
export function isEnglishVerb(word: string): boolean {
  if (verbs.has(word)) return true
  const stems = [
    word.replace(/s$/, ''),
    word.replace(/es$/, ''),
    word.replace(/ed$/, ''),
    word.replace(/d$/, ''),
    word.replace(/ing$/, ''),
    word.replace(/ing$/, 'e'),
    word.replace(/([a-z])\1(?:ing|ed)$/, '$1'),
    word.replace(/ie[sd]$/, 'y'),
  ]
  return stems.some((stem) => stem !== word && verbs.has(stem))
}

export type LanguageReading = {
  /** English beyond doubt: more English function words than of any other language. */
  readonly english: boolean
  /** Another script, another language, or words of no language that is known. */
  readonly foreign: boolean
}

const latin = /\p{Script=Latin}/u
const letters = /\p{L}/u

/**
 * Judges the words of one sentence. `covered` tells which of them are names, units or substances:
 * these belong to no language.
 */
export function languageOf(
  words: readonly string[],
  covered: (index: number) => boolean,
): LanguageReading {
  const counts = new Map<string, number>()
  let ours = 0
  let script = 0
  let plain = 0
  let known = 0
  for (const [i, word] of words.entries()) {
    if (!letters.test(word) || covered(i)) continue
    if (!latin.test(word)) {
      script += 1
      continue
    }
    const own = ownWord.get(word)
    if (own === 'en') ours += 1
    else if (own !== undefined) counts.set(own, (counts.get(own) ?? 0) + 1)
    if (english.has(word) || isEnglishVerb(word)) known += 1
    if (word.length > 2 && !/\d/.test(word)) plain += 1
  }
  const most = Math.max(0, ...counts.values())
  const foreign = script > 0 || most > ours || (plain > 0 && known === 0)
  return { english: ours > 0 && ours >= most && script === 0, foreign }
}
