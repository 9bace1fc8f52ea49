// Folds a text into its canonical words: lower case, compatibility forms resolved, accents and
// invisible characters gone, mixed-script look-alikes resolved, one space between words, `|`
// between sentences. Danger: text that reads the same to a model but not to a pattern.
import { buffer, release, reserve, textOf, unmix } from './fold-buffer.ts'
import {
  asciiHex,
  asciiLeet,
  asciiLetter,
  encodedMark,
  kindBreak,
  kindDrop,
  kindLetter,
  kindTag,
  unitOf,
  unspaced,
} from './fold-points.ts'
import { lookAlikes } from './fold-tables.ts'
import { countScript, markBit, newTraits, type Traits } from './traits.ts'

export interface Folded {
  /** ` word word | word `, with a space at both ends. */
  readonly text: string
  /** For each character of `text`, the offset in the source it came from. Found when first asked for. */
  readonly origin: Int32Array
  readonly traits: Traits
}

const space = 0x20
const bar = 0x7c
const latinBit = 1
const lookAlikeBit = 2
const digitBit = 4

/** A line feed that an empty line follows. */
function endsParagraph(source: string, at: number): boolean {
  const last = Math.min(at + 8, source.length)
  for (let i = at + 1; i < last; i += 1) {
    const code = source.charCodeAt(i)
    if (code === 0x0a) return true
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d) return false
  }
  return false
}

const latinAt = (source: string, at: number): boolean => {
  const code = source.charCodeAt(at) | 32
  return code >= 97 && code <= 122
}

/** One pass over one text, written behind what the buffer holds already. */
class Fold {
  readonly #source: string
  readonly #leet: boolean
  readonly #traits = newTraits()
  /** Where the space in front of this text stands. */
  readonly #base: number
  length: number
  #wordFrom: number
  #mask = 0
  #hex = 1
  #singles = 0
  #alternations = 0
  #lastBit = 0

  constructor(source: string, leet: boolean, used: number) {
    this.#source = source
    this.#leet = leet
    this.#base = used - 1
    this.length = used
    this.#wordFrom = used
  }

  run(): Traits {
    const source = this.#source
    const t = this.#traits
    const end = source.length
    reserve(this.length + 3 * end + 64, this.length)
    let run = 0
    for (let i = 0; i < end; i += 1) {
      const code = source.charCodeAt(i)
      if (code >= 128) {
        run = 0
        i += this.#wide(i)
        continue
      }
      const letter = asciiLetter[code] ?? 0
      if (letter === 0) {
        t.marks |= markBit(code)
        run = encodedMark(code) ? run + 1 : 0
        this.#mark(code, i)
      } else {
        run += 1
        if (code <= 57) t.digits += 1
        if (asciiHex[code] === 0) this.#hex = 0
        this.#letter((this.#leet && asciiLeet[code]) || letter, i)
      }
      if (run > t.encodedRun) t.encodedRun = run
    }
    this.#endWord(end)
    return t
  }

  /** An ASCII character that is neither letter nor digit. */
  #mark(code: number, at: number): void {
    if (this.#leet) {
      const letter = asciiLeet[code] ?? 0
      if (letter !== 0 && (code !== 0x21 || this.#last() !== space)) {
        this.#letter(letter, at)
        return
      }
    }
    if (code === space) this.#endWord(at)
    else if (code === 0x2e) {
      const next = this.#source.charCodeAt(at + 1)
      if (next <= 0x20 || Number.isNaN(next) || next === 0x22 || next === 0x27) this.#break(at)
      else this.#endWord(at)
    } else if (code === 0x21 || code === 0x3f) {
      if (code === 0x21) this.#symbol(at)
      this.#break(at)
    } else if (code === 0x0a) {
      if (endsParagraph(this.#source, at)) this.#break(at)
      else this.#endWord(at)
    } else {
      if (code === 0x40 || code === 0x24) this.#symbol(at)
      if (code === 0x22 || code === 0x27 || code === 0x60) this.#traits.quotes += 1
      this.#endWord(at)
    }
  }

  #last(): number {
    return buffer.codes[this.length - 1] ?? 0
  }

  #push(code: number, at: number): void {
    buffer.codes[this.length] = code
    buffer.origins[this.length] = at
    this.length += 1
  }

  /** `@`, `$` and `!` between letters may stand for a letter. */
  #symbol(at: number): void {
    if (this.#last() !== space && latinAt(this.#source, at + 1)) this.#traits.leetWords += 1
  }

  /** Folds the code point at `at`; answers how many extra units it took. */
  #wide(at: number): number {
    const point = this.#source.codePointAt(at) ?? 0
    const { kind, text } = unitOf(point)
    const t = this.#traits
    this.#hex = 0
    if (kind === kindLetter || kind === kindTag) {
      if (kind === kindTag) t.tags += 1
      const ahead = 3 * (this.#source.length - at) + 64
      reserve(this.length + text.length + ahead, this.length)
      for (let k = 0; k < text.length; k += 1) this.#letter(text.charCodeAt(k), at)
    } else if (kind === kindBreak) this.#break(at)
    else if (kind === kindDrop) {
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
    let bit = 0
    if (code < 128) bit = code <= 57 ? digitBit : latinBit
    else {
      if (code >= 0x370 && code < 0x590) bit = lookAlikeBit
      countScript(code, this.#traits)
      if (unspaced(code) && this.#last() === space && this.length - this.#base > 2)
        this.#joinUnspaced()
    }
    if (bit !== this.#lastBit) {
      if (this.#lastBit !== 0) this.#alternations += 1
      this.#lastBit = bit
      this.#mask |= bit
    }
    this.#traits.letters += 1
    this.#push(code, at)
  }

  /** Takes back the space before a character of an unspaced script that follows another one. */
  #joinUnspaced(): void {
    if (!unspaced(buffer.codes[this.length - 2] ?? 0)) return
    this.length -= 1
    this.#wordFrom = this.length
  }

  #endWord(at: number): void {
    if (this.#last() === space) return
    const length = this.length - this.#wordFrom
    const t = this.#traits
    if ((this.#mask & latinBit) !== 0) {
      if ((this.#mask & lookAlikeBit) !== 0) {
        t.mixedScriptWords += 1
        unmix(this.#wordFrom, this.length)
      }
      if ((this.#mask & digitBit) !== 0 && (this.#alternations > 1 || length > 2)) t.leetWords += 1
    }
    t.words += 1
    if (length > t.longestWord) t.longestWord = length
    if (this.#hex === 1 && length >= 2 && length <= 4) t.shortHex += 1
    this.#singles = length === 1 ? this.#singles + 1 : 0
    if (this.#singles > t.singlesRun) t.singlesRun = this.#singles
    this.#push(space, at)
    this.#wordFrom = this.length
    this.#mask = 0
    this.#hex = 1
    this.#alternations = 0
    this.#lastBit = 0
  }

  #break(at: number): void {
    this.#endWord(at)
    const length = this.length - this.#base
    // Several marks in a row end one sentence.
    if (length < 2 || (length > 2 && buffer.codes[this.length - 2] === bar)) return
    this.#push(bar, at)
    this.#push(space, at)
    this.#wordFrom = this.length
    this.#singles = 0
  }
}

/** A folded text that finds its origins again when a hit asks for them: most texts have none. */
class Reading implements Folded {
  readonly text: string
  readonly traits: Traits
  readonly #source: string
  readonly #leet: boolean
  #origin: Int32Array | null = null

  constructor(text: string, traits: Traits, source: string, leet: boolean) {
    this.text = text
    this.traits = traits
    this.#source = source
    this.#leet = leet
  }

  get origin(): Int32Array {
    if (this.#origin === null) {
      const one = new Fold(this.#source, this.#leet, begin())
      one.run()
      this.#origin = buffer.origins.slice(0, one.length)
      release()
    }
    return this.#origin
  }
}

/** Starts the buffer anew with the space in front of the first word. */
function begin(): number {
  buffer.codes[0] = space
  buffer.origins[0] = 0
  return 1
}

/** Several texts as one stream of words, and each of them. */
export interface Stream {
  readonly text: string
  /** For each text, where its first word begins in `text`. */
  readonly bounds: readonly number[]
  readonly parts: readonly Folded[]
}

/** Folds texts one behind the other. Linear. */
export function foldAll(sources: readonly string[]): Stream {
  const bounds: number[] = []
  const traits: Traits[] = []
  let used = begin()
  for (const source of sources) {
    const one = new Fold(source, false, used)
    bounds.push(used)
    traits.push(one.run())
    used = one.length
  }
  const text = textOf(used)
  release()
  const parts = sources.map((source, i) => {
    const from = (bounds[i] ?? 1) - 1
    const whole = text.slice(from, bounds[i + 1] ?? used)
    return new Reading(whole, traits[i] ?? newTraits(), source, false)
  })
  return { text, bounds, parts }
}

/** Canonical words of `source`; with `leet`, digits and symbols are read as letters. Linear. */
export function fold(source: string, leet = false): Folded {
  const one = new Fold(source, leet, begin())
  const traits = one.run()
  const text = textOf(one.length)
  release()
  return new Reading(text, traits, source, leet)
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
