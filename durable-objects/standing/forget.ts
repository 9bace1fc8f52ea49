// A standing approval is forgotten with the plan that it was made from: it holds the plan's words. First it must be
// over, so that nobody takes an approval out of force by deleting an old plan.
import type { AuditEntry } from '../../protocol/audit.ts'
import type { Forgotten } from '../../protocol/keeping.ts'
import type { StandingStored } from './view.ts'

/** In the trail: only digests are left of what people signed. */
export const textDeleted = 'text_deleted'

/** Revoked, out of time or used up: nothing brings it back into force. */
function over({ record, row }: StandingStored, now_ms: number): boolean {
  const { until_ms, runs } = record.terms
  return row.state === 'revoked' || now_ms >= until_ms || row.used >= runs
}

/** What would be left of it. One whose text is gone says what it said then. */
export function leftOf(
  stored: StandingStored | null,
  trail: readonly AuditEntry[],
  of: { readonly plan: string; readonly now_ms: number },
): Forgotten {
  const proposed = trail[0]?.facts['plan']
  if (proposed !== of.plan) return { state: 'absent' }
  if (stored !== null && !over(stored, of.now_ms)) return { state: 'busy' }
  const said = trail.findLast(({ event }) => event === textDeleted)?.facts['template_digest']
  const digest = stored?.digest ?? said
  const digests = {
    template_digest: typeof digest === 'string' ? digest : null,
    trail: trail.at(-1)?.digest ?? null,
  }
  return { state: 'done', digests, sessions: [] }
}
