// The knowledge adapters in the Worker runtime: D1 with full text, the Vectorize stand-in behind the
// service binding, and a grounding over both.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { d1GraphStore, type D1Like } from '../../adapters/knowledge-d1.ts'
import { vectorizeSearch } from '../../adapters/knowledge-vectorize.ts'
import { workersAiEmbedder } from '../../adapters/embedder-workers-ai.ts'
import { accepts } from '../../lab/local/vectorize/filter.ts'
import { checkQuery, checkVectors } from '../../lab/local/vectorize/limits.ts'
import type { Plan } from '../../protocol/plan.ts'
import { encodeInt8, localDimensions, localModel, lsaRank } from '../../verify/ground/embed.ts'
import { ground } from '../../verify/ground/ground.ts'
import type { Happening } from '../../verify/ground/happenings.ts'
import { localEmbedder } from '../../verify/ground/local-embedder.ts'
import type { Knowledge } from '../../verify/ground/port.ts'
import { stems, tokens } from '../../verify/ground/text.ts'
import { namespaceOf, vectorId } from '../../verify/ground/vector-names.ts'
import { nothingHidden } from '../../verify/hide/index.ts'

const db = env.DB as unknown as D1Like
type Index = {
  upsert(v: object[]): Promise<unknown>
  insert(v: object[]): Promise<unknown>
  query(v: number[], o: object): Promise<{ matches: { id: string; score: number }[] }>
  queryById(id: string, o: object): Promise<{ matches: { id: string }[] }>
  getByIds(ids: string[]): Promise<{ id: string; values: number[] }[]>
  deleteByIds(ids: string[]): Promise<unknown>
  describe(): Promise<{ dimensions: number; vectorCount: number }>
}
const index = env.VECTORIZE as unknown as Index

const version = `kg:${'A'.repeat(43)}`
const nodes = [
  ['hmt:UN1090:acetone', 'chemical', 'Acetone'],
  ['hmt:UN2014:hydrogen-peroxide-aqueous-solutions', 'chemical', 'Hydrogen peroxide'],
  ['rg:4-A', 'reactive-group', 'Reactive organic solvents'],
  ['rg:6-A', 'reactive-group', 'Strong oxidizers'],
  ['rx:6-a-4-a', 'incompatibility', 'Incompatible: oxidizers with solvents'],
  ['cwe:306', 'weakness', 'Missing authentication for critical function'],
] as const
const edges = [
  [1, 3, 'in-group'],
  [2, 4, 'in-group'],
  [5, 4, 'concerns'],
  [5, 3, 'concerns'],
] as const

const axis = (k: number): number[] => Array.from({ length: localDimensions }, (_, i) => +(i === k))

beforeAll(async () => {
  const run = (sql: string, ...values: (string | number)[]) =>
    db
      .prepare(sql)
      .bind(...values)
      .all()
  for (const [i, [id, kind, name]] of nodes.entries()) {
    const rid = i + 1
    await run(
      `INSERT INTO kg_nodes (slot, rid, id, category, kind, name, text, limits, graph_version)
       VALUES (0, ?1, ?2, 'hw_safety', ?3, ?4, '', NULL, ?5)`,
      rid,
      id,
      kind,
      name,
      version,
    )
    await run(
      'INSERT INTO kg_fts_0 (rowid, name, alias, near, txt, con) VALUES (?1, ?2, ?3, ?3, ?3, ?3)',
      rid,
      tokens(name).join(' '),
      '',
    )
    await run(
      "INSERT INTO kg_names VALUES (0, ?1, ?2, 0, ?3, '')",
      stems(name).join(' '),
      rid,
      version,
    )
    for (const term of tokens(name)) {
      const vector = encodeInt8(axis(i).slice(0, lsaRank))
      await run(
        'INSERT OR REPLACE INTO kg_terms VALUES (0, ?1, 1, 2, ?2, ?3)',
        term,
        vector,
        version,
      )
    }
  }
  for (const [a, b, kind] of edges) {
    await run("INSERT INTO kg_edges VALUES (0, ?1, ?2, ?3, 0, ?4, ?4, '')", a, b, kind, version)
  }
  await run("INSERT INTO kg_pairs VALUES (0, 5, 4, 3, ?1, '')", version)
  await run('INSERT INTO kg_active VALUES (1, ?1, 0, ?2, 6)', version, localModel)
  await index.upsert(
    nodes.map((_, i) => ({
      id: vectorId(version, i + 1),
      values: axis(i),
      namespace: namespaceOf(version),
      metadata: { kind: nodes[i]?.[1] ?? '' },
    })),
  )
})

const knowledge = (): Knowledge => ({
  store: d1GraphStore(db),
  vectors: vectorizeSearch(env.VECTORIZE, 5_000),
  embedder: localEmbedder,
})

const step = (n: number, liquid: string) => ({
  id: `n${n}`,
  tool: 'liquid_handler.transfer',
  args: { liquid, destination: { labware: 'flask', well: 'A1' } },
  depends_on: [],
  sandbox: null,
})

const plan: Plan = {
  goal: 'mix',
  instructions: ['Mix both in the flask.'],
  planner: { id: 'p' },
  nodes: [step(1, 'hydrogen peroxide'), step(2, 'acetone')],
}

const materials = (...texts: string[]) => [{ place: 'flask_1', materials: texts }]
const none = { moved: [], celsius: null }
const happenings: Happening[] = [
  { at: '/nodes/0', filled: materials('hydrogen peroxide'), ...none },
  { at: '/nodes/1', filled: materials('hydrogen peroxide', 'acetone'), ...none },
]

describe('grounding over D1 and the Vectorize stand-in', () => {
  it('finds the pair and names the graph version', async () => {
    const result = await ground({ plan, site: 'lc7', happenings, knowledge: knowledge() })
    expect(result).toMatchObject({ ok: true, value: { graph_version: version, degraded: null } })
    if (!result.ok) return
    expect(result.value.findings[0]).toMatchObject({ code: 'HAZARD_INCOMPATIBLE_PAIR' })
    expect(result.value.findings[0]?.kg).toContain('rx:6-a-4-a')
  })

  it('goes on without vectors when the binding fails', async () => {
    const vectors = vectorizeSearch({ query: () => Promise.reject(new Error('no index')) })
    const result = await ground({
      plan,
      site: 'lc7',
      happenings,
      knowledge: { ...knowledge(), vectors },
    })
    expect(result).toMatchObject({ ok: true, value: { degraded: 'vectors' } })
  })

  it('goes on without vectors when the binding is late', async () => {
    const vectors = vectorizeSearch({ query: () => new Promise(() => {}) }, 20)
    const result = await ground({
      plan,
      site: 'lc7',
      happenings,
      knowledge: { ...knowledge(), vectors },
    })
    expect(result).toMatchObject({ ok: true, value: { degraded: 'vectors' } })
  })

  it('takes a Workers AI answer of the right size only', async () => {
    const good = workersAiEmbedder(
      { run: () => Promise.resolve({ data: [[1, 2]] }) },
      nothingHidden,
    )
    expect(await good.embed(['a'], new Map())).toEqual([[1, 2]])
    const bad = workersAiEmbedder({ run: () => Promise.resolve({ data: [] }) }, nothingHidden)
    await expect(bad.embed(['a'], new Map())).rejects.toThrow('no embeddings')
  })
})

describe('the Vectorize stand-in', () => {
  const options = { topK: 2, namespace: namespaceOf(version) }

  it('gives the nearest of the namespace only', async () => {
    const { matches } = await index.query(axis(1), options)
    expect(matches[0]?.id).toBe(vectorId(version, 2))
    expect(matches[0]?.score).toBeCloseTo(1, 5)
    const other = await index.query(axis(1), { topK: 2, namespace: 'elsewhere' })
    expect(other.matches).toEqual([])
  })

  it('answers by id, and gives stored values back', async () => {
    const id = vectorId(version, 3)
    expect((await index.queryById(id, { topK: 1 })).matches[0]?.id).toBe(id)
    expect((await index.getByIds([id]))[0]?.values[2]).toBe(1)
    expect((await index.describe()).dimensions).toBe(localDimensions)
  })

  it('filters by indexed metadata and refuses other fields', async () => {
    const filter = { kind: { $in: ['weakness'] } }
    const { matches } = await index.query(axis(0), { ...options, filter })
    expect(matches.map((m) => m.id)).toEqual([vectorId(version, 6)])
    expect(() => accepts({ color: 'red' }, {}, ['kind'])).toThrow('no metadata index')
    expect(accepts({ n: { $gte: 2, $lt: 5 } }, { n: 2 }, ['n'])).toBe(true)
    expect(accepts({ n: { $ne: 2 } }, { n: 2 }, ['n'])).toBe(false)
  })

  it('insert keeps, upsert replaces, delete removes', async () => {
    const one = (k: number) => [{ id: 'x', values: axis(k), namespace: 'keep' }]
    await index.insert(one(0))
    await index.insert(one(1))
    expect((await index.getByIds(['x']))[0]?.values[0]).toBe(1)
    await index.upsert(one(1))
    expect((await index.getByIds(['x']))[0]?.values[1]).toBe(1)
    await index.deleteByIds(['x'])
    expect(await index.getByIds(['x'])).toEqual([])
  })

  it('refuses wrong dimensions and more than the limits allow', () => {
    const props = { index: 'kg', dimensions: 384, metric: 'cosine', metadataIndexes: [] } as const
    const vectors = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ id: `v${i}`, values: axis(0) }))
    expect(() => checkVectors(props, vectors(1_000))).not.toThrow()
    expect(() => checkVectors(props, vectors(1_001))).toThrow('at most 1000')
    expect(() => checkVectors(props, [{ id: 'x', values: [1] }])).toThrow('1 dimensions')
    const long = (n: number) => [{ id: 'y'.repeat(n), values: axis(0) }]
    expect(() => checkVectors(props, long(64))).not.toThrow()
    expect(() => checkVectors(props, long(65))).toThrow('64 bytes')
    expect(() => checkQuery(props, [1, 2], {})).toThrow('2 dimensions')
    expect(checkQuery(props, axis(0), { topK: 100 })).toBe(100)
    expect(() => checkQuery(props, axis(0), { topK: 101 })).toThrow('1 to 100')
    expect(() => checkQuery(props, axis(0), { topK: 21, returnValues: true })).toThrow('1 to 20')
  })
})
