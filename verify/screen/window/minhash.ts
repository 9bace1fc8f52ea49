// MinHash sketches: how alike two plans are, without keeping their text. Half of the places describe the
// prose (shingles of three words), half the structure (tools and named things), so that neither other
// words nor other numbers alone make a copy look new. Broder 1997, "On the resemblance of documents".
import type { Plan } from '../../../protocol/plan.ts'
import { resolveLookAlikes } from '../names.ts'
import { proseWords } from '../words.ts'

/** Places for prose, and the same number for structure; the standard error is about 0.09. */
export const placesEach = 32
export const sketchSize = 2 * placesEach

/** A place that no feature reached. */
const empty = 0xffffffff

/** FNV-1a over UTF-16 units, finished so that near strings lie apart. */
export function hash32(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) {
    h ^= text.charCodeAt(i)
    h = Math.imul(h, 0x01000193)
  }
  return mix(h)
}

function mix(value: number): number {
  let h = value
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  h ^= h >>> 16
  return h >>> 0
}

/** One odd multiplier and one offset for each place; fixed, so that sketches stay comparable. */
const multipliers = Uint32Array.from({ length: placesEach }, (_, i) => mix(i + 1) | 1)
const offsets = Uint32Array.from({ length: placesEach }, (_, i) => mix(i + 0x10001))

function minima(features: Iterable<number>): number[] {
  const least = new Uint32Array(placesEach).fill(empty)
  // Repeated features change nothing.
  for (const h of new Set(features)) {
    for (let i = 0; i < placesEach; i += 1) {
      const value = (Math.imul(h, multipliers[i] ?? 1) + (offsets[i] ?? 0)) >>> 0
      if (value < (least[i] ?? empty)) least[i] = value
    }
  }
  return [...least]
}

const numberWord = /^[0-9]+(?:[.,][0-9]+)*$/

/** Shingles of three words; numbers are one word, since another number is the same text. */
function shingles(plan: Plan): number[] {
  const out: number[] = []
  for (const text of [plan.goal, ...plan.instructions]) {
    const words = proseWords(resolveLookAlikes(text)).map((word) =>
      hash32(numberWord.test(word) ? '#' : word),
    )
    if (words.length < 3) out.push(together(words))
    for (let i = 0; i + 2 < words.length; i += 1) out.push(together(words.slice(i, i + 3)))
  }
  return out
}

/** One hash for a sequence of hashes. */
const together = (hashes: readonly number[]): number =>
  hashes.reduce((sum, h) => mix(Math.imul(sum, 0x01000193) ^ h), 0x811c9dc5)

/** Short values are settings ("A1", "once", "left") that all plans share; long ones are prose. */
const nameCharsMin = 5
const nameCharsMax = 64

function* namedThings(value: unknown, path: string): Generator<string> {
  if (typeof value === 'string') {
    const telling = value.length >= nameCharsMin && value.length <= nameCharsMax
    if (telling) yield `${path}=${resolveLookAlikes(value)}`
  } else if (Array.isArray(value)) for (const item of value) yield* namedThings(item, path)
  else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) yield* namedThings(item, `${path}.${key}`)
  }
}

/** Each tool with what it is used on; numbers are left out for the same reason. */
function structure(plan: Plan): number[] {
  const out: number[] = []
  for (const node of plan.nodes) {
    out.push(hash32(node.tool))
    for (const thing of namedThings(node.args, node.tool)) out.push(hash32(thing))
  }
  return out
}

/** 64 values of 32 bits: 32 for the prose, 32 for the structure. Independent of node order. */
export function sketchOf(plan: Plan): number[] {
  return [...minima(shingles(plan)), ...minima(structure(plan))]
}

function half(a: readonly number[], b: readonly number[], from: number): number {
  let same = 0
  for (let i = from; i < from + placesEach; i += 1) if (a[i] === b[i] && a[i] !== empty) same += 1
  return same / placesEach
}

/** About how many features the structure had: the mean of n minima lies near 1 / (n + 1). */
function structureSize(sketch: readonly number[]): number {
  let sum = 0
  for (let i = placesEach; i < sketchSize; i += 1) sum += sketch[i] ?? empty
  const mean = sum / placesEach / 2 ** 32
  return 1 / Math.max(mean, 2 ** -32) - 1
}

/** Fewer named things than this are shared by plans that have nothing to do with each other. */
const tellingSize = 12

/**
 * Estimated Jaccard similarity in [0, 1]: the higher of prose and structure. A structure of a few things
 * ("spin this rotor") says little by itself and counts only with some likeness of the prose.
 */
export function similarity(a: readonly number[], b: readonly number[]): number {
  if (a.length !== sketchSize || b.length !== sketchSize) return 0
  const prose = half(a, b, 0)
  const things = half(a, b, placesEach)
  const telling = Math.min(structureSize(a), structureSize(b)) >= tellingSize
  return Math.max(prose, telling ? things : Math.min(things, prose + 0.5))
}

/** The sketch of everything in several plans together. */
export function unionOf(sketches: readonly (readonly number[])[]): number[] {
  const out = Array.from({ length: sketchSize }, () => empty)
  for (const sketch of sketches) {
    for (let i = 0; i < sketchSize; i += 1) out[i] = Math.min(out[i] ?? empty, sketch[i] ?? empty)
  }
  return out
}

/** True when two sketches are the same in every place: the same plan but for numbers. */
export const sameSketch = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i])
