// The index of plans in D1, from which lists and metrics are read. PlanReview's outbox writes it;
// a late or repeated copy never overwrites a newer one, since every row carries a rising version.
// Every query binds the site (invariant 6).
import { z } from 'zod'
import { planSummarySchema, type PlanSummary } from '../protocol/plan-summary.ts'
import { decisionReasonSchema } from '../protocol/records.ts'
import { planIndexRowSchema, type PlanIndexRow } from '../protocol/status.ts'

/** The columns, in the order of the shared schema; the migrations make the table with the same names. */
const columns = planIndexRowSchema.keyof().options

const upsertSql = `INSERT INTO plans (${columns.join(', ')})
VALUES (${columns.map(() => '?').join(', ')})
ON CONFLICT (site, plan) DO UPDATE SET
${columns
  .filter((column) => column !== 'site' && column !== 'plan')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}
WHERE excluded.version > plans.version`

/** Writes one row; idempotent, and safe against copies that arrive late. Throws when D1 is down. */
export async function upsertPlan(db: D1Database, row: PlanIndexRow): Promise<void> {
  const values = columns.map((column) =>
    column === 'reasons' || column === 'summary'
      ? JSON.stringify(row[column] ?? null)
      : // A row that was written before a column was there has nothing for it.
        (row[column] ?? null),
  )
  await db
    .prepare(upsertSql)
    .bind(...values)
    .run()
}

/** Where a page starts: after this row, in the order of the list. */
export type PageCursor = { received_ms: number; plan: string }

export type PlanFilter = {
  planner: string | null
  state: string | null
  after: PageCursor | null
  limit: number
}

const known = (value: unknown): PlanIndexRow['reasons'] => {
  const read = decisionReasonSchema.safeParse(value)
  return read.success ? [read.data] : []
}

type RawRow = Omit<PlanIndexRow, 'reasons' | 'summary'> & {
  reasons: string
  summary: string | null
}

/** Words only help: a summary that another release wrote otherwise is left out, never the row. */
function summaryFrom(text: string | null): PlanSummary | null {
  const read = planSummarySchema.safeParse(text === null ? null : JSON.parse(text))
  return read.success ? read.data : null
}

function fromRaw(row: RawRow): PlanIndexRow {
  const reasons: unknown = JSON.parse(row.reasons)
  return {
    ...row,
    summary: summaryFrom(row.summary),
    // A reason that only a newer gateway knows is left out, never the row.
    reasons: z
      .array(z.unknown())
      .parse(reasons)
      .flatMap((one) => known(one)),
  }
}

/** Plans of one site, newest first. Ask for one more than a page to learn whether there is more. */
export async function listPlans(
  db: D1Database,
  site: string,
  filter: PlanFilter,
): Promise<PlanIndexRow[]> {
  const where = ['site = ?']
  const values: (string | number)[] = [site]
  if (filter.planner !== null) {
    where.push('planner = ?')
    values.push(filter.planner)
  }
  if (filter.state !== null) {
    where.push('state = ?')
    values.push(filter.state)
  }
  if (filter.after !== null) {
    where.push('(received_ms, plan) < (?, ?)')
    values.push(filter.after.received_ms, filter.after.plan)
  }
  const { results } = await db
    .prepare(
      `SELECT ${columns.join(', ')} FROM plans WHERE ${where.join(' AND ')}
       ORDER BY received_ms DESC, plan DESC LIMIT ?`,
    )
    .bind(...values, filter.limit)
    .all<RawRow>()
  return results.map(fromRaw)
}

/** Plans of one site that wait for a person, oldest first. */
export async function listReviews(
  db: D1Database,
  site: string,
  page: { after: PageCursor | null; limit: number },
): Promise<PlanIndexRow[]> {
  const after = page.after === null ? '' : 'AND (received_ms, plan) > (?, ?)'
  const values = page.after === null ? [] : [page.after.received_ms, page.after.plan]
  const { results } = await db
    .prepare(
      `SELECT ${columns.join(', ')} FROM plans WHERE site = ? AND state = 'escalated' ${after}
       ORDER BY received_ms, plan LIMIT ?`,
    )
    .bind(site, ...values, page.limit)
    .all<RawRow>()
  return results.map(fromRaw)
}

/** What the plans with these ids would do, in words; those without a summary are left out. */
export async function summariesOf(
  db: D1Database,
  site: string,
  plans: readonly string[],
): Promise<Map<string, PlanSummary>> {
  const { results } = await db
    .prepare(
      `SELECT p.plan, p.summary FROM json_each(?2) q
       JOIN plans p ON p.site = ?1 AND p.plan = q.value`,
    )
    .bind(site, JSON.stringify(plans))
    .all<{ plan: string; summary: string | null }>()
  const found = results.map(({ plan, summary }) => [plan, summaryFrom(summary)] as const)
  return new Map(found.filter((one): one is [string, PlanSummary] => one[1] !== null))
}

/** Changes whenever the list of open reviews does: how many there are, and the sum of their versions. */
export async function reviewsMark(
  db: D1Database,
  site: string,
): Promise<{ open: number; mark: string }> {
  const row = await db
    .prepare(
      `SELECT COUNT(*) AS n, COALESCE(SUM(version), 0) AS v, COALESCE(MAX(received_ms), 0) AS t
       FROM plans WHERE site = ? AND state = 'escalated'`,
    )
    .bind(site)
    .first<{ n: number; v: number; t: number }>()
  const { n, v, t } = row ?? { n: 0, v: 0, t: 0 }
  return { open: n, mark: `${n}.${v}.${t}` }
}
