// A stop of a cell where nothing runs any more, with real processes: by the cell's journal, every device of the
// stop sequence is stopped in its order, also one that a finished session has left on, also after a power cut
// (invariant 12).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { must } from '../../../lab/local/client.ts'
import { until } from '../../../lab/local/plans.ts'
import type { CellStatus } from '../../../protocol/status.ts'
import { Stage, type JournalRow } from './harness.ts'

let stage: Stage
let before = 0
beforeAll(async () => {
  // The first two safe-stops of the heater-shaker are not carried out.
  stage = await Stage.open({ faults: ['refuse:heater_shaker.safe_stop@2'] })
})
afterAll(() => stage.close())
beforeEach(async () => {
  before = (await stage.journal()).length
})

const press = (what: 'stop' | 'drill'): Promise<CellStatus> =>
  must<CellStatus>(stage.lab.url, {
    method: 'POST',
    path: `/v1/cells/${stage.lab.record.cell}/${what}`,
    token: stage.lab.record.operator,
  })

async function cell(): Promise<CellStatus> {
  const { items } = await must<{ items: CellStatus[] }>(stage.lab.url, {
    method: 'GET',
    path: '/v1/cells',
    token: stage.lab.record.operator,
  })
  const found = items.find((row) => row.cell === stage.lab.record.cell)
  if (found === undefined) throw new Error('the cell is gone')
  return found
}

/** Safe-stops since the test began, in the order in which the devices took them. */
async function stopped(phase: JournalRow['phase'] = 'begin'): Promise<string[]> {
  const rows = (await stage.journal()).slice(before)
  return rows
    .filter((row) => row.phase === phase && row.tool.endsWith('.safe_stop'))
    .map((row) => row.tool.replace('.safe_stop', ''))
}

const confirmed = (which: 'cell_stop' | 'drill') =>
  until(cell, (now) => now[which]?.state === 'stopped', 60_000)

describe('a stop where nothing runs', () => {
  it('names a device that refuses, latches the cell, and goes on until it has confirmed', async () => {
    await stage.ready()
    await press('stop')
    const latched = await until(cell, (now) => now.latch_reason !== null, 60_000)
    expect(latched).toMatchObject({ latch_reason: 'device_not_at_rest', armed_until_ms: null })
    const rests = await confirmed('cell_stop')
    expect(rests).toMatchObject({ needs_clearance: true, not_at_rest: [] })
    expect(await stopped('refused')).toEqual(['heater_shaker', 'heater_shaker'])
    await stage.ready()
    expect((await cell()).needs_clearance).toBe(false)
  })

  it('reaches what a finished session left, in the order of the site file', async () => {
    await stage.ready()
    const view = await stage.ended(await stage.sessionOf(await stage.accept()))
    expect(view.status).toBe('completed')
    await press('stop')
    const now = await confirmed('cell_stop')
    const order = await stopped()
    expect(order[0]).toBe('arm')
    expect(order.at(-1)).toBe('centrifuge')
    expect(order).toContain('liquid_handler')
    // The hoods are to stay on.
    expect(order).not.toContain('fume_hood')
    expect(now.cell_stop?.calls.every(({ took_ms }) => took_ms !== null)).toBe(true)
  })

  it('that comes while the power is off is carried out when agent and devices are back', async () => {
    await stage.ready()
    await stage.lab.agent().kill('SIGKILL')
    expect((await press('stop')).cell_stop?.state).toBe('not_reached_yet')
    expect(await stopped()).toEqual([])
    await stage.lab.restartAgent()
    await confirmed('cell_stop')
    expect((await stopped())[0]).toBe('arm')
    expect(await cell()).toMatchObject({ armed_until_ms: null, session: null })
  })
})

describe('a drill', () => {
  it('stops every device, tells the time of each, and changes neither arming nor clearance', async () => {
    await stage.ready()
    await press('drill')
    const now = await confirmed('drill')
    expect((await stopped()).length).toBe(6)
    expect(now.drill?.calls.map(({ state }) => state)).toEqual(Array(6).fill('at_rest'))
    expect(now.last_drill).toBe(new Date(now.drill?.ended_ms ?? 0).toISOString())
    expect(now).toMatchObject({ needs_clearance: false })
    expect(now.armed_until_ms).toBeGreaterThan(Date.now())
  })
})
