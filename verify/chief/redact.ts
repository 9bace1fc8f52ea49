// Takes the plan's language out of one claim: whatever matches the forbidden sets is replaced, and
// what still matches afterwards is dropped as a whole. The result holds no plan text (invariant 5).
import { clip } from '../panel/reply.ts'
import {
  fold,
  literalChars,
  quotes,
  shingleWords,
  wordCharsMax,
  type Forbidden,
} from './forbidden.ts'

/** Stands where words were taken out. */
export const gap = '[-]'
const passesMax = 4

function mark(bad: boolean[], from: number, to: number): void {
  for (let i = from; i < to; i++) bad[i] = true
}

function markLiterals(text: string, forbidden: Forbidden, bad: boolean[]): void {
  for (let i = 0; i + literalChars <= text.length; i++) {
    if (forbidden.literals.has(text.slice(i, i + literalChars))) mark(bad, i, i + literalChars)
  }
  let flat = ''
  const at: number[] = []
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}]/gu)) {
    for (let k = 0; k < match[0].length; k++) at.push(match.index + k)
    flat += match[0]
  }
  for (let i = 0; i + literalChars <= flat.length; i++) {
    if (!forbidden.squashed.has(flat.slice(i, i + literalChars))) continue
    mark(bad, at[i] ?? 0, (at[i + literalChars - 1] ?? 0) + 1)
  }
}

function markShingles(text: string, forbidden: Forbidden, bad: boolean[]): void {
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)]
  for (let i = 0; i + shingleWords <= words.length; i++) {
    const run = words.slice(i, i + shingleWords)
    if (!forbidden.shingles.has(run.map((word) => word[0]).join(' '))) continue
    const last = run[shingleWords - 1]
    mark(bad, run[0]?.index ?? 0, (last?.index ?? 0) + (last?.[0].length ?? 0))
  }
}

/** One pass over a folded text: marks, widens to whole words, replaces. */
function pass(text: string, forbidden: Forbidden): string {
  const bad: boolean[] = []
  markLiterals(text, forbidden, bad)
  markShingles(text, forbidden, bad)
  const out: string[] = []
  let position = 0
  for (const word of text.split(' ')) {
    const end = position + word.length
    const long = word.length > wordCharsMax && !forbidden.longWords().has(word)
    let hit = long
    for (let i = position; i < end && !hit; i++) hit = bad[i] === true
    if (!hit) out.push(word)
    else if (out.at(-1) !== gap) out.push(gap)
    position = end + 1
  }
  return out.join(' ')
}

export type Redacted = { readonly text: string; readonly redacted: boolean }

/** The claim without the plan's language, folded and at most `charsMax` long; '' when none is left. */
export function redact(claim: string, forbidden: Forbidden, charsMax: number): Redacted {
  const start = fold(clip(claim, charsMax)).trim()
  let text = start
  for (let i = 0; i < passesMax && quotes(text, forbidden); i++) text = pass(text, forbidden)
  if (quotes(text, forbidden)) text = ''
  // A claim that is nothing but gaps says nothing.
  if (text.replaceAll(gap, '').trim() === '') text = ''
  return { text, redacted: text !== start }
}
