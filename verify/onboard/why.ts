// Why the deterministic half does not accept a plan, each code and place once.
import type { Ruled } from './by-rules.ts'

type Effect = 'not_well_formed' | 'reject' | 'escalate' | 'unknown' | 'doubt'
export type Why = { readonly code: string; readonly at: string; readonly effect: Effect }

const effectOf = { block: 'reject', flag: 'escalate' } as const

export function whysOf({ violations, findings, evidence }: Ruled): Why[] {
  const all: Why[] = [
    ...violations.map(({ code, at }) => ({ code, at, effect: 'not_well_formed' as const })),
    ...findings.flatMap(({ code, effect, at }) =>
      effect === 'advisory' ? [] : [{ code, at, effect: effectOf[effect] }],
    ),
    ...evidence.breaches.map(({ code, at, verdict }) => ({ code, at, effect: verdict })),
    ...evidence.unknowns.map(({ code, at }) => ({ code, at, effect: 'unknown' as const })),
    ...evidence.doubts.map(({ code, subject: at }) => ({ code, at, effect: 'doubt' as const })),
  ]
  return [...new Map(all.map((why) => [JSON.stringify(why), why])).values()]
}
