// The doubts as numbered questions, with one more among them whose answer is known: nothing that a
// judge is given can settle it. A seat that settles that one settles without looking, and counts as
// malformed. Where it stands and which it is follow from a seed, the same for every seat of a plan.
import { askedDoubts, type Doubt } from '../../protocol/evidence.ts'
import decoys from './decoys.json' with { type: 'json' }

export type Question = {
  /** From 1, as it stands in the prompt. */
  readonly number: number
  /** JSON pointer into the plan. */
  readonly subject: string
  readonly text: string
  /** The doubt that it asks; null for the one of known answer. */
  readonly doubt: number | null
}

/** FNV-1a over UTF-16 units: spreads a seed evenly; nothing secret rests on it. */
function spread(seed: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < seed.length; i++) {
    hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193)
  }
  return hash >>> 0
}

/**
 * The questions of one plan, at most twelve doubts and one decoy. `places` are pointers that the decoy
 * may be about; '' when there is none.
 */
export function questionsOf(
  doubts: readonly Doubt[],
  places: readonly string[],
  seed: string,
): Question[] {
  const asked = askedDoubts(doubts)
  const at = spread(`${seed}/place`) % (asked.length + 1)
  const decoy = {
    subject: places[spread(`${seed}/subject`) % Math.max(1, places.length)] ?? '',
    text: decoys[spread(`${seed}/text`) % decoys.length] ?? '',
    doubt: null,
  }
  const real = asked.map(({ id, subject, text }) => ({ subject, text, doubt: id }))
  return [...real.slice(0, at), decoy, ...real.slice(at)].map((question, i) => ({
    number: i + 1,
    ...question,
  }))
}
