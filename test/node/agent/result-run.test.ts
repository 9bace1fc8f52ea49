// A run whose device answers otherwise than its row says, over a real agent and a real cell: what moved
// is seen in the journal, what was said of it in the signed reports.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { features } from '../../../protocol/features.ts'
import type { ToolRow } from '../../../protocol/tool-row.ts'
import { lock, move, openLab, planOf, story, until, type Lab } from './harness.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
})
afterAll(() => lab.close())
afterEach(() => {
  lab.gateway.rowsOf = (rows) => rows
  lab.gateway.features = features
})

/** The cell answers `locked: true`; this row says that it answers false. */
const contrary =
  (more: Partial<ToolRow> = {}) =>
  (rows: ToolRow[]) =>
    rows.map((row) =>
      row.tool === 'door.lock'
        ? { ...row, output_schema: { properties: { locked: { const: false } } }, ...more }
        : row,
    )

/** Ends of the run of a door and a move, and what began in the cell. */
async function run() {
  const lines = lab.journal().length
  const session = await lab.gateway.assign(planOf(lock('a'), move('b', ['a'])))
  await until(() => session.status !== 'open')
  const begun = story(lab.journal().slice(lines)).filter((line) => line.startsWith('begin '))
  return { session, begun: begun.filter((line) => !line.endsWith('safe_stop')) }
}

test('ends, and the next node never begins', async () => {
  lab.gateway.rowsOf = contrary()
  const { session, begun } = await run()
  expect(session.status).toBe('terminated')
  expect(session.reports).toMatchObject([
    { nid: 'a', outcome: 'unknown', reason: 'result_invalid', actuated: true },
  ])
  expect(session.results.get('a')).toMatchObject({ data: { locked: true } })
  expect(begun).toEqual(['begin door.lock'])
})

test('goes on where the site only notes it, and the report says so', async () => {
  lab.gateway.rowsOf = contrary({ result_invalid: 'noted' })
  const { session, begun } = await run()
  expect(session.status).toBe('completed')
  expect(session.reports.map((r) => [r.outcome, r.reason])).toEqual([
    ['succeeded', 'result_invalid'],
    ['succeeded', null],
  ])
  expect(begun).toEqual(['begin door.lock', 'begin arm.move_to_pose'])
})

test('is not told in a word that an older gateway does not know', async () => {
  lab.gateway.rowsOf = contrary()
  lab.gateway.features = features.filter((feature) => feature !== 'result-checks')
  const { session } = await run()
  expect(session.reports.map((r) => r.reason)).toEqual([null, null])
})
