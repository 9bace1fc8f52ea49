// The production load against a local stand-in of the Cloudflare API: what is asked of each service,
// retries, and a failure that leaves the old graph serving.
import { createServer, type Server } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { d1GraphStore } from '../../../adapters/knowledge-d1.ts'
import { buildGraph } from '../../../kg-build/build.ts'
import { loadGraph } from '../../../kg-build/load/load.ts'
import { openRemote } from '../../../kg-build/load/remote.ts'
import { graphMigration, openSqliteD1 } from '../../../kg-build/load/sqlite-d1.ts'
import { silentProgress } from '../../../kg-build/progress.ts'
import { writeGraph } from '../../../kg-build/write.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'kg-remote-'))
const database = openSqliteD1(':memory:')
const seen: { path: string; authorization: string; lines: number }[] = []
let failNext = 0
let embeddings: 'good' | 'short' = 'good'
let server: Server
let baseUrl: string
let dir: string

async function answer(url: string, body: string): Promise<unknown> {
  if (url.endsWith('/query')) {
    const { sql, params } = JSON.parse(body) as { sql: string; params: (string | number)[] }
    return [
      await database
        .prepare(sql)
        .bind(...params)
        .all(),
    ]
  }
  if (url.includes('/ai/run/')) {
    const { text } = JSON.parse(body) as { text: string[] }
    const n = embeddings === 'good' ? text.length : 0
    return { data: Array.from({ length: n }, () => Array.from({ length: 384 }, () => 0.05)) }
  }
  return { mutationId: 'm' }
}

beforeAll(async () => {
  database.exec(graphMigration())
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (c: Buffer) => chunks.push(c))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const url = request.url ?? ''
      const lines = body.split('\n').filter((l) => l !== '').length
      seen.push({ path: url, authorization: request.headers.authorization ?? '', lines })
      if (failNext > 0) {
        failNext -= 1
        response.writeHead(500).end('{}')
        return
      }
      void answer(url, body).then(
        (result) => response.end(JSON.stringify({ success: true, result })),
        (error: unknown) => response.writeHead(400).end(String(error)),
      )
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const input = { sourcesDir: null, siteDir: null, screen: null, progress: silentProgress }
  const graph = await buildGraph(input)
  const keep = new Set(graph.nodes.filter((_, i) => i % 40 === 0).map((n) => n.id))
  dir = path.join(scratch, 'graph')
  const vectors = graph.index.vectors.filter((v) => keep.has(v.id))
  const terms = graph.index.terms.filter((t) => 't' in t || keep.has(t.id))
  writeGraph(
    {
      ...graph,
      nodes: graph.nodes.filter((n) => keep.has(n.id)),
      edges: graph.edges.filter((e) => keep.has(e.from) && keep.has(e.to)),
      index: { ...graph.index, vectors, terms },
    },
    dir,
  )
})
beforeEach(() => {
  seen.length = 0
  failNext = 0
  embeddings = 'good'
})
afterAll(() => {
  server.close()
  database.close()
  rmSync(scratch, { recursive: true, force: true })
})

const remote = () =>
  openRemote({
    accountId: 'acc',
    apiToken: 'secret-token',
    databaseId: 'db',
    indexName: 'kg',
    baseUrl,
  })

describe('a load into an account', () => {
  it('keeps the old graph when the embedding service answers short', async () => {
    embeddings = 'short'
    await expect(loadGraph({ ...remote(), dir })).rejects.toThrow('wrong count')
    expect(await d1GraphStore(database).active('')).toBeNull()
  })

  it('goes on after a server error, embeds with the production model and switches', async () => {
    failNext = 1
    const result = await loadGraph({ ...remote(), dir })
    const active = await d1GraphStore(database).active('')
    expect(active).toMatchObject({ version: result.version, model: '@cf/baai/bge-small-en-v1.5' })
    const paths = new Set(seen.map((s) => s.path))
    expect([...paths].toSorted()).toEqual([
      '/accounts/acc/ai/run/@cf/baai/bge-small-en-v1.5',
      '/accounts/acc/d1/database/db/query',
      '/accounts/acc/vectorize/v2/indexes/kg/upsert',
    ])
    for (const s of seen) expect(s.authorization).toBe('Bearer secret-token')
    const vectors = seen.filter((s) => s.path.endsWith('/upsert'))
    expect(vectors.reduce((n, s) => n + s.lines, 0)).toBeGreaterThan(100)
  })

  it('says what the service said when it refuses', async () => {
    const { d1 } = remote()
    await expect(d1.prepare('NOT SQL').bind().all()).rejects.toThrow(/HTTP 400: .*syntax error/)
  })
})
