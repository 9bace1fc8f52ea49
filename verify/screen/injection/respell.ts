// Rebuilds texts whose letters or word boundaries were disturbed, keeping the way back to them.
import type { Segmenter } from './segment.ts'

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
  readonly origin: number[]
}

export function squash(text: string, from = 0, to = text.length): Rebuilt {
  let squashed = ''
  const origin: number[] = []
  for (let i = from; i < to; i += 1) {
    const code = text.charCodeAt(i)
    if (code < 97 || code > 122) continue
    squashed += text[i]
    origin.push(i)
  }
  return { text: squashed, origin }
}

/**
 * The text with new word boundaries, sentence by sentence, or null when nothing changes. `whole`
 * ignores all boundaries inside a sentence; otherwise sentences of odd short words are taken whole
 * and elsewhere only long words are split, and only into known words without a rest.
 */
export function resegment(text: string, segmenter: Segmenter, whole: boolean): Rebuilt | null {
  let built = ' '
  const origin = [0]
  let changed = false
  const put = (part: string, at: number): void => {
    for (let i = 0; i < part.length; i += 1) origin.push(Math.min(at + i, text.length - 1))
    built += part
  }
  const putSplit = (from: number, to: number): void => {
    const squashed = squash(text, from, to)
    const { words, starts } = segmenter.split(squashed.text)
    for (const [i, word] of words.entries())
      put(`${word} `, squashed.origin[starts[i] ?? 0] ?? from)
    changed = true
  }
  for (let from = 1; from < text.length;) {
    let to = text.indexOf('|', from)
    if (to < 0) to = text.length
    const words = text
      .slice(from, to)
      .split(' ')
      .filter((x) => x !== '')
    if (whole || choppedWords(words, segmenter)) putSplit(from, to)
    else {
      let at = from
      for (const word of words) {
        at = text.indexOf(word, at)
        if (word.length >= longWordChars && splitsCleanly(word, segmenter))
          putSplit(at, at + word.length)
        else put(`${word} `, at)
        at += word.length
      }
    }
    if (to < text.length) put('| ', to)
    from = to + 2
  }
  return changed ? { text: built, origin } : null
}

function splitsCleanly(word: string, segmenter: Segmenter): boolean {
  if (!/^[a-z]+$/.test(word) || segmenter.spell(word) !== null) return false
  const { words } = segmenter.split(word)
  const known = words.filter((x) => segmenter.spell(x) !== null)
  const letters = known.reduce((sum, x) => sum + x.length, 0)
  return known.length > 1 && letters >= word.length * knownShare
}

/** Share of a long word's letters that must lie in known words before it is split. */
const knownShare = 0.85

/** Most words of ordinary English prose are in the vocabulary; cut words are not. */
function choppedWords(words: readonly string[], segmenter: Segmenter): boolean {
  if (words.length < 6) return false
  const letters = words.reduce((sum, x) => sum + x.length, 0)
  if (letters / words.length >= choppedMean) return false
  const known = words.filter((x) => segmenter.spell(x) !== null).length
  return known < words.length * 0.4
}

export function joinWords(
  words: readonly string[],
  starts: readonly number[],
  squashed: readonly number[],
): { text: string; origin: number[] } {
  let text = ' '
  const origin = [0]
  for (const [i, word] of words.entries()) {
    const start = starts[i] ?? 0
    for (let k = 0; k <= word.length; k += 1) {
      origin.push(
        squashed[Math.min(start + Math.min(k, word.length - 1), squashed.length - 1)] ?? 0,
      )
    }
    text += `${word} `
  }
  return { text, origin }
}

/** "i g n o r i e r e   a l l e" → "ignoriere alle": single separators inside, several between. */
export function gather(source: string): string {
  return source.replaceAll(
    /(?<=(?:^|[^\p{L}\p{N}])[\p{L}\p{N}])[ ._\-*/|](?=[\p{L}\p{N}](?:$|[^\p{L}\p{N}]))/gu,
    '',
  )
}
