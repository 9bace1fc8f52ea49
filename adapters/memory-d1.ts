// Failure memory in D1: written from a plan's outbox, read once per plan by traversal over the
// shared features. Every statement binds the site (invariant 6). Effective in the next request.
import type { D1Like } from '../verify/ground/d1-like.ts'
import type { Precedent } from '../protocol/memory.ts'
import type { Recalled } from '../verify/remember/match.ts'
import type { MemoryNote } from '../verify/remember/note.ts'

export type { MemoryNote } from '../verify/remember/note.ts'

/** Memories kept per site, and of one planner: nobody's flood drives out what is known of others. */
export const memoriesPerSiteMax = 2_000
export const memoriesPerPlannerMax = 250
/** Memories compared with one plan: those that share the most with it. */
const candidatesMax = 60
const lineageMax = 20

/** What a person or a device said outlives what the floor said, and that what only models said. */
const rank = `CASE WHEN basis IN ('person', 'execution') THEN 2 WHEN basis = 'floor' THEN 1 ELSE 0 END`

/** Ids that go: expired ones, and the least of those beyond the caps. ?1 site, ?2 now, ?3, ?4 caps. */
const surplus = `SELECT id FROM (
  SELECT id, expires_ms,
    ROW_NUMBER() OVER (PARTITION BY planner ORDER BY ${rank} DESC, at_ms DESC, id) AS of_planner,
    ROW_NUMBER() OVER (ORDER BY ${rank} DESC, at_ms DESC, id) AS of_site
  FROM memory WHERE site = ?1)
  WHERE expires_ms < ?2 OR of_planner > ?3 OR of_site > ?4`

/** Failures that a person's approval settles: the plan's own, and verdicts on the very same plan. */
const answered = `SELECT id FROM memory WHERE site = ?1 AND kind = 'failure' AND event <> 'session'
  AND (plan = ?2 OR (plan_digest = ?3 AND basis IN ('floor', 'models')))`

/** Deletes memories with their edges; `ids` is a query over the same bound values. */
function forget(db: D1Like, ids: string, values: readonly (string | number)[]) {
  return [
    db.prepare(`DELETE FROM memory_edges WHERE site = ?1 AND memory IN (${ids})`).bind(...values),
    db.prepare(`DELETE FROM memory WHERE site = ?1 AND id IN (${ids})`).bind(...values),
  ]
}

/**
 * Writes one note, in one transaction. Idempotent by id: the same note again changes nothing, not even
 * what a reviewer has settled since; a later note of the same plan replaces the earlier one.
 */
export async function writeMemory(db: D1Like, note: MemoryNote): Promise<void> {
  const { site, id } = note
  const now = Math.round(note.at_ms)
  await db.batch([
    ...(note.kind === 'precedent' ? forget(db, answered, [site, note.plan, note.plan_digest]) : []),
    db
      .prepare(
        `INSERT INTO memory (site, id, kind, event, plan, plan_digest, planner, owner,
           policy_version, basis, codes, culprits, exact, supersedes, at_ms, expires_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (site, id) DO UPDATE SET event = excluded.event, basis = excluded.basis,
           codes = excluded.codes, culprits = excluded.culprits,
           exact = excluded.exact, at_ms = excluded.at_ms,
           expires_ms = excluded.expires_ms,
           resolved_ms = NULL, resolved_by = NULL, resolved_reason = NULL
         WHERE excluded.at_ms > memory.at_ms`,
      )
      .bind(
        site,
        id,
        note.kind,
        note.event,
        note.plan,
        note.plan_digest,
        note.planner,
        note.owner,
        note.policy_version,
        note.basis,
        JSON.stringify(note.codes),
        JSON.stringify(note.culprits),
        note.exact ? 1 : 0,
        note.supersedes,
        now,
        Math.round(note.expires_ms),
      ),
    // D1 takes 100 bound parameters: edges go through json_each in one statement.
    db
      .prepare(
        `INSERT OR IGNORE INTO memory_edges (site, feature, memory)
         SELECT ?1, value, ?2 FROM json_each(?3)`,
      )
      .bind(site, id, JSON.stringify(note.features)),
    ...forget(db, surplus, [site, now, memoriesPerPlannerMax, memoriesPerSiteMax]),
  ])
}

type Row = Omit<MemoryNote, 'codes' | 'culprits' | 'features' | 'exact'> & {
  exact: number
  codes: string
  culprits: string
  features: string
}

const strings = (text: string): string[] => {
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** The plan ids that `plan` descends from, nearest first. */
async function lineageOf(db: D1Database, site: string, parent: string | null): Promise<string[]> {
  if (parent === null) return []
  const { results } = await db
    .prepare(
      `WITH RECURSIVE line(plan, n) AS (
         SELECT ?2, 1
         UNION SELECT plans.supersedes, n + 1 FROM plans JOIN line ON plans.plan = line.plan
           WHERE plans.site = ?1 AND plans.supersedes IS NOT NULL AND n < ?3)
       SELECT plan FROM line ORDER BY n`,
    )
    .bind(site, parent, lineageMax)
    .all<{ plan: string }>()
  return results.map((row) => row.plan)
}

/** A plan before anything was found in it. */
export type AskedPlan = Omit<Recalled['plan'], 'lineage' | 'weight'> & {
  supersedes: string | null
  now_ms: number
}

/**
 * The remembered failures that may speak about a new plan: its lineage first, then those that share
 * the most with it. What only models refused is asked of the same planner or owner alone.
 * Throws when D1 is down: then the plan cannot be accepted.
 */
export async function recall(db: D1Database, site: string, plan: AskedPlan): Promise<Recalled> {
  const lineage = await lineageOf(db, site, plan.supersedes)
  const { results } = await db
    .prepare(
      `WITH shared AS (
         SELECT memory, COUNT(*) AS n FROM memory_edges
         WHERE site = ?1 AND feature IN (SELECT value FROM json_each(?2)) GROUP BY memory),
       close AS (
         SELECT m.id, m.plan IN (SELECT value FROM json_each(?3)) AS related,
           COALESCE(s.n, 0) * 1.0 / (json_array_length(?2) - COALESCE(s.n, 0) +
             (SELECT COUNT(*) FROM memory_edges e WHERE e.site = ?1 AND e.memory = m.id) + 1) AS share
         FROM memory m LEFT JOIN shared s ON s.memory = m.id
         WHERE m.site = ?1 AND m.kind = 'failure' AND m.resolved_ms IS NULL AND m.expires_ms >= ?4
           AND (m.planner = ?5 OR m.owner = ?6 OR m.basis <> 'models')
           AND (s.n > 0 OR m.plan_digest = ?7 OR m.plan IN (SELECT value FROM json_each(?3)))
         ORDER BY related DESC, m.plan_digest = ?7 DESC, share DESC, m.at_ms DESC LIMIT ?8)
       SELECT m.id, m.kind, m.event, m.site, m.plan, m.plan_digest, m.planner, m.owner,
         m.policy_version, m.basis, m.codes, m.culprits, m.exact, m.supersedes, m.at_ms, m.expires_ms,
         (SELECT json_group_array(feature) FROM memory_edges e
          WHERE e.site = ?1 AND e.memory = m.id) AS features
       FROM memory m JOIN close ON close.id = m.id WHERE m.site = ?1`,
    )
    .bind(
      site,
      JSON.stringify(plan.features),
      JSON.stringify(lineage),
      Math.round(plan.now_ms),
      plan.planner,
      plan.owner,
      plan.plan_digest,
      candidatesMax,
    )
    .all<Row>()
  const memories = results.map((row): MemoryNote => ({
    ...row,
    exact: row.exact === 1,
    codes: strings(row.codes),
    culprits: strings(row.culprits),
    features: strings(row.features),
  }))
  const { supersedes: _supersedes, now_ms: _now, ...asked } = plan
  return { memories, plan: { ...asked, lineage, weight: () => 1 } }
}

/** A person's earlier approval of exactly this plan under exactly this policy, if there is one. */
export async function precedentOf(
  db: D1Database,
  site: string,
  plan: { plan_digest: string; policy_version: string; now_ms: number },
): Promise<Precedent | null> {
  return db
    .prepare(
      `SELECT plan, plan_digest, policy_version FROM memory WHERE site = ? AND kind = 'precedent'
         AND plan_digest = ? AND policy_version = ? AND expires_ms >= ? ORDER BY at_ms DESC LIMIT 1`,
    )
    .bind(site, plan.plan_digest, plan.policy_version, Math.round(plan.now_ms))
    .first<Precedent>()
}

/** A reviewer settles a memory with a reason; false when there is none of that id at the site. */
export async function resolveMemory(
  db: D1Database,
  site: string,
  settled: { id: string; by: string; reason: string; now_ms: number },
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `UPDATE memory SET resolved_ms = ?, resolved_by = ?, resolved_reason = ?
       WHERE site = ? AND id = ? AND resolved_ms IS NULL`,
    )
    .bind(Math.round(settled.now_ms), settled.by, settled.reason, site, settled.id)
    .run()
  return meta.changes > 0
}
