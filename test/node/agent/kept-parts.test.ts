// A kept part asked for on the presence socket: pieces of the file that the agent keeps under its digest,
// and nothing else of its disk, for as long as the site or its configuration says.
import { createHash } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PartStore } from '../../../robot-agent/part-store.ts'
import { scratch } from '../support/scratch.ts'
import { openLab, until, type Lab } from './harness.ts'

const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251))
const name = createHash('sha256').update(bytes).digest('base64url')
const digest = `blob:${name}`

test('a store reads pieces of what it keeps, and nothing beside it', async () => {
  const dir = scratch()
  const now = { ms: Date.now() }
  const io = { log: () => {}, nowMs: () => now.ms }
  const store = new PartStore({ state_dir: dir, results_keep_hours: 1 }, io)
  expect(await store.read(digest, 0, 10)).toBe(null)
  store.keep([{ digest, bytes }])
  await store.settled()
  const whole: Buffer[] = []
  for (let offset = 0; offset < bytes.length; offset += 36_864) {
    const piece = await store.read(digest, offset, 36_864)
    expect(piece?.total).toBe(bytes.length)
    whole.push(Buffer.from(piece?.data ?? '', 'base64'))
  }
  expect(Buffer.concat(whole).equals(bytes)).toBe(true)
  expect(await store.read(digest, bytes.length + 5, 10)).toEqual({ total: bytes.length, data: '' })
  writeFileSync(path.join(dir, 'secret'), 'secret')
  for (const other of [
    'blob:../secret',
    '../secret',
    `blob:${'A'.repeat(42)}/`,
    `x${digest}`,
    name,
  ]) {
    expect(await store.read(other, 0, 10), other).toBe(null)
  }
  // Past its time it is not there, also before its file goes; the site may say another time.
  now.ms += 2 * 3_600_000
  expect(await store.read(digest, 0, 10)).toBe(null)
  store.keepFor(24 * 3_600_000)
  expect(await store.read(digest, 0, 10)).not.toBe(null)
})

let lab: Lab
beforeAll(async () => {
  lab = await openLab()
})
afterAll(() => lab.close())

test('a running agent gives the piece that it is asked for, and says when there is none', async () => {
  const dir = path.join(path.dirname(lab.configFile), 'state', 'results')
  mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(dir, name), bytes)
  const { gateway } = lab
  const asked = (ask: string, of: string, offset = 0) =>
    gateway.tell({ re: null, type: 'part_wanted', ask, digest: of, offset, bytes: 1_000 })
  asked('one', digest, 50_000)
  asked('none', `blob:${'A'.repeat(43)}`)
  await until(() => gateway.pieces.length === 2, 30_000)
  const answers = new Map(gateway.pieces.map(({ ask, piece }) => [ask, piece]))
  const data = bytes.subarray(50_000, 51_000).toString('base64')
  expect(answers.get('one')).toEqual({ total: bytes.length, data })
  expect(answers.get('none')).toBe(null)
  // The site's time: what is older is not given any more.
  const old = new Date(Date.now() - 3_600_000)
  utimesSync(path.join(dir, name), old, old)
  const { tools, registryDigest } = gateway
  const registry = { registry_digest: registryDigest, tools, sandboxes: [] }
  gateway.tell({ re: null, type: 'registry', ...registry, part_keep_ms: 60_000 })
  asked('late', digest)
  await until(() => gateway.pieces.length === 3, 30_000)
  expect(gateway.pieces.at(-1)).toMatchObject({ ask: 'late', piece: null })
}, 120_000)
