// Times for people: the moment with its zone, and how long ago or from now.
import { signal } from '@preact/signals'

/** The time now, in milliseconds; moves every few seconds, so that ages on a page do not stand still. */
export const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 5_000)

/** A moment for people, with the time zone. */
export function moment(at_ms: number | null): string {
  if (at_ms === null) return '–'
  const text = new Date(at_ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })
  // Some locales part hours from AM with a narrow space, which would be spelled out.
  return text.replaceAll(/\p{Zs}/gu, ' ')
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** How long, in the largest unit that fits: `3 h`. */
export function span(ms: number): string {
  const size = Math.abs(ms)
  const [unit, name] = units.find(([least]) => size >= least) ?? units[3]
  return `${Math.floor(size / unit)} ${name}`
}

/** How long ago. */
export const ago = (at_ms: number): string => `${span(now.value - at_ms)} ago`

/** How long from now, or that it is over. */
export const until = (at_ms: number): string =>
  at_ms <= now.value ? 'over' : `in ${span(at_ms - now.value)}`
