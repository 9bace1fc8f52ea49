// Text to search tokens: the same normal form for the index, for aliases and for a plan's text.
// Danger: an index and a query that disagree on one word lose a hazard silently.
import { stem } from './stem.ts'
import stops from './stop-words.json' with { type: 'json' }
import thesaurus from './thesaurus.json' with { type: 'json' }

const stopWords = new Set(stops.words)

/** British to American spelling, and other variants, on whole lower-case words. */
function spelling(word: string): string {
  return word
    .replace(/sulph/g, 'sulf')
    .replace(/aluminium/g, 'aluminum')
    .replace(/^(an)?aesth/, '$1esth')
    .replace(/(colo|behavio|favo|vapo|labo|harbo)ur/g, '$1r')
    .replace(/yse(d|s|r)?$/, 'yze$1')
    .replace(/is(e|ed|er|ers|ing|es|ation|ations)$/, 'iz$1')
    .replace(/^(raiz|noiz|exerciz|surpriz|adviz|compriz|promiz|riz|otherwiz|preciz|diz|wiz)/, (m) =>
      m.replace(/z$/, 's'),
    )
    .replace(/fibre/g, 'fiber')
    .replace(/(cent|lit|met)re(s)?$/, '$1er$2')
    .replace(/distil(l?)(s|ed|ing|ation)?$/, 'distill$2')
}

const greek: Readonly<Record<string, string>> = { µ: 'u', μ: 'u' }

/** Lower-case words and numbers in order; `60 °C` → `60`, `degc`; `2-propanol` → `2`, `propanol`. */
export function words(text: string): string[] {
  return text
    .normalize('NFKC')
    .replace(/[µμ]/g, (ch) => greek[ch] ?? ch)
    .replace(/([a-z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/°\s*c\b|\bdegrees? (?:celsius|c)\b/g, ' degc')
    .replace(/['’]s\b/g, '')
    .split(/[^a-z0-9]+/)
    .filter((w) => w !== '')
}

/** Stems are asked for again and again while an index is built; the cache is bounded. */
const cache = new Map<string, string>()
const cacheMax = 50_000

function cached(word: string): string {
  const old = cache.get(word)
  if (old !== undefined) return old
  const value = stem(spelling(word))
  if (cache.size >= cacheMax) cache.clear()
  cache.set(word, value)
  return value
}

/** Stemmed words, stop words kept: the form in which phrases are compared. */
export function stems(text: string): string[] {
  return words(text).map(cached)
}

/** Stemmed content words. */
export function tokens(text: string): string[] {
  return words(text)
    .filter((w) => !stopWords.has(w))
    .map(cached)
}

type Phrase = { readonly concept: string; readonly parts: readonly string[] }

/** First stem → phrases that start with it, longest first. */
const phrases: ReadonlyMap<string, readonly Phrase[]> = (() => {
  const all = new Map<string, Phrase[]>()
  for (const [name, list] of Object.entries(thesaurus)) {
    for (const text of list) {
      const parts = stems(text)
      const first = parts[0]
      if (first === undefined) continue
      all.set(first, [...(all.get(first) ?? []), { concept: `zz${name}`, parts }])
    }
  }
  for (const list of all.values()) list.sort((a, b) => b.parts.length - a.parts.length)
  return all
})()

/**
 * Concepts of the laboratory and security thesaurus that a text names, as tokens `zz<concept>`.
 * Each is given once, in order of appearance.
 */
export function concepts(text: string): string[] {
  const list = stems(text)
  const found = new Set<string>()
  for (const [i, first] of list.entries()) {
    for (const phrase of phrases.get(first) ?? []) {
      if (phrase.parts.every((p, k) => list[i + k] === p)) found.add(phrase.concept)
    }
  }
  return [...found]
}

/** All runs of one to `wordsMax` stems, joined by one space: candidates for the gazetteer. */
export function runs(text: string, wordsMax = 6): string[] {
  const list = stems(text)
  const all = new Set<string>()
  for (let i = 0; i < list.length; i++) {
    for (let n = 1; n <= wordsMax && i + n <= list.length; n++) {
      all.add(list.slice(i, i + n).join(' '))
    }
  }
  return [...all]
}
