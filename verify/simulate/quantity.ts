// Quantities of site file and state (`40 Cel`, `0.1 L`) in the units that a scene uses, and back
// into words for sentences.
import type { Dimension } from '../../protocol/acts.ts'
import { measuredOf, type Measured } from '../../protocol/units.ts'
import type { Interval } from '../read/scene.ts'
import { le } from './interval.ts'

/** `40 Cel`, `0.1 L` in the scene's unit; null: it is not read, and nothing may rest on it. */
export const readQuantity = (text: string): Measured | null => measuredOf(text)

/** A declared range; an end that cannot be read is no limit that anything may rest on. */
export type Range =
  | { readonly kind: 'range'; readonly dim: Dimension; readonly value: Interval }
  | { readonly kind: 'unreadable' }

export function readRange(range: {
  readonly min?: string | undefined
  readonly max?: string | undefined
}): Range | null {
  if (range.min === undefined && range.max === undefined) return null
  const min = range.min === undefined ? undefined : readQuantity(range.min)
  const max = range.max === undefined ? undefined : readQuantity(range.max)
  const dim = max?.dim ?? min?.dim
  if (min === null || max === null || dim === undefined) return { kind: 'unreadable' }
  if (min !== undefined && max !== undefined && min.dim !== max.dim) return { kind: 'unreadable' }
  return {
    kind: 'range',
    dim,
    value: { lo: min?.value ?? -Infinity, hi: max?.value ?? Infinity },
  }
}

const shownUnits: Record<Dimension, string> = {
  volume: 'µL',
  mass: 'g',
  temperature: '°C',
  time: 's',
  length: 'mm',
  speed: 'mm/s',
  rotation: 'rpm',
  acceleration: '× g',
  force: 'N',
  pressure: 'kPa',
  flow: 'µL/s',
  fraction: '%',
  concentration: 'mmol/L',
  power: 'W',
  count: '',
}

const shownNumber = (value: number): string => String(Number(value.toPrecision(6)))

/** `95 °C`, `10 to 20 µL`, `at least 5 s`; for sentences and facts of findings. */
export function show(value: Interval, dim: Dimension): string {
  const unit = shownUnits[dim] === '' ? '' : ` ${shownUnits[dim]}`
  if (value.lo === value.hi || (le(value.hi, value.lo) && Number.isFinite(value.lo))) {
    return `${shownNumber(value.lo)}${unit}`
  }
  if (value.lo === -Infinity && value.hi === Infinity) return 'an unknown value'
  if (value.hi === Infinity) return `at least ${shownNumber(value.lo)}${unit}`
  if (value.lo === -Infinity) return `at most ${shownNumber(value.hi)}${unit}`
  return `${shownNumber(value.lo)} to ${shownNumber(value.hi)}${unit}`
}
