// Finds an instruction that is split over several texts of a plan (fields, steps, ids).
import { decodeRuns } from './decode.ts'
import type { Budget } from './budget.ts'
import type { Folded, Stream } from './fold.ts'
import type { InjectionLibrary } from './injection-library.ts'
import { injectionLimits } from './limits.ts'
import { matchWords, type Match } from './match.ts'
import { sourceSpan, type Place } from './place.ts'
import { Reader } from './reader.ts'

/** One text of the plan, and its reading in the stream. */
export interface Part {
  readonly at: string
  readonly source: string
}

const withinDecoded = (chars: number): boolean => chars <= injectionLimits.decodedCharsMax

/** Texts this short are read as pieces of one text, letter by letter. */
const pieceChars = 24

/** Hits that cross the boundary between two texts; `crossing` are those of the word rows. */
export function readAcross(
  texts: readonly Part[],
  stream: Stream,
  crossing: readonly Match[],
  { library, budget }: { readonly library: InjectionLibrary; readonly budget: Budget },
): Reader {
  const reader = new Reader(library, budget)
  const { bounds, parts } = stream
  const partAt = (offset: number): number => {
    let low = 0
    let high = bounds.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((bounds[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
  const place: Place = (from, to) => {
    const index = partAt(from)
    const text = texts[index]
    const folded = parts[index]
    if (text === undefined || folded === undefined) return { at: '', span: [0, 0] }
    const start = from - (bounds[index] ?? 0) + 1
    const end = Math.min(to - (bounds[index] ?? 0) + 1, folded.text.length)
    return { at: text.at, span: sourceSpan(folded, start, end, text.source.length) }
  }
  reader.add(crossing, 'joined', place)
  readPieces(texts, parts, reader, { library, budget })
  return reader
}

/** The Latin letters of a reading, without anything between them. */
const lettersOf = (text: string): string => text.replaceAll(/[^a-z]+/g, '')

function readPieces(
  texts: readonly Part[],
  parts: readonly Folded[],
  reader: Reader,
  { library, budget }: { readonly library: InjectionLibrary; readonly budget: Budget },
): void {
  const pieces = texts.flatMap((x, i) => (x.source.length <= pieceChars ? [i] : []))
  const first = texts[pieces[0] ?? -1]
  if (pieces.length > 1 && first !== undefined) {
    const whole: Place = () => ({ at: first.at, span: [0, first.source.length] })
    const letters = pieces.map((i) => lettersOf(parts[i]?.text ?? '')).join('')
    const { words } = library.segmenter.split(letters)
    const joined = ` ${words.join(' ')} `
    reader.add(matchWords(joined, library.patterns, budget), 'joined>spacing', whole)
  }
  const encoded = texts.filter((x) => /^[A-Za-z0-9+/_=-]{4,}$/.test(x.source))
  const begin = encoded[0]
  if (encoded.length < 2 || begin === undefined) return
  const run: Place = () => ({ at: begin.at, span: [0, begin.source.length] })
  for (const found of decodeRuns(encoded.map((x) => x.source).join(''), withinDecoded)) {
    reader.read(found.text, `joined>${found.view}`, run, 1)
  }
}
