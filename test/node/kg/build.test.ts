// The build: five categories from a bare machine, the same bytes twice, and errors that name file,
// line and what was expected while the old graph stays.
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildGraph, type BuildInput, type BuiltGraph } from '../../../kg-build/build.ts'
import { ensureGraph } from '../../../kg-build/embedded.ts'
import { categories, GraphBuilder, slug } from '../../../kg-build/graph.ts'
import { seededRandom, termSpace } from '../../../kg-build/lsa.ts'
import { silentProgress } from '../../../kg-build/progress.ts'
import { SourceDir, SourceError } from '../../../kg-build/source.ts'
import { componentSizes, statistics } from '../../../kg-build/stats.ts'
import { writeGraph } from '../../../kg-build/write.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'kg-build-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const input: BuildInput = {
  sourcesDir: null,
  siteDir: null,
  screen: null,
  progress: silentProgress,
  acceptChanged: true,
}

/** Built once: a build takes seconds, and reading it twice proves nothing more. */
let embedded: Promise<BuiltGraph> | null = null
const embeddedOnce = (): Promise<BuiltGraph> => (embedded ??= buildGraph(input))

const robot = {
  id: 9_001,
  title: 'Test arm accepts commands from anyone',
  summary: 'Port 1 takes motion commands.',
  cwe: 'CWE-306',
  vendor: 'Test Works',
  robots: ['Test Arm'],
}

/** A sources folder with one small source of ours. */
function sourcesWith(text: string): string {
  const dir = mkdtempSync(path.join(scratch, 'sources-'))
  mkdirSync(path.join(dir, 'rvd-facts'))
  writeFileSync(path.join(dir, 'rvd-facts', 'rvd_facts.json'), text)
  return dir
}

describe('the embedded graph', () => {
  it('has all five categories and is one graph, not islands', async () => {
    const graph = await embeddedOnce()
    expect(Object.keys(graph.stats.by_category).sort()).toEqual([...categories].sort())
    for (const n of Object.values(graph.stats.by_category)) expect(n).toBeGreaterThan(100)
    expect(graph.stats.nodes).toBeGreaterThan(5_000)
    expect(graph.stats.largest_component_share).toBeGreaterThanOrEqual(0.95)
    expect(graph.stats.derived_edges / graph.stats.edges).toBeLessThanOrEqual(0.2)
    const atlas = graph.nodes.filter((n) => n.id.startsWith('atlas:AML.T'))
    expect(atlas.length).toBeGreaterThanOrEqual(20)
  })

  it('gives the same bytes for the same input', async () => {
    const digest = async (name: string, graph: BuiltGraph): Promise<string> => {
      const out = path.join(scratch, name)
      const manifest = writeGraph(graph, out)
      const hash = createHash('sha256')
      for (const file of readdirSync(out).sort()) hash.update(readFileSync(path.join(out, file)))
      return `${manifest.graph_version} ${hash.digest('hex')}`
    }
    const [one, two] = [await embeddedOnce(), await buildGraph(input)]
    expect(await digest('one', one)).toBe(await digest('two', two))
  })

  it('traces every edge to a record or a named rule', async () => {
    const graph = await embeddedOnce()
    const ids = new Set(graph.nodes.map((n) => n.id))
    for (const e of graph.edges) {
      expect(ids.has(e.from) && ids.has(e.to)).toBe(true)
      if (e.derived) expect(e.record).toMatch(/^rule:[a-z-]+$/)
      else expect(e.record).not.toBe('')
    }
  })

  it('names every source with licence and attribution in the manifest', async () => {
    const manifest = JSON.parse(
      readFileSync(path.join(await ensureGraph(), 'manifest.json'), 'utf8'),
    ) as { sources: { name: string; licence: string; attribution: string }[] }
    expect(manifest.sources.map((s) => s.name)).toContain('cwe-sdk-1.1.19')
    for (const s of manifest.sources) {
      expect(s.licence).not.toBe('')
      expect(s.attribution).not.toBe('')
    }
  })
})

describe('a broken or changed source', () => {
  it('is refused with file, line and expectation, and leaves the old graph in place', async () => {
    const out = path.join(scratch, 'kept')
    const good = sourcesWith(JSON.stringify([robot]))
    const before = writeGraph(await buildGraph({ ...input, sourcesDir: good }), out)
    const bad = sourcesWith(JSON.stringify([robot, { ...robot, id: 'nine' }]))
    const failure = buildGraph({ ...input, sourcesDir: bad })
    await expect(failure).rejects.toThrow(/rvd_facts\.json:1: expected "id" to be a number/)
    await expect(failure).rejects.toBeInstanceOf(SourceError)
    const after = JSON.parse(readFileSync(path.join(out, 'manifest.json'), 'utf8')) as unknown
    expect(after).toMatchObject({ graph_version: before.graph_version })
  })

  it('is refused when its digest is not the pinned one', async () => {
    const dir = sourcesWith(JSON.stringify([robot]))
    const strict = { ...input, sourcesDir: dir, acceptChanged: false }
    await expect(buildGraph(strict)).rejects.toThrow(/expected SHA-256 [0-9a-f]{64}/)
  })

  it('names the line of a record that is no JSON', () => {
    const dir = mkdtempSync(path.join(scratch, 'lines-'))
    writeFileSync(path.join(dir, 'a.jsonl'), '{"a":1}\n{"a":\n')
    const read = (): unknown[] => [...new SourceDir(dir, {}).lines('a.jsonl')]
    expect(read).toThrow(/a\.jsonl:2: expected one JSON object/)
    const changed = new SourceDir(dir, { 'a.jsonl': '0'.repeat(64) })
    expect(() => changed.text('a.jsonl')).toThrow(/a\.jsonl:2: expected one JSON object/)
  })

  it('says which file is missing', () => {
    expect(() => new SourceDir(scratch, {}).text('absent.json')).toThrow(/absent\.json:0: expected/)
  })

  it('adds what a source states, with ids of the published scheme', async () => {
    const graph = await buildGraph({ ...input, sourcesDir: sourcesWith(JSON.stringify([robot])) })
    const edge = graph.edges.find((e) => e.from === 'rvd:9001' && e.to === 'cwe:306')
    expect(edge).toMatchObject({ kind: 'instance-of', derived: false, source: 'rvd-facts' })
    expect(graph.absent).toContain('capec-3.9')
  })
})

describe('the pieces', () => {
  it('a stated edge wins over a derived one', () => {
    const g = new GraphBuilder()
    for (const id of ['a', 'b']) {
      g.node({ id, category: 'cwe', kind: 'weakness', name: id, source: 's' })
    }
    const edge = { from: 'a', to: 'b', kind: 'k', source: 's' }
    g.edge({ ...edge, derived: true, record: 'rule:x' })
    g.edge({ ...edge, derived: false, record: 'f:1' })
    g.edge({ ...edge, derived: true, record: 'rule:y' })
    expect(g.finish().edges).toEqual([{ ...edge, derived: false, record: 'f:1' }])
  })

  it('counts, and does not keep, an edge to nowhere', () => {
    const g = new GraphBuilder()
    g.node({ id: 'a', category: 'cwe', kind: 'weakness', name: 'a', source: 's' })
    g.edge({ from: 'a', to: 'gone', kind: 'k', derived: false, record: 'f:1', source: 's' })
    expect(g.finish()).toMatchObject({ edges: [], dangling: 1 })
  })

  it('computes components and density', () => {
    const node = (id: string) =>
      ({ id, category: 'cwe', kind: 'k', name: id, text: '', aliases: [], source: 's' }) as const
    const edge = { from: 'a', to: 'b', kind: 'k', derived: true, record: 'rule:x', source: 's' }
    const nodes = ['a', 'b', 'c'].map(node)
    expect(componentSizes(nodes, [edge])).toEqual([2, 1])
    const stats = statistics(nodes, [edge], 0)
    expect(stats).toMatchObject({ components: 2, density: 0.3333, derived_edges: 1 })
  })

  it('makes slugs of the published scheme', () => {
    expect(slug('Acetone, pure (99 %)')).toBe('acetone-pure-99')
    expect(slug('goal_axis topics')).toBe('goal_axis-topics')
  })

  it('finds the dominant directions of a matrix', () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) =>
        new Map(
          i % 2
            ? [
                [0, 1],
                [1, 1],
              ]
            : [[2, 1]],
        ),
    )
    const space = termSpace(rows, 3, { rank: 2, seed: 5, iterations: 4 })
    const length = (i: number): number => Math.hypot(...(space[i] ?? []))
    expect(length(2)).toBeCloseTo(1, 3)
    expect(length(0)).toBeCloseTo(Math.SQRT1_2, 3)
    expect(seededRandom(7)()).toBe(seededRandom(7)())
  })
})

const full = path.resolve(import.meta.dirname, '../../../../shared/data/kg/sources')

describe.runIf(readable(full))(
  'the full graph (needs the source folders beside the checkout)',
  () => {
    it('reaches the sizes that the documentation states', async () => {
      const graph = await buildGraph({ ...input, sourcesDir: full, acceptChanged: false })
      expect(graph.absent).toEqual([])
      expect(graph.stats.nodes).toBeGreaterThanOrEqual(9_000)
      expect(graph.stats.stated_edges).toBeGreaterThanOrEqual(29_000)
      expect(graph.stats.edges).toBeGreaterThanOrEqual(34_000)
      expect(graph.stats.derived_edges / graph.stats.edges).toBeLessThanOrEqual(0.2)
      expect(graph.stats.largest_component_share).toBeGreaterThanOrEqual(0.95)
    })

    it('names the line when one record of a real source is damaged', () => {
      const dir = mkdtempSync(path.join(scratch, 'real-'))
      cpSync(path.join(full, 'labsafety-bench-train'), dir, { recursive: true })
      const file = path.join(dir, 'decisions.jsonl')
      rmSync(file, { force: true })
      const lines = readFileSync(
        path.join(full, 'labsafety-bench-train', 'decisions.jsonl'),
        'utf8',
      )
      writeFileSync(file, lines.replace('\n{', '\n['))
      const source = new SourceDir(dir, {})
      expect(() => [...source.lines('decisions.jsonl')]).toThrow(/decisions\.jsonl:2: expected/)
    })
  },
)

function readable(dir: string): boolean {
  try {
    return readdirSync(dir).length > 0
  } catch {
    return false
  }
}
