// Finds the words at which a row is worth a try. One pass from the end of the text to its beginning: where a
// row could begin, its cues must lie ahead, within its reach. Words are read once for all rows.
import { headKey, type Cue } from './gate.ts'
import { gateOf, headBitsSize, type PatternLibrary } from './library.ts'

/** Rows worth a try, from the end of the text to its beginning. Overwritten by the next call. */
export interface Candidates {
  readonly count: number
  /** Offsets at which a row could begin. */
  readonly at: Int32Array
  /** Indices of the rows in the library. */
  readonly rows: Int32Array
}

let foundAt = new Int32Array(8_192)
let foundRows = new Int32Array(8_192)

const twice = (full: Int32Array): Int32Array<ArrayBuffer> => {
  const more = new Int32Array(full.length * 2)
  more.set(full)
  return more
}

const slots = 65_536
/** For each key of a beginning, cut to 16 bits, the stamp of its nearest place ahead. */
const ahead = new Int32Array(slots)
/** Stamps of one text lie above those of all texts before it, so that nothing need be cleared. */
let stamp = 1
const stampMax = 1_073_741_824

let starts = new Int32Array(4_096)
const mask = headBitsSize - 1

/** The offsets at which words begin; answers how many there are. */
function findStarts(text: string): number {
  let count = 0
  for (let at = 1; at < text.length;) {
    if (count === starts.length) starts = twice(starts)
    starts[count] = at
    count += 1
    const space = text.indexOf(' ', at)
    if (space < 0) break
    at = space + 1
  }
  return count
}

/** Whether each cue lies ahead of `at`, at most at `last`. `base` is the stamp of offset 0. */
function cued(cues: readonly Cue[], at: number, last: number, base: number): boolean {
  const least = base + at
  const most = base + last
  for (const cue of cues) {
    let found = false
    for (let i = 0; i < cue.length && !found; i += 1) {
      const place = ahead[cue[i] ?? 0] ?? 0
      found = place >= least && place <= most
    }
    if (!found) return false
  }
  return true
}

/** Rows worth a try in a canonical text, each with the offset at which it would begin. Linear in the text. */
export function candidatesIn(text: string, library: PatternLibrary): Candidates {
  const { heads, headBits } = library
  let count = 0
  if (stamp > stampMax) {
    ahead.fill(0)
    stamp = 1
  }
  const base = stamp
  stamp += text.length + 1
  /** Where the sentence ends. */
  let stop = text.length
  for (let i = findStarts(text) - 1; i >= 0; i -= 1) {
    const from = starts[i] ?? 0
    const a = text.charCodeAt(from)
    if (a === 0x7c) stop = from
    const b = text.charCodeAt(from + 1)
    const c = text.charCodeAt(from + 2)
    const three = headKey(a, b, c, 0)
    const four = headKey(a, b, c, text.charCodeAt(from + 3))
    ahead[headKey(a, b, 0, 0) & (slots - 1)] = base + from
    ahead[three & (slots - 1)] = base + from
    ahead[four & (slots - 1)] = base + from
    // The list is read from its end: what is to come first is put last.
    for (let turn = 0; turn < 2; turn += 1) {
      const key = turn === 0 ? three : four
      if (headBits[key & mask] !== 1) continue
      const bucket = heads.get(key)
      if (bucket === undefined) continue
      for (let k = bucket.length - 1; k >= 0; k -= 1) {
        const row = bucket[k]
        if (row === undefined) continue
        const { cues, reach, crosses } = row.gate ?? gateOf(row)
        const last = crosses ? from + reach : Math.min(from + reach, stop)
        if (!cued(cues, from, last, base)) continue
        if (count === foundAt.length) {
          foundAt = twice(foundAt)
          foundRows = twice(foundRows)
        }
        foundAt[count] = from
        foundRows[count] = row.index
        count += 1
      }
    }
  }
  return { count, at: foundAt, rows: foundRows }
}
