// What the hub keeps of every submission: whose credential it rests on, which plans it follows or
// replaces, and which physical calls it would make. Written before the plan is judged.
import { limits } from '../../protocol/limits.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { PlannedCall, SubmissionNote } from '../contracts.ts'
import type { HubStore } from './store.ts'

/** A plan that is not judged after this is not being judged: it no longer counts against the bound. */
const judgingMsMax = 600_000

export type SubmittedRow = Omit<SubmissionNote, 'received_ms'> & { at_ms: number }

/** Idempotent by plan. */
export function noteSubmission(
  store: HubStore,
  note: SubmissionNote,
  now_ms: number,
): Result<void, { reason: 'too_many_judging' }> {
  if (submissionOf(store, note.plan) !== null) return ok(undefined)
  const { n } = store.sql
    .exec<{ n: number }>(
      'SELECT COUNT(*) AS n FROM submitted WHERE judged_ms IS NULL AND at_ms > ?',
      now_ms - judgingMsMax,
    )
    .one()
  if (n >= limits.judgingPerSiteMax) return err({ reason: 'too_many_judging' })
  store.sql.exec(
    `INSERT INTO submitted (plan, plan_digest, planner, owner, credential, keyed, follows,
       supersedes, calls, at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    note.plan,
    note.plan_digest,
    note.planner,
    note.owner,
    note.credential,
    note.keyed ? 1 : 0,
    note.follows,
    note.supersedes,
    JSON.stringify(note.calls),
    now_ms,
  )
  return ok(undefined)
}

/** The plan has a verdict: another one may be judged. */
export function noteJudged(store: HubStore, plan: string, now_ms: number): void {
  store.sql.exec(
    'UPDATE submitted SET judged_ms = ? WHERE plan = ? AND judged_ms IS NULL',
    now_ms,
    plan,
  )
}

export function submissionOf(store: HubStore, plan: string): SubmittedRow | null {
  const row = store.sql.exec('SELECT * FROM submitted WHERE plan = ?', plan).toArray()[0]
  if (row === undefined) return null
  const textOf = (value: SqlStorageValue | undefined): string | null =>
    value == null ? null : String(value)
  return {
    plan,
    plan_digest: String(row['plan_digest']),
    planner: String(row['planner']),
    owner: String(row['owner']),
    credential: String(row['credential']),
    keyed: row['keyed'] === 1,
    follows: textOf(row['follows']),
    supersedes: textOf(row['supersedes']),
    calls: JSON.parse(String(row['calls'])) as PlannedCall[],
    at_ms: Number(row['at_ms']),
  }
}

/** Credentials on which a plan rests: the one that submitted it, and those that approved it. */
export function restsOn(store: HubStore, plan: string): string[] {
  const approved = store.sql
    .exec<{ credential: string }>('SELECT credential FROM approved WHERE plan = ?', plan)
    .toArray()
    .map(({ credential }) => credential)
  const own = submissionOf(store, plan)
  return own === null ? approved : [own.credential, ...approved]
}
