// Sums that rules of a site limit over several plans and planners: what a run adds to them, and how they
// stand. Kept by the gateway over all cells of a site; no credential writes them.
import { z } from 'zod'
import { dimensions, type Dimension } from './acts.ts'
import { limits } from './limits.ts'

/** Times that a sum may be asked over; each counts back from now. */
export const totalPeriods = ['hour', 'day', 'week'] as const
export type TotalPeriod = (typeof totalPeriods)[number]

/** Over the plans of everybody, or of all planners that one person answers for. */
export const totalScopes = ['site', 'owner'] as const

/** A thing that was not known: what is charged to it counts for every thing. */
export const anyThing = '*'

const counterShape = {
  rule: z.string().max(40),
  role: z.string().max(40),
  /** Identity of the thing that is counted for; empty where the rule counts for none. */
  of: z.string().max(200),
  dim: z.enum(Object.keys(dimensions) as [Dimension, ...Dimension[]]),
} as const

/** What one node of a plan adds to one counter, in the scene's unit of `dim`. */
export const chargeSchema = z.strictObject({
  ...counterShape,
  node: z.string().max(limits.idCharsMax),
  lo: z.number(),
  hi: z.number().nullable().describe('null: nobody can say how much at most.'),
})
export type Charge = z.infer<typeof chargeSchema>

/** How one counter stands: everything that ran or may have run, and what bound plans have reserved. */
export const totalSchema = z.strictObject({
  ...counterShape,
  over: z.enum(totalPeriods),
  whose: z.enum(totalScopes),
  lo: z.number(),
  hi: z.number().nullable(),
})
export type Total = z.infer<typeof totalSchema>

/** More counters than this are not told: then every sum is unknown. */
export const totalsMax = 5_000
export const totalsSchema = z.array(totalSchema).max(totalsMax)

/** Totals as one object tells them to another, as JSON text; undefined when they are not known. */
export function readTotals(text: string | null): Total[] | undefined {
  return text === null ? undefined : totalsSchema.parse(JSON.parse(text))
}
