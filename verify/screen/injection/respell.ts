// Rebuilds texts whose letters or word boundaries were disturbed, keeping the way back to them.
import type { Segmenter } from './segment.ts'
import type { WordTable } from './words.ts'

export const rot13 = (text: string): string =>
  text.replaceAll(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 84) % 26) + 97))

export const reverse = (text: string): string => Array.from(text).toReversed().join('')

export function spellWords(text: string, segmenter: Segmenter): string {
  return text.replaceAll(/[a-z]+/g, (word) =>
    word.includes('i') || word.includes('l') ? sameLength(word, segmenter.spell(word)) : word,
  )
}

const sameLength = (word: string, spelt: string | null): string => spelt ?? word

/** A run of single letters this long is not prose. */
export const singlesMin = 5
/** Words of this length are tried as several words written together. */
export const longWordChars = 11
/** A mean word length below this suggests words cut at odd places. */
export const choppedMean = 4.3

export interface Rebuilt {
  readonly text: string
  /** For each character, its offset in the text it was built from. */
  readonly origin: Int32Array
}

function squash(text: string, from: number, to: number): { text: string; origin: Int32Array } {
  const origin = new Int32Array(to - from)
  let used = 0
  for (let i = from; i < to; i += 1) {
    const code = text.charCodeAt(i)
    if (code < 97 || code > 122) continue
    origin[used] = i
    used += 1
  }
  return { text: text.slice(from, to).replaceAll(/[^a-z]+/g, ''), origin }
}

/**
 * The text with new word boundaries, sentence by sentence, or null when nothing changes. `whole`
 * ignores all boundaries inside a sentence; otherwise sentences of odd short words are taken whole
 * and elsewhere only long words are split, and only into known words without a rest.
 */
export function resegment(
  text: string,
  { segmenter, words: table }: { readonly segmenter: Segmenter; readonly words: WordTable },
  whole: boolean,
): Rebuilt | null {
  if (!whole && !worthSplitting(text, table)) return null
  const built = [' ']
  // At most one space is put behind each character, and a bar behind each sentence.
  const origin = new Int32Array(2 * text.length + 4)
  const last = text.length - 1
  let used = 1
  let changed = false
  const put = (part: string, at: number): void => {
    for (let i = 0; i < part.length; i += 1) origin[used + i] = Math.min(at + i, last)
    used += part.length
    built.push(part)
  }
  const putSplit = (from: number, to: number): void => {
    const squashed = squash(text, from, to)
    const { words, starts } = segmenter.split(squashed.text)
    for (let i = 0; i < words.length; i += 1)
      put(`${words[i] ?? ''} `, squashed.origin[starts[i] ?? 0] ?? from)
    changed = true
  }
  for (let from = 1; from < text.length;) {
    let to = text.indexOf('|', from)
    if (to < 0) to = text.length
    const words = text
      .slice(from, to)
      .split(' ')
      .filter((x) => x !== '')
    if (whole || choppedWords(words, table)) putSplit(from, to)
    else {
      let at = from
      for (const word of words) {
        at = text.indexOf(word, at)
        if (word.length >= longWordChars && table.splits(word)) putSplit(at, at + word.length)
        else put(`${word} `, at)
        at += word.length
      }
    }
    if (to < text.length) put('| ', to)
    from = to + 2
  }
  return changed ? { text: built.join(''), origin: origin.subarray(0, used) } : null
}

/** Whether some sentence looks cut at odd places or some long word splits; most texts have neither. */
function worthSplitting(text: string, table: WordTable): boolean {
  let words = 0
  let letters = 0
  let from = 1
  for (let at = 1; at < text.length;) {
    let end = text.indexOf(' ', at)
    if (end < 0) end = text.length
    const length = end - at
    const breaks = length === 1 && text.charCodeAt(at) === 0x7c
    if (!breaks) {
      if (length >= longWordChars && table.splits(text.slice(at, end))) return true
      words += 1
      letters += length
    }
    if (breaks || end + 1 >= text.length) {
      const short = words >= choppedWordsMin && letters / words < choppedMean
      const to = breaks ? at : end
      if (short && choppedWords(text.slice(from, to).trim().split(' '), table)) return true
      words = 0
      letters = 0
      from = end + 1
    }
    at = end + 1
  }
  return false
}

const choppedWordsMin = 6

/** Most words of ordinary English prose are in the vocabulary; cut words are not. */
function choppedWords(words: readonly string[], table: WordTable): boolean {
  if (words.length < choppedWordsMin) return false
  const letters = words.reduce((sum, x) => sum + x.length, 0)
  if (letters / words.length >= choppedMean) return false
  const known = words.filter((x) => table.known(x)).length
  return known < words.length * 0.4
}

/** "i g n o r i e r e   a l l e" → "ignoriere alle": single separators inside, several between. */
export function gather(source: string): string {
  return source.replaceAll(
    /(?<=(?:^|[^\p{L}\p{N}])[\p{L}\p{N}])[ ._\-*/|](?=[\p{L}\p{N}](?:$|[^\p{L}\p{N}]))/gu,
    '',
  )
}
