// Loads a built graph into D1 and Vectorize: resumable, idempotent, switched last. Danger: a
// process that dies half-way; every chunk is one transaction that also records its number, and the
// serving slot is never written.
import type { D1Like, D1StatementLike } from '../../verify/ground/d1-like.ts'
import { decodeInt8, localModel } from '../../verify/ground/embed.ts'
import { namespaceOf, ownRow, vectorId } from '../../verify/ground/vector-names.ts'
import { chunksOf, type Chunk } from './chunks.ts'
import { readFolder, type GraphFolder } from './folder.ts'

/** The part of a Vectorize binding that loading uses. */
export type VectorizeLike = {
  upsert(vectors: VectorRecord[]): Promise<unknown>
  deleteByIds(ids: string[]): Promise<unknown>
}

export type VectorRecord = {
  readonly id: string
  readonly values: number[]
  readonly namespace: string
  readonly metadata: Record<string, string | number>
}

/** Embeds node texts with another model (production); absent for the vectors of the folder. */
export type NodeEmbedder = {
  readonly model: string
  readonly dimensions: number
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>
}

export type LoadInput = {
  readonly d1: D1Like
  readonly vectorize: VectorizeLike | null
  readonly embedder?: NodeEmbedder
  readonly dir: string
  readonly onProgress?: (done: number, total: number, label: string) => void
  readonly signal?: AbortSignal
}

export type LoadResult = {
  readonly version: string
  readonly slot: 0 | 1
  readonly loaded: boolean
}

/** Vectors per upsert: the limit of a Worker's call is 1 000. */
const vectorsPerCall = 500

/**
 * Loads the graph in `dir` and makes it the serving one. A version that serves already returns at
 * once; a load that was cut off goes on behind its last chunk. Throws on the first failure, with
 * the old graph still serving.
 */
export async function loadGraph(given: LoadInput): Promise<LoadResult> {
  const input = { ...given, d1: patient(given.d1) }
  const folder = readFolder(input.dir)
  const version = folder.manifest.graph_version
  const active = await first(input.d1, 'SELECT version, slot FROM kg_active WHERE one = 1')
  const model = input.embedder?.model ?? folder.manifest.embedding.model
  if (active?.['version'] === version) {
    return { version, slot: active['slot'] === 1 ? 1 : 0, loaded: false }
  }
  const slot = active?.['slot'] === 0 ? 1 : 0
  const chunks = chunksOf(folder, slot)
  const done = await prepareSlot(input.d1, { folder, slot, model, chunks: chunks.length })
  const total = chunks.length + Math.ceil(folder.nodes.length / vectorsPerCall)
  for (const [i, chunk] of chunks.entries()) {
    if (i < done) continue
    input.signal?.throwIfAborted()
    await storeChunk(input.d1, chunk, version, i + 1)
    input.onProgress?.(i + 1, total, chunk.label)
  }
  if (input.vectorize !== null) await storeVectors(input, folder, chunks.length, total)
  input.signal?.throwIfAborted()
  const nodes = folder.nodes.filter((node) => node.site === undefined).length
  await switchTo(input.d1, { version, slot, model, nodes })
  return { version, slot, loaded: true }
}

const triesMax = 3

/**
 * A dropped connection is tried again: every statement of a load may run twice. A statement that
 * the database refuses fails each time, and then the load fails.
 */
function patient(db: D1Like): D1Like {
  return {
    prepare: (sql) => db.prepare(sql),
    async batch(statements) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.batch(statements)
        } catch (error) {
          const dropped = /fetch failed|socket|network|ECONNRESET/i.test(String(error))
          if (!dropped || attempt >= triesMax) throw error
        }
      }
    },
  }
}

async function first(db: D1Like, sql: string): Promise<Record<string, unknown> | undefined> {
  const { results } = await db.prepare(sql).bind().all()
  return results[0] as Record<string, unknown> | undefined
}

type SlotPlan = {
  readonly folder: GraphFolder
  readonly slot: 0 | 1
  readonly model: string
  readonly chunks: number
}

/** Chunks already stored for this version; otherwise the slot is emptied and claimed. */
async function prepareSlot(db: D1Like, plan: SlotPlan): Promise<number> {
  const { manifest, nodes, edges } = plan.folder
  const row = await db
    .prepare(
      `SELECT chunks_done, chunks_total FROM kg_versions
       WHERE version = ?1 AND slot = ?2 AND state = 'loading' AND model = ?3`,
    )
    .bind(manifest.graph_version, plan.slot, plan.model)
    .all()
  const old = row.results[0] as { chunks_done: number; chunks_total: number } | undefined
  if (old?.chunks_total === plan.chunks) return old.chunks_done
  const clear = ['kg_nodes', 'kg_edges', 'kg_names', 'kg_terms', 'kg_pairs'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE slot = ?1`).bind(plan.slot),
  )
  const fts = `kg_fts_${plan.slot}`
  await db.batch([
    db.prepare('DELETE FROM kg_versions WHERE slot = ?1').bind(plan.slot),
    ...clear,
    db.prepare(`INSERT INTO ${fts}(${fts}) VALUES ('delete-all')`).bind(),
    db
      .prepare('DELETE FROM kg_fts_own WHERE rowid BETWEEN ?1 AND ?2')
      .bind(ownRow(plan.slot, 0), ownRow(plan.slot, 999_999_999)),
    db
      .prepare(
        `INSERT INTO kg_versions
           (version, slot, state, model, dimensions, nodes, edges, chunks_done, chunks_total)
         VALUES (?1, ?2, 'loading', ?3, ?4, ?5, ?6, 0, ?7)`,
      )
      .bind(
        manifest.graph_version,
        plan.slot,
        plan.model,
        manifest.embedding.dimensions,
        nodes.length,
        edges.length,
        plan.chunks,
      ),
  ])
  return 0
}

/** One transaction: the rows and the number of chunks done. */
async function storeChunk(db: D1Like, chunk: Chunk, version: string, done: number): Promise<void> {
  const statements: D1StatementLike[] = chunk.statements.map((s) =>
    db.prepare(s.sql).bind(...s.params),
  )
  statements.push(
    db
      .prepare('UPDATE kg_versions SET chunks_done = ?2 WHERE version = ?1 AND chunks_done < ?2')
      .bind(version, done),
  )
  await db.batch(statements)
}

async function storeVectors(
  input: LoadInput,
  folder: GraphFolder,
  before: number,
  total: number,
): Promise<void> {
  const version = folder.manifest.graph_version
  for (let at = 0; at < folder.nodes.length; at += vectorsPerCall) {
    input.signal?.throwIfAborted()
    const nodes = folder.nodes.slice(at, at + vectorsPerCall)
    const values = input.embedder
      ? await input.embedder.embed(nodes.map((n) => `${n.name}. ${n.text}`))
      : nodes.map((_, i) => Array.from(decodeInt8(folder.vectors[at + i]?.v ?? ''), (x) => x / 127))
    const model = input.embedder?.model ?? localModel
    const records = nodes.map((n, i) => ({
      id: vectorId(version, at + i + 1),
      values: [...(values[i] ?? [])],
      namespace: namespaceOf(version, n.site),
      metadata: { model, rid: at + i + 1, category: n.category },
    }))
    await input.vectorize?.upsert(records)
    input.onProgress?.(before + at / vectorsPerCall + 1, total, 'vectors')
  }
}

type Switch = {
  readonly version: string
  readonly slot: 0 | 1
  readonly model: string
  readonly nodes: number
}

/** The switch: one transaction, last of all. The old version stays in its slot until reused. */
async function switchTo(db: D1Like, to: Switch): Promise<void> {
  await db.batch([
    db
      .prepare(`UPDATE kg_versions SET state = 'retired' WHERE state = 'ready' AND version <> ?1`)
      .bind(to.version),
    db.prepare(`UPDATE kg_versions SET state = 'ready' WHERE version = ?1`).bind(to.version),
    db
      .prepare(
        `INSERT INTO kg_active (one, version, slot, model, nodes) VALUES (1, ?1, ?2, ?3, ?4)
         ON CONFLICT (one) DO UPDATE SET version = excluded.version, slot = excluded.slot,
           model = excluded.model, nodes = excluded.nodes`,
      )
      .bind(to.version, to.slot, to.model, to.nodes),
  ])
}

/** Deletes the vectors of a retired version; its rows go when the slot is reused. */
export async function dropVectors(
  vectorize: VectorizeLike,
  version: string,
  nodes: number,
): Promise<void> {
  for (let at = 1; at <= nodes; at += vectorsPerCall) {
    const ids: string[] = []
    for (let rid = at; rid < at + vectorsPerCall && rid <= nodes; rid++) {
      ids.push(vectorId(version, rid))
    }
    await vectorize.deleteByIds(ids)
  }
}
