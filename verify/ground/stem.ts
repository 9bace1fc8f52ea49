// The Porter stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980), so that the index
// and a query agree on word forms in Node and in the Worker alike.

const consonant = '[^aeiou]'
const vowel = '[aeiouy]'
const c = `${consonant}[^aeiouy]*`
const v = `${vowel}[aeiou]*`
const measured = new RegExp(`^(?:${c})?${v}${c}`)
const measuredOne = new RegExp(`^(?:${c})?${v}${c}(?:${v})?$`)
const measuredMore = new RegExp(`^(?:${c})?${v}${c}${v}${c}`)
const hasVowel = new RegExp(`^(?:${c})?${vowel}`)
const cvc = new RegExp(`^${c}${vowel}[^aeiouwxy]$`)

const step2: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
}

const step3: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
}

const ends2 = new RegExp(`^(.+?)(${Object.keys(step2).join('|')})$`)
const ends3 = new RegExp(`^(.+?)(${Object.keys(step3).join('|')})$`)
const ends4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/

function step1(word: string): string {
  let w = word
  if (/(ss|i)es$/.test(w)) w = w.slice(0, -2)
  else if (/[^s]s$/.test(w)) w = w.slice(0, -1)
  if (w.endsWith('eed')) return measured.test(w.slice(0, -3)) ? w.slice(0, -1) : w
  const base = /^(.+?)(ed|ing)$/.exec(w)?.[1]
  if (base === undefined || !hasVowel.test(base)) return w
  if (/(at|bl|iz)$/.test(base)) return `${base}e`
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1)
  return cvc.test(base) ? `${base}e` : base
}

function replaceEnd(word: string, ends: RegExp, by: Readonly<Record<string, string>>): string {
  const m = ends.exec(word)
  const [base, suffix] = [m?.[1], m?.[2]]
  if (base === undefined || suffix === undefined || !measured.test(base)) return word
  return `${base}${by[suffix] ?? suffix}`
}

function step4(word: string): string {
  const m = ends4.exec(word)
  if (m?.[1] !== undefined) return measuredMore.test(m[1]) ? m[1] : word
  const ion = /^(.+?[st])ion$/.exec(word)?.[1]
  return ion !== undefined && measuredMore.test(ion) ? ion : word
}

function step5(word: string): string {
  let w = word
  if (w.endsWith('e')) {
    const base = w.slice(0, -1)
    const short = measuredOne.test(base) && !measuredMore.test(base)
    if (measuredMore.test(base) || (short && !cvc.test(base))) w = base
  }
  return w.endsWith('ll') && measuredMore.test(w) ? w.slice(0, -1) : w
}

/** The stem of one lower-case word; words of one or two letters, or with digits, stay. */
export function stem(word: string): string {
  if (word.length < 3 || /\d/.test(word)) return word
  let w = step1(word)
  if (/^.*[aeiouy].*y$/.test(w)) w = `${w.slice(0, -1)}i`
  return step5(step4(replaceEnd(replaceEnd(w, ends2, step2), ends3, step3)))
}
