// Folds a text into its canonical words: lower case, compatibility forms resolved, accents and
// invisible characters gone, mixed-script look-alikes resolved, one space between words, `|`
// between sentences. Danger: text that reads the same to a model but not to a pattern.

import { FoldBuffer } from './fold-buffer.ts'
import { latinForms, leetLetter, lookAlikes } from './fold-tables.ts'

export interface Folded {
  /** ` word word | word `, with a space at both ends. */
  readonly text: string
  /** For each character of `text`, the offset in the source it came from. */
  readonly origin: Int32Array
  readonly traits: Traits
}

/** What the fold saw on its way; gates the costlier views. */
export interface Traits {
  words: number
  letters: number
  /** Words of one character, and the longest run of them. */
  singlesRun: number
  longestWord: number
  /** Words that mix letters with digits or symbols that stand for letters. */
  leetWords: number
  mixedScriptWords: number
  invisible: number
  /** Characters of the Unicode tag block outside a flag emoji. */
  tags: number
  variationSelectors: number
  han: number
  kana: number
  hangul: number
  thai: number
  arabic: number
  devanagari: number
  cyrillic: number
}

const kindLetter = 1
const kindSpace = 0
const kindBreak = 2
const kindDrop = 3
const kindTag = 4

/** Class of each ASCII character. */
const asciiKind = new Uint8Array(128)
for (let c = 0; c < 128; c += 1) {
  const letter = (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57)
  if (letter) asciiKind[c] = kindLetter
  else if (c === 0x21 || c === 0x3f) asciiKind[c] = kindBreak
}

/** What one code point above ASCII folds to, kept because texts repeat their characters. */
interface Unit {
  readonly kind: number
  readonly text: string
}
const units = new Map<number, Unit>()
const unitsMax = 8_192

const invisible = (point: number): boolean =>
  point === 0xad ||
  point === 0x34f ||
  point === 0x61c ||
  point === 0x180e ||
  (point >= 0x200b && point <= 0x200f) ||
  (point >= 0x202a && point <= 0x202e) ||
  (point >= 0x2060 && point <= 0x206f) ||
  point === 0xfeff ||
  (point >= 0xfe00 && point <= 0xfe0f) ||
  (point >= 0xe0000 && point <= 0xe01ef)

function foldPoint(point: number): Unit {
  if (point >= 0xe0020 && point <= 0xe007e) {
    const c = String.fromCharCode(point - 0xe0000).toLowerCase()
    return { kind: /[a-z0-9]/.test(c) ? kindTag : kindSpace, text: c }
  }
  if (invisible(point) || (point >= 0x300 && point <= 0x36f)) return { kind: kindDrop, text: '' }
  const c = String.fromCodePoint(point)
  let text = c.normalize('NFKC').toLowerCase()
  const latin = point < 0x370 || (point >= 0x1e00 && point <= 0x1eff)
  if (latin) text = text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')
  text = latinForms[text] ?? text
  if (/^[.!?;。！？；।؟]$|^\u2026$|^\.\.\.$/u.test(text) && c !== '․')
    return { kind: kindBreak, text: '' }
  const kept = text
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
    .replaceAll(/[\u0300-\u036f\u064b-\u065f\u0640]/g, '')
  if (kept !== '') return { kind: kindLetter, text: kept }
  return { kind: /\p{M}/u.test(text) ? kindDrop : kindSpace, text: '' }
}

function unitOf(point: number): Unit {
  let unit = units.get(point)
  if (unit === undefined) {
    unit = foldPoint(point)
    if (units.size < unitsMax) units.set(point, unit)
  }
  return unit
}

function newTraits(): Traits {
  return {
    words: 0,
    letters: 0,
    singlesRun: 0,
    longestWord: 0,
    leetWords: 0,
    mixedScriptWords: 0,
    invisible: 0,
    tags: 0,
    variationSelectors: 0,
    han: 0,
    kana: 0,
    hangul: 0,
    thai: 0,
    arabic: 0,
    devanagari: 0,
    cyrillic: 0,
  }
}

/** Scripts written without spaces between words: a space between them carries no meaning. */
const unspaced = (code: number): boolean =>
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0xe00 && code <= 0xe7f)

function countScript(code: number, t: Traits): void {
  if (code < 0x400) return
  if (code < 0x530) t.cyrillic += 1
  else if (code >= 0x600 && code < 0x700) t.arabic += 1
  else if (code >= 0x900 && code < 0x980) t.devanagari += 1
  else if (code >= 0xe00 && code < 0xe80) t.thai += 1
  else if (code >= 0x3040 && code < 0x3100) t.kana += 1
  else if (code >= 0x3400 && code < 0xa000) t.han += 1
  else if (code >= 0xac00 && code < 0xd7b0) t.hangul += 1
}

const latinBit = 1
const lookAlikeBit = 2
const digitBit = 4
const symbolBit = 8

/** One pass over a text. */
class Fold {
  readonly #source: string
  readonly #leet: boolean
  readonly #out = new FoldBuffer()
  readonly #traits = newTraits()
  #wordFrom = 1
  #mask = 0
  #singles = 0
  #alternations = 0
  #lastKind = 0

  constructor(source: string, leet: boolean) {
    this.#source = source
    this.#leet = leet
  }

  run(): Folded {
    const { source, out } = { source: this.#source, out: this.#out }
    out.push(0x20, 0)
    for (let i = 0; i < source.length; i += 1) {
      const code = source.charCodeAt(i)
      if (code < 128) this.#ascii(code, i)
      else i += this.#wide(i)
    }
    this.#endWord(source.length)
    return { text: out.text(), origin: out.origins(), traits: this.#traits }
  }

  #ascii(code: number, at: number): void {
    if (this.#leet) {
      const letter = leetLetter.get(code)
      if (letter !== undefined && (code !== 0x21 || this.#out.last() !== 0x20)) {
        this.#letter(letter.charCodeAt(0), at)
        return
      }
    }
    const kind = asciiKind[code]
    if (kind === kindLetter) {
      this.#letter(code >= 65 && code <= 90 ? code + 32 : code, at)
    } else if (kind === kindBreak) {
      if (code === 0x21) this.#symbol(at)
      this.#break(at)
    } else if (code === 0x2e) {
      const next = this.#source.charCodeAt(at + 1)
      if (next <= 0x20 || Number.isNaN(next) || next === 0x22 || next === 0x27) this.#break(at)
      else this.#endWord(at)
    } else if (code === 0x0a) {
      if (/^\n[ \t\r]*\n/.test(this.#source.slice(at, at + 8))) this.#break(at)
      else this.#endWord(at)
    } else {
      if (code === 0x40 || code === 0x24) this.#symbol(at)
      this.#endWord(at)
    }
  }

  /** `@`, `$` and `!` between letters may stand for a letter. */
  #symbol(at: number): void {
    if (this.#out.last() !== 0x20 && /[a-z]/i.test(this.#source[at + 1] ?? '')) {
      this.#traits.leetWords += 1
    }
  }

  /** Folds the code point at `at`; answers how many extra units it took. */
  #wide(at: number): number {
    const point = this.#source.codePointAt(at) ?? 0
    const unit = unitOf(point)
    const t = this.#traits
    if (unit.kind === kindLetter || unit.kind === kindTag) {
      if (unit.kind === kindTag) t.tags += 1
      for (let k = 0; k < unit.text.length; k += 1) this.#letter(unit.text.charCodeAt(k), at)
    } else if (unit.kind === kindBreak) this.#break(at)
    else if (unit.kind === kindDrop) {
      t.invisible += 1
      const selector =
        (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef)
      if (selector) t.variationSelectors += 1
    } else {
      if (point >= 0xe0020 && point <= 0xe007e) t.tags += 1
      this.#endWord(at)
    }
    return point > 0xffff ? 1 : 0
  }

  #letter(code: number, at: number): void {
    const out = this.#out
    const t = this.#traits
    let bit = 0
    if (code < 128) bit = code <= 57 ? digitBit : latinBit
    else {
      if (code >= 0x370 && code < 0x590) bit = lookAlikeBit
      countScript(code, t)
      if (out.last() === 0x20 && out.length > 2 && unspaced(code)) this.#joinUnspaced()
    }
    if (bit !== this.#lastKind && this.#lastKind !== 0) this.#alternations += 1
    this.#lastKind = bit
    this.#mask |= bit
    t.letters += 1
    out.push(code, at)
  }

  /** Takes back the space before a character of an unspaced script that follows another one. */
  #joinUnspaced(): void {
    const out = this.#out
    out.length -= 1
    if (unspaced(out.last())) {
      this.#wordFrom = out.length
      return
    }
    out.length += 1
  }

  #endWord(at: number): void {
    const out = this.#out
    if (out.last() === 0x20) return
    const length = out.length - this.#wordFrom
    const t = this.#traits
    if ((this.#mask & latinBit) !== 0 && (this.#mask & lookAlikeBit) !== 0) {
      t.mixedScriptWords += 1
      out.unmix(this.#wordFrom)
    }
    if ((this.#mask & latinBit) !== 0 && (this.#mask & (digitBit | symbolBit)) !== 0) {
      if (this.#alternations > 1 || length > 2) t.leetWords += 1
    }
    t.words += 1
    if (length > t.longestWord) t.longestWord = length
    this.#singles = length === 1 ? this.#singles + 1 : 0
    if (this.#singles > t.singlesRun) t.singlesRun = this.#singles
    out.push(0x20, at)
    this.#wordFrom = out.length
    this.#mask = 0
    this.#alternations = 0
    this.#lastKind = 0
  }

  /** Several marks in a row end one sentence. */
  #afterBreak(): boolean {
    return this.#out.length > 2 && this.#out.codeAt(this.#out.length - 2) === 0x7c
  }

  #break(at: number): void {
    this.#endWord(at)
    const out = this.#out
    if (out.length < 2 || this.#afterBreak()) return
    out.push(0x7c, at)
    out.push(0x20, at)
    this.#wordFrom = out.length
    this.#singles = 0
  }
}

/** Canonical words of `source`; with `leet`, digits and symbols are read as letters. Linear. */
export function fold(source: string, leet = false): Folded {
  return new Fold(source, leet).run()
}

/** Lower case with punctuation kept: accents, compatibility forms and look-alikes resolved. */
export function foldRaw(source: string): string {
  const mixed = /[a-z]/i.test(source) && /[\u0370-\u058f]/.test(source)
  let text = ''
  for (const c of source) {
    const code = c.charCodeAt(0)
    if (code < 128) text += c.toLowerCase()
    else {
      const unit = unitOf(c.codePointAt(0) ?? 0)
      if (unit.kind === kindLetter || unit.kind === kindTag) {
        text += (mixed ? lookAlikes[unit.text] : undefined) ?? unit.text
      } else if (unit.kind !== kindDrop) text += c.normalize('NFKC')
    }
  }
  return text
}
