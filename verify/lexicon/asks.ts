// Words that ask for acts, as data by language; checked against the vocabulary of acts when loaded.
import { z } from 'zod'
import { actNames, dimensions, type ActName, type Dimension } from '../../protocol/acts.ts'
import de from './asks/de.json' with { type: 'json' }
import en from './asks/en.json' with { type: 'json' }
import es from './asks/es.json' with { type: 'json' }
import fr from './asks/fr.json' with { type: 'json' }
import ja from './asks/ja.json' with { type: 'json' }
import ru from './asks/ru.json' with { type: 'json' }
import zh from './asks/zh.json' with { type: 'json' }
import { wordsOf, type Words } from './words.ts'

const word = z.string().min(1).max(60)
const entrySchema = z.strictObject({ verbs: z.array(word), words: z.array(word) })
const asksSchema = z.strictObject({
  note: z.string(),
  language: z.string().max(8),
  acts: z.partialRecord(z.enum(actNames), entrySchema),
  /** Verbs that ask for whichever of their acts takes a quantity that the sentence tells. */
  generic: z.array(word),
  /** What a told quantity asks for where no verb does. */
  by_dim: z.partialRecord(
    z.enum(Object.keys(dimensions) as [Dimension, ...Dimension[]]),
    z.array(z.enum(actNames)),
  ),
  /** Closed languages only: words that ask for nothing and deny nothing. */
  plain: z.array(word).default([]),
})

/** Forms of an English verb; `stop` doubles its last letter, `make` loses its e. */
export function formsOf(verb: string): string[] {
  const [first = '', ...rest] = verb.split(' ')
  const tail = rest.length === 0 ? '' : ` ${rest.join(' ')}`
  const base = first.replaceAll('-', ' ')
  const e = base.endsWith('e')
  const y = /[^aeiou]y$/.test(base)
  const doubled = /[^aeiou][aeiou][bdgmnprt]$/.test(base) ? `${base}${base.at(-1) ?? ''}` : base
  const stem = e ? base.slice(0, -1) : doubled
  const past = y ? [`${base.slice(0, -1)}ied`] : e ? [`${base}d`] : [`${base}ed`, `${doubled}ed`]
  const present = y
    ? `${base.slice(0, -1)}ies`
    : /(?:s|x|ch|sh|z)$/.test(base)
      ? `${base}es`
      : `${base}s`
  const all = [base, present, `${base}ing`, `${stem}ing`, ...past]
  return [...new Set(all)].map((form) => `${form}${tail}`)
}

export type Ask = {
  readonly acts: readonly ActName[]
  /** Those that it asks for also as a noun: `the dilution`, but not `the plate`. */
  readonly always: readonly ActName[]
  readonly generic: boolean
}

export type AskWords = {
  readonly words: Words<Ask>
  readonly byDim: ReadonlyMap<Dimension, readonly ActName[]>
}

/** Compiles one language's words; a word that asks for several acts keeps them all. */
function compiled(data: z.infer<typeof asksSchema>): AskWords {
  const means = new Map<string, { verb: Set<ActName>; word: Set<ActName> }>()
  const add = (name: string, act: ActName, as: 'verb' | 'word'): void => {
    const known = means.get(name) ?? { verb: new Set(), word: new Set() }
    known[as].add(act)
    means.set(name, known)
  }
  for (const [name, entry] of Object.entries(data.acts)) {
    const act = name as ActName
    for (const verb of entry.verbs.flatMap(formsOf)) add(verb, act, 'verb')
    for (const one of entry.words) add(one.replaceAll('-', ' '), act, 'word')
  }
  // `picture*` is a word whatever its ending: a verb of the same form does not hide it.
  const starts = [...means].filter(([name]) => name.endsWith('*') && !name.includes(' '))
  for (const [name, known] of means) {
    if (name.endsWith('*') || name.includes(' ')) continue
    for (const [start, { word: acts }] of starts) {
      if (name.startsWith(start.slice(0, -1))) for (const act of acts) known.word.add(act)
    }
  }
  const generic = new Set(data.generic.flatMap(formsOf))
  const words = [...means].map(([name, { verb, word: plain }]): [string, Ask] => [
    name,
    { acts: [...new Set([...verb, ...plain])], always: [...plain], generic: generic.has(name) },
  ])
  const byDim = new Map(Object.entries(data.by_dim) as [Dimension, ActName[]][])
  return { words: wordsOf(words), byDim }
}

/** The shipped words of English. */
export const englishAsks: AskWords = compiled(asksSchema.parse(en))

/** Every form of the English verbs that ask for an act, whatever part of speech it is in a sentence. */
export function verbFormsOf(act: ActName): ReadonlySet<string> {
  return new Set((asksSchema.parse(en).acts[act]?.verbs ?? []).flatMap(formsOf))
}

/** A language that is read word by word: one word that is not here, and the sentence is not read. */
export type ClosedLanguage = {
  readonly language: string
  /** Acts of each word; none for the plain ones. */
  readonly words: ReadonlyMap<string, readonly ActName[]>
  readonly longest: number
}

function closed(data: z.infer<typeof asksSchema>): ClosedLanguage {
  const words = new Map<string, readonly ActName[]>(data.plain.map((one) => [one, []]))
  for (const [act, entry] of Object.entries(data.acts)) {
    for (const one of entry.words) words.set(one, [...(words.get(one) ?? []), act as ActName])
  }
  const longest = Math.max(...[...words.keys()].map((one) => one.length))
  return { language: data.language, words, longest }
}

/** The shipped closed languages. */
export const closedLanguages: readonly ClosedLanguage[] = [de, es, fr, ru, zh, ja].map((data) =>
  closed(asksSchema.parse(data)),
)
