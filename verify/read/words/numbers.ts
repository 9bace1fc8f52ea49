// Numbers as people write them. Where two readings are possible, none is taken: `1.000` is one or a
// thousand, and a dose is not guessed.

export type NumberHit = {
  readonly start: number
  readonly end: number
  /** null: a number, and it cannot be told which. */
  readonly value: number | null
  /** Written with letters. */
  readonly spelled: boolean
}

export type NumberStyle = {
  /** The sentence is English beyond doubt: `1,000` is a thousand and `1.500` one and a half. */
  readonly english: boolean
}

/** Digits with separators, an exponent, or a `k`. */
const digits = new RegExp(
  [
    // No letter or digit before it,
    String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_])`,
    // no decimal mark, and no hyphen of a name;
    String.raw`(?<!\p{N}[.,])(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]-)`,
    // digits with separators;
    String.raw`[-+]?\d[\d\u202f]*(?:[.,'][\d]+)*`,
    // an exponent, or a sign such as ½.
    String.raw`(?:\s?x\s?10\s?\^?\s?[-+]?\d{1,2}(?!\d)|e[-+]?\d{1,2}(?!\d)|[\p{No}]+)?`,
  ].join(''),
  'gu',
)

function valueOf(written: string, style: NumberStyle): number | null {
  const text = written.replaceAll('\u202f', '')
  if (/\p{No}/u.test(text)) return null
  const power = /^(.*?)(?:\s?x\s?10\s?\^?\s?|e)([-+]?\d{1,2})$/.exec(text)
  if (power !== null) {
    // `10^5` written flat is `105`: only a visible exponent sign or `e` counts.
    if (/x\s?10\s?\d/.test(text)) return null
    const base = valueOf(power[1] ?? '', style)
    return base === null ? null : base * 10 ** Number(power[2])
  }
  if (/^[-+]?\d+$/.test(text)) return Number(text)
  const grouped = /^([-+]?)(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(text)
  const many = /^([-+]?)(\d{1,3}(?:\.\d{3}){2,})(?:,(\d+))?$/.exec(text)
  const german = /^([-+]?)(\d{1,3}(?:\.\d{3})+),(\d+)$/.exec(text)
  const swiss = /^([-+]?)(\d{1,3}(?:'\d{3})+)(?:[.,](\d+))?$/.exec(text)
  const join = (hit: RegExpExecArray, mark: RegExp): number =>
    Number(`${hit[1] ?? ''}${(hit[2] ?? '').replaceAll(mark, '')}.${hit[3] ?? '0'}`)
  if (swiss !== null) return join(swiss, /'/g)
  if (german !== null) return join(german, /\./g)
  if (many !== null) return join(many, /\./g)
  if (grouped !== null) {
    const clear = style.english || grouped[3] !== undefined || text.split(',').length > 2
    // `0,125` is no group of thousands.
    if (/^[-+]?0,/.test(text)) return Number(text.replace(',', '.'))
    return clear ? join(grouped, /,/g) : null
  }
  const dot = /^[-+]?\d+\.\d+$/.exec(text)
  if (dot !== null) {
    const ambiguous = /^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(text) && !style.english
    return ambiguous ? null : Number(text)
  }
  const comma = /^[-+]?\d+,\d+$/.exec(text)
  return comma === null ? null : Number(text.replace(',', '.'))
}

const small = new Map(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
    'fifteen sixteen seventeen eighteen nineteen'
  )
    .split(' ')
    .map((word, i) => [word, i] as const),
)
const tens = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, i) => [word, (i + 2) * 10] as const),
)
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
])
const numberWord = /[a-z]+/g
const numberWords = new Set([...small.keys(), ...tens.keys(), ...scales.keys(), 'half', 'dozen'])
const isNumberWord = (word: string): boolean => numberWords.has(word)
const anyNumberWord = new RegExp([...numberWords].join('|'))

type Word = { readonly text: string; readonly start: number; readonly end: number }

/** Runs of number words: `two hundred and fifty`, `thirty-seven point five`, `one and a half`. */
function runsOf(lower: string): Word[][] {
  const runs: Word[][] = []
  if (!anyNumberWord.test(lower)) return runs
  let run: Word[] = []
  const close = (): void => {
    while (/^(and|a|an|point)$/.test(run.at(-1)?.text ?? '')) run.pop()
    if (run.some((word) => isNumberWord(word.text))) runs.push(run)
    run = []
  }
  for (const hit of lower.matchAll(numberWord)) {
    const number = isNumberWord(hit[0])
    // Most words begin and continue nothing.
    if (run.length === 0 && !number) continue
    const word = { text: hit[0], start: hit.index, end: hit.index + hit[0].length }
    const gap = lower.slice(run.at(-1)?.end ?? word.start, word.start)
    if (run.length > 0 && !/^[\s-]*$/.test(gap)) close()
    const letterBefore = /[\p{L}\p{N}_]/u.test(lower[word.start - 1] ?? '')
    const letterAfter = /[\p{L}\p{N}_]/u.test(lower[word.end] ?? '')
    if (number && !letterBefore && !letterAfter) run.push(word)
    else if (run.length > 0 && /^(and|a|an|point)$/.test(word.text)) run.push(word)
    else close()
  }
  close()
  return runs
}

/** The value of a run; null when its words make no one number. */
function spelledValue(words: readonly string[]): number | null {
  let total = 0
  let group = 0
  let unit: 'none' | 'ten' | 'one' | 'scale' = 'none'
  let fraction = ''
  let pointed = false
  for (const word of words) {
    if (word === 'and' || word === 'a' || word === 'an') continue
    if (word === 'point') {
      if (pointed) return null
      pointed = true
      continue
    }
    const digit = small.get(word)
    if (pointed) {
      if (digit === undefined || digit > 9) return null
      fraction += String(digit)
      continue
    }
    const ten = tens.get(word)
    const scale = scales.get(word)
    if (word === 'half') {
      if (unit === 'none' && total + group === 0) return words.length === 1 ? 0.5 : null
      return total + group + 0.5
    }
    if (word === 'dozen') group = Math.max(group, 1) * 12
    else if (digit !== undefined) {
      // `one five` is a list of digits or of things, not a number.
      if (unit === 'one' || (unit === 'ten' && digit > 9)) return null
      group += digit
      unit = 'one'
    } else if (ten !== undefined) {
      if (unit === 'one' || unit === 'ten') return null
      group += ten
      unit = 'ten'
    } else if (scale !== undefined) {
      group = Math.max(group, 1) * scale
      if (scale > 100) {
        total += group
        group = 0
      }
      unit = 'scale'
    }
  }
  const whole = total + group
  return pointed ? (fraction === '' ? null : Number(`${whole}.${fraction}`)) : whole
}

/** Every number of a folded text, digits and words, in order. */
export function numbersOf(text: string, lower: string, style: NumberStyle): NumberHit[] {
  const hits: NumberHit[] = []
  for (const hit of /\d/.test(text) ? text.matchAll(digits) : []) {
    let written = hit[0]
    // A separator at the end belongs to the sentence.
    written = written.replace(/[.,']+$/, '')
    let end = hit.index + written.length
    let value = valueOf(written, style)
    // `3k rpm` is three thousand.
    const kilo = /^k(?=\s|[a-z])/i.exec(text.slice(end, end + 2))
    if (kilo !== null && /^k\s?(?:rpm|x|g\b|rcf)/i.test(text.slice(end, end + 6))) {
      value = value === null ? null : value * 1_000
      end += 1
    }
    hits.push({ start: hit.index, end, value, spelled: false })
  }
  for (const run of runsOf(lower)) {
    const [first, last] = [run[0], run.at(-1)]
    if (first === undefined || last === undefined) continue
    const value = spelledValue(run.map((word) => word.text))
    hits.push({ start: first.start, end: last.end, value, spelled: true })
  }
  return hits.sort((a, b) => a.start - b.start)
}
