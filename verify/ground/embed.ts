// Embedding of a text without a model service: latent semantic terms (learned at build time) beside
// hashed character n-grams. Vectors only recall; nothing is blocked or cleared by one.
import { concepts, tokens } from './text.ts'

/** Named in the manifest and with every vector; another layout is another name. */
export const localModel = 'portcullis-lsa128-hash256-v1'
export const lsaRank = 128
export const hashWidth = 256
export const localDimensions = lsaRank + hashWidth

/** Weight (idf) and direction of a term; `vector` has {@link lsaRank} numbers in −127..127. */
export type TermVector = { readonly idf: number; readonly vector: Int8Array }

/** Term → count for a text: stems and concepts. */
export function bagOf(text: string): Map<string, number> {
  const bag = new Map<string, number>()
  for (const t of [...tokens(text), ...concepts(text)]) bag.set(t, (bag.get(t) ?? 0) + 1)
  return bag
}

/** FNV-1a, 32 bits. */
function fnv(text: string): number {
  let x = 2_166_136_261
  for (let i = 0; i < text.length; i++) {
    x ^= text.charCodeAt(i)
    x = Math.imul(x, 16_777_619)
  }
  return x >>> 0
}

/** Signed hashing of character 3- to 5-grams of the stems (Weinberger et al. 2009). */
export function hashed(text: string): Float64Array {
  const counts = new Map<number, number>()
  for (const word of tokens(text)) {
    const padded = `^${word}$`
    for (let n = 3; n <= 5; n++) {
      for (let i = 0; i + n <= padded.length; i++) {
        const key = fnv(padded.slice(i, i + n))
        counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    }
  }
  const out = new Float64Array(hashWidth)
  for (const [key, count] of counts) {
    const at = key % hashWidth
    out[at] = (out[at] ?? 0) + (key & 0x80_00_00_00 ? -1 : 1) * Math.log(1 + count)
  }
  return unit(out)
}

/** Length 1, or all zeros. */
export function unit(v: Float64Array): Float64Array {
  let sum = 0
  for (const x of v) sum += x * x
  const norm = Math.sqrt(sum) || 1
  return v.map((x) => x / norm)
}

/** The embedding of a text: two unit halves; terms the index does not know add nothing. */
export function embedLocal(
  text: string,
  bag: ReadonlyMap<string, number>,
  terms: ReadonlyMap<string, TermVector>,
): number[] {
  const lsa = new Float64Array(lsaRank)
  for (const [term, count] of bag) {
    const known = terms.get(term)
    if (!known) continue
    const weight = Math.log(1 + count) * known.idf
    for (let k = 0; k < lsaRank; k++) lsa[k] = (lsa[k] ?? 0) + weight * (known.vector[k] ?? 0)
  }
  const half = Math.SQRT1_2
  return [...unit(lsa), ...hashed(text)].map((x) => x * half)
}

/** Base64 of signed bytes → numbers −127..127. */
export function decodeInt8(base64: string): Int8Array {
  const raw = atob(base64)
  return Int8Array.from({ length: raw.length }, (_, i) => (raw.charCodeAt(i) << 24) >> 24)
}

/** Numbers → base64 of signed bytes, scaled so that the largest magnitude is 127. */
export function encodeInt8(v: ArrayLike<number>): string {
  let top = 0
  for (let i = 0; i < v.length; i++) top = Math.max(top, Math.abs(v[i] ?? 0))
  let raw = ''
  for (let i = 0; i < v.length; i++) {
    raw += String.fromCharCode(Math.round(((v[i] ?? 0) / (top || 1)) * 127) & 0xff)
  }
  return btoa(raw)
}
