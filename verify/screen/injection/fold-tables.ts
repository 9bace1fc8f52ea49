// Which characters read as which Latin letters: verify/lexicon/injection/letters.json by code.
import letters from '../../lexicon/injection/letters.json' with { type: 'json' }

export const lookAlikes: Readonly<Record<string, string>> = letters.look_alikes
export const latinForms: Readonly<Record<string, string>> = letters.latin_forms

/** Digits and symbols that stand for letters, by character code. */
export const leetLetter = new Map<number, string>(
  Object.entries(letters.leet).map(([from, to]) => [from.charCodeAt(0), to]),
)
