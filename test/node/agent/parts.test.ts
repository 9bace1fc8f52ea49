// The small parts of the agent, each with its rule: back-off, configuration, pins, ledger, keys, frames.
import { mkdirSync, statSync, writeFileSync, chmodSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createAgentKey } from '../../../lab/local/agent-key.ts'
import { limits } from '../../../protocol/limits.ts'
import { gatewaySessionFrame } from '../../../protocol/frames.ts'
import type { PinnedTool } from '../../../protocol/tool-row.ts'
import { backoffMs } from '../../../robot-agent/backoff.ts'
import { loadConfig, parseConfig } from '../../../robot-agent/config.ts'
import { readFrame } from '../../../robot-agent/connection.ts'
import { GatewayKeys, keysFrom } from '../../../robot-agent/gateway-keys.ts'
import { Ledger } from '../../../robot-agent/ledger.ts'
import { logLine } from '../../../robot-agent/log.ts'
import {
  changedTools,
  pinProblem,
  serverReason,
  type ServerView,
} from '../../../robot-agent/pins.ts'
import { leftBehind, orphanedEnd, safeStopsOf, unaskedOf } from '../../../robot-agent/recovery.ts'
import { loadSigningKey } from '../../../robot-agent/signer.ts'
import { addressOf } from '../../../robot-agent/device-address.ts'
import { scratch } from '../support/scratch.ts'
import { newKey } from './keys.ts'

test('back-off grows to its bound, and half of it is jitter', () => {
  const bounds = { baseMs: 100, maxMs: 1_000 }
  expect([0, 1, 2, 3, 4, 40].map((n) => backoffMs(n, 0, bounds))).toEqual([
    50, 100, 200, 400, 500, 500,
  ])
  expect(backoffMs(0, 0.999, bounds)).toBe(100)
})

const base = {
  gateway: 'http://127.0.0.1:1',
  site: 's',
  agent: 'a',
  cell: 'c',
  key_file: 'k.jwk',
  state_dir: 'state',
  mcpServers: { one: { command: 'x' }, two: { url: 'http://127.0.0.1:2/mcp' } },
}

test('a configuration is completed, resolved beside its file, and overridden by the environment', () => {
  const parsed = parseConfig(base, { PORTCULLIS_CELL: 'other' }, '/etc/agent')
  expect(parsed).toMatchObject({
    ok: true,
    value: { cell: 'other', key_file: '/etc/agent/k.jwk', lost_grace_ms: 5_000, sandboxes: [] },
  })
})

test.each([
  [{ ...base, mcpServers: {} }, 'mcpServers is empty'],
  [{ ...base, gateway: 'file:///x' }, 'gateway:'],
  [{ ...base, extra: 1 }, 'extra'],
  [{ ...base, lost_grace_ms: 600_001 }, 'lost_grace_ms'],
  [[], 'not a JSON object'],
])('refuses a configuration and names the key (%#)', (value, words) => {
  expect(parseConfig(value, {}, '/')).toMatchObject({
    ok: false,
    error: expect.stringContaining(words) as string,
  })
  expect(loadConfig('/nowhere/agent.json', {})).toMatchObject({ ok: false })
})

test('a key is written for its owner alone, is never overwritten, and is refused when others can read it', async () => {
  const file = path.join(scratch(), 'agent.jwk')
  const jwk = createAgentKey(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(Object.keys(jwk).sort()).toEqual(['crv', 'kty', 'x'])
  expect(() => createAgentKey(file)).toThrow('EEXIST')
  expect(await loadSigningKey(file)).toMatchObject({ ok: true, value: { jwk: { x: jwk.x } } })
  chmodSync(file, 0o644)
  expect(await loadSigningKey(file)).toMatchObject({ ok: false })
  writeFileSync(file, '{}')
  chmodSync(file, 0o600)
  expect(await loadSigningKey(file)).toMatchObject({ ok: false })
  expect(readFileSync(file, 'utf8')).toBe('{}')
})

const tool: PinnedTool = {
  tool: 'arm.move',
  server: 'cell',
  mcp_tool: 'move',
  definition_digest: `def:${'A'.repeat(43)}`,
  timeout_ms: 1_000,
  orphan_policy: 'stop',
  safe_stop: { mcp_tool: 'stop', args: {} },
}
const view = (more: Partial<ServerView> = {}): ServerView => ({
  up: true,
  state: 'ok',
  instance: 1,
  digests: new Map([['move', tool.definition_digest]]),
  list: null,
  ...more,
})

test('a tool is callable only on a running server that shows exactly what is pinned', () => {
  expect(pinProblem(tool, view())).toBe(null)
  expect(pinProblem(tool, undefined)).toBe('server_lost')
  expect(pinProblem(tool, view({ up: false }))).toBe('server_lost')
  expect(pinProblem(tool, view({ state: 'stale' }))).toBe('pin_changed')
  expect(pinProblem(tool, view({ state: 'list_unreadable' }))).toBe('list_unreadable')
  expect(pinProblem(tool, view({ digests: new Map() }))).toBe('pin_changed')
  // A server that changed another of its pinned tools is not trusted with this one.
  const sibling = { ...tool, tool: 'arm.wave', mcp_tool: 'wave' }
  const waved = new Map([...view().digests, ['wave', `def:${'B'.repeat(43)}`]])
  expect(pinProblem(tool, view({ digests: waved }), [sibling])).toBe('pin_changed')
  expect(pinProblem(tool, view(), [sibling])).toBe(null)
  expect(pinProblem(tool, view({ digests: waved }), [{ ...sibling, server: 'x' }])).toBe(null)
  expect(serverReason('cell', view({ digests: waved }), [sibling])).toBe('definitions_changed')
  expect(serverReason('cell', view({ state: 'stale' }), [])).toBe('list_unreadable')
  expect(serverReason('cell', view({ up: false }), [])).toBe('server_lost')
  expect(serverReason('cell', view(), [sibling])).toBe(null)
  const other = new Map([['move', `def:${'B'.repeat(43)}`]])
  expect(changedTools([tool], new Map([['cell', view({ digests: other })]]))).toEqual(['arm.move'])
})

function openLedger(): Ledger {
  const ledger = new Ledger(path.join(scratch(), 'state'))
  ledger.openSession('s', 1)
  return ledger
}
const row = { session: 's', nid: 'n', jti: 'j', ctx: 'c', tool, started_ms: 1 }
const at = { boot_id: 'b', now_ms: 2 }

test('a node is actuated once: not before its start, not again, not under another node', () => {
  const ledger = openLedger()
  ledger.received(row)
  expect(ledger.actuated('s', 'n', at)).toBe(false)
  ledger.started('s', 'n', 2)
  expect(ledger.actuated('s', 'n', at)).toBe(true)
  expect(ledger.actuated('s', 'n', at)).toBe(false)
  ledger.started('s', 'n', 3)
  expect(ledger.actuated('s', 'n', at)).toBe(false)
  ledger.forget('s', 'n')
  expect(ledger.nodes('s')).toMatchObject([{ state: 'actuated', actuated: true }])
  expect(ledger.isUsed('j')).toBe(true)
  // The same token cannot even be entered for another node.
  expect(ledger.received({ ...row, nid: 'm' })).toBe(false)
  ledger.close()
})

test('what a dead process left: actuated is unknown, started did not move, received is nothing', () => {
  const ledger = openLedger()
  ledger.received(row)
  const [received] = ledger.nodes('s')
  ledger.started('s', 'n', 2)
  const [started] = ledger.nodes('s')
  ledger.actuated('s', 'n', at)
  const [actuated] = ledger.nodes('s')
  if (received === undefined || started === undefined || actuated === undefined) throw new Error()
  expect(orphanedEnd(received)).toBe(null)
  expect(orphanedEnd(started)).toMatchObject({ outcome: 'failed', actuated: false })
  expect(orphanedEnd(actuated)).toMatchObject({ outcome: 'unknown', actuated: true })
  expect(ledger.unfinished(0)).toEqual(['s'])
  ledger.ended('s', 'n', { outcome: 'unknown', reason: 'x', report: 'r', result: null, now_ms: 3 })
  expect(leftBehind(ledger.nodes('s'))).toMatchObject({
    reports: [{ nid: 'n', text: 'r', actuated: true }],
    over: { reason: 'node_unknown' },
  })
  expect(safeStopsOf(ledger.nodes('s'))).toEqual([{ server: 'cell', mcp_tool: 'stop', args: {} }])
  ledger.endSession('s', 'x', 4)
  expect(ledger.unfinished(0)).toEqual(['s'])
  ledger.acked('s', 'n')
  expect(ledger.unfinished(0)).toEqual([])
  // What was moved and has never confirmed its rest is owed whatever its age.
  ledger.openSession('old', 1)
  ledger.received({ ...row, session: 'old', jti: 'j-old' })
  ledger.started('old', 'n', 1)
  ledger.actuated('old', 'n', at)
  expect(ledger.unfinished(1_000_000)).toEqual(['old'])
  ledger.close()
})

test('the device of a tool that must finish is not safe-stopped after a crash', () => {
  const finishing = { ...tool, orphan_policy: 'finish' } as const
  const told = { report: 'r', result: null, reason: null, acked: false } as const
  const ended = { ...row, ...told, state: 'ended', actuated: true } as const
  const rows = [
    { ...ended, tool, outcome: 'succeeded' },
    { ...ended, nid: 'm', tool: finishing, outcome: 'unknown' },
  ] as const
  expect(safeStopsOf(rows)).toEqual([])
})

test('a tool without a safe-stop of its own is at rest with the device that is asked to stop', () => {
  const told = { report: 'r', result: null, reason: null, acked: false } as const
  const ended = { ...row, ...told, state: 'ended', actuated: true, outcome: 'unknown' } as const
  const silent = { ...ended, nid: 'm', tool: { ...tool, safe_stop: null } }
  expect(unaskedOf([{ ...ended, tool }, silent])).toEqual([])
  expect(unaskedOf([silent])).toEqual([
    { server: 'cell', state: 'unreachable', detail: 'no_safe_stop' },
  ])
})

test('a ledger of another process is refused', () => {
  const dir = path.join(scratch(), 'state')
  mkdirSync(dir)
  const ledger = new Ledger(dir)
  expect(() => new Ledger(dir)).toThrow('locked')
  ledger.close()
})

const bytes = (text: string) => new TextEncoder().encode(text)

test('takes key sets up to the limits, and only pinned keys when pins are given', async () => {
  const key = await newKey()
  const set = (n: number) =>
    bytes(JSON.stringify({ keys: Array.from({ length: n }, () => key.jwk) }))
  expect(await keysFrom(set(limits.jwksKeysMax), undefined)).toMatchObject({ ok: true })
  expect(await keysFrom(set(limits.jwksKeysMax + 1), undefined)).toEqual({
    ok: false,
    error: 'malformed',
  })
  expect(await keysFrom(set(1), [key.kid])).toMatchObject({ ok: true })
  expect(await keysFrom(set(1), ['other'])).toEqual({ ok: false, error: 'not_pinned' })
  expect(await keysFrom(bytes('{'), undefined)).toEqual({ ok: false, error: 'malformed' })
  expect(await keysFrom(bytes('{"keys":[{"kty":"RSA"}]}'), undefined)).toEqual({
    ok: false,
    error: 'malformed',
  })
})

test('a key set with a key twice is refused, whichever of the two a loose parser would take', async () => {
  const key = await newKey()
  const twice = `{"keys":[],"keys":[${JSON.stringify(key.jwk)}]}`
  expect(await keysFrom(bytes(twice), undefined)).toEqual({ ok: false, error: 'malformed' })
})

test('a key set past the limit is not read to its end', async () => {
  let sent = 0
  const server = createServer((_request, response) => {
    // It never ends by itself: whoever reads it whole never comes back.
    const more = () => {
      while (!response.destroyed && sent < 64 * limits.jwksBytesMax) {
        sent += 4_096
        if (!response.write(' '.repeat(4_096))) return response.once('drain', more)
      }
      return response
    }
    more()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const keys = new GatewayKeys(`http://127.0.0.1:${port}`, undefined)
  expect(await keys.get(true)).toEqual({ ok: false, error: 'malformed' })
  server.closeAllConnections()
  server.close()
})

test.each([
  ['not JSON', '{'],
  ['a key twice', '{"v":1,"re":null,"type":"ack","nid":null,"nid":null}'],
  ['another version', '{"v":2,"re":null,"type":"ack","nid":null}'],
  ['an unknown field', '{"v":1,"re":null,"type":"ack","nid":null,"x":1}'],
  ['an unknown type', '{"v":1,"re":null,"type":"actuate","nid":"a"}'],
  [
    'an id that is too long',
    `{"v":1,"re":null,"type":"ack","nid":"${'a'.repeat(limits.idCharsMax + 1)}"}`,
  ],
])('does not read a frame with %s', (_what, text) => {
  expect(readFrame(gatewaySessionFrame, text).ok).toBe(false)
})

test('reads a frame whose id is exactly as long as the limit', () => {
  const nid = 'a'.repeat(limits.idCharsMax)
  const read = readFrame(gatewaySessionFrame, JSON.stringify({ v: 1, re: null, type: 'ack', nid }))
  expect(read).toMatchObject({ ok: true, value: { nid } })
})

test('a log line keeps one event on one line, whatever is in its facts', () => {
  const line = logLine(new Date(0), 'info', 'e', {
    a: 'x\ny',
    b: null,
    c: undefined,
    d: 'y'.repeat(300),
  })
  expect(line.split('\n')).toHaveLength(1)
  expect(line).toContain(String.raw`a="x\ny" b=null`)
  expect(line.length).toBeLessThan(300)
})

test('a device server has one address however it is written, its own on each machine, none as a child', () => {
  const reached = (url: string, machine = 'bench-1') => addressOf({ url, headers: {} }, machine)
  expect(reached('http://10.0.0.7:8080/mcp/')).toBe(reached('http://10.0.0.7:8080/mcp'))
  expect(reached('http://10.0.0.7:8080/mcp')).toMatch(/^device:[A-Za-z0-9_-]{43}$/)
  expect(reached('http://hplc/mcp')).toBe(reached('http://HPLC:80/mcp', 'bench-2'))
  expect(reached('http://hplc/mcp')).not.toBe(reached('https://hplc/mcp'))
  expect(reached('http://hplc/mcp')).not.toBe(reached('http://hplc/other'))
  expect(reached('http://localhost:9/mcp')).toBe(reached('http://127.0.0.1:9/mcp'))
  expect(reached('http://[::1]:9/mcp')).toBe(reached('http://127.0.0.1:9/mcp'))
  expect(reached('http://localhost:9/mcp')).not.toBe(reached('http://localhost:9/mcp', 'bench-2'))
  expect(addressOf({ command: 'driver', args: [], env: {} }, 'bench-1')).toBe(null)
})
