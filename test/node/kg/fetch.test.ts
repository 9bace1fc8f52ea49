// Fetching sources: pinned digests, transformations, and a failure that leaves the old folder whole.
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildGraph } from '../../../kg-build/build.ts'
import { fetchAll, type FetchInput } from '../../../kg-build/fetch/fetch.ts'
import { byHand, fetchSources, type FetchSource } from '../../../kg-build/fetch/manifest.ts'
import { pinsOf } from '../../../kg-build/pins.ts'
import { silentProgress } from '../../../kg-build/progress.ts'
import { folderSources } from '../../../kg-build/registry.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'kg-fetch-'))
const files = new Map<string, string>()
const hits: string[] = []
let failures = 0
let server: Server
let origin: string

beforeAll(async () => {
  server = createServer((request, response) => {
    hits.push(request.url ?? '')
    if (failures > 0) {
      failures -= 1
      response.writeHead(503).end()
      return
    }
    const body = files.get(request.url ?? '')
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  files.clear()
  hits.length = 0
  failures = 0
})
afterAll(() => {
  server.close()
  rmSync(scratch, { recursive: true, force: true })
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const source: FetchSource = { name: 's', plain: [{ file: 'a.txt', url: '/a.txt' }], made: [] }

const input = (out: string, more: Partial<FetchInput> = {}): FetchInput => ({
  sources: [source],
  outDir: path.join(scratch, out),
  bar: silentProgress.start('', 0),
  rewrite: (url) => `${origin}${url}`,
  pins: () => ({ 'a.txt': sha256('hello') }),
  ...more,
})

describe('a plain file', () => {
  it('is taken with the pinned digest, and not again', async () => {
    files.set('/a.txt', 'hello')
    expect(await fetchAll(input('plain'))).toMatchObject([{ state: 'fetched' }])
    expect(await fetchAll(input('plain'))).toMatchObject([{ state: 'present' }])
    expect(hits).toEqual(['/a.txt'])
  })

  it('is refused with another digest, and the old folder stays', async () => {
    files.set('/a.txt', 'hello')
    await fetchAll(input('kept'))
    const old = path.join(scratch, 'kept', 's', 'a.txt')
    writeFileSync(old, 'damaged')
    files.set('/a.txt', 'tampered')
    const [report] = await fetchAll(input('kept'))
    expect(report).toMatchObject({ state: 'failed' })
    expect(report?.message).toMatch(/expected SHA-256/)
    expect(readFileSync(old, 'utf8')).toBe('damaged')
  })

  it('is tried again after a server error, and not after a missing file', async () => {
    files.set('/a.txt', 'hello')
    failures = 1
    expect(await fetchAll(input('again'))).toMatchObject([{ state: 'fetched' }])
    files.clear()
    hits.length = 0
    const [report] = await fetchAll(input('missing'))
    expect(report?.message).toMatch(/found HTTP 404/)
    expect(hits).toHaveLength(1)
    expect(existsSync(path.join(scratch, 'missing', 's'))).toBe(false)
  })
})

describe('a made file', () => {
  const pattern = (n: number, more: object = {}) => ({
    type: 'attack-pattern',
    id: `attack-pattern--${n}`,
    name: `Pattern ${n}`,
    description: 'What an attacker does.',
    x_capec_status: 'Draft',
    external_references: [
      { source_name: 'capec', external_id: `CAPEC-${n}` },
      { source_name: 'cwe', external_id: 'CWE-306' },
    ],
    dropped_field: 'gone',
    ...more,
  })
  const bundle = {
    type: 'bundle',
    objects: [
      pattern(9_001),
      pattern(9_002, { x_capec_child_of_refs: ['attack-pattern--9001'] }),
      {
        type: 'course-of-action',
        id: 'course-of-action--1',
        name: 'coa-9001-0',
        description: 'Do.',
      },
      {
        type: 'relationship',
        id: 'relationship--1',
        relationship_type: 'mitigates',
        source_ref: 'course-of-action--1',
        target_ref: 'attack-pattern--9001',
      },
    ],
  }
  const capec: FetchSource = {
    name: 'capec-3.9',
    plain: [],
    made: [{ transform: 'stix-capec', url: '/capec.json' }],
  }

  it('is built by kg:build under the digest recorded when it was made', async () => {
    files.set('/capec.json', JSON.stringify(bundle))
    const sources = [capec]
    const fetched = await fetchAll(input('made', { sources, pins: (n) => pinsOf(n).files }))
    expect(fetched).toMatchObject([{ state: 'fetched' }])
    const sourcesDir = path.join(scratch, 'made')
    const build = { sourcesDir, siteDir: null, screen: null, progress: silentProgress }
    const graph = await buildGraph(build)
    const has = (from: string, to: string): boolean =>
      graph.edges.some((e) => e.from === from && e.to === to && !e.derived)
    expect(has('capec:9001', 'cwe:306')).toBe(true)
    expect(has('capec:9002', 'capec:9001')).toBe(true)
    expect(has('capec-coa-9001-0', 'capec:9001')).toBe(true)
    const file = path.join(sourcesDir, 'capec-3.9', 'attack-patterns.jsonl')
    expect(readFileSync(file, 'utf8')).not.toContain('dropped_field')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n`)
    await expect(buildGraph(build)).rejects.toThrow(/expected SHA-256/)
  })

  it('is refused when upstream has another shape', async () => {
    files.set('/capec.json', '{"objects": 3}')
    const [report] = await fetchAll(input('shape', { sources: [capec] }))
    expect(report?.message).toMatch(/expected "objects" to be a list/)
    files.set('/capec.json', 'not json')
    const [second] = await fetchAll(input('shape', { sources: [capec] }))
    expect(second?.message).toMatch(/expected an object/)
  })
})

describe('the list of origins', () => {
  it('covers every source folder, by machine or by hand', () => {
    const covered = [...fetchSources.map((s) => s.name), ...Object.keys(byHand)]
    expect(covered.toSorted()).toEqual(folderSources.map((s) => s.name).toSorted())
  })

  it('pins a commit for every origin and a digest for every plain file', () => {
    for (const s of fetchSources) {
      for (const f of [...s.plain, ...s.made]) expect(f.url).toMatch(/\/[0-9a-f]{40}\//)
      for (const f of s.plain)
        expect(pinsOf(s.name).files[f.file], f.file).toMatch(/^[0-9a-f]{64}$/)
    }
  })
})
