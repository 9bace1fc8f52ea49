// The load: killed at any moment the previous graph serves whole, a second run goes on, and a third
// changes nothing.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { d1GraphStore } from '../../../adapters/knowledge-d1.ts'
import { buildGraph, type BuiltGraph } from '../../../kg-build/build.ts'
import { seededRandom } from '../../../kg-build/lsa.ts'
import { dropVectors, loadGraph, type VectorRecord } from '../../../kg-build/load/load.ts'
import { memoryVectors } from '../../../kg-build/load/memory-vectors.ts'
import { splitStatements } from '../../../kg-build/load/miniflare.ts'
import { graphMigration, openSqliteD1 } from '../../../kg-build/load/sqlite-d1.ts'
import { silentProgress } from '../../../kg-build/progress.ts'
import { writeGraph } from '../../../kg-build/write.ts'
import type { D1Like } from '../../../verify/ground/d1-like.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'kg-load-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

let oldDir: string
let newDir: string

/** Every n-th node and the edges among them: a graph small enough to load many times. */
function part(graph: BuiltGraph, every: number): BuiltGraph {
  const keep = new Set(graph.nodes.filter((_, i) => i % every === 0).map((n) => n.id))
  return {
    ...graph,
    nodes: graph.nodes.filter((n) => keep.has(n.id)),
    edges: graph.edges.filter((e) => keep.has(e.from) && keep.has(e.to)),
    index: {
      ...graph.index,
      vectors: graph.index.vectors.filter((v) => keep.has(v.id)),
      terms: graph.index.terms.filter((t) => 't' in t || keep.has(t.id)),
    },
  }
}

beforeAll(async () => {
  const graph = await buildGraph({
    sourcesDir: null,
    siteDir: null,
    screen: null,
    progress: silentProgress,
  })
  oldDir = path.join(scratch, 'old')
  newDir = path.join(scratch, 'new')
  writeGraph(part(graph, 7), oldDir)
  writeGraph(part(graph, 2), newDir)
})

/** What a reader of the active graph sees: its version, and whether it is whole. */
async function whole(d1: D1Like): Promise<{ version: string; whole: boolean }> {
  const graph = await d1GraphStore(d1).active('')
  if (!graph) return { version: '', whole: false }
  const one = async (sql: string): Promise<number> => {
    const { results } = await d1.prepare(sql).bind(graph.slot).all()
    return (results[0] as { n: number }).n
  }
  const { results } = await d1
    .prepare('SELECT nodes, edges FROM kg_versions WHERE version = ?1')
    .bind(graph.version)
    .all()
  const want = results[0] as { nodes: number; edges: number }
  const mixed = await d1
    .prepare('SELECT count(*) AS n FROM kg_nodes WHERE slot = ?1 AND graph_version <> ?2')
    .bind(graph.slot, graph.version)
    .all()
  return {
    version: graph.version,
    whole:
      (await one('SELECT count(*) AS n FROM kg_nodes WHERE slot = ?1')) === want.nodes &&
      (await one('SELECT count(*) AS n FROM kg_edges WHERE slot = ?1')) === want.edges &&
      (mixed.results[0] as { n: number }).n === 0,
  }
}

/** Starts a load and kills it with SIGKILL after so many lines of progress. */
function killedLoad(db: string, afterLines: number): Promise<boolean> {
  return new Promise((done, fail) => {
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'load-child.ts'), db, newDir],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let seen = ''
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString()
      if (seen.split('\n').length - 1 >= afterLines) child.kill('SIGKILL')
    })
    child.on('error', fail)
    child.on('exit', () => done(seen.includes('switched')))
  })
}

describe('a load that is killed', () => {
  it('leaves the previous graph serving at any point, and is finished by the next run', async () => {
    const seed = 20_261_129
    const random = seededRandom(seed)
    const db = path.join(scratch, 'kill.sqlite')
    const d1 = openSqliteD1(db)
    d1.exec(graphMigration())
    const old = await loadGraph({ d1, vectorize: null, dir: oldDir })
    d1.close()
    let switched = false
    for (let round = 0; round < 6 && !switched; round++) {
      const lines = 1 + Math.floor(random() * 12)
      switched = await killedLoad(db, lines)
      const again = openSqliteD1(db)
      const seen = await whole(again)
      again.close()
      expect(seen.whole, `seed ${seed}, round ${round}`).toBe(true)
      if (!switched) expect(seen.version, `seed ${seed}, round ${round}`).toBe(old.version)
    }
    const last = openSqliteD1(db)
    const result = await loadGraph({ d1: last, vectorize: null, dir: newDir })
    expect(await whole(last)).toEqual({ version: result.version, whole: true })
    expect(result.version).not.toBe(old.version)
    last.close()
  })

  it('goes on behind its last chunk', async () => {
    const d1 = openSqliteD1(':memory:')
    d1.exec(graphMigration())
    const stop = new AbortController()
    const seen: number[] = []
    const first = loadGraph({
      d1,
      vectorize: null,
      dir: newDir,
      signal: stop.signal,
      onProgress: (done) => {
        if (done === 5) stop.abort(new Error('cut'))
      },
    })
    await expect(first).rejects.toThrow('cut')
    const onProgress = (done: number): void => {
      seen.push(done)
    }
    await loadGraph({ d1, vectorize: null, dir: newDir, onProgress })
    expect(seen[0]).toBe(6)
    expect((await whole(d1)).whole).toBe(true)
  })
})

describe('a finished load', () => {
  it('does nothing when the version already serves', async () => {
    const d1 = openSqliteD1(':memory:')
    d1.exec(graphMigration())
    const first = await loadGraph({ d1, vectorize: null, dir: oldDir })
    const second = await loadGraph({ d1, vectorize: null, dir: oldDir })
    expect(second).toEqual({ ...first, loaded: false })
  })

  it('alternates between two slots and can go back', async () => {
    const d1 = openSqliteD1(':memory:')
    d1.exec(graphMigration())
    const slots: number[] = []
    for (const dir of [oldDir, newDir, oldDir]) {
      slots.push((await loadGraph({ d1, vectorize: null, dir })).slot)
      expect((await whole(d1)).whole).toBe(true)
    }
    expect(slots).toEqual([0, 1, 0])
  })

  it('keeps the old graph when the vector index fails', async () => {
    const d1 = openSqliteD1(':memory:')
    d1.exec(graphMigration())
    const old = await loadGraph({ d1, vectorize: null, dir: oldDir })
    const vectorize = {
      ...memoryVectors(),
      upsert: () => Promise.reject(new Error('vector index down')),
    }
    await expect(loadGraph({ d1, vectorize, dir: newDir })).rejects.toThrow('vector index down')
    expect(await whole(d1)).toEqual({ version: old.version, whole: true })
  })

  it('stores vectors under the namespace of the version and can drop them', async () => {
    const d1 = openSqliteD1(':memory:')
    d1.exec(graphMigration())
    const stored: VectorRecord[] = []
    const gone: string[] = []
    const vectorize = {
      upsert: (v: VectorRecord[]) => Promise.resolve(stored.push(...v)),
      deleteByIds: (ids: string[]) => Promise.resolve(gone.push(...ids)),
    }
    const { version } = await loadGraph({ d1, vectorize, dir: oldDir })
    expect(new Set(stored.map((v) => v.namespace)).size).toBe(1)
    for (const v of stored) expect(v.id.length).toBeLessThanOrEqual(64)
    await dropVectors(vectorize, version, stored.length)
    expect(gone.toSorted()).toEqual(stored.map((v) => v.id).toSorted())
  })

  it('refuses a folder whose files are not those of its manifest', async () => {
    const d1 = openSqliteD1(':memory:')
    d1.exec(graphMigration())
    const missing = loadGraph({ d1, vectorize: null, dir: path.join(scratch, 'nowhere') })
    await expect(missing).rejects.toThrow(/manifest\.json:0: expected a graph folder/)
  })

  it('splits the migration as the local gateway does', () => {
    expect(splitStatements(graphMigration()).filter((s) => s.startsWith('CREATE'))).toHaveLength(13)
  })
})
