// Which doubts are open. A doubt is settled only by every expected seat, each with a citation that was
// checked when its reply was read; a seat that is silent, malformed or unsure leaves it open, and one
// family of models cannot settle anything: it would err alike.
import { askedDoubts, type Doubt } from '../../protocol/evidence.ts'
import type { Opinion } from '../../protocol/opinion.ts'
import type { VotePolicy } from './votes.ts'

/** True when this opinion settles the doubt and says nothing else about it. */
function settles(opinion: Opinion, doubt: Doubt): boolean {
  if (opinion.outcome !== 'answered') return false
  const said = opinion.answers.filter((answer) => answer.doubt === doubt.id)
  return said.length > 0 && said.every((a) => a.answer === 'settled' && a.citation !== null)
}

/** True when the expected seats are of enough vendors to settle anything at all. */
function diverse(
  opinions: readonly Opinion[],
  expected: readonly string[],
  votes: VotePolicy,
): boolean {
  const names = new Set(expected)
  const vendors = new Set(
    opinions.filter((o) => o.outcome === 'answered' && names.has(o.judge)).map((o) => o.vendor),
  )
  return vendors.size >= votes.families
}

export type OpenDoubts = {
  /** Open after all that was said; those that no model may settle among them. */
  readonly open: Doubt[]
  /** Settleable, but beyond the twelve that are asked. */
  readonly unasked: Doubt[]
}

/** The doubts that no panel has settled. With no expected seat (rules alone) every one is open. */
export function openDoubts(
  doubts: readonly Doubt[],
  opinions: readonly Opinion[],
  expected: readonly string[],
  votes: VotePolicy,
): OpenDoubts {
  const asked = new Set(askedDoubts(doubts).map((doubt) => doubt.id))
  const able = expected.length > 0 && diverse(opinions, expected, votes)
  const settled = (doubt: Doubt): boolean =>
    able &&
    asked.has(doubt.id) &&
    expected.every((name) => {
      const own = opinions.filter((o) => o.judge === name)
      return own.length > 0 && own.every((o) => settles(o, doubt))
    })
  const left = doubts.filter((doubt) => !settled(doubt))
  const beyond = new Set(
    doubts.filter((d) => !asked.has(d.id) && askedDoubts([d]).length > 0).map((d) => d.id),
  )
  return {
    open: left.filter((doubt) => !beyond.has(doubt.id)),
    unasked: left.filter((doubt) => beyond.has(doubt.id)),
  }
}
