// What a field, argument or file is called → what it holds. Reads names in any spelling
// (`donorName`, `DONOR-NAME`, `date of birth`, `dob`), in the languages that laboratories use.
// Danger: person-identifying fields read under another name than the registry lists (CWE-359).
import type { FlowLabel } from '../../../protocol/registry.ts'
import { fieldWords } from '../../lexicon/signs.ts'
import { wordsOf } from '../words.ts'

export type Sensitive = Extract<FlowLabel, 'identifiers' | 'credentials'>

/** Words that mean a person whose data the site holds. */
export const personWords: ReadonlySet<string> = fieldWords.person

const has = (words: readonly string[], rows: readonly (readonly string[])[]): boolean =>
  rows.some((row) => row.every((word) => words.includes(word)))

function namesPerson(words: readonly string[], joined: string): boolean {
  const person = words.some((word) => personWords.has(word))
  if (!person && words.some((word) => fieldWords.organisation.has(word))) return false
  if (fieldWords.personAlone.has(joined) || has(words, fieldWords.personTogether)) return true
  const machine = words.some((word) => fieldWords.machine.has(word))
  if (words.some((word) => fieldWords.personAlone.has(word))) return !machine
  if (words.includes('address') || words.includes('adress')) return !machine
  return person && words.some((word) => word === 'name' || word === 'names' || word === 'contact')
}

function namesCredential(words: readonly string[], joined: string): boolean {
  // "token count" and "secret santa" exist; a count, length or id of one reveals nothing.
  if (words.some((word) => fieldWords.revealsNothing.has(word))) return false
  return (
    fieldWords.credentialAlone.has(joined) ||
    words.some((word) => fieldWords.credentialAlone.has(word)) ||
    has(words, fieldWords.credentialTogether)
  )
}

/** The label of a field by its name; null when the name says nothing sensitive. */
export function fieldLabel(name: string): Sensitive | null {
  const words = wordsOf(name)
  const joined = words.join('')
  if (namesCredential(words, joined)) return 'credentials'
  return namesPerson(words, joined) ? 'identifiers' : null
}

/** `*`, `all` and the like: every field of the record, hence the identifying ones too. */
export function asksForAll(name: string): boolean {
  const text = name.trim().toLowerCase()
  if (/^[*%]|\.\*$/.test(text)) return true
  return /^(?:all|any|everything|full|complete|entire)(?:[ _-]?(?:fields?|columns?|attributes?|data|record|of it))?$/.test(
    text,
  )
}
