// The agent against a scripted gateway and a real cell: the runs that should end well, by the journal.
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { digest } from '../../../protocol/digest.ts'
import { cellMain } from '../sim-cell/harness.ts'
import { lock, move, openLab, pick, planOf, until, type Lab, type LabOptions } from './harness.ts'

const slowList = path.join(import.meta.dirname, 'slow-list.ts')

let lab: Lab | null = null
afterEach(async () => {
  await lab?.close()
  lab = null
})
async function open(options?: LabOptions): Promise<Lab> {
  lab = await openLab(options)
  return lab
}

test.each(['stdio', 'http'] as const)(
  'runs every node once, in the order, over %s, and reports each',
  async (transport) => {
    const { gateway, journal, moved } = await open({ transport })
    const plan = planOf(move('b', ['a']), lock('a'), pick('c', ['b']))
    const session = await gateway.assign(plan)
    await until(() => session.status === 'completed')
    expect(moved()).toEqual([
      'begin door.lock',
      'end done door.lock',
      'begin arm.move_to_pose',
      'end done arm.move_to_pose',
      'begin arm.pick',
      'end done arm.pick',
    ])
    const begins = journal().filter((l) => l.phase === 'begin')
    expect(begins.map((l) => l.node)).toEqual(['a', 'b', 'c'])
    expect(begins.map((l) => l.session)).toEqual(begins.map(() => session.context.session))
    expect(begins[1]?.args_digest).toBe(await digest('args', plan.nodes[0]?.args ?? {}))
    expect(session.reports.map((r) => [r.nid, r.outcome, r.actuated])).toEqual([
      ['a', 'succeeded', true],
      ['b', 'succeeded', true],
      ['c', 'succeeded', true],
    ])
    expect(session.reports.every((r) => r.result_digest !== null && r.reason === null)).toBe(true)
    // Every report brings along what the device answered, as it was signed.
    expect([...session.results.keys()]).toEqual(['a', 'b', 'c'])
    expect(session.results.get('a')).toMatchObject({ from: 'structured', kept: [], left_out: 0 })
    // A completed session leaves the devices as the plan left them.
    expect(journal().filter((l) => l.tool.endsWith('safe_stop'))).toEqual([])
  },
)

test('a list of tools that takes longer than a `go` lives makes no node late', async () => {
  const args = [slowList, '600', process.execPath, cellMain, '--stdio', '--time-scale', '1000']
  const server = { command: process.execPath, args }
  const { gateway } = await open({ config: { mcpServers: { 'lc7-cell': server } } })
  const session = await gateway.assign(planOf(lock('a'), move('b', ['a'])))
  await until(() => session.status === 'completed')
  expect(session.reports.map((r) => [r.nid, r.outcome])).toEqual([
    ['a', 'succeeded'],
    ['b', 'succeeded'],
  ])
})

test('a gateway that does not know results is sent none, and the run is the same', async () => {
  const { gateway } = await open()
  gateway.features = gateway.features.filter((feature) => feature !== 'results')
  const session = await gateway.assign(planOf(lock('a')))
  await until(() => session.status === 'completed')
  expect(session.reports[0]?.result_digest).toMatch(/^result:/)
  expect(session.results.size).toBe(0)
})

test('reports of nodes whose long names begin alike have frame ids of their own', async () => {
  const { gateway, log } = await open()
  const [a, b] = [`n${'a'.repeat(57)}1x`, `n${'a'.repeat(57)}2x`]
  const seen = new Map<string, string>()
  let twice = false
  gateway.override = ({ frame }) => {
    // As the real gateway does: one id with another content is a violation.
    const { nonce: _, ...body } = frame
    const before = seen.get(frame.fid)
    twice ||= before !== undefined && before !== JSON.stringify(body)
    seen.set(frame.fid, JSON.stringify(body))
    return false
  }
  const session = await gateway.assign(planOf(lock(a), lock(b, [a], 'enclosure_B')))
  await until(() => session.reports.length === 2)
  await until(() => log().includes('session_closed'))
  expect(twice).toBe(false)
  expect(session.status).toBe('completed')
})

test('tells health, pins and sandboxes on the presence socket', async () => {
  const { gateway } = await open()
  const health = gateway.health.at(-1)
  expect(health?.sandboxes).toEqual({ 'py-sbx-01': 'up', 'r-sbx-01': 'down' })
  const tools = health?.servers['lc7-cell']?.tools ?? {}
  for (const tool of gateway.tools) expect(tools[tool.mcp_tool]).toBe(tool.definition_digest)
})

test('runs two sessions one after the other', async () => {
  const { gateway, moved } = await open()
  const first = await gateway.assign(planOf(move('n1')))
  const second = await gateway.assign(planOf(lock('n1')))
  await until(() => first.status === 'completed' && second.status === 'completed')
  expect(moved()).toHaveLength(4)
})

test('a failed tool ends the session and brings the devices to their safe state', async () => {
  const { gateway, moved, journal } = await open()
  const place = {
    id: 'b',
    tool: 'arm.place',
    args: { object: 'x', location: 'deck' },
    after: ['a'],
  }
  const session = await gateway.assign(planOf(move('a'), place, lock('c', ['b'])))
  await until(() => session.reports.length === 2)
  expect(session.reports[1]).toMatchObject({ nid: 'b', outcome: 'failed', reason: 'tool_error' })
  await until(() => journal().some((l) => l.tool === 'arm.safe_stop' && l.phase === 'end'))
  expect(moved()).toEqual([
    'begin arm.move_to_pose',
    'end done arm.move_to_pose',
    'refused arm.place',
  ])
})
