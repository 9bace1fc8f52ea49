// One device server that stumbles, lies, floods, hangs or dies: what the agent makes of it, under which
// reason, and that it is found again. Real processes over stdio.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { limits } from '../../../protocol/limits.ts'
import { endOfResult } from '../../../robot-agent/answer.ts'
import { Device } from '../../../robot-agent/device.ts'
import { scratch } from '../support/scratch.ts'

const server = path.join(import.meta.dirname, 'scripted-server.ts')
const open: Device[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((device) => device.close()))
})

/** A running device in one mode, with what it logged and what the server wrote down. */
async function start(mode: string, probeMs = 100, waitMs = 60_000) {
  const log: string[] = []
  const file = path.join(scratch(), 'journal')
  const device = new Device({
    name: 'scripted',
    config: { command: process.execPath, args: [server, mode, file], env: {} },
    backoff: { baseMs: 20, maxMs: 100 },
    probeMs,
    random: () => 0,
    log: (_level, event) => log.push(event),
    onChange: () => {},
  })
  open.push(device)
  device.start()
  await device.waitUp(waitMs)
  return { device, log, journal: () => readFileSync(file, 'utf8').split('\n').filter(Boolean) }
}

const call = (device: Device, tool = 't0', timeoutMs = 60_000) => {
  const signal = new AbortController().signal
  return device.call({ tool, args: {}, meta: {}, timeoutMs, signal, expected: null })
}

async function until(what: string, probe: () => boolean): Promise<void> {
  for (let i = 0; i < 1_500; i++) {
    if (probe()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`never: ${what}`)
}

describe('a list of tools', () => {
  test('that fails once is read again by itself', async () => {
    const { device, log } = await start('list-fail=2', 200)
    await until('the failure', () => log.includes('tool_list_failed'))
    await until('the mend', () => device.view.state === 'ok')
    expect([...device.view.digests.keys()]).toEqual(['t0', 'stop'])
    expect(device.view.instance).toBe(1)
  })

  test('that fails at connect is not called up, and heals', async () => {
    const { device, log } = await start('list-fail=1')
    await until('up', () => device.view.up && device.view.state === 'ok')
    expect(log).toContain('tool_list_failed')
    expect(log.filter((event) => event === 'server_up').length).toBeLessThanOrEqual(1)
  })

  test('with one tool that cannot be read hides that one', async () => {
    const { device, log } = await start('null-desc', 60_000)
    expect([...device.view.digests.keys()]).toEqual(['t0', 'stop'])
    expect(log).toContain('tool_list_partial')
  })

  test('with a name twice gives that name no definition', async () => {
    const { device } = await start('dup', 60_000)
    expect([...device.view.digests.keys()]).toEqual(['stop'])
  })

  test('that does not come to an end is given up, and says so', async () => {
    const { device } = await start('pages=1', 60_000, 500)
    await until('unreadable', () => device.view.state === 'list_unreadable')
    expect(device.view.up).toBe(false)
  })

  test.each([5, 80])('of %d pages is read to its end', async (pages) => {
    const { device } = await start(`many=${pages}`, 60_000)
    const more = Array.from({ length: pages - 1 }, (_, i) => `p${i + 1}`)
    expect([...device.view.digests.keys()]).toEqual(['t0', 'stop', ...more])
  })

  test('that changes 500 times in one call is read a few times, not 500', async () => {
    const { device, log } = await start('flood=500', 60_000)
    expect(await call(device)).toMatchObject({ outcome: 'succeeded' })
    await until('fresh', () => device.view.state === 'ok')
    expect(log.filter((event) => event === 'tool_list_changed').length).toBeLessThan(20)
  })
})

describe('an answer', () => {
  test.each([
    ['nan', 'unknown', 'answer_unreadable'],
    ['rpc-error', 'unknown', 'protocol_error'],
    ['bad-params', 'unknown', 'protocol_error'],
    ['no-method', 'failed', 'tool_refused'],
    ['error-string', 'unknown', 'answer_unreadable'],
    ['task', 'unknown', 'answer_unreadable'],
    ['empty', 'unknown', 'answer_unreadable'],
    ['noise', 'succeeded', null],
  ])('of kind %s is %s (%s), at once', async (mode, outcome, reason) => {
    const { device } = await start(mode, 60_000)
    expect(await call(device)).toMatchObject({ outcome, reason })
    // The server is still there, as the same process.
    expect(device.view).toMatchObject({ up: true, instance: 1 })
  })

  test.each([
    ['twice', { answer: 'first' }],
    ['unasked', { answer: 'own' }],
  ])('that comes %s: the first one to this call counts', async (mode, structuredContent) => {
    const { device } = await start(mode, 60_000)
    const end = await call(device)
    expect(end).toMatchObject({ outcome: 'succeeded', result: { structuredContent } })
    // What came too much is no answer to the next call.
    expect(await call(device, 'stop')).toMatchObject({ outcome: 'succeeded' })
    expect(device.view).toMatchObject({ up: true, instance: 1 })
  })

  test('of which half came before the server ended is unknown', async () => {
    const { device } = await start('half', 60_000)
    expect(await call(device)).toMatchObject({ outcome: 'unknown', reason: 'server_lost' })
  })

  test('that comes too late is unknown, and the server is told that nobody waits', async () => {
    const { device, journal } = await start('late=2000', 60_000)
    const end = await call(device, 't0', 100)
    expect(end).toMatchObject({ outcome: 'unknown', reason: 'timeout' })
    await until('the word', () => journal().some((line) => line.endsWith('cancelled')))
    expect(device.view).toMatchObject({ up: true, instance: 1 })
  })

  test('that is larger than what is taken in ends the call and not the server', async () => {
    const { device } = await start(`huge=${limits.deviceAnswerBytesMax + 1}`, 60_000)
    expect(await call(device)).toMatchObject({ outcome: 'unknown', reason: 'answer_too_large' })
    expect(await call(device, 'stop')).toMatchObject({ outcome: 'succeeded' })
    expect(device.view.instance).toBe(1)
  })

  test('just below the bound is taken', async () => {
    const { device } = await start(`huge=${limits.deviceAnswerBytesMax - 200}`, 60_000)
    expect(await call(device)).toMatchObject({ outcome: 'succeeded' })
  })

  test.each([
    ['the value that the site names', { structuredContent: { ok: true } }, 'succeeded'],
    ['another value', { structuredContent: { ok: false } }, 'unknown'],
    ['no such value', { structuredContent: {} }, 'unknown'],
    [
      'the value as JSON in its text',
      { content: [{ type: 'text', text: '{"ok":true}' }] },
      'succeeded',
    ],
    ['an error as text', { content: [{ type: 'text', text: '{"ok":false}' }] }, 'unknown'],
    ['words', { content: [{ type: 'text', text: 'all good' }] }, 'unknown'],
  ])('with %s', (_what, result, outcome) => {
    const end = endOfResult(result, { success: { pointer: '/ok', eq: true }, checked: true })
    expect(end.outcome).toBe(outcome)
    expect(end.reason).toBe(outcome === 'succeeded' ? null : 'not_as_success')
  })
})

test('a server that ends is started again, under the next number', async () => {
  const { device, journal } = await start('normal', 60_000)
  expect(await call(device)).toMatchObject({ outcome: 'succeeded' })
  const pid = Number(journal()[0]?.split(' ')[0])
  process.kill(pid, 'SIGKILL')
  await until('a second process', () => device.view.up && device.view.instance === 2)
})
