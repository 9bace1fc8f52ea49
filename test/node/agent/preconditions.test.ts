// Sensors that must hold just before a call, over a real agent, a real cell and a sensor that is a process
// of its own: whatever the sensor says, the journal shows whether the arm moved.
// Invariant 1.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { definitionDigest } from '../../../protocol/definition.ts'
import { features } from '../../../protocol/features.ts'
import type { ToolEntry } from '../../../protocol/registry.ts'
import { toolMeaningSchema, type Precondition } from '../../../protocol/tool-meaning.ts'
import type { ToolRow } from '../../../protocol/tool-row.ts'
import { toolEntry } from '../../shared/session-fixture.ts'
import { scratch } from '../support/scratch.ts'
import { lock, move, openLab, planOf, story, until, type Lab } from './harness.ts'

const server = path.join(import.meta.dirname, 'scripted-server.ts')
const dir = scratch()
const said = path.join(dir, 'said.json')

/** The sensor as the registry has it; its answer is what stands in the file. */
async function sensor(): Promise<ToolEntry> {
  const definition = {
    name: 't0',
    description: 'What t0 does.',
    inputSchema: { type: 'object', properties: {} },
  }
  const results = {
    '/door_open': { quantity: null, kind: 'observed' as const },
    '/air_c': { quantity: 'temperature', unit: 'Cel', kind: 'observed' as const },
  }
  return {
    ...toolEntry('bench.look', 'read'),
    server: 'sensor',
    mcp_tool: 't0',
    definition_digest: await definitionDigest(definition),
    timeout_ms: 60_000,
    orphan_policy: 'finish',
    meaning: toolMeaningSchema.parse({
      acts: [{ act: 'observe', bind: { thing: { const: 'bench' } } }],
      results,
    }),
  }
}

const closed: Precondition = {
  tool: 'bench.look',
  args: {},
  pointer: '/door_open',
  eq: false,
  fresh: '20 s',
}
const cool: Precondition = {
  tool: 'bench.look',
  args: {},
  pointer: '/air_c',
  le: 303.15,
  unit: 'K',
  fresh: '20 s',
}

let lab: Lab
beforeAll(async () => {
  say('{"door_open":false,"air_c":21}')
  const args = [server, `file=${said}`, path.join(dir, 'journal')]
  const late = [server, 'late=3000', path.join(dir, 'journal')]
  const servers = {
    sensor: { command: process.execPath, args },
    slow: { command: process.execPath, args: late },
  }
  lab = await openLab({ servers })
  const row = await sensor()
  lab.gateway.registry.tools.push(row, { ...row, name: 'bench.slow', server: 'slow' })
})
afterAll(() => lab.close())
beforeEach(() => say('{"door_open":false,"air_c":21}'))
afterEach(() => {
  lab.gateway.rowsOf = (rows) => rows
  lab.gateway.features = features
  lab.gateway.override = () => false
})

function say(data: string): void {
  writeFileSync(said, data.startsWith('{"content') ? data : `{"structuredContent":${data}}`)
}

/** The move waits for these sensors; the lock before it for none. */
const wanting =
  (preconditions: readonly Precondition[], reader: Partial<ToolRow> = {}) =>
  (rows: ToolRow[]): ToolRow[] =>
    rows.map((one) => {
      if (one.tool === 'arm.move_to_pose') return { ...one, preconditions: [...preconditions] }
      if (one.tool === 'bench.slow') return { ...one, results: {} }
      return one.tool === 'bench.look' ? { ...one, ...reader } : one
    })

async function run(preconditions: readonly Precondition[], reader: Partial<ToolRow> = {}) {
  const lines = lab.journal().length
  const entry = lab.gateway.registry.tools.find(({ name }) => name === 'arm.move_to_pose')
  // So that the sensor's row is among those that the context names.
  if (entry?.meaning !== undefined) entry.meaning.preconditions = [...preconditions]
  lab.gateway.rowsOf = wanting(preconditions, reader)
  const session = await lab.gateway.assign(planOf(lock('a'), move('b', ['a'])))
  await until(() => session.status !== 'open', 30_000)
  const begun = story(lab.journal().slice(lines)).filter((line) => line.startsWith('begin '))
  return { session, begun }
}

test('that hold let the call happen, and the start brings along what they said', async () => {
  const { session, begun } = await run([closed, cool])
  expect(session.status).toBe('completed')
  expect(begun).toEqual(['begin door.lock', 'begin arm.move_to_pose'])
  expect(session.reads).toEqual([
    undefined,
    [
      {
        value: false,
        digest: expect.stringMatching(/^result:/) as string,
        age_ms: expect.any(Number) as number,
      },
      { value: 21, digest: expect.any(String) as string, age_ms: expect.any(Number) as number },
    ],
  ])
  const ages = session.reads[1]?.map(({ age_ms }) => age_ms) ?? []
  // The first was asked for before the second.
  expect(ages[0]).toBeGreaterThanOrEqual(ages[1] ?? 0)
}, 60_000)

describe('that do not hold end the run before anything moves:', () => {
  const open = '{"door_open":true,"air_c":21}'
  const rows: [string, string, Precondition, string, Partial<ToolRow>?][] = [
    ['an open door', open, closed, 'range'],
    ['an error', '{"content":[{"type":"text","text":"no light"}],"isError":true}', closed, 'error'],
    ['null', '{"door_open":null,"air_c":21}', closed, 'null'],
    ['nothing at the place', '{"air_c":21}', closed, 'missing'],
    ['a text for a boolean', '{"door_open":"false","air_c":21}', closed, 'type'],
    ['a text for a number', '{"door_open":false,"air_c":"21"}', cool, 'result_invalid'],
    ['too warm', '{"door_open":false,"air_c":30.2}', cool, 'range'],
    ['another unit than wanted', '{"door_open":false,"air_c":21}', { ...cool, unit: 'mg' }, 'unit'],
    [
      'an answer that is not as its schema says',
      '{"door_open":false,"air_c":21,"unit":"degF"}',
      cool,
      'result_invalid',
      { output_schema: { properties: { unit: { const: 'Cel' } } } },
    ],
    ['a key twice', '{"door_open":false,"air_c":21,"air_c":99}', cool, 'error'],
    // It did not come in time, or it came and was old: which of the two, the machine's speed decides.
    [
      'a reading too old to sign',
      '{"door_open":false}',
      { ...closed, fresh: '0.0001 s' },
      'error|stale',
    ],
  ]
  test.each(rows)(
    '%s',
    async (_what, data, precondition, miss, reader) => {
      say(data)
      // What does not concern the condition at hand is not held against the answer here.
      const { session, begun } = await run([precondition], {
        results: resultsOf(precondition),
        ...reader,
      })
      expect(session.status).toBe('terminated')
      expect(begun.filter((line) => line.includes('arm.move'))).toEqual([])
      expect(session.starts).toEqual(['a'])
      expect(session.reports.at(-1)).toMatchObject({
        nid: 'b',
        outcome: 'failed',
        reason: 'precondition_unmet',
        actuated: false,
        missed: { precondition: 0, miss: expect.stringMatching(`^(?:${miss})$`) as string },
      })
    },
    60_000,
  )

  const resultsOf = ({ pointer }: Precondition): ToolRow['results'] =>
    pointer === '/air_c' ? { '/air_c': { quantity: null, unit: 'Cel', kind: 'observed' } } : {}

  test('a reading that has grown old while a later sensor took its time', async () => {
    const slow: Precondition = { ...closed, tool: 'bench.slow', pointer: '/ok', eq: true }
    const { session, begun } = await run([{ ...closed, fresh: '2 s' }, slow])
    expect(begun.filter((line) => line.includes('arm.move'))).toEqual([])
    expect(session.starts).toEqual(['a'])
    expect(session.reports.at(-1)).toMatchObject({
      reason: 'precondition_unmet',
      actuated: false,
      missed: { precondition: 0, miss: 'stale', read: { value: false } },
    })
  }, 60_000)

  test('a gateway that would not test them', async () => {
    lab.gateway.features = features.filter((feature) => feature !== 'preconditions')
    const { session, begun } = await run([closed])
    expect(session.aborts).toMatchObject([{ reason: 'context_mismatch' }])
    expect(begun).toEqual(['begin door.lock'])
  }, 60_000)
})
