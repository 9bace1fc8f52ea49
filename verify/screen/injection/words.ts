// What is known about single words, found once for each word and kept: whether it is a cue of a phrase or a
// misspelt one, whether it reads as a core word when turned, whether it is in the vocabulary. All views of a
// text look words up here.
import { cueCharsMax, cueCharsMin, nearCue, type Cue, type Phrasebook } from './fuzzy.ts'
import type { Segmenter } from './segment.ts'

interface Facts {
  /** The cue that it is or misspells. */
  readonly cue: string | null
  readonly typo: boolean
  readonly rotated: boolean
  readonly reversed: boolean
  /** Found when first asked for. */
  known: boolean | null
  splits: boolean | null
}

/** Words kept, and the longest of them; past the first bound the table starts anew, so that hostile texts
 * cannot fill the memory. */
const wordsMax = 8_192
const keptChars = 40

/** Share of a long word's letters that must lie in known words before it is split. */
const knownShare = 0.85

/** Core words under rot13 and reversed, that make those views worth a look. */
export interface Turned {
  readonly rot13: ReadonlySet<string>
  readonly reversed: ReadonlySet<string>
}

export class WordTable {
  readonly #book: Phrasebook
  readonly #segmenter: Segmenter
  readonly #turned: Turned
  #facts = new Map<string, Facts>()
  #last: { readonly word: string; readonly facts: Facts } | null = null

  constructor(book: Phrasebook, segmenter: Segmenter, turned: Turned) {
    this.#book = book
    this.#segmenter = segmenter
    this.#turned = turned
  }

  of(word: string): Facts {
    const before = this.#facts.get(word)
    if (before !== undefined) return before
    if (word.length > keptChars) return this.#long(word)
    const facts = this.#find(word)
    if (this.#facts.size >= wordsMax) this.#facts = new Map()
    this.#facts.set(word, facts)
    return facts
  }

  /** Of long words only the last is kept: several views in a row ask for the same one. */
  #long(word: string): Facts {
    if (this.#last?.word !== word) this.#last = { word, facts: this.#find(word) }
    return this.#last.facts
  }

  #find(word: string): Facts {
    const first = word.charCodeAt(0)
    const sized = word.length >= cueCharsMin && word.length <= cueCharsMax
    let cue: string | null = null
    if (sized && first >= 97 && first <= 122) {
      cue = this.#book.cues.has(word) ? word : nearCue(word, this.#book)
    }
    return {
      cue,
      typo: cue !== null && cue !== word,
      rotated: this.#turned.rot13.has(word),
      reversed: this.#turned.reversed.has(word),
      known: null,
      splits: null,
    }
  }

  /** Whether the vocabulary has a word that is spelt like this one. */
  known(word: string): boolean {
    const facts = this.of(word)
    facts.known ??= this.#segmenter.spell(word) !== null
    return facts.known
  }

  /** Whether a word is several known words written together, with hardly a rest. */
  splits(word: string): boolean {
    const facts = this.of(word)
    facts.splits ??= this.#splitsCleanly(word)
    return facts.splits
  }

  #splitsCleanly(word: string): boolean {
    if (!/^[a-z]+$/.test(word) || this.#segmenter.spell(word) !== null) return false
    const { words } = this.#segmenter.split(word)
    const known = words.filter((x) => this.#segmenter.spell(x) !== null)
    const letters = known.reduce((sum, x) => sum + x.length, 0)
    return known.length > 1 && letters >= word.length * knownShare
  }
}

/** What one pass over the words of a text finds. */
export interface WordScan {
  readonly cues: readonly Cue[]
  /** Words that read as core words under rot13, and reversed. */
  readonly rotated: number
  readonly reversed: number
}

/** Shorter words are neither cues nor core words. */
const factsFrom = 4

/** Looks up the words of a canonical text. Linear. */
export function scanWords(text: string, table: WordTable): WordScan {
  const cues: Cue[] = []
  let rotated = 0
  let reversed = 0
  let index = 0
  for (let at = 1; at < text.length; index += 1) {
    let end = text.indexOf(' ', at)
    if (end < 0) end = text.length
    if (end - at >= factsFrom) {
      const facts = table.of(text.slice(at, end))
      if (facts.cue !== null) {
        cues.push({ word: facts.cue, index, from: at, to: end, typo: facts.typo })
      }
      if (facts.rotated) rotated += 1
      if (facts.reversed) reversed += 1
    }
    at = end + 1
  }
  return { cues, rotated, reversed }
}
