// First guesses of what a call does: at most three, most dangerous first where two are as likely. They are
// proposals for a person. Danger: a call that acts and is proposed as one that only reads; so reading is
// proposed only where the name begins with a word of reading and nothing speaks of a change.
import { actSpec, type ActName, type Family } from '../../protocol/acts.ts'
import { unitOf } from '../../protocol/units.ts'
import type { Leaf } from './leaves.ts'
import {
  actWords,
  alsoNouns,
  changing,
  reading,
  stemsOf,
  telling,
  tells,
  wordsOf,
} from './words.ts'

export type Hints = { readonly readOnly?: boolean; readonly destructive?: boolean }
export type Told = {
  readonly name: string
  readonly says: string
  readonly leaves: readonly Leaf[]
  readonly hints: Hints
}

/** The harm that a family can do, greatest first: the order of questions. */
export const dangerOf: Readonly<Record<Family, number>> = {
  change: 9,
  energy: 8,
  motion: 7,
  barrier: 6,
  matter: 5,
  speech: 4,
  record: 3,
  rest: 2,
  knowing: 1,
}

/** Acts that change nothing outside. */
export const harmless: ReadonlySet<ActName> = new Set(['measure', 'observe', 'read_record', 'wait'])

/** Words of acts that change something; `read` and `temperature` also stand in what is measured. */
const acting = new Set(
  actWords.filter(([act]) => !harmless.has(act)).flatMap(([, { name }]) => name),
)
const wordsWithStems = (text: string): Set<string> => new Set(wordsOf(text).flatMap(stemsOf))

/** The first sentence of a description says what a call does; the rest says how to use it. */
const firstSentence = (text: string): string => text.split(/(?<=[.!?])\s|\n/u)[0] ?? ''

/** May this call be proposed as one that changes nothing? */
export function mayOnlyRead(told: Told): boolean {
  const named = wordsOf(told.name.split('.').at(-1) ?? told.name)
  const says = [...wordsWithStems(firstSentence(told.says))]
  const lead = named.findIndex((word, i) => reading.has(word) && i <= 1)
  if (told.hints.readOnly === false || told.hints.destructive === true || lead < 0) return false
  // "Get the plate" fetches it; "get the status" reads it.
  const hinted = told.hints.readOnly === true
  if (named[lead] === 'get' && !hinted && !says.some((word) => tells.has(word))) return false
  const inName = (word: string): boolean =>
    changing.has(word) || (acting.has(word) && !alsoNouns.has(word))
  const inText = (word: string): boolean =>
    (changing.has(word) || acting.has(word)) &&
    !alsoNouns.has(word) &&
    !telling.has(word) &&
    !(hinted && word === 'retrieve')
  return !named.some(inName) && !says.some(inText)
}

/** How well each act fits the words of a call; acts that do not fit at all are left out. */
function scores(told: Told): Map<ActName, number> {
  const named = wordsOf(told.name)
  const says = wordsWithStems(firstSentence(told.says))
  const args = new Set(told.leaves.flatMap(({ own }) => own))
  const out = new Map<ActName, number>()
  for (const [act, { name, with: beside }] of actWords) {
    let score = 0
    for (const word of name) {
      // What a name leads with is what the call does; a word at its end is what it does it to.
      const i = Math.max(
        ...stemsOf(word).map((stem) => named.lastIndexOf(stem)),
        named.lastIndexOf(word),
      )
      if (i >= 0) score += 6
      else if (says.has(word)) score += 2
    }
    if (score === 0 && !carries(told, act)) continue
    for (const word of beside) {
      if (args.has(word)) score += 2
      if (named.includes(word)) score += 1.5
      if (says.has(word)) score += 1
    }
    // An act whose quantities the arguments carry is more likely than one that finds none.
    const { roles } = actSpec(act)
    for (const spec of Object.values(roles)) {
      if (spec.kind !== 'quantity' || spec.needed !== true) continue
      const fits = told.leaves.some((leaf) => fitsDim(leaf, spec.dims ?? []))
      score += fits ? 3 : -3
    }
    out.set(act, score)
  }
  return out
}

/** The arguments hold the quantity without which the act is nothing. */
function carries(told: Told, act: ActName): boolean {
  return Object.values(actSpec(act).roles).some(
    ({ kind, needed, dims }) =>
      kind === 'quantity' &&
      needed === true &&
      told.leaves.some((leaf) => leaf.unit !== null && fitsDim(leaf, dims ?? [])),
  )
}

function fitsDim(leaf: Leaf, dims: readonly string[]): boolean {
  if (leaf.type !== 'number') return false
  if (leaf.unit === null) return leaf.own.some((word) => dims.includes(word))
  const unit = unitOf(leaf.unit)
  return unit !== null && dims.includes(unit.dim)
}

/** At most three acts that the call may do, likeliest first; [] when no word of it is known. */
export function guessActs(told: Told): ActName[] {
  const onlyReads = mayOnlyRead(told)
  const found = [...scores(told)]
    .filter(([act, score]) => score > 0 && (onlyReads ? harmless.has(act) : !harmless.has(act)))
    .toSorted(
      ([a, x], [b, y]) => y - x || dangerOf[actSpec(b).family] - dangerOf[actSpec(a).family],
    )
  const acts = found.slice(0, 3).map(([act]) => act)
  if (acts.length === 0 && onlyReads) return ['read_record', 'measure']
  // A wait changes nothing, and no word of reading says so.
  const waits = wordsOf(told.name).some((word) => ['wait', 'sleep', 'delay'].includes(word))
  if (!onlyReads && waits && acts.length === 0) return ['wait']
  return acts
}
