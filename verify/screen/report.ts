// Findings with their facts clipped to what a record keeps, so that no check can break the schema
// by quoting a planner's long text (invariant 9).
import { finding, type Finding } from '../../protocol/finding.ts'
import type { FindingCode } from '../../protocol/finding-codes.ts'

const atCharsMax = 300
const factCharsMax = 200

/** At most `max` UTF-16 units, never half of a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - 1
  const code = text.charCodeAt(end - 1)
  return `${text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end)}…`
}

/** A pointer that is too long names the nearest place above it that fits. */
function clipPointer(at: string): string {
  let place = at
  while (place.length > atCharsMax) place = place.slice(0, place.lastIndexOf('/'))
  return place
}

export type Facts = Readonly<Record<string, string | number | boolean>>

/** One finding; `facts` are names and numbers that explain it. */
export function report(
  code: FindingCode,
  effect: Finding['effect'],
  where: string | { readonly at: string; readonly span: readonly [number, number] | null },
  facts: Facts = {},
): Finding {
  const at = typeof where === 'string' ? where : where.at
  const place = clipPointer(at)
  // A span only means something in the very string it was measured in.
  const span = typeof where === 'string' || place !== at ? null : where.span
  const kept = Object.entries(facts).map(([key, value]) => [
    key,
    typeof value === 'string' ? clip(value, factCharsMax) : value,
  ])
  return finding(code, effect, place, {
    span: span === null ? null : [span[0], span[1]],
    facts: Object.fromEntries(kept) as Record<string, string | number | boolean>,
  })
}
