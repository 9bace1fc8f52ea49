// Text of a stranger in pieces: what shows as it is, what does not show, and letters that pass for others.
// A reviewer decides by what stands there, so nothing may hide and nothing may pass for something else.

export type Piece =
  | { kind: 'plain'; text: string }
  /** A character that does not show; spelled out by its number. */
  | { kind: 'hidden'; code: string }
  /** A letter of another script, or a styled one, inside Latin text: shown, with its number. */
  | { kind: 'alike'; text: string; code: string }

/**
 * Characters that do not show, or look like a plain space: control, format (zero-width, bidi, tags),
 * surrogate, private and unassigned ones, every separator, whatever Unicode calls ignorable by default
 * (variation selectors, joiners, fillers), and the empty Braille pattern.
 */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
const plain = new Set([' ', '\n', '\t'])

const latin = /\p{Script=Latin}/gu
const foreign =
  /[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u
/** Greek letters that look like Latin ones; μ, Ω, α and others of the lab stay as they are. */
const greekAlike = /[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικρυϲϳ]/u
const asciiAlnum = /^[A-Za-z0-9]$/

/** Whether most letters of a text are Latin: then a letter of another script may pass for one. */
function mostlyLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && (text.match(latin)?.length ?? 0) * 2 > letters
}

function passesForLatin(character: string): boolean {
  if (character < '\u0080') return false
  if (foreign.test(character) || greekAlike.test(character)) return true
  // Full-width and mathematical letters are styled forms of ASCII.
  return asciiAlnum.test(character.normalize('NFKC')) && !/[ªº¹²³⁰-₉]/u.test(character)
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** The text in pieces, in order. */
export function pieces(text: string): Piece[] {
  const isLatin = mostlyLatin(text)
  const out: Piece[] = []
  let run = ''
  const flush = (): void => {
    if (run !== '') out.push({ kind: 'plain', text: run })
    run = ''
  }
  for (const character of text) {
    if (!plain.has(character) && unseen.test(character)) {
      flush()
      out.push({ kind: 'hidden', code: codeOf(character) })
    } else if (isLatin && passesForLatin(character)) {
      flush()
      out.push({ kind: 'alike', text: character, code: codeOf(character) })
    } else run += character
  }
  flush()
  return out
}
