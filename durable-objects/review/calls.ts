// What was asked of models and what they answered, call by call, in a table of its own. Bounded in
// number and bytes: what does not fit is counted, never kept in part. Holds no key.
import { z } from 'zod'
import { limits } from '../../protocol/limits.ts'
import { readStored } from '../../protocol/lenient.ts'
import { recordedCallSchema, type RecordedCall } from '../../verify/panel/record.ts'
import { StateUnreadable, type ReviewStore } from './store.ts'

const schema = `
CREATE TABLE IF NOT EXISTS calls (seq INTEGER PRIMARY KEY, seat TEXT NOT NULL,
  sample INTEGER NOT NULL, outcome TEXT NOT NULL, bytes INTEGER NOT NULL);
`
const dropped = 'calls_dropped'

export type CallRow = RecordedCall & { seq: number }
export type CallPage = { items: CallRow[]; next: number | null; dropped: number }

const droppedIn = (store: ReviewStore): number => z.int().catch(0).parse(store.json(dropped))

/** A longer text is malformed at any length: one character more than counts is the same answer. */
function bounded(call: RecordedCall): RecordedCall {
  const { reply } = call
  const max = limits.judgeReplyBytesMax + 1
  if (!reply.ok || reply.text.length <= max) return call
  return { ...call, reply: { ...reply, text: reply.text.slice(0, max) } }
}

/** Keeps one call of a started plan. */
export function putCall(store: ReviewStore, call: RecordedCall): void {
  store.sql.exec(schema)
  const kept = bounded(call)
  const bytes = new TextEncoder().encode(JSON.stringify(kept)).length
  const held = store.sql
    .exec<{ n: number; bytes: number }>(
      'SELECT COUNT(*) AS n, COALESCE(SUM(bytes), 0) AS bytes FROM calls',
    )
    .one()
  if (held.n >= limits.callsPerPlanMax || held.bytes + bytes > limits.callsBytesMax) {
    store.putJson(dropped, droppedIn(store) + 1)
    return
  }
  store.putJson(`call/${held.n}`, kept)
  store.sql.exec(
    'INSERT INTO calls (seq, seat, sample, outcome, bytes) VALUES (?, ?, ?, ?, ?)',
    held.n,
    kept.seat,
    kept.sample,
    kept.reply.ok ? 'answered' : kept.reply.outcome,
    bytes,
  )
}

/** Calls after a place, oldest first, at least one of them and about one page of bytes. */
export function callsPage(store: ReviewStore, after: number): CallPage {
  if (!store.exists() || !store.hasTable('calls')) return { items: [], next: null, dropped: 0 }
  const rows = store.sql
    .exec<{ seq: number; bytes: number }>(
      'SELECT seq, bytes FROM calls WHERE seq > ? ORDER BY seq',
      after,
    )
    .toArray()
  const items: CallRow[] = []
  let bytes = 0
  for (const row of rows) {
    if (items.length > 0 && bytes + row.bytes > limits.callsPageBytesMax) break
    bytes += row.bytes
    const call = readStored('calls', recordedCallSchema, store.json(`call/${row.seq}`))
    if (!call.ok) throw new StateUnreadable(call.error.detail)
    items.push({ seq: row.seq, ...call.value })
  }
  const last = items.at(-1)
  const more = last !== undefined && items.length < rows.length
  return { items, next: more ? last.seq : null, dropped: droppedIn(store) }
}
