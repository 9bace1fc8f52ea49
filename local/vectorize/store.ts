// The vectors of one local index: a SQLite Durable Object with brute-force search. It stands in for
// Vectorize, which has no local simulator; errors follow the documented limits.
import { DurableObject } from 'cloudflare:workers'
import { accepts, type Metadata, type MetadataFilter } from './filter.ts'

export type IndexProps = {
  readonly index: string
  readonly dimensions: number
  readonly metric: 'cosine' | 'euclidean' | 'dot-product'
  /** Metadata fields that a filter may name. */
  readonly metadataIndexes: readonly string[]
  /** Milliseconds until a write is visible: production is eventually consistent. */
  readonly lagMs?: number
}

export type StoredVector = {
  readonly id: string
  readonly values: readonly number[]
  readonly namespace?: string
  readonly metadata?: Metadata
}

export type QueryOptions = {
  readonly topK?: number
  readonly namespace?: string
  readonly returnValues?: boolean
  readonly returnMetadata?: boolean | 'all' | 'indexed' | 'none'
  readonly filter?: MetadataFilter
}

export type Match = {
  readonly id: string
  readonly score: number
  readonly namespace?: string
  readonly values?: readonly number[]
  readonly metadata?: Metadata
}

type Row = { id: string; namespace: string; v: ArrayBuffer; metadata: string | null }

/** One namespace in memory: ids and one long array, so that a scan is a plain loop. */
type Block = { readonly ids: string[]; readonly values: Float32Array; readonly until: number }

const batchMax = 1_000
const idBytesMax = 64

/** Brute-force vector store. Keep the local corpus small: a scan of 20 000 × 384 takes about 10 ms. */
export class VectorStore extends DurableObject {
  readonly #blocks = new Map<string, Block>()

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env as Cloudflare.Env)
    ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS vectors (
         id TEXT PRIMARY KEY, namespace TEXT NOT NULL, v BLOB NOT NULL, metadata TEXT,
         visible INTEGER NOT NULL
       ) WITHOUT ROWID;
       CREATE INDEX IF NOT EXISTS by_namespace ON vectors (namespace, visible);`,
    )
  }

  /** Stores vectors; `replace: false` keeps existing ids as they are, like `insert`. */
  write(props: IndexProps, vectors: readonly StoredVector[], replace: boolean): string {
    if (vectors.length > batchMax) throw new Error(`at most ${batchMax} vectors a call`)
    const visible = Date.now() + (props.lagMs ?? 0)
    this.ctx.storage.transactionSync(() => {
      for (const vector of vectors) {
        check(props, vector)
        this.ctx.storage.sql.exec(
          `INSERT INTO vectors (id, namespace, v, metadata, visible) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (id) DO ${
             replace
               ? 'UPDATE SET namespace = excluded.namespace, v = excluded.v, metadata = excluded.metadata, visible = excluded.visible'
               : 'NOTHING'
           }`,
          vector.id,
          vector.namespace ?? '',
          Float32Array.from(vector.values).buffer,
          vector.metadata ? JSON.stringify(vector.metadata) : null,
          visible,
        )
      }
    })
    this.#blocks.clear()
    return crypto.randomUUID()
  }

  remove(ids: readonly string[]): string {
    this.ctx.storage.transactionSync(() => {
      for (const id of ids) this.ctx.storage.sql.exec('DELETE FROM vectors WHERE id = ?', id)
    })
    this.#blocks.clear()
    return crypto.randomUUID()
  }

  get(ids: readonly string[]): StoredVector[] {
    return ids.flatMap((id) => {
      const row = this.#row(id)
      if (!row) return []
      const metadata = row.metadata === null ? {} : { metadata: parse(row.metadata) }
      const namespace = row.namespace === '' ? {} : { namespace: row.namespace }
      return [{ id, values: [...new Float32Array(row.v)], ...namespace, ...metadata }]
    })
  }

  count(): number {
    const row = this.ctx.storage.sql.exec('SELECT count(*) AS n FROM vectors').one()
    return Number(row['n'])
  }

  /** The nearest visible vectors, best first. */
  search(props: IndexProps, query: readonly number[], options: QueryOptions): Match[] {
    if (query.length !== props.dimensions) {
      throw new Error(`query has ${query.length} dimensions, index has ${props.dimensions}`)
    }
    const topK = options.topK ?? 5
    const wide = options.returnValues === true || options.returnMetadata === 'all'
    if (topK < 1 || topK > (wide || options.returnMetadata === true ? 20 : 100)) {
      throw new Error('topK is at most 100, or 20 with values or metadata')
    }
    const block = this.#block(props, options.namespace ?? '')
    const scores = scan(block, query, props.metric)
    const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    const out: Match[] = []
    for (const i of order) {
      if (out.length >= topK) break
      const row =
        options.filter || wide || options.returnMetadata ? this.#row(block.ids[i] ?? '') : null
      const metadata = row?.metadata ? parse(row.metadata) : {}
      if (options.filter && !accepts(options.filter, metadata, props.metadataIndexes)) continue
      out.push({
        id: block.ids[i] ?? '',
        score: scores[i] ?? 0,
        ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
        ...(options.returnValues === true && row ? { values: [...new Float32Array(row.v)] } : {}),
        ...(row && options.returnMetadata && options.returnMetadata !== 'none' ? { metadata } : {}),
      })
    }
    return out
  }

  #row(id: string): Row | null {
    const rows = this.ctx.storage.sql.exec(
      'SELECT id, namespace, v, metadata FROM vectors WHERE id = ? AND visible <= ?',
      id,
      Date.now(),
    )
    const row = rows.toArray()[0]
    return row ? (row as unknown as Row) : null
  }

  #block(props: IndexProps, namespace: string): Block {
    const now = Date.now()
    const old = this.#blocks.get(namespace)
    if (old && now < old.until) return old
    const sql = this.ctx.storage.sql
    const rows = sql
      .exec(
        'SELECT id, v FROM vectors WHERE namespace = ? AND visible <= ? ORDER BY id',
        namespace,
        now,
      )
      .toArray()
    const next = sql
      .exec(
        'SELECT min(visible) AS t FROM vectors WHERE namespace = ? AND visible > ?',
        namespace,
        now,
      )
      .one()['t']
    const values = new Float32Array(rows.length * props.dimensions)
    const ids = rows.map((row, i) => {
      const v = new Float32Array(row['v'] as ArrayBuffer)
      let norm = 1
      if (props.metric === 'cosine') norm = Math.sqrt(v.reduce((s, x) => s + x * x, 0)) || 1
      for (let k = 0; k < props.dimensions; k++)
        values[i * props.dimensions + k] = (v[k] ?? 0) / norm
      return String(row['id'])
    })
    const until = typeof next === 'number' ? next : Number.POSITIVE_INFINITY
    const block = { ids, values, until }
    this.#blocks.set(namespace, block)
    return block
  }
}

const parse = (text: string): Metadata => JSON.parse(text) as Metadata

function check(props: IndexProps, vector: StoredVector): void {
  if (vector.values.length !== props.dimensions) {
    throw new Error(
      `vector ${vector.id} has ${vector.values.length} dimensions, index has ${props.dimensions}`,
    )
  }
  for (const text of [vector.id, vector.namespace ?? '']) {
    if (new TextEncoder().encode(text).length > idBytesMax) {
      throw new Error(`id and namespace are at most ${idBytesMax} bytes`)
    }
  }
}

function scan(block: Block, query: readonly number[], metric: IndexProps['metric']): Float64Array {
  const width = query.length
  const q = Float32Array.from(query)
  if (metric === 'cosine') {
    const norm = Math.sqrt(q.reduce((s, x) => s + x * x, 0)) || 1
    for (let k = 0; k < width; k++) q[k] = (q[k] ?? 0) / norm
  }
  const out = new Float64Array(block.ids.length)
  for (let i = 0; i < out.length; i++) {
    let sum = 0
    const at = i * width
    for (let k = 0; k < width; k++) {
      const x = block.values[at + k] ?? 0
      const y = q[k] ?? 0
      sum += metric === 'euclidean' ? -(x - y) * (x - y) : x * y
    }
    out[i] = sum
  }
  return out
}
