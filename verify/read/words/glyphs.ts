// A sentence in one alphabet of signs, with the place that each character came from. Danger: a
// degree sign that is an ordinal, or a full-width digit, reads the same to a person and hides a
// number from a pattern.
import { ofTexts, remembered } from '../../lexicon/remembered.ts'

export type Glyphs = {
  /** One sign for all that look alike; case and accents kept apart from `lower`. */
  readonly text: string
  /** Lower case, accents dropped; as long as `text`. */
  readonly lower: string
  /** For each character of `text`, and one past its end, the UTF-16 offset in the source. */
  readonly origin: readonly number[]
}

const signs: Readonly<Record<string, string>> = {
  º: '°',
  '˚': '°',
  '◦': '°',
  '∘': '°',
  '℃': '°C',
  '℉': '°F',
  K: 'K',
  µ: 'u',
  μ: 'u',
  '×': 'x',
  '✕': 'x',
  '✖': 'x',
  '⨯': 'x',
  х: 'x',
  '−': '-',
  '–': '-',
  '—': '-',
  '‒': '-',
  '‐': '-',
  '‑': '-',
  '﹣': '-',
  '～': '-',
  '〜': '-',
  '∼': '~',
  '≤': '<=',
  '≥': '>=',
  '∶': ':',
  '⁄': '/',
  '∕': '/',
  '·': '.',
  '⋅': '.',
  '’': "'",
  '‘': "'",
  '′': "'",
  '″': '"',
  '⁻': '-',
  '”': '"',
  '“': '"',
}
/** Blanks inside a number that part its thousands. */
const thinBlank = /[\u00a0\u2009\u202f\u2007]/
export const thin = '\u202f'
const dropped = /\p{Cf}|\u00ad|[\ufe00-\ufe0f]|[\u0300-\u036f]/u
/** Superscripts, circled and vulgar numbers are no digits: `10⁵` is not 105. */
const oddNumber = /\p{No}/u

function plain(ch: string): string {
  const known = signs[ch]
  if (known !== undefined) return known
  if (ch < '\u0080') return ch
  if (thinBlank.test(ch)) return thin
  if (dropped.test(ch)) return ''
  if (oddNumber.test(ch)) return ch
  const folded = ch.normalize('NFKC')
  return /^\p{Nd}$/u.test(folded) && !/^\d$/.test(folded) ? digitOf(folded) : folded
}

/** The value of a decimal digit of any script: ten stand in a row, and the row starts at zero. */
function digitOf(ch: string): string {
  const code = ch.codePointAt(0) ?? 0
  let zero = code
  while (zero > code - 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

type Glyph = { readonly text: string; readonly lower: string }

/** What one code point folds to. */
const glyphOf = remembered((ch): Glyph => {
  const text = plain(ch)
  let lower = ''
  for (const one of text) {
    const small = one
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/\p{Mn}/gu, '')
    // One unit for one unit: a letter that folds to several, or to none, stays as it is.
    lower += small.length === one.length ? small : one
  }
  return { text, lower }
})

/** Folds one text. Runs of ASCII stay as they are but for their case. */
export const glyphsOf = remembered((source): Glyphs => {
  let text = ''
  let lower = ''
  const origin: number[] = []
  let run = 0
  const keep = (end: number): void => {
    if (end === run) return
    const part = source.slice(run, end)
    text += part
    lower += part.toLowerCase()
    for (let i = run; i < end; i++) origin.push(i)
  }
  for (let at = 0; at < source.length;) {
    if (source.charCodeAt(at) < 0x80) {
      at += 1
      continue
    }
    keep(at)
    const ch = String.fromCodePoint(source.codePointAt(at) ?? 0)
    const glyph = glyphOf(ch)
    text += glyph.text
    lower += glyph.lower
    for (let k = 0; k < glyph.text.length; k++) origin.push(at)
    at += ch.length
    run = at
  }
  keep(source.length)
  origin.push(source.length)
  return { text, lower, origin }
}, ofTexts)

/** The first character that came from an offset of the source; undefined where none begins there. */
export function placeOf(origin: readonly number[], offset: number): number | undefined {
  let [low, high] = [0, origin.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((origin[middle] ?? Infinity) < offset) low = middle + 1
    else high = middle
  }
  return origin[low] === offset ? low : undefined
}
