// What is wrong at a site now, that somebody has to do something about: a closed list of kinds, each with
// what it means and what to do (incident-words.json). A condition that has to last before anybody is told
// says for how long.
import { z } from 'zod'
import words from './incident-words.json' with { type: 'json' }

export const incidentKinds = [
  'agent_lost',
  'budget_spent',
  'cell_latched',
  'clock_skew',
  'device_down',
  'judges_down',
  'ledger_failing',
  'local_latch',
  'queue_old',
  'refusals_repeated',
  'review_expiring',
  'site_restored',
  'step_stuck',
  'stop_unconfirmed',
] as const
export type IncidentKind = (typeof incidentKinds)[number]

export type IncidentWords = {
  /** What it means. */
  readonly title: string
  readonly what_to_do: string
  /** Milliseconds that it has to last before people are told. */
  readonly after_ms: number
}
/** Every kind with its words: one that is missing does not compile. */
export const incidentWords: Readonly<Record<IncidentKind, IncidentWords>> = words

const factsSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.null(), z.array(z.string())]),
)

export const incidentSchema = z.strictObject({
  kind: z.enum(incidentKinds),
  /** Since when it stands, as far as is known (milliseconds since the epoch). */
  since_ms: z.number().min(0),
  title: z.string(),
  what_to_do: z.string(),
  /** Which cell, agent, device server, session or planner, and what is known of it. */
  facts: factsSchema,
})
export type Incident = z.infer<typeof incidentSchema>

/** Something that is so now; the key tells two of a kind apart. */
export type Condition = {
  readonly kind: IncidentKind
  /** What it is about: the same as long as it lasts. */
  readonly about: string
  readonly since_ms: number
  readonly facts: Incident['facts']
}
