// What stands where in a cell and what is known of it: recorded by people at the cell, read by those
// who decide and watch. A planner neither writes nor reads it.
import { limits } from '../../protocol/limits.ts'
import type { Violation } from '../../protocol/reasons.ts'
import type { Registry } from '../../protocol/registry.ts'
import { cellStateSchema, type CellRecord } from '../../protocol/state.ts'
import { cellState, siteHub } from '../objects.ts'
import { cellParams, thingParams } from '../params.ts'
import { problem } from '../problems.ts'
import { route, type App } from '../routing.ts'
import { recordShared } from '../shared-record.ts'

/** A new thing of a known kind needs no approval; a new kind does. */
function kindViolations(record: CellRecord, registry: Registry | null): Violation[] {
  const kinds = new Set(registry?.kinds.map((kind) => kind.id))
  return record.inventory.flatMap((item, i) =>
    kinds.has(item.kind)
      ? []
      : [
          {
            code: 'kind_unknown' as const,
            at: `/inventory/${i}/kind`,
            message: `the site file has no kind ${item.kind}`,
          },
        ],
  )
}

export function cellRecordRoutes(app: App): void {
  route(
    app,
    {
      method: 'put',
      path: '/v1/cells/{cell}/record',
      tag: 'cells',
      summary: 'Record what stands in a cell and what is known of it; newer records win.',
      roles: ['operator'],
      params: cellParams,
      body: { schema: 'CellRecordInput', bytesMax: limits.cellRecordBytesMax },
      answers: { 200: { description: 'Recorded, whole.', schema: 'CellRecorded' } },
      refusals: ['too_many_records', 'violations'],
    },
    async (c, { principal, params, body }) => {
      const hub = siteHub(c.env, principal.site)
      const [settings, cells] = await Promise.all([hub.settings(), hub.cells()])
      if (!cells.some((cell) => cell.cell === params.cell)) {
        return problem({ code: 'not_found' }, c.var.requestId)
      }
      const violations = kindViolations(body, settings?.registry ?? null)
      if (violations.length > 0) {
        return problem({ code: 'violations', violations }, c.var.requestId)
      }
      const cell = cellState(c.env, principal.site, params.cell)
      const answer = await cell.record(body, principal.owner, Date.now())
      if (!answer.ok) {
        const detail = `Too many rows of ${answer.error.table}.`
        return problem({ code: 'too_many_records', detail }, c.var.requestId)
      }
      await recordShared(c.env, principal.site, {
        registry: settings?.registry ?? null,
        cells: cells.map((one) => one.cell),
        from: params.cell,
        record: body,
        by: principal.owner,
      })
      return c.json({ cell: params.cell, version: answer.value.version })
    },
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/cells/{cell}/state',
      tag: 'cells',
      summary: 'What stands in a cell and what is known of it, with source and time.',
      roles: ['reviewer', 'operator', 'administrator'],
      params: cellParams,
      answers: { 200: { description: 'Everything that is known now.', schema: 'CellState' } },
    },
    async (c, { principal, params }) => {
      const cell = cellState(c.env, principal.site, params.cell)
      return c.json(cellStateSchema.parse(JSON.parse(await cell.state(params.cell))))
    },
  )
  route(
    app,
    {
      method: 'delete',
      path: '/v1/cells/{cell}/things/{thing}',
      tag: 'cells',
      summary: 'Take a thing out of the inventory, with all that is known of it.',
      roles: ['operator'],
      params: thingParams,
      answers: { 200: { description: 'Taken out.', schema: 'ThingRemoved' } },
    },
    async (c, { principal, params }) => {
      const cell = cellState(c.env, principal.site, params.cell)
      const removed = await cell.remove(params.thing, principal.owner, Date.now())
      return removed
        ? c.json({ thing: params.thing, removed: true })
        : problem({ code: 'not_found' }, c.var.requestId)
    },
  )
}
