// Knowledge with tenants: a table over every query of the store and the index. Each is asked as one of
// two sites and as a stranger; nothing of another site's nodes may come back, nor move what is found.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { d1GraphStore } from '../../../adapters/knowledge-d1.ts'
import { vectorizeSearch } from '../../../adapters/knowledge-vectorize.ts'
import { buildGraph } from '../../../kg-build/build.ts'
import type { GraphBuilder } from '../../../kg-build/graph.ts'
import { loadGraph, type VectorRecord } from '../../../kg-build/load/load.ts'
import { memoryVectors } from '../../../kg-build/load/memory-vectors.ts'
import { graphMigration, openSqliteD1 } from '../../../kg-build/load/sqlite-d1.ts'
import { silentProgress } from '../../../kg-build/progress.ts'
import { stated } from '../../../kg-build/source.ts'
import { writeGraph } from '../../../kg-build/write.ts'
import { ground } from '../../../verify/ground/ground.ts'
import { localEmbedder } from '../../../verify/ground/local-embedder.ts'
import type { Knowledge } from '../../../verify/ground/port.ts'
import { namespaceOf, siteToken } from '../../../verify/ground/vector-names.ts'
import { planOf } from './support.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'kg-tenants-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const sites = ['north', 'south'] as const

/** Each site: a device that the other has too, a manual with a word of its own, a pair of its own. */
function addSites(graph: GraphBuilder): void {
  for (const site of sites) {
    const source = `site-${site}`
    const edge = stated(graph, source)
    const id = `${source}:frobnicator`
    graph.node({
      id,
      category: 'lab_context',
      kind: 'site-device',
      name: `Device frobnicator of ${site}`,
      text: `The frobnicator of ${site} holds acetone; its password word is zyxwvut${site}.`,
      aliases: ['frobnicator', `zyxwvut${site}`],
      source,
      site,
    })
    edge(id, 'holds', 'hmt:UN1090:acetone', 'facts')
    // From a public node too: edges are found at either end.
    edge('hmt:UN1090:acetone', 'kept-in', id, 'facts')
    const pair = `${source}:rx`
    graph.node({
      id: pair,
      category: 'hw_safety',
      kind: 'incompatibility',
      name: `Pair of ${site}`,
      source,
      site,
    })
    edge(pair, 'concerns', 'hmt:UN1090:acetone', 'facts')
    edge(pair, 'concerns', 'hmt:UN1170:ethanol', 'facts')
    // What a site must not do: change a public node, or hang its own on the other's.
    graph.node({
      id: 'hmt:UN1090:acetone',
      category: 'hw_safety',
      kind: 'chemical',
      name: 'harmless water',
      aliases: [`zyxwvut${site}`],
      source,
      site,
    })
    edge(id, 'beside', `site-${site === 'north' ? 'south' : 'north'}:frobnicator`, 'facts')
  }
}

let knowledge: Knowledge
let store: Knowledge['store']
const vectors = memoryVectors()
const records: VectorRecord[] = []
let acetone = 0

beforeAll(async () => {
  const graph = await buildGraph({
    sourcesDir: null,
    siteDir: null,
    screen: null,
    progress: silentProgress,
    add: addSites,
  })
  writeGraph(graph, scratch)
  const d1 = openSqliteD1(':memory:')
  d1.exec(graphMigration())
  const vectorize = {
    ...vectors,
    upsert: (list: VectorRecord[]) => {
      records.push(...list)
      return vectors.upsert(list)
    },
  }
  await loadGraph({ d1, vectorize, dir: scratch })
  store = d1GraphStore(d1)
  knowledge = { store, vectors, embedder: localEmbedder }
  acetone = graph.nodes.findIndex((node) => node.id === 'hmt:UN1090:acetone') + 1
})

const as = async (site: string) => {
  const graph = await store.active(site)
  if (graph === null) throw new Error('no graph')
  return graph
}
const all = Array.from({ length: 8_000 }, (_, i) => i + 1)
const foreign = (site: string, text: string) =>
  sites.filter((other) => other !== site && text.includes(`site-${other}:`))
const idsOf = async (site: string, rids: readonly number[]) => {
  // Asked as each owner in turn, so that a foreign row is seen for what it is.
  const known = new Map<number, string>()
  for (const owner of sites) {
    for (const node of await store.nodes(await as(owner), rids)) known.set(node.rid, node.id)
  }
  return rids.map((rid) => known.get(rid) ?? `unknown ${rid} for ${site}`)
}

describe.each(['north', 'south', 'stranger', ''])('asked as %j', (site) => {
  const own = (sites as readonly string[]).includes(site)

  it('active: tells whether the site has nodes', async () => {
    expect(await as(site)).toMatchObject({ site, own })
  })

  it('nodes and texts: public ones and its own, although every number is asked for', async () => {
    const found = await store.nodes(await as(site), all)
    expect(found.length).toBeGreaterThan(5_000)
    const ids = found.map((node) => node.id).join(' ')
    expect(foreign(site, ids)).toEqual([])
    expect(ids.includes(`site-${site}:frobnicator`)).toBe(own)
    const texts = [...(await store.texts(await as(site), all)).values()].join(' ')
    for (const other of sites) expect(texts.includes(`zyxwvut${other}`)).toBe(other === site)
  })

  it('edges: none that hangs on a foreign node', async () => {
    const edges = await store.edges(await as(site), [acetone], 10_000)
    const ends = await idsOf(site, [...new Set(edges.flatMap((edge) => [edge.from, edge.to]))])
    expect(edges.length).toBeGreaterThan(0)
    expect(foreign(site, ends.join(' '))).toEqual([])
    expect(ends.includes(`site-${site}:frobnicator`)).toBe(own)
  })

  it('lookup: names, pairs and statistics', async () => {
    const words = ['frobnic', 'zyxwvutnorth', 'zyxwvutsouth', 'aceton', 'acetone']
    const found = await store.lookup(await as(site), words, words)
    const named = await idsOf(
      site,
      found.names.map((name) => name.rid),
    )
    expect(foreign(site, named.join(' '))).toEqual([])
    expect(found.names.some((name) => name.term === 'frobnic')).toBe(own)
    const pairs = await idsOf(
      site,
      found.pairs.map((pair) => pair.pair),
    )
    expect(foreign(site, pairs.join(' '))).toEqual([])
    expect(pairs.includes(`site-${site}:rx`)).toBe(own)
    // A site's own words are in nobody's statistics, so that they move nobody's ranks.
    expect(found.terms.map((term) => term.term)).not.toContain('frobnic')
    expect(found.size).toBe((await store.lookup(await as(''), words, words)).size)
  })

  it('search: full text', async () => {
    const match = '{name alias near txt}: ("frobnic" OR "zyxwvutnorth" OR "zyxwvutsouth")'
    const hits = await store.search(await as(site), [{ step: 0, match }], 50)
    const ids = await idsOf(
      site,
      hits.map((hit) => hit.rid),
    )
    expect(foreign(site, ids.join(' '))).toEqual([])
    expect(ids.includes(`site-${site}:frobnicator`)).toBe(own)
  })

  it('vectors: of the namespaces it may read', async () => {
    const graph = await as(site)
    const asked: string[] = []
    const index = {
      query: (_: number[], { namespace }: { namespace: string }) => {
        asked.push(namespace)
        return Promise.resolve({ matches: [] })
      },
    }
    await vectorizeSearch(index).search(graph, [1], 10)
    const expected = own ? [namespaceOf(graph.version), namespaceOf(graph.version, site)] : null
    expect(asked).toEqual(expected ?? [namespaceOf(graph.version)])
    const of = (name: string) => records.filter((record) => record.namespace === name).length
    expect(of(namespaceOf(graph.version))).toBe(records.length - 4)
    for (const one of sites) expect(of(namespaceOf(graph.version, one))).toBe(2)
    const probe = records.find((record) => record.namespace === namespaceOf(graph.version, 'north'))
    const found = await idsOf(site, await vectors.search(graph, probe?.values ?? [], 20))
    expect(foreign(site, found.join(' '))).toEqual([])
  })

  it('a grounding of a plan that names what the other has', async () => {
    const text = 'Fill the frobnicator zyxwvutnorth zyxwvutsouth with acetone.'
    const plan = planOf([], [text])
    const found = await ground({ plan, site, happenings: [], knowledge })
    if (!found.ok) throw new Error(found.error.message)
    const told = JSON.stringify(found.value)
    expect(foreign(site, told)).toEqual([])
    expect(told.includes(`site-${site}:frobnicator`)).toBe(own)
    expect(told).not.toContain('harmless water')
  })
})

it('what a site is called never looks like another’s token or namespace', () => {
  const names = ['a', 'ab', 'A', 'a-b', '', 'kg:x', 'north', 'north.south']
  expect(new Set(names.map(siteToken)).size).toBe(names.length)
  const version = `kg:${'x'.repeat(43)}`
  expect(new Set(names.map((name) => namespaceOf(version, name))).size).toBe(names.length)
})
