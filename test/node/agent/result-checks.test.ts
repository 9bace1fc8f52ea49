// What a device answers against what its row says an answer looks like, with a real server process: an
// answer of another shape, unit or size is named, bounded and kept, and is never taken for a measurement.
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'
import { toolRowDigest, toolRowOf, rowsNamed } from '../../../protocol/tool-row.ts'
import type { Expected } from '../../../robot-agent/answer.ts'
import { Device } from '../../../robot-agent/device.ts'
import { keyTwice } from '../../../robot-agent/key-twice.ts'
import { resultOf } from '../../../robot-agent/result-of.ts'
import { scratch } from '../support/scratch.ts'
import { toolEntry } from '../../shared/session-fixture.ts'

const server = path.join(import.meta.dirname, 'scripted-server.ts')
const open: Device[] = []
const servers: Server[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((device) => device.close()))
  for (const http of servers.splice(0)) {
    http.closeAllConnections()
    http.close()
  }
})

/** A device whose every call is answered with the text that `say` put down. */
async function bench() {
  const dir = scratch()
  const file = path.join(dir, 'answer.json')
  const device = new Device({
    name: 'scripted',
    config: {
      command: process.execPath,
      args: [server, `file=${file}`, path.join(dir, 'journal')],
      env: {},
    },
    backoff: { baseMs: 20, maxMs: 100 },
    probeMs: 60_000,
    random: () => 0,
    log: () => {},
    onChange: () => {},
  })
  open.push(device)
  device.start()
  await device.waitUp(60_000)
  const say = (text: string, expected: Partial<Expected> = {}) => {
    writeFileSync(file, text)
    const signal = new AbortController().signal
    const full = { checked: true, ...expected }
    return device.call({
      tool: 't0',
      args: {},
      meta: {},
      timeoutMs: 60_000,
      signal,
      expected: full,
    })
  }
  return { device, say }
}

const weighing: Partial<Expected> = {
  output_schema: {
    type: 'object',
    required: ['mass_mg', 'unit'],
    properties: { mass_mg: { type: 'number', minimum: 0 }, unit: { const: 'mg' } },
  },
  results: {
    '/mass_mg': {
      quantity: 'mass',
      unit: 'mg',
      unit_at: '/unit',
      of: 'device',
      kind: 'observed',
    },
  },
}
const declared: Partial<Expected> = { results: weighing.results }
const structured = (json: string) => `{"structuredContent":${json},"content":[]}`
const good = structured('{"mass_mg":12.5,"unit":"mg"}')
const invalid = { outcome: 'unknown', reason: 'result_invalid' }

describe('an answer against its row', () => {
  test('fits, or is result_invalid, and says where', async () => {
    const { say } = await bench()
    expect(await say(good, weighing)).toMatchObject({ outcome: 'succeeded', reason: null })
    const wrong: [string, Partial<Expected>, RegExp][] = [
      [structured('{"mass_mg":"12.5","unit":"mg"}'), weighing, /mass_mg/],
      [structured('{"mass_mg":-1,"unit":"mg"}'), weighing, /mass_mg/],
      [structured('{"unit":"mg"}'), weighing, /mass_mg/],
      [structured('{"mass_mg":12.5,"unit":"g"}'), weighing, /unit/],
      ['{"content":[{"type":"text","text":"12.5 mg"}]}', weighing, /no structured content/],
      [structured('{"mass_mg":"12.5","unit":"mg"}'), declared, /^\/mass_mg: no finite number/],
      [structured('{"mass_mg":null,"unit":"mg"}'), declared, /^\/mass_mg: missing/],
      [structured('{"mass_mg":1e400,"unit":"mg"}'), declared, /^\/mass_mg: no finite number/],
      [structured('{"mass_mg":12.5,"unit":"g"}'), declared, /another unit/],
      [structured('{"mass_mg":12.5}'), declared, /another unit/],
    ]
    for (const [text, expected, detail] of wrong) {
      const end = await say(text, expected)
      expect(end, text).toMatchObject({
        ...invalid,
        detail: expect.stringMatching(detail) as string,
      })
      // What it said is still evidence.
      expect(end.result).not.toBeNull()
    }
    // The same unit in another spelling, and JSON as the only text.
    const text = JSON.stringify('{"mass_mg":12.5,"unit":"milligram"}'.replace('milligram', 'mg'))
    expect(await say(`{"content":[{"type":"text","text":${text}}]}`, declared)).toMatchObject({
      outcome: 'succeeded',
    })
  }, 60_000)

  test('a closed text is one of its values', async () => {
    const { say } = await bench()
    const lid: Partial<Expected> = {
      results: { '/lid': { quantity: null, kind: 'observed', values: ['open', 'closed'] } },
    }
    expect(await say(structured('{"lid":"open"}'), lid)).toMatchObject({ outcome: 'succeeded' })
    expect(await say(structured('{"lid":"ajar"}'), lid)).toMatchObject(invalid)
  }, 60_000)

  test('ends the run unless the site only notes it, and is not named to an older gateway', async () => {
    const { say } = await bench()
    const bad = structured('{"mass_mg":"much"}')
    expect(await say(bad, { ...weighing, result_invalid: 'ends' })).toMatchObject(invalid)
    expect(await say(bad, { ...weighing, result_invalid: 'noted' })).toMatchObject({
      outcome: 'succeeded',
      reason: 'result_invalid',
    })
    expect(await say(bad, { ...weighing, checked: false })).toMatchObject({
      outcome: 'succeeded',
      reason: null,
    })
  }, 60_000)
})

describe('an answer of a hostile device', () => {
  test('that says a key twice is no answer, wherever the key stands', async () => {
    const { device, say } = await bench()
    const twice = [
      structured('{"mass_mg":12.5,"mass_mg":125}'),
      structured(String.raw`{"mass_mg":12.5,"mass\u005fmg":125}`),
      structured('{"a":[{"b":{"c":1,"d":2,"c":3}}]}'),
      '{"isError":true,"content":[],"isError":false}',
    ]
    for (const text of twice) {
      expect(await say(text), text).toMatchObject({
        outcome: 'unknown',
        reason: 'answer_unreadable',
      })
    }
    expect(await say(good, weighing)).toMatchObject({ outcome: 'succeeded' })
    expect(device.view.instance).toBe(1)
  }, 60_000)

  test('of 10 MiB, binary, deep or wide stays bounded: it goes by digest, and the device lives on', async () => {
    const { device, say } = await bench()
    const image = Buffer.alloc(6 * 1024 * 1024, 7).toString('base64')
    const answers: [string, number][] = [
      [structured(`{"text":"${'x'.repeat(10 * 1024 * 1024)}"}`), 1],
      [structured(`{"rows":[${'1,'.repeat(100_000)}1]}`), 1],
      [structured(`${'['.repeat(200)}1${']'.repeat(200)}`), 1],
      [`{"content":[{"type":"image","mimeType":"image/png","data":"${image}"}]}`, 1],
      [`{"content":[{"type":"text","text":${JSON.stringify('y'.repeat(200_000))}}]}`, 1],
    ]
    for (const [text, kept] of answers) {
      const end = await say(text)
      expect(end.outcome).toBe('succeeded')
      const { result, parts } = resultOf(end.result ?? {})
      expect(result.data).toBeNull()
      expect(parts.length).toBe(kept)
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(limits.resultBytesMax)
    }
    // Deep beyond any walk: not checked is not fitting, and nothing is thrown.
    const deep = structured(`${'['.repeat(50_000)}1${']'.repeat(50_000)}`)
    expect(await say(deep, weighing)).toMatchObject(invalid)
    expect(device.view.instance).toBe(1)
  }, 120_000)

  test('with ANSI, HTML or control characters is carried as it is, as text and nothing else', async () => {
    const { say } = await bench()
    const nasty = '\u001b[2J\u001b]0;owned\u0007<img src=x onerror=alert(1)>\u202e\u0000'
    const end = await say(structured(JSON.stringify({ note: nasty })))
    expect(end.outcome).toBe('succeeded')
    expect(resultOf(end.result ?? {}).result).toMatchObject({ data: { note: nasty } })
  }, 60_000)
})

/** An MCP server over HTTP whose calls are answered with exactly this text, as JSON or as a stream. */
async function httpBench(result: string, stream: boolean) {
  const tools = [{ name: 't0', description: 'What t0 does.', inputSchema: { type: 'object' } }]
  const serverInfo = { name: 'scripted', version: '1' }
  const answers: Record<string, string> = {
    initialize: JSON.stringify({ protocolVersion: '2025-06-18', capabilities: {}, serverInfo }),
    'tools/list': JSON.stringify({ tools }),
    'tools/call': result,
  }
  const http = createServer((req, res) => {
    let body = ''
    req.on('data', (chunk: Buffer) => (body += chunk.toString()))
    req.on('end', () => {
      if (req.method !== 'POST') return res.writeHead(405).end()
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      if (id === undefined) return res.writeHead(202).end()
      const said = answers[method] ?? '{}'
      const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${said}}`
      res.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
      return res.end(stream ? `event: message\ndata: ${text}\n\n` : text)
    })
  })
  servers.push(http)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const device = new Device({
    name: 'scripted',
    config: { url: `http://127.0.0.1:${port}/mcp`, headers: {} },
    backoff: { baseMs: 20, maxMs: 100 },
    probeMs: 60_000,
    random: () => 0,
    log: () => {},
    onChange: () => {},
  })
  open.push(device)
  device.start()
  await device.waitUp(60_000)
  const signal = new AbortController().signal
  const expected = { checked: true }
  return device.call({ tool: 't0', args: {}, meta: {}, timeoutMs: 30_000, signal, expected })
}

test.each([false, true])(
  'over HTTP (stream: %s) the same is refused, at once',
  async (stream) => {
    expect(await httpBench(good, stream)).toMatchObject({ outcome: 'succeeded' })
    const twice = structured('{"mass_mg":12.5,"mass_mg":125}')
    const unreadable = { outcome: 'unknown', reason: 'answer_unreadable' }
    expect(await httpBench(twice, stream)).toMatchObject(unreadable)
    const huge = structured(`{"text":"${'x'.repeat(limits.deviceAnswerBytesMax)}"}`)
    const tooLarge = { outcome: 'unknown', reason: 'answer_too_large' }
    expect(await httpBench(huge, stream)).toMatchObject(tooLarge)
  },
  90_000,
)

test.each([
  ['{"a":1,"b":{"a":1},"c":["a","a",{"a":1}]}', null],
  [String.raw`{"a\\":1,"a\\\"":2,"a":"\\"}`, null],
  ['{"a":"{\\"a\\":1,\\"a\\":2}"}', null],
  ['{"a":1,"a":1}', 'a'],
  ['[{"a":[1,2],"b":0,"a":1}]', 'a'],
  [String.raw`{"é":1,"\u00e9":1}`, 'é'],
])('a key twice in %s: %s', (text, key) => {
  JSON.parse(text)
  expect(keyTwice(text)).toBe(key)
})

test('an agent that knows no checks gets rows that it can read, under the digest that its context names', async () => {
  const entry = {
    ...toolEntry('balance.read', 'read'),
    output_schema: { type: 'object' },
    result_invalid: 'noted' as const,
  }
  const newer = toolRowOf(entry)
  const older = toolRowOf(entry, ['signed-rows'])
  expect(newer).toMatchObject({ output_schema: { type: 'object' }, result_invalid: 'noted' })
  expect(Object.keys(older)).not.toContain('output_schema')
  for (const row of [newer, older]) {
    const named = { 'balance.read': await toolRowDigest(row) }
    expect(await rowsNamed([entry], named)).toEqual([row])
  }
})
