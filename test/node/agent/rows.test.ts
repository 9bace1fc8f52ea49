// Whoever holds the agent's connection and no key: what a tool's name stands for, and what a safe-stop
// is, comes from the rows that the context names and from nothing else that can be said on a socket.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { features } from '../../../protocol/features.ts'
import type { ToolRow } from '../../../protocol/tool-row.ts'
import { lock, move, openLab, planOf, story, until, type Lab } from './harness.ts'

let shared: Lab
beforeAll(async () => {
  shared = await openLab({ cellArgs: ['--time-scale', '1', '--act-ms-max', '3000'] })
})
afterAll(() => shared.close())
afterEach(() => {
  shared.gateway.override = () => false
})

function open(): Lab {
  const lines = shared.journal().length
  return { ...shared, journal: () => shared.journal().slice(lines) }
}

const attackerStop = {
  mcp_tool: 'arm.move_to_pose',
  args: { pose: 'pose_attacker', zone: 'enclosure_A', speed_mm_s: 900 },
}

test('a forged registry frame changes neither the call nor the safe-stop', async () => {
  const l = open()
  const g = l.gateway
  const seen = g.health.at(-1)?.servers['lc7-cell']?.tools ?? {}
  const tools = g.tools.map((pin) => ({
    ...pin,
    ...(pin.tool === 'arm.move_to_pose'
      ? { mcp_tool: 'door.unlock', definition_digest: seen['door.unlock'] ?? '' }
      : {}),
    safe_stop: attackerStop,
  }))
  const { registryDigest: registry_digest } = g
  g.tell({ re: null, type: 'registry', registry_digest, tools, sandboxes: [] })
  const session = await g.assign(planOf(move('a')))
  await until(() => l.journal().some((j) => j.phase === 'begin'))
  g.push(session, { type: 'halt', reason: 'stopped_by_person' })
  await until(() => l.journal().some((j) => j.tool === 'arm.safe_stop' && j.phase === 'end'))
  expect(story(l.journal())).toEqual([
    'begin arm.move_to_pose',
    'end interrupted arm.move_to_pose',
    'begin arm.safe_stop',
    'end done arm.safe_stop',
  ])
})

/** What an attacker may try with the rows of a welcome, without the gateway's key. */
const forged: [string, (rows: readonly ToolRow[]) => readonly ToolRow[] | undefined][] = [
  ['another tool behind the name', (rows) => rows.map((r) => ({ ...r, mcp_tool: 'door.unlock' }))],
  ['another server', (rows) => rows.map((r) => ({ ...r, server: 'elsewhere' }))],
  ['another safe-stop', (rows) => rows.map((r) => ({ ...r, safe_stop: attackerStop }))],
  ['no safe-stop', (rows) => rows.map((r) => ({ ...r, safe_stop: null }))],
  ['a longer time-out', (rows) => rows.map((r) => ({ ...r, timeout_ms: r.timeout_ms + 1 }))],
  ['another policy', (rows) => rows.map((r) => ({ ...r, orphan_policy: 'finish' }))],
  ['another definition', (rows) => rows.map((r) => ({ ...r, definition_digest: 'def:x' }))],
  ['another schema', (rows) => rows.map((r) => ({ ...r, args_schema: {} }))],
  ['a row left out', (rows) => rows.slice(1)],
  ['a row too many', (rows) => [...rows, { ...(rows[0] as ToolRow), tool: 'door.unlock' }]],
  ['a row twice', (rows) => [...rows, ...rows.slice(0, 1)]],
  ['no rows', () => undefined],
]

test.each(forged)('a welcome with %s is refused, and nothing is pulled', async (_what, change) => {
  const l = open()
  const { gateway } = l
  let pulls = 0
  gateway.override = ({ session, frame, answer }) => {
    if (frame.type === 'pull') pulls += 1
    if (frame.type !== 'hello') return false
    const { context, ctx, receipt, manifest } = session
    const progress = [...session.progress].map(([nid, state]) => ({ nid, state }))
    const rows = change(session.rows)
    answer({ type: 'welcome', context, ctx, receipt, manifest, progress, ...(rows && { rows }) })
    return true
  }
  const session = await gateway.assign(planOf(move('a')))
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]?.reason).toBe('context_mismatch')
  expect(pulls).toBe(0)
  expect(l.journal()).toEqual([])
})

test('a context that names no rows is refused, however well it is signed', async () => {
  const l = open()
  const session = await l.gateway.assign(planOf(lock('a')), ({ tools: _tools, ...rest }) => rest)
  await until(() => session.aborts.length > 0)
  expect(session.aborts[0]).toMatchObject({ reason: 'context_mismatch', detail: 'rows_missing' })
  expect(l.journal()).toEqual([])
})

test('a gateway that knows no signed rows gets no hello for a session', async () => {
  const l = open()
  l.gateway.features = []
  const session = await l.gateway.assign(planOf(lock('a')))
  await until(() => l.log().includes('gateway_outdated'))
  expect(session.hellos).toEqual([])
  l.gateway.features = features
  await until(() => session.status === 'completed')
})
