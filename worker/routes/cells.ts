// Cells: their state, arming by a person at the cell, clearance after an abnormal end, stop.
import { summariesOf } from '../../adapters/plan-index.ts'
import { limits } from '../../protocol/limits.ts'
import type { CellAnswer, CellRefusal, PersonsAct } from '../../durable-objects/contracts.ts'
import type { Ctx, Principal } from '../context.ts'
import { siteHub } from '../objects.ts'
import { cellParams } from '../params.ts'
import { problem, type ProblemCode } from '../problems.ts'
import { route, type App } from '../routing.ts'
import { timeViolation } from '../times.ts'

const watchers = ['reviewer', 'operator', 'administrator'] as const

const refusals: Record<CellRefusal, ProblemCode> = {
  cell_unknown: 'not_found',
  needs_clearance: 'needs_clearance',
  session_running: 'session_running',
  session_unreachable: 'session_unreachable',
  not_at_rest: 'not_at_rest',
  stale_change: 'stale_change',
  credential_revoked: 'credential_invalid',
  cannot_drill: 'cannot_drill',
}

function answer(c: Ctx, cell: CellAnswer): Response {
  if (cell.ok) return c.json(cell.value)
  const { reason, detail } = cell.error
  const code = refusals[reason]
  return problem(detail === undefined ? { code } : { code, detail }, c.var.requestId)
}

const actOf = ({ owner, id }: Principal, seen: number | undefined): PersonsAct => ({
  by: owner,
  credential: id,
  seen: seen ?? null,
})

export function cellRoutes(app: App): void {
  route(
    app,
    {
      method: 'get',
      path: '/v1/cells',
      tag: 'cells',
      summary: 'All cells of the site.',
      roles: watchers,
      answers: { 200: { description: 'All of them.', schema: 'CellList' } },
    },
    async (c, { principal }) =>
      c.json({ items: await siteHub(c.env, principal.site).cells(), next: null }),
  )
  route(
    app,
    {
      method: 'get',
      path: '/v1/cells/{cell}/queue',
      tag: 'cells',
      summary: 'The waiting plans, oldest first, with why this cell does not take each now.',
      roles: watchers,
      params: cellParams,
      answers: { 200: { description: 'All of them.', schema: 'QueueList' } },
    },
    async (c, { principal, params }) => {
      const items = await siteHub(c.env, principal.site).queueOf(params.cell)
      if (items === null) return problem({ code: 'not_found' }, c.var.requestId)
      const plans = items.map(({ plan }) => plan)
      const words = await summariesOf(c.env.DB, principal.site, plans)
      const told = items.map((line) => ({ ...line, summary: words.get(line.plan) ?? null }))
      return c.json({ items: told, next: null })
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/cells/{cell}/arm',
      tag: 'cells',
      summary: 'Allow plans that move metal until a time, at most eight hours from now.',
      roles: ['operator'],
      params: cellParams,
      body: { schema: 'ArmInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Armed.', schema: 'Cell' } },
      refusals: ['needs_clearance', 'stale_change'],
    },
    async (c, { principal, params, body }) => {
      const late = timeViolation('/until_ms', body.until_ms, {
        now_ms: Date.now(),
        capMs: limits.armingMsMax,
      })
      if (late !== null) {
        return problem({ code: 'violations', violations: [late] }, c.var.requestId)
      }
      const hub = siteHub(c.env, principal.site)
      return answer(c, await hub.arm(params.cell, body.until_ms, actOf(principal, body.seen)))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/cells/{cell}/disarm',
      tag: 'cells',
      summary: 'Take the arming back.',
      roles: ['operator'],
      params: cellParams,
      answers: { 200: { description: 'Disarmed.', schema: 'Cell' } },
    },
    async (c, { principal, params }) =>
      answer(c, await siteHub(c.env, principal.site).disarm(params.cell, principal.owner)),
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/cells/{cell}/clear',
      tag: 'cells',
      summary: 'Record the state of a cell after an abnormal end; it does not arm the cell.',
      roles: ['reviewer', 'operator'],
      params: cellParams,
      body: { schema: 'ClearInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Cleared.', schema: 'Cell' } },
      refusals: ['session_running', 'session_unreachable', 'not_at_rest', 'stale_change'],
    },
    async (c, { principal, params, body }) => {
      const hub = siteHub(c.env, principal.site)
      return answer(c, await hub.clear(params.cell, body.note, actOf(principal, body.seen)))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/cells/{cell}/force-clear',
      tag: 'cells',
      summary:
        'Take a session off a cell that cannot be asked, or declare devices at rest that will not report. The cell stays latched.',
      roles: ['administrator'],
      params: cellParams,
      body: { schema: 'ClearInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Latched, and free to be cleared.', schema: 'Cell' } },
      refusals: ['stale_change'],
    },
    async (c, { principal, params, body }) => {
      const hub = siteHub(c.env, principal.site)
      return answer(c, await hub.forceClear(params.cell, body.note, actOf(principal, body.seen)))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/cells/{cell}/release',
      tag: 'cells',
      summary:
        'Let waiting plans start again after a stop, or after a run that did not complete. It neither clears nor arms.',
      roles: ['reviewer', 'operator'],
      params: cellParams,
      body: { schema: 'ReleaseInput', bytesMax: limits.smallBodyBytesMax },
      answers: { 200: { description: 'Released.', schema: 'Cell' } },
      refusals: ['stale_change'],
    },
    async (c, { principal, params, body }) => {
      const hub = siteHub(c.env, principal.site)
      return answer(c, await hub.releaseCell(params.cell, actOf(principal, body.seen)))
    },
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/cells/{cell}/stop',
      tag: 'cells',
      summary:
        'Disarm a cell, end what runs in it, and bring every device of its stop sequence to rest.',
      roles: watchers,
      params: cellParams,
      answers: { 200: { description: 'Stopped.', schema: 'Cell' } },
    },
    async (c, { principal, params }) =>
      answer(c, await siteHub(c.env, principal.site).stopCell(params.cell, principal.owner)),
  )
  route(
    app,
    {
      method: 'post',
      path: '/v1/cells/{cell}/drill',
      tag: 'cells',
      summary:
        'Run the stop of an idle cell at its devices, to see that it works and how long each device takes.',
      roles: ['operator', 'administrator'],
      params: cellParams,
      answers: {
        200: { description: 'Begun; `drill` says how the devices stand.', schema: 'Cell' },
      },
      refusals: ['session_running', 'not_at_rest', 'cannot_drill'],
    },
    async (c, { principal, params }) =>
      answer(c, await siteHub(c.env, principal.site).drillCell(params.cell, principal.owner)),
  )
}
