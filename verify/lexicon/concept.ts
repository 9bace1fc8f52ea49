// A concept is a conjunction of word families inside one sentence or instruction: what is said, not
// which phrase says it. Concepts are rows of data files, each with its reason.
import { families, mentions, negated, type TextUnit } from './text.ts'

export type Concept = {
  readonly id: string
  /** Every family must occur; the first is the act and must not be negated. */
  readonly all: readonly number[]
  /** Any of these makes it something else. */
  readonly none: number
  /** Whether a negated act still counts ("not labelled" is itself the finding). */
  readonly negationCounts: boolean
  /** Farthest distance in words between the act and each other family. */
  readonly reach: number
  /** The other families must follow the act ("without gloves", not "gloves, without hurry"). */
  readonly ordered: boolean
}

/** Builds a concept from a row of a lexicon file; words are written as `word`, `stem*`, `two words`. */
export function concept(row: {
  readonly id: string
  readonly families: readonly (readonly string[])[]
  readonly none: readonly string[]
  readonly negation_counts: boolean
  readonly reach: number
  readonly ordered: boolean
}): Concept {
  return {
    id: row.id,
    all: row.families.map((family) => families.add(family)),
    none: families.add(row.none),
    negationCounts: row.negation_counts,
    reach: row.reach,
    ordered: row.ordered,
  }
}

/** The place of the act in the unit, or -1. */
export function conceptPlace(unit: TextUnit, wanted: Concept): number {
  const [act, ...others] = wanted.all
  if (act === undefined) return -1
  const acts = unit.places(act).filter((place) => wanted.negationCounts || !negated(unit, place))
  if (acts.length === 0 || mentions(unit, wanted.none)) return -1
  const rest = others.map((family) => unit.places(family))
  const near = (other: number, place: number): boolean => {
    const distance = wanted.ordered ? other - place : Math.abs(other - place)
    return distance > 0 && distance <= wanted.reach
  }
  const found = acts.find((place) =>
    rest.every((there) => there.some((other) => near(other, place))),
  )
  return found ?? -1
}
