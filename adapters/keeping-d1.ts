// What a site keeps and for how long, legal holds, and the rows of the index that are due. Every statement
// binds the site (invariant 6); a hold is asked for at the primary, in the statement that finds what is due.
import {
  keepingSchema,
  type DueBefore,
  type Forgetting,
  type Keeping,
} from '../protocol/keeping.ts'
import { readStored } from '../protocol/lenient.ts'

export type Hold = { plan: string | null; reason: string; set_ms: number; set_by: string }

/** The periods of a site; those that it never set are the defaults. */
export async function readKeeping(db: D1Database, site: string): Promise<Keeping> {
  const row = await db
    .withSession('first-primary')
    .prepare('SELECT periods FROM keeping WHERE site = ?')
    .bind(site)
    .first<{ periods: string }>()
  if (row === null) return keepingSchema.parse({})
  const read = readStored('keeping', keepingSchema, JSON.parse(row.periods))
  // What cannot be read keeps everything: deletion is the one step that nobody takes back.
  if (!read.ok) throw new Error(`the periods of the site cannot be read: ${read.error.detail}`)
  return read.value
}

export async function writeKeeping(
  db: D1Database,
  site: string,
  { keeping, by, now_ms }: { keeping: Keeping; by: string; now_ms: number },
): Promise<void> {
  await db
    .prepare(
      `INSERT INTO keeping (site, periods, set_ms, set_by) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (site) DO UPDATE SET periods = ?2, set_ms = ?3, set_by = ?4`,
    )
    .bind(site, JSON.stringify(keeping), now_ms, by)
    .run()
}

export async function listHolds(db: D1Database, site: string): Promise<Hold[]> {
  const { results } = await db
    .prepare(
      'SELECT plan, reason, set_ms, set_by FROM legal_holds WHERE site = ? ORDER BY set_ms, plan',
    )
    .bind(site)
    .all<Hold & { plan: string }>()
  return results.map((row) => ({ ...row, plan: row.plan === '' ? null : row.plan }))
}

/** Holds a plan, or with null the whole site. False when the site has `max` holds already. */
export async function putHold(
  db: D1Database,
  site: string,
  { hold, max }: { hold: Hold; max: number },
): Promise<boolean> {
  const { plan, reason, set_ms, set_by } = hold
  const done = await db
    .prepare(
      `INSERT INTO legal_holds (site, plan, reason, set_ms, set_by)
       SELECT ?1, ?2, ?3, ?4, ?5
       WHERE EXISTS (SELECT 1 FROM legal_holds WHERE site = ?1 AND plan = ?2)
         OR (SELECT COUNT(*) FROM legal_holds WHERE site = ?1) < ?6
       ON CONFLICT (site, plan) DO UPDATE SET reason = ?3, set_ms = ?4, set_by = ?5`,
    )
    .bind(site, plan ?? '', reason, set_ms, set_by, max)
    .run()
  return done.meta.changes > 0
}

/** Lets go of a hold; false when there was none. */
export async function dropHold(
  db: D1Database,
  site: string,
  plan: string | null,
): Promise<boolean> {
  const done = await db
    .prepare('DELETE FROM legal_holds WHERE site = ? AND plan = ?')
    .bind(site, plan ?? '')
    .run()
  return done.meta.changes > 0
}

const held = (plan: string) =>
  `EXISTS (SELECT 1 FROM legal_holds h WHERE h.site = ?1 AND h.plan IN ('', ${plan}))`

/** Whether a hold keeps this plan. */
export async function isHeld(db: D1Database, site: string, plan: string): Promise<boolean> {
  const row = await db
    .withSession('first-primary')
    .prepare(`SELECT ${held('?2')} AS held`)
    .bind(site, plan)
    .first<{ held: number }>()
  return row?.held !== 0
}

/** A plan that is due, and where the next page starts. */
export type DuePlan = { plan: string; received_ms: number }

const stagesOf = {
  calls: ['all'],
  plan: ['all', 'no_calls'],
  all: ['all', 'no_calls', 'trail'],
} as const satisfies Record<Forgetting, readonly string[]>

/** States in which nothing happens to a plan any more. */
const over = `('rejected', 'accepted', 'completed', 'terminated', 'withdrawn', 'expired')`

/** Plans that are over, older than `before_ms` and not held, oldest first, after a place. */
export async function duePlans(
  db: D1Database,
  site: string,
  ask: { what: Forgetting; before_ms: number; after: DuePlan | null; limit: number },
): Promise<DuePlan[]> {
  const stages = stagesOf[ask.what].map((stage) => `'${stage}'`).join(', ')
  const { results } = await db
    .withSession('first-primary')
    .prepare(
      `SELECT plan, received_ms FROM plans
       WHERE site = ?1 AND kept IN (${stages}) AND received_ms < ?2
         AND (received_ms, plan) > (?3, ?4) AND state IN ${over} AND NOT ${held('plans.plan')}
       ORDER BY received_ms, plan LIMIT ?5`,
    )
    .bind(site, ask.before_ms, ask.after?.received_ms ?? -1, ask.after?.plan ?? '', ask.limit)
    .all<DuePlan>()
  return results
}

/** Writes down what is left of a plan. Of one whose text is gone, the words in lists go too. */
export async function markKept(
  db: D1Database,
  site: string,
  { plan, what }: { plan: string; what: 'calls' | 'plan' },
): Promise<void> {
  const set = what === 'calls' ? `kept = 'no_calls'` : `kept = 'trail', summary = NULL`
  await db.prepare(`UPDATE plans SET ${set} WHERE site = ? AND plan = ?`).bind(site, plan).run()
}

/** Takes a plan out of the index, with what judges said of it and what memory knows from it. */
export async function dropPlan(db: D1Database, site: string, plan: string): Promise<void> {
  const ids = 'SELECT id FROM memory WHERE site = ?1 AND plan = ?2'
  await db.batch(
    [
      `DELETE FROM memory_edges WHERE site = ?1 AND memory IN (${ids})`,
      'DELETE FROM memory WHERE site = ?1 AND plan = ?2',
      'DELETE FROM judge_resolutions WHERE site = ?1 AND plan = ?2',
      'DELETE FROM plans WHERE site = ?1 AND plan = ?2',
    ].map((sql) => db.prepare(sql).bind(site, plan)),
  )
}

/** Drops what has its own period beside plans, at most `limit` of each; true when there is more. */
export async function pruneNotes(
  db: D1Database,
  site: string,
  { due, limit }: { due: DueBefore; limit: number },
): Promise<boolean> {
  const memories = `SELECT id FROM memory WHERE site = ?1 AND at_ms < ?2 AND NOT ${held('memory.plan')}
    ORDER BY at_ms, id LIMIT ?3`
  const skill = `SELECT plan FROM judge_resolutions WHERE site = ?1 AND at_ms < ?2
    AND NOT ${held('judge_resolutions.plan')} ORDER BY at_ms LIMIT ?3`
  const statements = [
    ...(due.memory_days === null
      ? []
      : [
          `DELETE FROM memory_edges WHERE site = ?1 AND memory IN (${memories})`,
          `DELETE FROM memory WHERE site = ?1 AND id IN (${memories})`,
        ].map((sql) => db.prepare(sql).bind(site, due.memory_days, limit))),
    ...(due.skill_days === null
      ? []
      : [
          db
            .prepare(`DELETE FROM judge_resolutions WHERE site = ?1 AND plan IN (${skill})`)
            .bind(site, due.skill_days, limit),
        ]),
  ]
  if (statements.length === 0) return false
  const done = await db.batch(statements)
  // Of memories the edges come first; a full answer of any of the others says that there is more.
  return done.some(({ meta }) => meta.changes >= limit)
}
