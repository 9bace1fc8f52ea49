// The agent as it is shipped: one file in an empty folder. `doctor` names each broken set-up and what to
// do; `enrol` makes the key; a signal ends it however it was started.
import { execFile, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programPaths } from '../../../lab/local/bundle.ts'
import { freeProblem } from '../../../robot-agent/doctor-local.ts'
import { makeKey } from '../../../robot-agent/enrol.ts'
import { Ledger } from '../../../robot-agent/ledger.ts'
import { nodeProblem } from '../../../robot-agent/node-version.ts'
import { cellMain, until } from '../sim-cell/harness.ts'
import { scratch } from '../support/scratch.ts'
import { newKey } from './keys.ts'

const dir = scratch()
const agentFile = path.join(dir, 'agent.mjs')
let server: Server
/** What the gateway says; tests change it. */
const says = { standing: 200, cell: 'c1', dateOffMs: 0, keys: '' }
let base: Record<string, unknown>

beforeAll(async () => {
  copyFileSync(programPaths.agent, agentFile)
  says.keys = JSON.stringify({ keys: [(await newKey()).jwk] })
  server = createServer((req, res) => {
    res.setHeader('date', new Date(Date.now() + says.dateOffMs).toUTCString())
    if (req.url === '/.well-known/jwks.json') return res.end(says.keys)
    if (req.url === '/v1/enrolments') {
      let body = ''
      req.on('data', (part) => (body += String(part)))
      req.on('end', () => {
        const { jkt } = JSON.parse(body) as { jkt: string }
        res.statusCode = 201
        res.end(JSON.stringify({ agent: 'a1', cell: 'c1', jkt }))
      })
      return undefined
    }
    res.statusCode = says.standing
    const standing = { cell: says.cell, jkt: 'k', tools: [], sandboxes: ['box'] }
    return res.end(JSON.stringify(standing))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  makeKey(path.join(dir, 'agent.jwk'))
  base = {
    gateway: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    site: 's1',
    agent: 'a1',
    cell: 'c1',
    key_file: 'agent.jwk',
    state_dir: 'state',
    mcpServers: {
      arm: { command: process.execPath, args: [cellMain, '--stdio', '--journal', 'journal.jsonl'] },
    },
  }
}, 60_000)
afterAll(() => server.close())

const env = { PATH: process.env['PATH'] }
type Said = { code: number; text: string }
function started(...args: string[]): Promise<Said> {
  return new Promise((resolve) => {
    const options = { cwd: dir, env, timeout: 60_000 }
    const child = execFile(process.execPath, [agentFile, ...args], options, (_e, out, err) =>
      resolve({ code: child.exitCode ?? -1, text: out + err }),
    )
  })
}
let n = 0
function doctor(change: object = {}): Promise<Said> {
  const file = path.join(dir, `agent-${(n += 1)}.json`)
  writeFileSync(file, JSON.stringify({ ...base, ...change }))
  return started('doctor', '--config', file)
}

test('a sound set-up is told to be sound', async () => {
  const said = await doctor()
  expect(said.text).toContain('all is well')
  expect(said.code).toBe(0)
}, 60_000)

const servers = (arm: object) => ({ mcpServers: { arm } })
const broken: [string, RegExp, object | (() => object)][] = [
  ['a configuration with an unknown key', /Unrecognized key[^]*correct the file/, { surprise: 1 }],
  ['no key', /not a readable JWK[^]*enrol --config/, { key_file: 'none.jwk' }],
  [
    'a key that others can read',
    /can be read by others[^]*chmod 600/,
    () => {
      const file = path.join(dir, 'open.jwk')
      makeKey(file)
      chmodSync(file, 0o644)
      return { key_file: file }
    },
  ],
  ['a gateway that does not answer', /does not answer[^]*proxy/, { gateway: 'http://127.0.0.1:9' }],
  ['keys that are not the pinned ones', /among `gateway_jkts`/, { gateway_jkts: ['other'] }],
  ['a sandbox that the site does not know', /no sandbox "gone"/, { sandboxes: ['gone'] }],
  ['a server that cannot be started', /server arm: it cannot be/, servers({ command: './gone' })],
  [
    'a server whose list cannot be read',
    /server arm: its tools cannot be read|server arm: it cannot be/,
    () => servers({ command: 'cat' }),
  ],
  [
    'an emergency stop that holds',
    /latch e-stop: it holds/,
    { latches: [{ name: 'e-stop', file: 'none', clear: '1' }] },
  ],
  ['a ledger that cannot be written', /ledger in [^]*writable/, { state_dir: 'agent.jwk/state' }],
]
test.each(broken)(
  '%s is named with what to do',
  async (_what, expected, change) => {
    const said = await doctor(typeof change === 'function' ? (change as () => object)() : change)
    expect(said.text).toMatch(expected)
    expect(said.text).toContain('do: ')
    expect(said.code).toBe(1)
    // Before the gateway has said what is approved, nothing is told of it.
    if (!said.text.includes('ok     enrolment')) expect(said.text).not.toContain('of the registry')
  },
  60_000,
)

test.each([
  ['a key that the gateway does not know', { standing: 401 }, /does not take key/],
  ['a cell of another name', { cell: 'c2' }, /enrolled for cell c2, not c1[^]*set `cell` to c2/],
  ['a clock that is off', { dateOffMs: -60_000 }, /clock: it is \d+ s ahead[^]*NTP/],
  ['something else at the address', { keys: '<html>' }, /no Portcullis gateway/],
])(
  '%s is named with what to do',
  async (_what, change, expected) => {
    const before = { ...says }
    Object.assign(says, change)
    const said = await doctor({ mcpServers: base['mcpServers'] })
    Object.assign(says, before)
    expect(said.text).toMatch(expected)
    expect(said.code).toBe(1)
  },
  60_000,
)

test('an old Node and a disk that is nearly full are named', () => {
  expect(nodeProblem('20.20.2')).toContain('install Node 24')
  expect(nodeProblem('22.13.0')).toBeNull()
  expect(freeProblem(1_048_576)).toContain('1 MB are free')
  expect(freeProblem(2 ** 40)).toBeNull()
})

test('beside a running agent no server is started a second time', async () => {
  const ledger = new Ledger(path.join(dir, 'state'))
  const said = await doctor()
  ledger.close()
  expect(said.text).toContain('the agent is running')
  expect(said.text).not.toContain('server arm')
}, 60_000)

test('enrol makes a key that only its owner can read, and keeps one that is there', async () => {
  const file = path.join(dir, 'enrol.json')
  writeFileSync(file, JSON.stringify({ ...base, key_file: 'keys/fresh.jwk' }))
  const said = await started('enrol', '--config', file, '--code', 'x')
  expect(said.text).toContain('enrolled a1 for cell c1')
  const key = path.join(dir, 'keys/fresh.jwk')
  expect(existsSync(key)).toBe(true)
  expect(statSync(key).mode & 0o777).toBe(0o600)
  const again = await started('enrol', '--config', file, '--code', 'x')
  expect(again.text).toBe(said.text)
}, 60_000)

test('npm passes SIGTERM on, and the agent ends in order', async () => {
  const file = path.join(dir, 'npm.json')
  writeFileSync(file, JSON.stringify({ ...base, log: 'json', state_dir: 'npm-state' }))
  const scripts = { agent: `exec ${process.execPath} ${agentFile} --config ${file}` }
  writeFileSync(path.join(dir, 'package.json'), JSON.stringify({ private: true, scripts }))
  const npm = spawn('npm', ['run', 'agent'], { cwd: dir, env: { ...env, HOME: dir } })
  let log = ''
  npm.stderr.on('data', (part) => (log += String(part)))
  await until(() => log.includes('"server_up"'), 60_000)
  npm.kill('SIGTERM')
  await until(() => log.includes('"event":"stopped"'), 60_000)
  const last = log.split('\n').find((line) => line.includes('"event":"stopped"'))
  expect(JSON.parse(last ?? '')).toMatchObject({ level: 'info', left_open: 0, not_at_rest: 0 })
}, 90_000)
