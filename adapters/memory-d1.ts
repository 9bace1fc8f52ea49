// Failure memory in D1: written from a plan's outbox, read once per plan by traversal over the
// shared features. Every statement binds the site (invariant 6). Effective in the next request.
import type { MemoryMatch, Precedent } from '../protocol/memory.ts'
import { matchAll, type NewPlan } from '../verify/remember/match.ts'
import type { MemoryNote } from '../verify/remember/note.ts'

export type { MemoryNote } from '../verify/remember/note.ts'

/** Memories kept per site; beyond it the oldest go. */
export const memoriesPerSiteMax = 2_000
/** Memories compared with one plan: those that share the most with it. */
const candidatesMax = 60
const lineageMax = 20
/** D1 takes 100 bound parameters; edges are written through json_each in one statement. */

/** Writes one note; idempotent by id. An approval replaces the failure that it settled. */
export async function writeMemory(db: D1Database, note: MemoryNote): Promise<void> {
  const settled = note.kind === 'precedent' ? `failure:${note.plan}` : ''
  await db.batch([
    db.prepare('DELETE FROM memory_edges WHERE site = ? AND memory = ?').bind(note.site, settled),
    db.prepare('DELETE FROM memory WHERE site = ? AND id = ?').bind(note.site, settled),
    db.prepare('DELETE FROM memory_edges WHERE site = ? AND memory = ?').bind(note.site, note.id),
    db
      .prepare(
        `INSERT OR REPLACE INTO memory (site, id, kind, event, plan, plan_digest, planner, owner,
           policy_version, basis, codes, culprits, supersedes, at_ms, expires_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        note.site,
        note.id,
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
        note.supersedes,
        Math.round(note.at_ms),
        Math.round(note.expires_ms),
      ),
    db
      .prepare(
        `INSERT OR IGNORE INTO memory_edges (site, feature, memory)
         SELECT ?1, value, ?2 FROM json_each(?3)`,
      )
      .bind(note.site, note.id, JSON.stringify(note.features)),
    db
      .prepare(
        `DELETE FROM memory_edges WHERE site = ?1 AND memory IN
           (SELECT id FROM memory WHERE site = ?1 AND expires_ms < ?2)`,
      )
      .bind(note.site, Math.round(note.at_ms)),
    db
      .prepare('DELETE FROM memory WHERE site = ? AND expires_ms < ?')
      .bind(note.site, Math.round(note.at_ms)),
    db
      .prepare(
        `DELETE FROM memory WHERE site = ?1 AND id IN
           (SELECT id FROM memory WHERE site = ?1 ORDER BY at_ms DESC LIMIT -1 OFFSET ?2)`,
      )
      .bind(note.site, memoriesPerSiteMax),
  ])
}

type Row = Omit<MemoryNote, 'codes' | 'culprits' | 'features'> & {
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

/**
 * The remembered failures that are close to a new plan.
 * Throws when D1 is down: then the plan cannot be accepted.
 */
export async function recall(
  db: D1Database,
  site: string,
  plan: Omit<NewPlan, 'lineage' | 'weight'> & { supersedes: string | null; now_ms: number },
): Promise<MemoryMatch[]> {
  const lineage = await lineageOf(db, site, plan.supersedes)
  const { results } = await db
    .prepare(
      `WITH shared AS (
         SELECT memory, COUNT(*) AS n FROM memory_edges
         WHERE site = ?1 AND feature IN (SELECT value FROM json_each(?2)) GROUP BY memory)
       SELECT m.*, (SELECT json_group_array(feature) FROM memory_edges e
                    WHERE e.site = ?1 AND e.memory = m.id) AS features
       FROM memory m JOIN shared s ON s.memory = m.id
       WHERE m.site = ?1 AND m.kind = 'failure' AND m.resolved_ms IS NULL AND m.expires_ms >= ?3
       ORDER BY s.n DESC, m.at_ms DESC LIMIT ?4`,
    )
    .bind(site, JSON.stringify(plan.features), Math.round(plan.now_ms), candidatesMax)
    .all<Row>()
  const notes = results.map((row): MemoryNote => ({
    ...row,
    codes: strings(row.codes),
    culprits: strings(row.culprits),
    features: strings(row.features),
  }))
  return matchAll(notes, { ...plan, lineage, weight: () => 1 })
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
