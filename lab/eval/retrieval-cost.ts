// What grounding costs: a twenty-node plan over graphs of several sizes, on local D1 and the
// Vectorize stand-in. Larger graphs are copies of the given one under other ids.
// Usage: npm run kg:cost -- GRAPH_DIR [NODES …] [--sqlite]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { d1GraphStore } from '../../adapters/knowledge-d1.ts'
import { readFolder, type GraphFolder } from '../../kg-build/load/folder.ts'
import { loadGraph } from '../../kg-build/load/load.ts'
import { memoryVectors } from '../../kg-build/load/memory-vectors.ts'
import { openLocalStore } from '../../kg-build/load/miniflare.ts'
import { graphMigration, openSqliteD1 } from '../../kg-build/load/sqlite-d1.ts'
import { writeFolder } from '../../kg-build/write.ts'
import type { Plan } from '../../protocol/plan.ts'
import { ground } from '../../verify/ground/ground.ts'
import { localEmbedder } from '../../verify/ground/local-embedder.ts'
import type { Knowledge } from '../../verify/ground/port.ts'

const liquids = ['acetone', '70% ethanol', 'hydrochloric acid', 'sample buffer', 'bleach', 'PBS']

/** Twenty nodes and eight instructions of ordinary wet-lab words, varied by `round`. */
function plan(round: number): Plan {
  return {
    goal: 'Prepare and measure a plate of samples.',
    instructions: [
      'Transfer the samples to the deep-well plate and dilute them with buffer.',
      `Heat the block to ${40 + round} °C and shake at 600 rpm for ten minutes.`,
      'Spin the tubes at 3,000 rpm, opposite positions balanced.',
      'Move the plate with the arm to the plate reader at 200 mm/s.',
      'Open the thermocycler lid after the last cold hold.',
      'Empty the reservoirs into the right waste streams.',
      'Write the results to the record system and notify the operator.',
      'Clean the deck with disinfectant and close the fume hood.',
    ],
    planner: { id: 'bench' },
    nodes: Array.from({ length: 20 }, (_, i) => ({
      id: `n${i}`,
      tool: i % 5 === 4 ? 'arm.move_to_pose' : 'liquid_handler.transfer',
      args: {
        liquid: liquids[(i + round) % liquids.length] ?? '',
        volume_ul: 100 + i,
        source: { labware: `source_${i}`, well: 'A1' },
        destination: { labware: `plate_${i}`, well: 'B2' },
      },
      depends_on: [],
      sandbox: null,
    })),
  }
}

/** The graph cut or repeated to about `size` nodes. */
function resized(graph: GraphFolder, size: number): GraphFolder {
  const copies = Math.max(1, Math.ceil(size / graph.nodes.length))
  const share = size / (copies * graph.nodes.length)
  const keep = new Set(graph.nodes.filter((_, i) => (i * 0.618_034) % 1 < share).map((n) => n.id))
  const all = Array.from({ length: copies }, (_, k) => k)
  const name = (id: string, k: number): string => (k === 0 ? id : `${id}~${k}`)
  return {
    ...graph,
    nodes: all.flatMap((k) =>
      graph.nodes.filter((n) => keep.has(n.id)).map((n) => ({ ...n, id: name(n.id, k) })),
    ),
    edges: all.flatMap((k) =>
      graph.edges
        .filter((e) => keep.has(e.from) && keep.has(e.to))
        .map((e) => ({ ...e, from: name(e.from, k), to: name(e.to, k) })),
    ),
    vectors: all.flatMap((k) =>
      graph.vectors.filter((v) => keep.has(v.id)).map((v) => ({ ...v, id: name(v.id, k) })),
    ),
    terms: graph.terms
      .filter((t) => 't' in t || keep.has(t.id))
      .map((t) => ('t' in t ? { ...t, df: Math.ceil(t.df * copies * share) } : t)),
  }
}

type Cost = { p50: number; p95: number; cpu: number }

/** Times sixty plans after a warm-up; `cpu` is CPU of this process per plan; workerd is another process. */
async function measure(run: (round: number) => Promise<boolean>): Promise<Cost> {
  const times: number[] = []
  for (let i = 0; i < 10; i++) await run(i)
  const before = process.cpuUsage()
  for (let i = 0; i < 60; i++) {
    const start = performance.now()
    if (!(await run(i))) throw new Error('grounding failed or was degraded')
    times.push(performance.now() - start)
  }
  const used = process.cpuUsage(before)
  times.sort((x, y) => x - y)
  const at = (share: number): number => Number((times[Math.floor(share * 60)] ?? 0).toFixed(1))
  return {
    p50: at(0.5),
    p95: at(0.95),
    cpu: Number(((used.user + used.system) / 60_000).toFixed(1)),
  }
}

const inProcess = (knowledge: Knowledge) => async (round: number) => {
  const result = await ground({ plan: plan(round), site: 'lc7', happenings: [], knowledge })
  return result.ok && result.value.degraded === null
}

/** The same call inside workerd, as the gateway makes it: D1 and Vectorize as bindings. */
async function workerScript(): Promise<string> {
  const entry = `
    import { ground } from './verify/ground/ground.ts'
    import { localEmbedder } from './verify/ground/local-embedder.ts'
    import { d1GraphStore } from './adapters/knowledge-d1.ts'
    import { vectorizeSearch } from './adapters/knowledge-vectorize.ts'
    export default { async fetch(request, env) {
      const { plan } = await request.json()
      const vectors = vectorizeSearch(env.VECTORIZE, 10_000)
      const knowledge = { store: d1GraphStore(env.DB), vectors, embedder: localEmbedder }
      const result = await ground({ plan, site: 'lc7', happenings: [], knowledge })
      return new Response(String(result.ok && result.value.degraded === null))
    } }`
  const built = await build({
    stdin: {
      contents: entry,
      resolveDir: path.resolve(import.meta.dirname, '../..'),
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  })
  return built.outputFiles[0]?.text ?? ''
}

const args = process.argv.slice(2)
const sqlite = args.includes('--sqlite')
const [dir, ...sizes] = args.filter((a) => !a.startsWith('--'))
if (dir === undefined) throw new Error('usage: node lab/eval/retrieval-cost.ts GRAPH_DIR [NODES …]')
const source = readFolder(dir)
for (const size of sizes.length > 0 ? sizes.map(Number) : [source.nodes.length]) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'kg-cost-'))
  const folder = path.join(scratch, 'graph')
  writeFolder(resized(source, size), folder)
  let queries = 0
  const count = (n: number): void => {
    queries += n
  }
  if (sqlite) {
    const d1 = openSqliteD1(':memory:')
    d1.exec(graphMigration())
    const vectors = memoryVectors()
    await loadGraph({ d1, vectorize: vectors, dir: folder })
    const store = d1GraphStore(d1, count)
    const result = await measure(inProcess({ store, vectors, embedder: localEmbedder }))
    process.stdout.write(
      `${size} nodes, sqlite: ${JSON.stringify({ ...result, queries: queries / 70 })}\n`,
    )
  } else {
    const local = await openLocalStore(null, await workerScript())
    await local.migrate()
    const start = performance.now()
    await loadGraph({ d1: local.d1, vectorize: local.vectorize, dir: folder })
    const loadS = Number(((performance.now() - start) / 1_000).toFixed(1))
    const run = async (round: number): Promise<boolean> =>
      (await local.fetch('http://cost.local/', JSON.stringify({ plan: plan(round) }))) === 'true'
    const row = { ...(await measure(run)), load_s: loadS }
    process.stdout.write(`${size} nodes, local D1 in workerd: ${JSON.stringify(row)}\n`)
    await local.close()
  }
  rmSync(scratch, { recursive: true, force: true })
}
