// The Vectorize stand-in: the same methods behind the same binding name, over a local store, so that
// product code calls `env.VECTORIZE` unchanged in development, tests and self-hosted installs.
import { WorkerEntrypoint } from 'cloudflare:workers'
import type { IndexProps, QueryOptions, StoredVector } from './limits.ts'
import type { Answer, Match, VectorStore } from './store.ts'

export { VectorStore } from './store.ts'

type Env = { readonly STORE: DurableObjectNamespace<VectorStore> }

/** Methods of the Vectorize binding (client API v2). The index comes from the binding's `props`. */
export class VectorizeIndex extends WorkerEntrypoint<Env, IndexProps> {
  get #props(): IndexProps {
    return this.ctx.props
  }

  get #store(): DurableObjectStub<VectorStore> {
    return this.env.STORE.get(this.env.STORE.idFromName(this.#props.index))
  }

  async upsert(vectors: StoredVector[]): Promise<{ mutationId: string }> {
    return { mutationId: answered(await this.#store.write(this.#props, plain(vectors), true)) }
  }

  async insert(vectors: StoredVector[]): Promise<{ mutationId: string }> {
    return { mutationId: answered(await this.#store.write(this.#props, plain(vectors), false)) }
  }

  async query(
    vector: readonly number[],
    options: QueryOptions = {},
  ): Promise<{ matches: Match[]; count: number }> {
    const matches = answered(await this.#store.search(this.#props, [...vector], options))
    return { matches, count: matches.length }
  }

  async queryById(
    id: string,
    options: QueryOptions = {},
  ): Promise<{ matches: Match[]; count: number }> {
    const [vector] = await this.#store.get([id])
    if (!vector) throw new Error(`no vector ${id}`)
    return this.query(vector.values, { ...namespaceOf(vector), ...options })
  }

  async getByIds(ids: string[]): Promise<StoredVector[]> {
    return this.#store.get(ids)
  }

  async deleteByIds(ids: string[]): Promise<{ mutationId: string }> {
    return { mutationId: await this.#store.remove(ids) }
  }

  async describe(): Promise<{
    dimensions: number
    vectorCount: number
    processedUpToMutation: number
  }> {
    const vectorCount = await this.#store.count()
    return { dimensions: this.#props.dimensions, vectorCount, processedUpToMutation: 0 }
  }
}

function answered<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(answer.message)
  return answer.value
}

const namespaceOf = (v: StoredVector): { namespace?: string } =>
  v.namespace === undefined ? {} : { namespace: v.namespace }

/** Typed arrays become lists: they cross the next RPC boundary as plain data. */
const plain = (vectors: readonly StoredVector[]): StoredVector[] =>
  vectors.map((v) => ({ ...v, values: [...v.values] }))

export default {
  fetch: () =>
    new Response('Vectorize stand-in: reached by service binding only.\n', { status: 404 }),
}
