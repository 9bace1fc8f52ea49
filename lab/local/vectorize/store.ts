// The vectors of one local index: a SQLite Durable Object with brute-force search. It stands in for
// Vectorize, which has no local simulator; errors follow the documented limits.
import { DurableObject } from 'cloudflare:workers'
import { accepts, type Metadata } from './filter.ts'
import {
  checkQuery,
  checkVectors,
  type IndexProps,
  type QueryOptions,
  type StoredVector,
} from './limits.ts'

export type Match = {
  readonly id: string
  readonly score: number
  readonly namespace?: string
  readonly values?: readonly number[]
  readonly metadata?: Metadata
}

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

type Row = { id: string; namespace: string; v: ArrayBuffer; metadata: string | null }

/** One namespace in memory: ids and one long array, so that a scan is a plain loop. */
type Block = { readonly ids: string[]; readonly values: Float32Array; readonly until: number }

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

  /**
   * A refusal is a value here: a rejected call between objects would surface as an unhandled
   * rejection in the runtime. The entrypoint turns it into the error that callers see.
   */
  #refusable<T>(work: () => T): Answer<T> {
    try {
      return { ok: true, value: work() }
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) }
    }
  }

  write(props: IndexProps, vectors: readonly StoredVector[], replace: boolean): Answer<string> {
    return this.#refusable(() => this.#write(props, vectors, replace))
  }

  search(props: IndexProps, query: readonly number[], options: QueryOptions): Answer<Match[]> {
    return this.#refusable(() => this.#search(props, query, options))
  }

  /** Stores vectors; `replace: false` keeps existing ids as they are, like `insert`. */
  #write(props: IndexProps, vectors: readonly StoredVector[], replace: boolean): string {
    checkVectors(props, vectors)
    const visible = Date.now() + (props.lagMs ?? 0)
    this.ctx.storage.transactionSync(() => {
      for (const vector of vectors) {
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
  #search(props: IndexProps, query: readonly number[], options: QueryOptions): Match[] {
    const topK = checkQuery(props, query, options)
    const wide = options.returnValues === true || options.returnMetadata === 'all'
    const block = this.#block(props, options.namespace ?? '')
    const scores = scan(block, query, props.metric)
    // A filter may pass over any number of the best, so only then is everything put in order.
    const order = best(scores, options.filter ? scores.length : topK)
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
    const rows = this.ctx.storage.sql.exec<Row>(
      'SELECT id, namespace, v, metadata FROM vectors WHERE id = ? AND visible <= ?',
      id,
      Date.now(),
    )
    const row = rows.toArray()[0]
    return row ?? null
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
      return typeof row['id'] === 'string' ? row['id'] : ''
    })
    const until = typeof next === 'number' ? next : Number.POSITIVE_INFINITY
    const block = { ids, values, until }
    this.#blocks.set(namespace, block)
    return block
  }
}

const parse = (text: string): Metadata => JSON.parse(text) as Metadata

/** Places of the `count` best scores, best first; ties by place. */
function best(scores: Float64Array, count: number): number[] {
  const byScore = (a: number, b: number): number => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b
  if (count * 4 >= scores.length) return [...scores.keys()].sort(byScore).slice(0, count)
  const kept: number[] = []
  for (let i = 0; i < scores.length; i++) {
    const worst = kept.at(-1)
    if (kept.length >= count && worst !== undefined && byScore(worst, i) < 0) continue
    let place = kept.length
    while (place > 0 && byScore(kept[place - 1] ?? 0, i) > 0) place -= 1
    kept.splice(place, 0, i)
    if (kept.length > count) kept.pop()
  }
  return kept
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
