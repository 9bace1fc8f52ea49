// What names and numbers of records carry beside a name: who somebody is, or text written in figures. A name
// goes to devices, labels and logs that nobody screens as text.
import { doubt, type Rule } from './rule.ts'

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
