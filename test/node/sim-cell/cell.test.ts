// The simulated cell as a process: what it does, what it refuses, and that its journal says so.
import { afterEach, expect, test } from 'vitest'
import type { Client } from '@modelcontextprotocol/client'
import { digest } from '../../../protocol/digest.ts'
import { httpClient, startHttpCell, stdioCell, story, until } from './harness.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
const at = (labware: string) => ({ labware, well: 'A1' })
const fast = ['--time-scale', '1000']

async function cell(args: string[], onChanged?: () => void) {
  const running = await stdioCell(args, onChanged)
  closers.push(running.close)
  return running
}

async function call(client: Client, name: string, args: Record<string, unknown>, more = {}) {
  const result = await client.callTool({ name, arguments: args }, more)
  const [first] = result.content
  return { error: result.isError === true, text: first?.type === 'text' ? first.text : '' }
}

const spin = {
  rotor: 'FA-45-24',
  speed_rpm: 6000,
  duration_s: 300,
  tubes: [
    { position: 1, mass_g: 2 },
    { position: 13, mass_g: 2 },
  ],
}

test('journals the start and the end of an act with session, node and args digest', async () => {
  const { client, journal } = await cell(fast)
  const args = { pose: 'hotel_1', zone: 'enclosure_A', speed_mm_s: 200 }
  await client.callTool({
    name: 'arm.move_to_pose',
    arguments: args,
    _meta: { 'portcullis/session': 'sess_1', 'portcullis/node': 'n1' },
  })
  const [begin, end] = journal()
  expect(begin).toMatchObject({ phase: 'begin', session: 'sess_1', node: 'n1', seq: 0 })
  expect(begin?.args_digest).toBe(await digest('args', args))
  expect(end).toMatchObject({ phase: 'end', outcome: 'done', call: begin?.call })
  expect(end?.change).toMatchObject({ pose: ['home', 'hotel_1'] })
})

const refusals: [string, Record<string, unknown>, string][] = [
  [
    'liquid_handler.aspirate',
    { pipette: 'p300', volume_ul: 50, labware: 'r', well: 'A1', liquid: 'water' },
    'no tip',
  ],
  ['liquid_handler.drop_tip', { pipette: 'p300', destination: 'tip_waste' }, 'no tip'],
  ['arm.place', { object: 'plate', location: 'deck' }, 'holds nothing'],
  [
    'arm.pick',
    { object: 'carboy', location: 'floor', grip_force_n: 70, mass_g: 5001 },
    'arguments',
  ],
  ['centrifuge.spin', { ...spin, rotor: 'SX-4-500' }, 'at most 4200 rpm'],
  ['door.unlock', { door_id: 'enclosure_A', reason: 'look', bypass_interlock: true }, 'interlock'],
  [
    'storage.fetch',
    { store_id: 'controlled_safe', item_id: 'x', approvals: ['a', 'a'] },
    'approvals',
  ],
  ['code.run_sandboxed', { language: 'python', code: '1', network: true }, 'no network'],
  ['arm.open_gripper', { width_mm: 111 }, 'arguments'],
]

test('refuses what the device cannot do as a tool error, and does not begin it', async () => {
  const { client, journal } = await cell(fast)
  for (const [name, args, words] of refusals) {
    const answer = await call(client, name, args)
    expect(answer, name).toMatchObject({ error: true })
    expect(answer.text).toContain(words)
  }
  expect(journal().filter((l) => l.phase !== 'refused')).toEqual([])
})

test('does not run a cycler with its lid open', async () => {
  const { client } = await cell(fast)
  const profile = { device_id: 'tc_1', steps: [{ temperature_c: 95, hold_s: 1 }], cycles: 2 }
  await call(client, 'thermocycler.open_lid', { device_id: 'tc_1' })
  expect(await call(client, 'thermocycler.run_profile', profile)).toMatchObject({ error: true })
  await call(client, 'thermocycler.close_lid', { device_id: 'tc_1' })
  expect(await call(client, 'thermocycler.run_profile', profile)).toMatchObject({ error: false })
})

test('does not exceed a collaborative ceiling, and keeps enclosure_A locked in full mode', async () => {
  const { client, journal } = await cell(fast)
  await call(client, 'arm.move_to_pose', { pose: 'a', zone: 'enclosure_A', speed_mm_s: 1000 })
  expect(journal().at(-1)?.change).toMatchObject({ speed_mm_s: 250 })
  await call(client, 'arm.set_speed', { speed_mm_s: 1000, mode: 'full' })
  const unlock = await call(client, 'door.unlock', { door_id: 'enclosure_A', reason: 'swap' })
  expect(unlock).toMatchObject({ error: true })
})

test('draws a tracked well down to what is in it and no further', async () => {
  const { client } = await cell(fast)
  const transfer = (from: string, to: string, volume_ul: number) =>
    call(client, 'liquid_handler.transfer', {
      pipette: 'p300',
      volume_ul,
      source: at(from),
      destination: at(to),
      liquid: 'water',
    })
  expect(await transfer('stock', 'tube', 100)).toMatchObject({ error: false })
  expect(await transfer('tube', 'waste', 60)).toMatchObject({ error: false })
  expect((await transfer('tube', 'waste', 60)).text).toContain('"moved_ul":40')
  expect((await transfer('tube', 'waste', 60)).text).toContain('is empty')
})

test('trips on imbalance after it began', async () => {
  const { client, journal } = await cell(fast)
  const tubes = [{ position: 1, mass_g: 2 }]
  const answer = await call(client, 'centrifuge.spin', { ...spin, tubes })
  expect(answer).toMatchObject({ error: true })
  expect(story(journal())).toEqual(['begin centrifuge.spin', 'end tripped centrifuge.spin'])
})

test.each(['stdio', 'http'])(
  'a cancel over %s stops motion and is journalled',
  async (transport) => {
    let client: Client
    let journal
    if (transport === 'stdio') ({ client, journal } = await cell(['--time-scale', '10']))
    else {
      const http = await startHttpCell(['--time-scale', '10'])
      closers.push(http.close)
      client = await httpClient(http.url)
      closers.push(() => client.close())
      journal = http.journal
    }
    const abort = new AbortController()
    const running = call(client, 'centrifuge.spin', spin, { signal: abort.signal })
    await until(() => journal().length === 1)
    abort.abort()
    await expect(running).rejects.toThrow()
    await until(() => journal().length === 2)
    expect(journal()[1]).toMatchObject({ phase: 'end', outcome: 'interrupted', cause: 'cancelled' })
  },
)

test('a safe-stop ends what its group runs before it acts itself', async () => {
  const { client, journal } = await cell(['--time-scale', '10'])
  const heat = { device_id: 'hs_1', temperature_c: 95, hold_s: 600 }
  const running = call(client, 'heater_shaker.set_temperature', heat)
  await until(() => journal().length === 1)
  expect(await call(client, 'heater_shaker.safe_stop', {})).toMatchObject({ error: false })
  expect(await running).toMatchObject({ error: true })
  expect(story(journal())).toEqual([
    'begin heater_shaker.set_temperature',
    'end interrupted heater_shaker.set_temperature',
    'begin heater_shaker.safe_stop',
    'end done heater_shaker.safe_stop',
  ])
})

test('stops motion when its caller goes away', async () => {
  const { client, journal, close } = await cell(['--time-scale', '10'])
  void call(client, 'centrifuge.spin', spin).catch(() => {})
  await until(() => journal().length === 1)
  await close()
  await until(() => journal().length === 2)
  expect(journal()[1]).toMatchObject({ outcome: 'interrupted' })
})

test('does one act at a time on one device', async () => {
  const { client, journal } = await cell(['--time-scale', '1000'])
  const first = call(client, 'centrifuge.spin', spin)
  await until(() => journal().length === 1)
  expect((await call(client, 'centrifuge.spin', spin)).text).toContain('busy')
  expect(await first).toMatchObject({ error: false })
})

test('announces a definition that changes at run time', async () => {
  let changes = 0
  const { client } = await cell([...fast, '--fault', 'redefine:door.lock@1'], () => changes++)
  const before = await client.listTools()
  await call(client, 'door.lock', { door_id: 'enclosure_A' })
  await until(() => changes > 0)
  const after = await client.listTools(undefined, { cacheMode: 'refresh' })
  const described = (list: typeof before) =>
    list.tools.find((t) => t.name === 'door.lock')?.description
  expect(described(after)).not.toBe(described(before))
})

test('a crash in mid-act leaves a begin without an end', async () => {
  const { client, journal } = await cell([...fast, '--fault', 'crash:door.lock'])
  await expect(call(client, 'door.lock', { door_id: 'enclosure_A' })).rejects.toThrow()
  expect(story(journal())).toEqual(['begin door.lock'])
})

test('a flash of firmware is not stopped by a cancel', async () => {
  const { client, journal } = await cell(fast)
  const abort = new AbortController()
  const image = { device_id: 'arm_a1', image_ref: 'a', version: '1.0.0', sha256: 'a'.repeat(64) }
  const args = { ...image, signature: 's', signed_by: 'vendor-root-2024' }
  const running = call(client, 'firmware.update', args, { signal: abort.signal })
  await until(() => journal().length === 1)
  abort.abort()
  await expect(running).rejects.toThrow()
  await until(() => journal().length === 2)
  expect(journal()[1]).toMatchObject({ outcome: 'done' })
})
