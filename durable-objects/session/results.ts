// What devices answered, node by node, as signed; kept as long as the site says and then forgotten. The
// trail keeps the digests. Never on the way of a report: one row, in the report's own transaction.
import type { SessionBinding, SessionState } from '../../contain/session-state.ts'
import { nodeResultSchema, type NodeResult, type StoredResult } from '../../protocol/node-result.ts'
import { referredNodes } from '../../protocol/plan-needs.ts'

/** Where a site says nothing: a quarter of a year. */
const keepMsDefault = 7_776_000_000

/** In `more`: until when a legal hold keeps what would be due (milliseconds since the epoch). */
export const heldKey = 'results_held_ms'

type Kept = { readonly nid: string; readonly digest: string; readonly result: NodeResult }

/** Writes one result; a second one for the node changes nothing. */
export function putResult(sql: SqlStorage, { nid, digest, result }: Kept, atMs: number): void {
  const json = JSON.stringify(result)
  const insert = 'INSERT OR IGNORE INTO results (nid, digest, json, at_ms) VALUES (?, ?, ?, ?)'
  sql.exec(insert, nid, digest, json, atMs)
}

/** The result of a node with the labels of its tool, as JSON text; null when there is none (any more). */
export function readResult(sql: SqlStorage, binding: SessionBinding, nid: string): string | null {
  const row = sql
    .exec<{ digest: string; json: string; at_ms: number }>(
      'SELECT digest, json, at_ms FROM results WHERE nid = ?',
      nid,
    )
    .toArray()[0]
  const node = binding.context.plan.nodes.find((one) => one.id === nid)
  if (row === undefined || node === undefined) return null
  const labels = binding.tools.get(node.tool)?.emits ?? null
  const result = JSON.parse(row.json) as NodeResult
  const { digest, at_ms } = row
  const stored = { nid, tool: node.tool, labels: labels && [...labels], digest, at_ms, result }
  return JSON.stringify(stored satisfies StoredResult)
}

/** What the step function needs again after a restart: answers that something later refers to. */
export function referredResults(
  sql: SqlStorage,
  { context }: SessionBinding,
): Map<string, NodeResult> {
  const out = new Map<string, NodeResult>()
  for (const nid of referredNodes(context.plan)) {
    const rows = sql.exec<{ json: string }>('SELECT json FROM results WHERE nid = ?', nid).toArray()
    for (const { json } of rows) out.set(nid, nodeResultSchema.parse(JSON.parse(json)))
  }
  return out
}

/** When the results of an ended session are due to be forgotten; null while it runs or has none. */
export function forgetAt(
  sql: SqlStorage,
  { binding, state }: { readonly binding: SessionBinding; readonly state: SessionState },
): number | null {
  if (state.ended_ms === null) return null
  if (sql.exec('SELECT 1 FROM results LIMIT 1').toArray().length === 0) return null
  const [held] = sql
    .exec<{ json: string }>('SELECT json FROM more WHERE key = ?', heldKey)
    .toArray()
  const due = state.ended_ms + (binding.result_keep_ms ?? keepMsDefault)
  return Math.max(due, Number(held?.json ?? 0))
}
