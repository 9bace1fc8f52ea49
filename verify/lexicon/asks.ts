// Words that ask for acts, as data by language; checked against the vocabulary of acts when loaded.
import { z } from 'zod'
import { actNames, type ActName } from '../../protocol/acts.ts'
import en from './asks/en.json' with { type: 'json' }
import { wordsOf, type Words } from './words.ts'

const word = z.string().min(1).max(60)
const entrySchema = z.strictObject({ verbs: z.array(word), words: z.array(word) })
const asksSchema = z.strictObject({
  note: z.string(),
  language: z.string().max(8),
  acts: z.partialRecord(z.enum(actNames), entrySchema),
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

export type AskWords = Words<readonly ActName[]>

/** Compiles one language's words; a word that asks for several acts keeps them all. */
function compiled(data: z.infer<typeof asksSchema>): AskWords {
  const means = new Map<string, Set<ActName>>()
  for (const [act, entry] of Object.entries(data.acts)) {
    const list = [
      ...entry.verbs.flatMap(formsOf),
      ...entry.words.map((one) => one.replaceAll('-', ' ')),
    ]
    for (const one of list) {
      const known = means.get(one)
      if (known === undefined) means.set(one, new Set([act as ActName]))
      else known.add(act as ActName)
    }
  }
  return wordsOf([...means].map(([name, acts]) => [name, [...acts]] as const))
}

/** The shipped words of English. */
export const englishAsks: AskWords = compiled(asksSchema.parse(en))
