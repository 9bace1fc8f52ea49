// Bringing devices to rest (invariant 12) against servers that are slow, refuse, do not read or are away: the stop is
// never taken back, is repeated until it is confirmed, and says meanwhile how it stands.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parseConfig } from '../../../robot-agent/config.ts'
import { Devices } from '../../../robot-agent/devices.ts'
import { SessionRest } from '../../../robot-agent/rest.ts'
import type { SessionDeps } from '../../../robot-agent/session-deps.ts'
import { StopTurns } from '../../../robot-agent/stop-turns.ts'
import { toolRowOf } from '../../../protocol/tool-row.ts'
import { toolEntry } from '../../shared/session-fixture.ts'
import { scratch } from '../support/scratch.ts'

const server = path.join(import.meta.dirname, 'scripted-server.ts')
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

async function until(what: string, probe: () => boolean, ms = 60_000): Promise<void> {
  const end = Date.now() + ms
  while (!probe()) {
    if (Date.now() > end) throw new Error(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** One scripted device in one mode, a session that wants it at rest, and what the device got. */
async function bench(mode: string, unread_ms = 1_000) {
  const file = path.join(scratch(), 'journal')
  const parsed = parseConfig(
    {
      gateway: 'http://127.0.0.1:1',
      site: 's',
      agent: 'a',
      cell: 'c',
      key_file: 'k',
      state_dir: 'd',
      mcpServers: { arm: { command: process.execPath, args: [server, mode, file] } },
      unread_ms,
      probe_ms: 60_000,
      reconnect: { base_ms: 20, max_ms: 100 },
    },
    {},
    '/',
  )
  if (!parsed.ok) throw new Error(parsed.error)
  const io = { log: () => {}, random: () => 0, onChange: () => {} }
  const devices = new Devices(parsed.value, io)
  devices.start()
  await until('up', () => devices.instance('arm') > 0)
  const told: string[] = []
  const turns = new StopTurns()
  const deps = { ...io, devices, turns, ledger: { after: () => {} }, nowMs: () => Date.now() }
  const rest: SessionRest = new SessionRest('sess', deps as unknown as SessionDeps, () => {
    told.push(rest.devices.map(({ state, detail }) => `${state} ${detail ?? ''}`.trim()).join())
  })
  ends.push(async () => {
    rest.leave()
    await devices.close()
  })
  const journal = (): string[] => {
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    return lines.map((line) => line.replace(/^\d+ /, ''))
  }
  return { devices, rest, told, journal }
}

const stop = { server: 'arm', mcp_tool: 'stop', args: {} }

test('a device that refuses is told as such, asked again, and at rest when it has confirmed', async () => {
  const { rest, told, journal } = await bench('stop-refused=2')
  rest.want(stop, 'test')
  rest.want(stop, 'twice')
  expect(rest.confirmed).toBe(false)
  await until('rest', () => rest.confirmed)
  expect(told).toEqual(['refused servo drive does not answer', 'at_rest'])
  expect(journal().filter((line) => line === 'begin stop')).toHaveLength(3)
})

test('a device that is slow to stop is neither asked twice nor cancelled nor ended', async () => {
  const { devices, rest, journal } = await bench('stop-slow=3000', 300)
  rest.want(stop, 'test')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(rest.devices).toEqual([{ server: 'arm', state: 'pending', detail: null }])
  await until('rest', () => rest.confirmed)
  expect(journal()).toEqual(['begin stop', 'end stop'])
  expect(devices.instance('arm')).toBe(1)
})

test('a server that does not read is ended, and its successor is told to stop', async () => {
  const { devices, rest, journal } = await bench('serial=600000', 300)
  const pinned = { ...toolRowOf(toolEntry('t0', 'benign_actuation')), server: 'arm' }
  const signal = new AbortController().signal
  const running = devices.call({ pinned, args: {}, session: 's', nid: 'n', signal, checked: true })
  await until('the call', () => journal().includes('begin t0'))
  rest.want(stop, 'test')
  await until('rest', () => rest.confirmed)
  expect(await running).toMatchObject({ outcome: 'unknown', reason: 'server_lost' })
  expect(devices.instance('arm')).toBe(2)
  expect(journal()).toEqual(['begin t0', 'begin stop', 'end stop'])
})

test('a device that this agent does not have is out of reach, and never at rest', async () => {
  const { rest } = await bench('normal')
  rest.want({ ...stop, server: 'elsewhere' }, 'test')
  await until('told', () => rest.devices[0]?.state === 'unreachable')
  expect(rest.devices[0]).toMatchObject({ server: 'elsewhere', detail: 'not_configured' })
  expect(rest.confirmed).toBe(false)
})
