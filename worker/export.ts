// What an export of a site is made of, page by page: the first page has the site itself and its people, every
// page some plans, oldest first, each with all that is kept of it. Read as it is taken: nothing is gathered.
import { exportRows, plansFrom, type ExportedPlan } from '../adapters/export-d1.ts'
import { listHolds, readKeeping } from '../adapters/keeping-d1.ts'
import { allTemplates } from '../adapters/templates.ts'
import type { AuditEntry } from '../durable-objects/contracts.ts'
import type { Env } from '../durable-objects/env.ts'
import { exportLine, exportVersion, type ExportHead, type ExportItem } from '../protocol/export.ts'
import type { JsonValue } from '../protocol/json.ts'
import { limits } from '../protocol/limits.ts'
import type { Trailed } from './audit-pages.ts'
import { standingOf } from '../durable-objects/standing/api.ts'
import { cellState, executionSession, planReview, siteHub } from './objects.ts'
import { encodeCursor, type Cursor } from './paging.ts'

type Items = AsyncGenerator<ExportItem, void, undefined>

/** What came over RPC or from D1 is JSON already; its type is not. */
const json = (value: unknown): JsonValue => value as JsonValue

async function* trailOf(kind: string, id: string, of: Trailed): Items {
  let after = -1
  for (;;) {
    const page: AuditEntry[] = await of.audit(after)
    for (const entry of page) yield { kind, id: `${id}/${entry.seq}`, value: json(entry) }
    const last = page.at(-1)
    if (last === undefined || page.length < limits.auditEntriesPerPage) return
    after = last.seq
  }
}

/** The site itself; no secret, and no key of a model: nobody reads those back. */
async function* siteItems(env: Env, site: string): Items {
  const hub = siteHub(env, site)
  const settings = await hub.settings()
  yield { kind: 'settings', id: site, value: json(settings) }
  yield { kind: 'keeping', id: site, value: json(await readKeeping(env.DB, site)) }
  yield { kind: 'holds', id: site, value: json(await listHolds(env.DB, site)) }
  for await (const { table, id, row } of exportRows(env.DB, site)) {
    yield { kind: table, id, value: json(row) }
  }
  for (const cell of await hub.cells()) {
    yield { kind: 'cell', id: cell.cell, value: json(cell) }
    const state = JSON.parse(await cellState(env, site, cell.cell).state(cell.cell)) as JsonValue
    yield { kind: 'cell_state', id: cell.cell, value: state }
  }
  for await (const template of allTemplates(env.DB, site)) {
    const of = standingOf(env, site, template)
    const view = await of.view()
    if (view !== null)
      yield { kind: 'template', id: template, value: JSON.parse(view) as JsonValue }
    yield* trailOf('template_trail', template, of)
  }
  yield* trailOf('site_trail', site, hub)
}

async function* planItems(env: Env, site: string, { plan, row }: ExportedPlan): Items {
  yield { kind: 'plan', id: plan, value: json(row) }
  const review = planReview(env, site, plan)
  const text = await review.exported()
  if (text === null) return
  const { record, context, sessions } = JSON.parse(text) as Exported
  if (record !== null) yield { kind: 'review', id: plan, value: record }
  // The trail is in the record; of a plan whose text is gone it is all there is.
  else yield* trailOf('review_trail', plan, review)
  if (context !== null) yield { kind: 'context', id: plan, value: context }
  for (let after: number | null = record === null ? null : -1; after !== null;) {
    const page = JSON.parse((await review.calls(after)) ?? '{"items":[],"next":null}') as Calls
    for (const call of page.items) yield { kind: 'call', id: `${plan}/${call.seq}`, value: call }
    after = page.next
  }
  for (const session of sessions) {
    const of = executionSession(env, site, session)
    const ran = await of.exported()
    if (ran !== null) yield { kind: 'session', id: session, value: JSON.parse(ran) as JsonValue }
    yield* trailOf('session_trail', session, of)
  }
}
type Exported = { record: JsonValue; context: JsonValue; sessions: string[] }
type Calls = { items: ({ seq: number } & { [key: string]: JsonValue })[]; next: number | null }

/** One page as text, line by line. */
export async function* exportPage(
  env: Env,
  site: string,
  { after, now_ms }: { after: Cursor | null; now_ms: number },
): AsyncGenerator<string, void, undefined> {
  let lines = 0
  let chain = ''
  const text = async (item: ExportItem): Promise<string> => {
    const line = await exportLine(item, chain)
    chain = line.chain
    lines += 1
    return `${JSON.stringify(line)}\n`
  }
  const head: ExportHead = {
    format: 'portcullis-export',
    v: exportVersion,
    site,
    exported_ms: now_ms,
    after: after === null ? null : encodeCursor(after),
  }
  yield await text({ kind: 'head', id: site, value: head })
  if (after === null) for await (const item of siteItems(env, site)) yield await text(item)
  const limit = limits.exportPlansPerPage
  const from = after === null ? null : { received_ms: after.at_ms, plan: after.id }
  const plans = await plansFrom(env.DB, site, { after: from, limit })
  for (const one of plans) {
    for await (const item of planItems(env, site, one)) yield await text(item)
  }
  const last = plans.at(-1)
  const more = last !== undefined && plans.length === limit
  const next = more ? encodeCursor({ at_ms: last.received_ms, id: last.plan }) : null
  yield await text({ kind: 'end', id: site, value: { lines: lines + 1, next } })
}
