// The buffer into which texts are folded, one after the other: characters and where each came from. There
// is one for all folds of a process, since they run one at a time and never call each other.
import { lookAlikes } from './fold-tables.ts'

const keptMax = 262_144

/** Characters so far; `codes` and `origins` hold that many. */
export interface FoldBuffer {
  codes: Uint16Array
  origins: Int32Array
}

export const buffer: FoldBuffer = {
  codes: new Uint16Array(16_384),
  origins: new Int32Array(16_384),
}

/** Makes room for `size` characters, of which the first `used` are kept. */
export function reserve(size: number, used: number): void {
  if (size <= buffer.codes.length) return
  const codes = new Uint16Array(size)
  const origins = new Int32Array(size)
  codes.set(buffer.codes.subarray(0, used))
  origins.set(buffer.origins.subarray(0, used))
  buffer.codes = codes
  buffer.origins = origins
}

/** Gives back what a very long text took. */
export function release(): void {
  if (buffer.codes.length <= keptMax) return
  buffer.codes = new Uint16Array(16_384)
  buffer.origins = new Int32Array(16_384)
}

/** Replaces look-alikes in a word that mixes Latin with another script. */
export function unmix(from: number, to: number): void {
  for (let i = from; i < to; i += 1) {
    const latin = lookAlikes[String.fromCharCode(buffer.codes[i] ?? 0)]
    if (latin !== undefined) buffer.codes[i] = latin.charCodeAt(0)
  }
}

const pieceChars = 4_096

/** The first `length` characters as a string. */
export function textOf(length: number): string {
  let text = ''
  for (let i = 0; i < length; i += pieceChars) {
    const piece = buffer.codes.subarray(i, Math.min(i + pieceChars, length))
    text += String.fromCharCode.apply(null, piece as unknown as number[])
  }
  return text
}
