// Spotlighting (Hines et al., 2024): text that is judged or looked up goes into a prompt as data.
// Each section stands between fences that carry an unguessable delimiter, every line of it begins
// with the same mark, and characters that a reader cannot see are written out. Text inside cannot
// end its section, start another one or hide a line.
import { err, ok, type Result } from '../../protocol/result.ts'
import type { JsonValue } from '../../protocol/json.ts'

/** At least 24 characters: in base32 they hold 120 bits. */
const delimiterPattern = /^[a-z0-9]{24,64}$/

export type Delimiter = { readonly value: string; readonly mark: string }

/**
 * Checks a caller's random delimiter against every text that will be fenced. A delimiter that
 * occurs in the data was guessed or leaked: the request is not made.
 */
export function delimiterFor(
  value: string,
  data: readonly string[],
): Result<Delimiter, 'delimiter_in_data'> {
  if (!delimiterPattern.test(value)) throw new RangeError('a delimiter is 24 to 64 of a-z 0-9')
  const mark = value.slice(-8)
  const lower = data.map((text) => text.toLowerCase())
  if (lower.some((text) => text.includes(value) || text.includes(`${mark}|`))) {
    return err('delimiter_in_data')
  }
  return ok({ value, mark })
}

/** Control, format, private-use, surrogate and unassigned characters, and every odd space. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}|[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}\u115f\u1160\u3164\uffa0\u2800]/gu

/**
 * Writes out what a reader cannot see in a text that is JSON already, as \uXXXX: the text stays JSON
 * and stays unambiguous, since a backslash of the data is doubled there.
 */
export function showUnseen(json: string): string {
  return json.replaceAll(unseen, (char) => {
    let out = ''
    for (let i = 0; i < char.length; i++) {
      out += `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`
    }
    return out
  })
}

/** One JSON value on marked lines: two spaces of indent, strings escaped, unseen characters shown. */
export function markedJson(value: JsonValue, delimiter: Delimiter): string {
  return marked(JSON.stringify(value, null, 2), delimiter)
}

/** Marks every line of a text that we formatted ourselves, one JSON value or plain word a line. */
export function marked(text: string, delimiter: Delimiter): string {
  return text
    .split('\n')
    .map((line) => `${delimiter.mark}| ${showUnseen(line)}`)
    .join('\n')
}

/** A section of data. `name` is ours, never a peer's. */
export function fence(name: string, body: string, delimiter: Delimiter): string {
  return `<<<${name} ${delimiter.value}>>>\n${body}\n<<<END ${name} ${delimiter.value}>>>`
}
