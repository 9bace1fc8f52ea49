// One spelling of a name for comparison. Danger: `beaker_3` and `Beaker-03` are one vessel to the
// person who fills it, and two to a machine that compares strings.
import { remembered } from '../lexicon/remembered.ts'
import { lookAlikes } from '../screen/injection/fold-tables.ts'

/** Longer names are cut before folding: nothing that is declared is longer. */
const nameCharsMax = 200

const invisible = /[\p{Cf}\p{Mn}\u00ad]/gu

/** Letters that look like Latin ones become these, only where the name also has Latin letters. */
function latin(text: string): string {
  if (!/[a-z0-9]/.test(text) || !/\P{ASCII}/u.test(text)) return text
  return Array.from(text, (ch) => lookAlikes[ch] ?? ch).join('')
}

/**
 * The folded spelling: compatibility forms, case, separators and leading zeros removed; a separator
 * between two numbers stays as `.`, so that `tube 1_1` is not `tube 11`. Empty for a name without
 * letters and digits.
 */
export const foldName = remembered((raw): string =>
  raw.length <= nameCharsMax && ascii.test(raw) ? foldAscii(raw) : fold(raw),
)

const ascii = /^[\0-\x7f]*$/

/** As `fold` for ASCII, in one walk: runs of letters, and runs of digits without leading zeros. */
function foldAscii(raw: string): string {
  const plain = raw.toLowerCase()
  const isDigit = (at: number): boolean => plain.charCodeAt(at) >= 48 && plain.charCodeAt(at) <= 57
  const isLetter = (at: number): boolean =>
    plain.charCodeAt(at) >= 97 && plain.charCodeAt(at) <= 122
  let out = ''
  let afterNumber = false
  for (let at = 0; at < plain.length;) {
    let start = at
    if (isDigit(at)) {
      while (isDigit(at)) at += 1
      while (start < at - 1 && plain.charCodeAt(start) === 48) start += 1
      out += afterNumber ? `.${plain.slice(start, at)}` : plain.slice(start, at)
      afterNumber = true
    } else if (isLetter(at)) {
      while (isLetter(at)) at += 1
      out += plain.slice(start, at)
      afterNumber = false
    } else at += 1
  }
  return out
}

function fold(raw: string): string {
  const plain = latin(
    raw.slice(0, nameCharsMax).normalize('NFKD').toLowerCase().replaceAll(invisible, ''),
  )
  const runs = plain.match(/\p{N}+|[^\p{N}\W_]+|[\p{L}--\p{ASCII}]+/gv) ?? []
  let out = ''
  let afterNumber = false
  for (const run of runs) {
    const isNumber = /^\p{N}/u.test(run)
    const text = isNumber ? run.replace(/^0+(?=\d)/, '') : run
    out += isNumber && afterNumber ? `.${text}` : text
    afterNumber = isNumber
  }
  return out
}
