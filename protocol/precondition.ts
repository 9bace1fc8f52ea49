// One precondition of a row against one reading of a sensor. The same test on both sides of the wire: what
// was not read, or cannot be compared, is a miss.
import type { Precondition } from './tool-meaning.ts'
import type { ReadMiss } from './tokens.ts'
import type { ToolRow } from './tool-row.ts'
import { measuredOf, scaled, unitOf } from './units.ts'

/** How old a reading may be at the call, in milliseconds; 0 when the row does not say it as a time. */
export function freshMsOf({ fresh }: Pick<Precondition, 'fresh'>): number {
  const told = measuredOf(fresh)
  return told?.dim === 'time' ? told.value * 1_000 : 0
}

type Bounds = Pick<Precondition, 'eq' | 'ge' | 'le' | 'unit'>

/** The number in the unit of the precondition's own bounds; null when the units do not meet. */
export function comparable(
  value: number,
  given: string | undefined,
  wanted: string | undefined,
): { readonly value: number; readonly bound: (x: number) => number } | null {
  if (given === wanted) return { value, bound: (x: number) => x }
  const [from, to] = [unitOf(given ?? ''), unitOf(wanted ?? '')]
  if (from === null || to === null || from.dim !== to.dim) return null
  return { value: scaled(value, from), bound: (x: number) => scaled(x, to) }
}

function numberMiss(value: number, bounds: Bounds, given: string | undefined): ReadMiss | null {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return 'type'
  const compared = comparable(value, given, bounds.unit)
  if (compared === null) return 'unit'
  const { eq, ge, le } = bounds
  if (eq !== undefined && typeof eq !== 'number') return 'type'
  const { bound } = compared
  const within =
    (eq === undefined || compared.value === bound(eq)) &&
    (ge === undefined || compared.value >= bound(ge)) &&
    (le === undefined || compared.value <= bound(le))
  return within ? null : 'range'
}

/**
 * Why a value does not meet its precondition; null when it does. `reader` is the row of the tool that read
 * it: what it declares of the place gives the unit. A condition without a bound is met by nothing.
 */
export function valueMiss(
  value: unknown,
  wanted: Precondition,
  reader: Pick<ToolRow, 'results'> | undefined,
): ReadMiss | null {
  const { eq, ge, le, pointer } = wanted
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (eq === undefined && ge === undefined && le === undefined) return 'range'
  if (typeof value === 'number') return numberMiss(value, wanted, reader?.results?.[pointer]?.unit)
  if (typeof value !== typeof eq || ge !== undefined || le !== undefined) return 'type'
  return value === eq ? null : 'range'
}
