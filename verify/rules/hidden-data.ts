// What names and numbers of records carry beside a name: who somebody is, or text written in figures. A name
// goes to devices, labels and logs that nobody screens as text.
import { tokenise } from '../lexicon/words.ts'
import { unnamer } from '../read/words/nouns.ts'
import { actsOf, doubt, wordsOfRole, type Rule } from './rule.ts'

/** A day of birth: of somebody who is not a child. Later ones are days of runs and lots. */
const birthday =
  /(?<!\d)(?:19\d\d|200\d|201[0-2])[-_./]?(?:0[1-9]|1[0-2])[-_./]?(?:0[1-9]|[12]\d|3[01])(?!\d)/u
const ofPerson =
  /(?:^|[^\p{L}])(?:dob|mrn|ssn|nhs|passport|patient|donor|born)[-_ ]?(?:no|nr|id)?[-_ ]?\d/iu
/** A given or family name: one capital, small letters behind it. */
const nameWord = /(?<![\p{L}\d])\p{Lu}\p{Ll}{2,}(?![\p{L}\d])/gu

const hexRun = /(?<![\p{L}\d])(?:[0-9a-f]{2}){6,40}(?![\p{L}\d])/giu

/** Letters of a text, written as figures: most of a digest decodes to no text at all. */
function spellsText(run: string): boolean {
  const codes = run.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? []
  return codes.length >= 6 && codes.every((code) => code >= 0x20 && code < 0x7f)
}

/** True when a name tells who a person is. */
export function tellsPerson(text: string): boolean {
  // A blank or a mark stands between the parts of a name; an underscore is one.
  const spaced = text.replaceAll('_', ' ')
  if (ofPerson.test(spaced)) return true
  return birthday.test(spaced) && (spaced.match(nameWord)?.length ?? 0) > 0
}

const hidesText = (text: string): boolean =>
  (text.replaceAll('_', ' ').match(hexRun) ?? []).some(spellsText)

const named = new Set(['thing', 'place', 'address', 'inert', 'uncovered'])

/** Identities and written-out text in the names that steps use. */
export const hiddenData: Rule = {
  id: 'hidden_data',
  check: ({ scene }) => ({
    doubts: scene.steps.flatMap((step) =>
      step.texts
        .filter(({ kind }) => named.has(kind))
        .flatMap(({ at, text }) => {
          if (tellsPerson(text)) {
            const asked = 'Does the name say who a person is?'
            return [doubt('NAME_CARRIES_DATA', at, asked, 'consent', false)]
          }
          if (!hidesText(text)) return []
          const asked = 'Does the name carry text that is written in figures?'
          return [doubt('NAME_CARRIES_DATA', at, asked, 'data', false)]
        }),
    ),
  }),
}

/** A word, and no running number: what a name could say to whoever reads the log of the record system. */
const spelled = /^\p{L}{4,}$/u
/** So many records that nobody told are a message more likely than a look around. */
const untoldMax = 2

/**
 * Records that steps ask for and no instruction names. A question carries its name to another system and into its
 * logs: words in it that neither the plan nor the lab knows, or many names, may be a text that leaves in pieces.
 */
export const untoldRecords: Rule = {
  id: 'untold_records',
  check: ({ scene, registry, state }) => {
    const reads = actsOf(scene, 'read_record')
    if (reads.length === 0) return {}
    const plain = unnamer(registry, state)
    const prose = [...new Set([scene.goal, ...scene.instructions].flatMap(tokenise))]
    // `COAT-5` is about "the new coating".
    const isTold = (word: string) => prose.some((told) => told.startsWith(word))
    // What is left when the names that the lab gives are taken out; words that stand for those were not written.
    const fresh = (text: string): string[] => {
      const written = new Set(tokenise(text))
      return tokenise(plain(text)).filter((word) => written.has(word) && !isTold(word))
    }
    const asked = reads.flatMap((done) => wordsOfRole(done.act, 'record'))
    const untold = asked
      .map(({ at, text }) => ({ at, text, words: fresh(text) }))
      .filter(({ words }) => words.length > 0)
    const many = new Set(untold.map(({ text }) => text)).size > untoldMax
    const told = untold.filter(({ words }) => many || words.some((word) => spelled.test(word)))
    return {
      doubts: told.map(({ at }) =>
        doubt('NAME_CARRIES_DATA', at, 'Which instruction asks for this record?', 'data', false),
      ),
    }
  },
}
