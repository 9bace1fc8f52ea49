// The agent's own process and its device servers as they fail, with real processes: stopped in mid-act (SIGSTOP), a
// second process of the same key, a device server that dies while the cell is idle and armed. By journal, latch and clearance.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { programPaths } from '../../../lab/local/bundle.ts'
import { must } from '../../../lab/local/client.ts'
import { until } from '../../../lab/local/plans.ts'
import { deviceOf, startNode } from '../../../lab/local/processes.ts'
import type { CellStatus } from '../../../protocol/status.ts'
import { scratch } from '../support/scratch.ts'
import { stageOfFile } from './harness.ts'

const onStage = stageOfFile()

async function cell(): Promise<CellStatus> {
  const { url, record } = onStage().lab
  const call = { method: 'GET', path: '/v1/cells', token: record.operator }
  const { items } = await must<{ items: CellStatus[] }>(url, call)
  const found = items.find((row) => row.cell === record.cell)
  if (found === undefined) throw new Error('the cell is gone')
  return found
}

describe.skipIf(process.platform !== 'linux')('an agent', () => {
  it('is stopped in mid-act: the run is given up, and its device is stopped as soon as it goes on', async () => {
    const stage = onStage()
    const session = await stage.sessionOf(await stage.accept())
    await stage.begun(session, 'n2')
    const { pid } = stage.lab.agent()
    process.kill(pid, 'SIGSTOP')
    try {
      const view = await stage.ended(session, 110_000)
      expect(view).toMatchObject({ status: 'terminated' })
      expect(await cell()).toMatchObject({ needs_clearance: true, session: null })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    const stops = () => stage.journal(session)
    await until(stops, (rows) => rows.some(({ tool }) => tool.endsWith('safe_stop')), 30_000)
    const begun = (await stops()).filter((row) => row.phase === 'begin' && row.node !== null)
    expect(begun.map(({ node }) => node)).toEqual(['n1', 'n2'])
    await stage.ready()
    expect(await cell()).toMatchObject({ needs_clearance: false, not_at_rest: [] })
  })

  it('has a twin with its key: the later one gets nothing, and the cell is latched until a person has looked', async () => {
    const stage = onStage()
    const folder = scratch()
    const config = JSON.parse(await readFile(stage.lab.agentConfig, 'utf8')) as object
    const file = path.join(folder, 'twin.json')
    await writeFile(file, JSON.stringify({ ...config, state_dir: path.join(folder, 'state') }))
    const twin = startNode(programPaths.agent, ['--config', file])
    try {
      const latched = await until(cell, (now) => now.needs_clearance, 60_000)
      expect(latched).toMatchObject({ latch_reason: 'agent_duplicate', armed_until_ms: null })
    } finally {
      await twin.kill('SIGKILL')
    }
    await stage.ready()
    const view = await stage.ended(await stage.sessionOf(await stage.accept()))
    expect(view.status).toBe('completed')
  })

  it('loses its device server while the cell is armed: nothing starts in it before a person arms it again', async () => {
    const stage = onStage()
    expect((await cell()).armed_until_ms).toBeGreaterThan(Date.now())
    process.kill(deviceOf(stage.lab.journal), 'SIGKILL')
    const now = await until(cell, (one) => one.armed_until_ms === null, 60_000)
    expect(now.changed?.what).toBe('device_restarted')
  })
})
