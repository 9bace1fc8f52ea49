// What judges said of plans that a person then resolved, in D1; the skill is computed when asked for.
// Every statement binds the site (invariant 6).
import { z } from 'zod'
import { opinionSchema } from '../protocol/opinion.ts'

const heldSchema = opinionSchema.pick({ judge: true, outcome: true, verdict: true, risk: true })

/** One plan that a person resolved, as skill needs it: nothing of the plan itself. */
export type ResolutionNote = {
  site: string
  plan: string
  person: 'accept' | 'reject'
  opinions: z.infer<typeof heldSchema>[]
  at_ms: number
}

/** Resolutions that skill is computed over: the latest of the site. */
export const resolutionsMax = 500

/** Keeps what matters of an opinion for skill. */
export const heldOf = (opinion: z.infer<typeof heldSchema>): z.infer<typeof heldSchema> => {
  const { judge, outcome, verdict, risk } = opinion
  return { judge, outcome, verdict, risk }
}

/** Writes one resolution; idempotent by plan, since a plan is resolved once. */
export async function writeResolution(db: D1Database, note: ResolutionNote): Promise<void> {
  await db
    .prepare(
      `INSERT OR IGNORE INTO judge_resolutions (site, plan, person, opinions, at_ms)
       VALUES (?, ?, ?, ?, ?)`,
    )
    .bind(note.site, note.plan, note.person, JSON.stringify(note.opinions), Math.round(note.at_ms))
    .run()
}

/** The latest resolutions of a site, newest first. */
export async function readResolutions(
  db: D1Database,
  site: string,
): Promise<Pick<ResolutionNote, 'person' | 'opinions'>[]> {
  const { results } = await db
    .prepare(
      `SELECT person, opinions FROM judge_resolutions WHERE site = ? ORDER BY at_ms DESC LIMIT ?`,
    )
    .bind(site, resolutionsMax)
    .all<{ person: 'accept' | 'reject'; opinions: string }>()
  return results.map((row) => ({
    person: row.person,
    opinions: z.array(heldSchema).parse(JSON.parse(row.opinions)),
  }))
}
