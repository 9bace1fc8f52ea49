// Finds encoded runs in a text and decodes them: base64, hex, percent, HTML entities, escapes,
// character codes and binary. Danger: an instruction that only the model decodes.

export interface Decoded {
  readonly view: string
  readonly text: string
  /** Span of the encoded run in the source. */
  readonly from: number
  readonly to: number
}

/** A run is taken for text when this share of it can be read. */
const readableShare = 0.9

function readable(text: string): boolean {
  if (text.length < 4) return false
  let good = 0
  let letters = 0
  for (const c of text) {
    if (/[\p{L}\p{N}\p{P}\p{Zs}\n\r\t<>=+$|^`~]/u.test(c)) good += 1
    if (/\p{L}/u.test(c)) letters += 1
  }
  return good >= text.length * readableShare && letters >= text.length * 0.5
}

const utf8 = new TextDecoder()

/** The bytes as text, or null. Bad bytes decode to a mark that is looked for: throwing is slow. */
function textOf(bytes: Uint8Array): string | null {
  const text = utf8.decode(bytes)
  return !text.includes('\ufffd') && readable(text) ? text : null
}

function base64(run: string): string | null {
  const clean = run.replaceAll(/[\s=]/g, '').replaceAll('-', '+').replaceAll('_', '/')
  const even = clean.slice(0, clean.length - (clean.length % 4 === 1 ? 1 : 0))
  try {
    return textOf(Uint8Array.from(atob(even), (c) => c.charCodeAt(0)))
  } catch {
    return null
  }
}

const bytesOf = (parts: readonly string[], base: number): string | null => {
  const codes = parts.map((x) => Number.parseInt(x, base))
  if (codes.some((x) => Number.isNaN(x) || x > 255)) return null
  return textOf(Uint8Array.from(codes))
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  colon: ':',
  period: '.',
  comma: ',',
  excl: '!',
  lsqb: '[',
  rsqb: ']',
  newline: '\n',
  tab: '\t',
  sol: '/',
  semi: ';',
  shy: '',
}

const point = (code: number): string =>
  code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : ' '

function entities(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,7}));?/gi,
    (all: string, hex: string | undefined, dec: string | undefined, name: string | undefined) => {
      if (hex !== undefined) return point(Number.parseInt(hex, 16))
      if (dec !== undefined) return point(Number.parseInt(dec, 10))
      return named[name?.toLowerCase() ?? ''] ?? all
    },
  )
}

function percent(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (x) => Number.parseInt(x, 16))
    return new TextDecoder().decode(bytes)
  })
}

function escapes(text: string): string {
  return text.replaceAll(
    /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([nrt]))/gi,
    (_: string, ...groups: (string | undefined)[]) => {
      const hex = groups[0] ?? groups[1] ?? groups[2]
      return hex === undefined ? ' ' : point(Number.parseInt(hex, 16))
    },
  )
}

/** Ways that rewrite the text in place: what is around the run stays readable beside it. */
const inPlace: readonly [view: string, needs: RegExp, decode: (text: string) => string][] = [
  ['html', /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,7};)/i, entities],
  ['url', /%[0-9a-f]{2}/i, percent],
  ['escapes', /\\(?:u\{?[0-9a-f]{1,6}|x[0-9a-f]{2})/i, escapes],
  [
    'joined-quotes',
    /["'`]\s{0,3}[+.,&|]?\s{0,3}["'`]/,
    (t) => t.replaceAll(/["'`]\s{0,3}[+.,&|]?\s{0,3}["'`]/g, ''),
  ],
]

/** The text with everything decoded in place, one way after the other, or null without a change. */
export function decodeInPlace(text: string): { view: string; text: string } | null {
  let decoded = text
  const views: string[] = []
  for (const [view, needs, decode] of inPlace) {
    if (!needs.test(decoded)) continue
    const next = decode(decoded)
    if (next !== decoded) views.push(view)
    decoded = next
  }
  return views.length === 0 ? null : { view: views.join('+'), text: decoded }
}

const runs: readonly [view: string, find: RegExp, decode: (run: string) => string | null][] = [
  ['base64', /[A-Za-z0-9+/_-]{12,}(?:[ \r\n]{1,2}[A-Za-z0-9+/_-]{40,})*={0,2}/g, base64],
  [
    'hex',
    /(?:0x)?(?:[0-9a-fA-F]{2}){8,}/g,
    (r) => bytesOf(r.replace(/^0x/, '').match(/../g) ?? [], 16),
  ],
  [
    'hex',
    /(?:(?:0x)?[0-9a-fA-F]{2}[ ,:;-]{1,2}){7,}(?:0x)?[0-9a-fA-F]{2}/g,
    (r) => bytesOf(r.replaceAll('0x', '').split(/[ ,:;-]+/), 16),
  ],
  ['binary', /(?:[01]{8}[ ,]?){6,}/g, (r) => bytesOf(r.match(/[01]{8}/g) ?? [], 2)],
  ['codes', /(?:\d{2,3}[ ,]{1,2}){7,}\d{2,3}/g, (r) => bytesOf(r.split(/[ ,]+/), 10)],
]

/**
 * Encoded runs of a text that decode to something readable. `more` is asked before each run and
 * answers false when the bound is reached.
 */
export function decodeRuns(text: string, more: (chars: number) => boolean): Decoded[] {
  const found: Decoded[] = []
  // A text whose longest unbroken run is short has no run worth a look, and most texts are so.
  const worth = /[A-Za-z0-9+/_-]{12}|(?:[0-9a-fA-Fx]{2,4}[ ,:;-]{1,2}){7}|[01]{8}[ ,]?[01]{8}/.test(
    text,
  )
  if (!worth) return found
  for (const [view, find, decode] of runs) {
    for (const hit of text.matchAll(find)) {
      // A long word is not an encoding: base64 of prose mixes cases or has digits.
      if (view === 'base64' && !/[0-9+/=]|[a-z][A-Z]{1,3}[a-z]/.test(hit[0])) continue
      if (!more(hit[0].length)) return found
      const decoded = decode(hit[0])
      if (decoded !== null)
        found.push({ view, text: decoded, from: hit.index, to: hit.index + hit[0].length })
    }
  }
  return found
}

/** More runs than this of one kind are read as one text, which is what their reader would do. */
const runsApart = 4

/** Joins many short runs; the joined text stands for the stretch from the first to the last. */
export function joinRuns(found: readonly Decoded[]): readonly Decoded[] {
  const joined: Decoded[] = []
  for (const [view, of] of Map.groupBy(found, (x) => x.view)) {
    const first = of[0]
    const last = of.at(-1)
    if (of.length <= runsApart || first === undefined || last === undefined) joined.push(...of)
    else {
      const text = of.map((x) => x.text).join(' ')
      joined.push({ view, text, from: first.from, to: last.to })
    }
  }
  return joined
}

/** Bytes hidden in variation selectors (one selector per byte), as text. */
export function decodeSelectors(text: string): string | null {
  const bytes: number[] = []
  for (const c of text) {
    const p = c.codePointAt(0) ?? 0
    if (p >= 0xfe00 && p <= 0xfe0f) bytes.push(p - 0xfe00)
    else if (p >= 0xe0100 && p <= 0xe01ef) bytes.push(p - 0xe0100 + 16)
  }
  return bytes.length < 8 ? null : textOf(Uint8Array.from(bytes))
}
