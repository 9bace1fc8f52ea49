// D1, Vectorize and Workers AI of a Cloudflare account over their REST API, for production loads.
// Built after the documented API and tested against a local stand-in; never run live.
import type { D1Like, D1StatementLike } from '../../verify/ground/d1-like.ts'
import type { NodeEmbedder, VectorizeLike } from './load.ts'

export type RemoteOptions = {
  readonly accountId: string
  readonly apiToken: string
  readonly databaseId: string
  readonly indexName: string
  /** Only tests change it. */
  readonly baseUrl?: string
}

const model = '@cf/baai/bge-small-en-v1.5'
const attemptsMax = 4
/** Texts per embedding call: the model takes at most 100. */
const textsPerCall = 100

type Envelope = { success: boolean; result: unknown; errors?: { message: string }[] }

/** The three services; a call that fails with 429 or 5xx is tried again, others throw at once. */
export function openRemote(options: RemoteOptions): {
  d1: D1Like
  vectorize: VectorizeLike
  embedder: NodeEmbedder
} {
  const base = `${options.baseUrl ?? 'https://api.cloudflare.com/client/v4'}/accounts/${options.accountId}`
  const call = async (path: string, body: string, type: string): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${options.apiToken}`, 'content-type': type },
        body,
        signal: AbortSignal.timeout(60_000),
      })
      const again = answer.status === 429 || answer.status >= 500
      if (again && attempt < attemptsMax) {
        await new Promise((done) => setTimeout(done, 250 * 2 ** attempt))
        continue
      }
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}: ${text.slice(0, 300)}`)
      const envelope = JSON.parse(text) as Envelope
      if (!envelope.success)
        throw new Error(`${path}: ${envelope.errors?.[0]?.message ?? 'failed'}`)
      return envelope.result
    }
  }
  const json = (path: string, value: unknown) =>
    call(path, JSON.stringify(value), 'application/json')
  return {
    d1: remoteD1((body) => json(`/d1/database/${options.databaseId}/query`, body)),
    vectorize: {
      upsert: (vectors) =>
        call(
          `/vectorize/v2/indexes/${options.indexName}/upsert`,
          vectors.map((v) => `${JSON.stringify(v)}\n`).join(''),
          'application/x-ndjson',
        ),
      deleteByIds: (ids) =>
        json(`/vectorize/v2/indexes/${options.indexName}/delete_by_ids`, { ids }),
    },
    embedder: {
      model,
      dimensions: 384,
      async embed(texts) {
        const out: number[][] = []
        for (let at = 0; at < texts.length; at += textsPerCall) {
          const text = texts.slice(at, at + textsPerCall).map((t) => t.slice(0, 2_000))
          const result = (await json(`/ai/run/${model}`, { text, pooling: 'cls' })) as {
            data?: number[][]
          }
          if (result.data?.length !== text.length) throw new Error('embedding: wrong count')
          out.push(...result.data)
        }
        return out
      },
    },
  }
}

const rows = (result: unknown): { results: unknown[] }[] =>
  (Array.isArray(result) ? result : [result]).map((r) => ({
    results: (r as { results?: unknown[] }).results ?? [],
  }))

/**
 * D1 over REST. Its statements of one call are not documented as one transaction, so the loader's
 * rows replace by key and the chunk number is the last statement: a cut call is simply run again.
 */
function remoteD1(query: (body: unknown) => Promise<unknown>): D1Like {
  type Bound = { sql: string; params: (string | number | null)[] }
  const held = new WeakMap<object, Bound>()
  const make = (bound: Bound): D1StatementLike => {
    const self: D1StatementLike = {
      bind: (...params) => make({ sql: bound.sql, params }),
      async all() {
        return rows(await query(bound))[0] ?? { results: [] }
      },
    }
    held.set(self, bound)
    return self
  }
  return {
    prepare: (sql) => make({ sql, params: [] }),
    async batch(statements) {
      const out: { results: unknown[] }[] = []
      for (const s of statements) {
        const bound = held.get(s)
        if (!bound) throw new TypeError('a statement of another database')
        out.push(...rows(await query(bound)))
      }
      return out
    },
  }
}
