// The first use of a row in a lab: what is unproven, what a run proves, and what makes a row unproven again.
import { describe, expect, it } from 'vitest'
import { loadSite } from '../../../lab/local/demo-site.ts'
import type { Floor } from '../../../protocol/finding.ts'
import { provenDigest, provenDigests, rowsCalled, stillProven } from '../../../protocol/proven.ts'
import type { ToolEntry } from '../../../protocol/registry.ts'
import { siteSnapshotSchema, type SiteSnapshot } from '../../../protocol/snapshot.ts'
import { provenByRun } from '../../../verify/review/proven.ts'
import type { ReviewSpec } from '../../../verify/review/state.ts'
import { screen } from '../../../verify/screen/index.ts'
import { demoRegistry, demoSnapshot, nowMs, planOf, submitterOf } from '../support/snapshot.ts'

const registry = demoRegistry()
const all = await provenDigests(registry.tools)
const read = { tool: 'lims.read_sample', args: { sample_id: 'RL-1', fields: ['lot'] } }
const weigh = { tool: 'balance.read', args: { balance_id: 'bal_1' } }
const plan = planOf([read, weigh, read])

const floorAt = (change: Partial<SiteSnapshot>, of = plan): Promise<Floor> =>
  screen(of, demoSnapshot({ registry, ...change }), submitterOf(of), nowMs)
const unprovenIn = (floor: Floor) =>
  floor.findings.filter(({ code }) => code === 'ROW_UNPROVEN').map(({ at, facts }) => [at, facts])

describe('a row that nobody has seen at work', () => {
  it('is told once, at its first node, and waits for a person', async () => {
    const floor = await floorAt({ proven: {} })
    expect(unprovenIn(floor)).toEqual([
      ['/nodes/0/tool', { node: 'n1', tool: 'lims.read_sample', row: all['lims.read_sample'] }],
      ['/nodes/1/tool', { node: 'n2', tool: 'balance.read', row: all['balance.read'] }],
    ])
    expect(floor.level).toBe('flag')
  })

  it('is no finding once its digest is proven, and again when another one is', async () => {
    const known = await floorAt({ proven: all })
    expect(unprovenIn(known)).toEqual([])
    const other = { ...all, 'balance.read': all['lims.read_sample'] ?? '' }
    expect(unprovenIn(await floorAt({ proven: other })).map(([at]) => at)).toEqual([
      '/nodes/1/tool',
    ])
  })

  it('is not asked about in the record of a release that did not ask', async () => {
    const { proven: _never, ...before } = demoSnapshot({ registry })
    expect(siteSnapshotSchema.parse(before).proven).toBeUndefined()
    expect(unprovenIn(await screen(plan, before, submitterOf(plan), nowMs))).toEqual([])
  })

  it('changes the digest of the snapshot', async () => {
    const [none, some] = [await floorAt({ proven: {} }), await floorAt({ proven: all })]
    expect(none.snapshot_digest).not.toBe(some.snapshot_digest)
  })

  it('is never one that says nothing: its plans wait every time', async () => {
    const tools = registry.tools.map(({ meaning: _no, ...tool }) => tool)
    const floor = await floorAt({ registry: { ...registry, tools }, proven: {} })
    expect(unprovenIn(floor)).toEqual([])
  })
})

describe('the digest of a row', () => {
  const [row] = registry.tools
  if (row?.meaning === undefined) throw new Error('the first row has a meaning')
  const { meaning } = row
  it.each<[string, ToolEntry]>([
    ['what it does', { ...row, meaning: { ...meaning, acts: [...meaning.acts, ...meaning.acts] } }],
    ['when the effect is there', { ...row, meaning: { ...meaning, done: { after: '1 min' } } }],
    ['its arguments', { ...row, args_schema: { type: 'object' } }],
    ['its server', { ...row, server: 'elsewhere' }],
    ['the definition of the server', { ...row, definition_digest: `def:${'B'.repeat(43)}` }],
    ['its safe-stop', { ...row, safe_stop: { mcp_tool: 'stop', args: { now: true } } }],
  ])('is another one when %s changes', async (_what, changed) => {
    expect(await provenDigest(changed)).not.toBe(await provenDigest(row))
    expect(await stillProven([changed], all)).toEqual({})
  })

  it.each([
    ['described otherwise', { ...row, description: 'Other words.' }],
    ['given more time', { ...row, timeout_ms: row.timeout_ms + 1 }],
    ['allowed to others', { ...row, capability: 'other.capability' }],
  ] as const)('stays when it is %s', async (_what, changed) => {
    expect(await stillProven([changed], all)).toEqual({ [row.name]: all[row.name] })
  })
})

describe('the lab of the demo', () => {
  it('states every row that it has, as it is', async () => {
    expect((await loadSite()).proven).toEqual(all)
  })
})

describe('a completed run', () => {
  const specOf = (of: typeof plan) =>
    ({ plan: of, snapshot: demoSnapshot({ registry }) }) as unknown as ReviewSpec

  it('proves the rows that the packet showed as unproven, and no others', async () => {
    const floor = await floorAt({ proven: { 'balance.read': all['balance.read'] ?? '' } })
    expect(provenByRun(specOf(plan), floor)).toEqual({
      'lims.read_sample': all['lims.read_sample'],
    })
    expect(provenByRun(specOf(plan), null)).toEqual({})
  })

  it('proves nothing by a step that a condition may have skipped', async () => {
    const when = { compare: { node: 'n1', pointer: '/lot' }, eq: 'x' }
    const skipped = planOf([read, { ...weigh }])
    const nodes = skipped.nodes.map((node) => (node.id === 'n2' ? { ...node, when } : node))
    const conditional = { ...skipped, nodes } as unknown as typeof plan
    const floor = await floorAt({ proven: {} }, skipped)
    expect(Object.keys(provenByRun(specOf(conditional), floor))).toEqual(['lims.read_sample'])
  })

  it('counts the rows that read its preconditions and see it settle', () => {
    const tools = registry.tools.map((tool) =>
      tool.name === 'balance.read' && tool.meaning !== undefined
        ? { ...tool, meaning: { ...tool.meaning, done: { settles_by: 'camera.capture' } } }
        : tool,
    )
    const called = [...rowsCalled(plan.nodes, tools)].map(([{ name }, at]) => [name, at])
    expect(called).toContainEqual(['camera.capture', [1]])
  })
})
