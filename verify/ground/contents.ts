// Materials by place over all steps, so that two steps that are harmless alone show when they meet in one
// vessel, stream or machine.
import type { Happening } from './happenings.ts'
import { linkText } from './link.ts'
import { strengthIn } from './quantity.ts'
import type { Retrieved } from './retrieve.ts'

/** One material in a place: the step that brought it, and how strong its text says it is. */
export type Material = {
  readonly rid: number
  readonly at: string
  readonly percent: number | null
  readonly molar: number | null
  /** Hydrogen peroxide: below 8 % it is no oxidiser for transport. */
  readonly peroxide: boolean
}

/** A step brings materials to a place. */
export type Deposit = {
  readonly at: string
  readonly place: string
  readonly materials: readonly Material[]
}

/** Materials that a text names, with the strength it gives. */
export function materialsIn(text: string, at: string, got: Retrieved): Material[] {
  const strength = strengthIn(text)
  return linkText(text, got.names)
    .filter((rid) => got.nodes.get(rid)?.kind === 'chemical')
    .map((rid) => ({
      rid,
      at,
      ...strength,
      peroxide: /hydrogen-peroxide/.test(got.nodes.get(rid)?.id ?? ''),
    }))
}

/** What each step brings that was not there, and everything that was ever in a place. */
export function depositsOf(
  happenings: readonly Happening[],
  got: Retrieved,
): { deposits: Deposit[]; contents: Map<string, Material[]> } {
  const deposits: Deposit[] = []
  const contents = new Map<string, Material[]>()
  for (const { at, filled } of happenings) {
    for (const { place, materials } of filled) {
      const there = contents.get(place) ?? []
      const fresh = materials
        .flatMap((text) => materialsIn(text, at, got))
        .filter((m) => !there.some((old) => old.rid === m.rid && old.percent === m.percent))
      if (fresh.length === 0) continue
      deposits.push({ at, place, materials: fresh })
      contents.set(place, [...there, ...fresh])
    }
  }
  return { deposits, contents }
}
