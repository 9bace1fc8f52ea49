// Words of names: how a tool, an argument or a text is cut into words, and the list that guesses rest on.
// A guess here is shown to a person beside the server's own words; nothing is approved by it.
import type { ActName } from '../../protocol/acts.ts'
import { unitOf } from '../../protocol/units.ts'
import spellings from '../lexicon/units/words.json' with { type: 'json' }
import words from './words.json' with { type: 'json' }

type ActWords = { readonly name: readonly string[]; readonly with: readonly string[] }

export const actWords = Object.entries(words.acts) as [ActName, ActWords][]
export const reading: ReadonlySet<string> = new Set(words.reads.words)
/** Every word that says that something is changed. */
export const changing: ReadonlySet<string> = new Set(words.changes.words)
/** Nouns that name devices, things or quantities as well as acts. */
export const alsoNouns: ReadonlySet<string> = new Set([
  ...words.quantities.words,
  ...words.nouns.words,
])
/** Words that say in a description that something is told; `telling` ones may also be acts. */
export const tells: ReadonlySet<string> = new Set(words.tells.words)
export const telling: ReadonlySet<string> = new Set(words.tells.also_acts)
/** Nouns of what closes a place off. */
export const barrierNouns: ReadonlySet<string> = new Set(words.barriers.words)
export const roleWords: Readonly<Record<string, readonly string[]>> = words.roles
export const stopWords: ReadonlySet<string> = new Set(words.stop_names)
export const classWords = Object.entries(words.device_class)
const unitTokens: Readonly<Record<string, string>> = words.unit_tokens

/** `setJacketTemp_c` → set, jacket, temp, c: camel case, digits and separators end a word. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d%]+/u)
    .filter((word) => word !== '')
}

/** A word without the ending of a plural or a third person: `dispenses` → dispense. */
export function stemsOf(word: string): string[] {
  const out = [word]
  if (word.endsWith('s') && !word.endsWith('ss') && word.length > 3) out.push(word.slice(0, -1))
  if (word.endsWith('ing') && word.length > 5) {
    out.push(word.slice(0, -3), `${word.slice(0, -3)}e`)
  }
  if (word.endsWith('ed') && word.length > 4) out.push(word.slice(0, -1), word.slice(0, -2))
  return out
}

/**
 * Units as people write them, by what cannot be another word: symbols of two signs and more, and long names. Short
 * names of all languages would take `tag` for a day.
 */
const spelled = new Map(
  spellings.rows.flatMap(({ code, symbols, words: names }) => {
    if (code === null || code.startsWith('{')) return []
    const sure = [
      ...symbols.filter(({ length }) => length >= 2),
      ...names.filter(({ length }) => length >= 5),
    ]
    return sure.map((one) => [one, code] as const)
  }),
)

/** The unit that a word is, by the list of names or as people write it in sentences; null: it is none. */
function unitOfWord(word: string): string | null {
  const parts = word.split('/').map((part) => {
    const plain = part.replaceAll(/[µμ]/g, 'u')
    const listed = unitTokens[plain.toLowerCase()]
    return listed ?? spelled.get(part) ?? spelled.get(plain) ?? spelled.get(plain.toLowerCase())
  })
  const code = parts.includes(undefined) ? null : parts.join('/')
  return code === null || unitOf(code) === null ? null : code
}

/** UCUM code that a name or a text says beside it (`volume_ul`, `microlitres`, "in µL", "(Cel)"). */
export function unitIn(name: string, text: string): string | null {
  const last = wordsOf(name).at(-1) ?? ''
  const named = unitOfWord(last)
  // One letter alone is a unit only as the last part of a longer name.
  if (named !== null && (last.length > 1 || wordsOf(name).length > 1)) return named
  for (const [, said] of text.matchAll(/\b(?:in|unit:?|units:?)\s+([\p{L}°µμ%/]{1,14})/gu)) {
    const code = unitOfWord(said ?? '')
    if (code !== null) return code
  }
  for (const [, said] of text.matchAll(/[([]\s*(?:in )?([\p{L}°µμ%/]{1,14})\s*[)\]]/gu)) {
    const plain = (said ?? '').replaceAll('°C', 'Cel').replaceAll(/[µμ]/g, 'u')
    const code = unitOfWord(said ?? '') ?? (unitOf(plain) === null ? null : plain)
    if (code !== null) return code
  }
  return null
}
