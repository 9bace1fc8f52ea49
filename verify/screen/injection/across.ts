// Finds an instruction that is split over several texts of a plan (fields, steps, ids).
import { decodeRuns } from './decode.ts'
import type { Folded } from './fold.ts'
import type { InjectionLibrary } from './injection-library.ts'
import { injectionLimits } from './limits.ts'
import { matchWords, type Budget } from './match.ts'
import { sourceSpan, type Place } from './place.ts'
import { Reader } from './reader.ts'
import { joinWords, squash } from './respell.ts'

/** One text and its folded reading. */
export interface Part {
  readonly at: string
  readonly source: string
  readonly folded: Folded
}

const withinDecoded = (chars: number): boolean => chars <= injectionLimits.decodedCharsMax

/** Texts this short are read as pieces of one text, letter by letter. */
const pieceChars = 24

/** Hits that cross the boundary between two texts. */
export function readAcross(
  parts: readonly Part[],
  library: InjectionLibrary,
  budget: Budget,
): Reader {
  const reader = new Reader(library, budget)
  let text = ' '
  const bounds: number[] = []
  for (const { folded } of parts) {
    bounds.push(text.length)
    text += folded.text.slice(1)
  }
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
    const part = parts[index]
    if (part === undefined) return { at: '', span: [0, 0] }
    const start = from - (bounds[index] ?? 0) + 1
    const end = Math.min(to - (bounds[index] ?? 0) + 1, part.folded.text.length)
    return { at: part.at, span: sourceSpan(part.folded, start, end, part.source.length) }
  }
  const crossing = matchWords(text, library.patterns, budget).filter(
    (m) => partAt(m.from) !== partAt(m.to - 1),
  )
  reader.add(crossing, 'joined', place)
  readPieces(parts, reader, library, budget)
  return reader
}

function readPieces(
  parts: readonly Part[],
  reader: Reader,
  library: InjectionLibrary,
  budget: Budget,
): void {
  const pieces = parts.filter((x) => x.source.length <= pieceChars)
  const first = pieces[0]
  if (pieces.length > 1 && first !== undefined) {
    const whole: Place = () => ({ at: first.at, span: [0, first.source.length] })
    const squashed = squash(pieces.map((x) => x.folded.text).join(''))
    const { words, starts } = library.segmenter.split(squashed.text)
    const joined = joinWords(words, starts, squashed.origin)
    reader.add(matchWords(joined.text, library.patterns, budget), 'joined>spacing', whole)
  }
  const encoded = parts.filter((x) => /^[A-Za-z0-9+/_=-]{4,}$/.test(x.source))
  const begin = encoded[0]
  if (encoded.length < 2 || begin === undefined) return
  const run: Place = () => ({ at: begin.at, span: [0, begin.source.length] })
  for (const found of decodeRuns(encoded.map((x) => x.source).join(''), withinDecoded)) {
    reader.read(found.text, `joined>${found.view}`, run, 1)
  }
}
