// How long a site keeps what. Periods run from the submission of a plan; nothing goes before its plan is over,
// and nothing that a legal hold names. The trail of the site itself is never shortened: it keeps the digests
// of what was deleted.
import { z } from 'zod'

const dayMs = 86_400_000

/** A hundred years: longer is `null`, for ever. */
const daysMax = 36_500

const days = z.int().min(1).max(daysMax).nullable()

export const keepingSchema = z.strictObject({
  calls_days: days
    .default(90)
    .describe('Days that prompts and replies of judges are kept; null: for ever.'),
  plans_days: days
    .default(730)
    .describe(
      'Days that the text of a plan is kept, with its packet, opinions, session and results; null: for ever.',
    ),
  trails_days: days
    .default(3_650)
    .describe('Days that the trail of a plan and of its session is kept; null: for ever.'),
  memory_days: days
    .default(730)
    .describe('Days that failure memory is kept at most; each memory also expires by itself.'),
  skill_days: days
    .default(730)
    .describe('Days that it is kept how judges had voted on what people then decided.'),
})
export type Keeping = z.infer<typeof keepingSchema>

/** Up to which time of submission things go (milliseconds since the epoch); null: none do. */
export type DueBefore = Readonly<Record<keyof Keeping, number | null>>

export function dueBefore(keeping: Keeping, now_ms: number): DueBefore {
  const at = (period: number | null) => (period === null ? null : now_ms - period * dayMs)
  return {
    calls_days: at(keeping.calls_days),
    plans_days: at(keeping.plans_days),
    trails_days: at(keeping.trails_days),
    memory_days: at(keeping.memory_days),
    skill_days: at(keeping.skill_days),
  }
}

/** The first period that would outlive the one that contains it; null when they fit. */
export function misfit(keeping: Keeping): { at: string; message: string } | null {
  const pairs = [
    ['calls_days', 'plans_days'],
    ['plans_days', 'trails_days'],
  ] as const
  for (const [inner, outer] of pairs) {
    const longer = keeping[inner] ?? Number.POSITIVE_INFINITY
    if (longer > (keeping[outer] ?? Number.POSITIVE_INFINITY)) {
      const message = `${inner} is longer than ${outer}: what goes with it cannot be kept beyond it`
      return { at: `/${inner}`, message }
    }
  }
  return null
}

/** What is done with one plan: its calls go, its text goes, or all of it. */
export type Forgetting = 'calls' | 'plan' | 'all'

/** How an object answers: it is not over, there is nothing of it, or this is what it was. */
export type Forgotten =
  | { readonly state: 'absent' | 'busy' }
  | {
      readonly state: 'done'
      /** Digests that stay in the trail of the site. */
      readonly digests: Readonly<Record<string, string | null>>
      /** Every session that the plan was ever bound to; of a session: none. */
      readonly sessions: readonly string[]
    }
