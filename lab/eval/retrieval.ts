// `eval retrieval FILE`: recall and rank of the expected nodes for plan-step queries.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { d1GraphStore } from '../../adapters/knowledge-d1.ts'
import { ensureGraph } from '../../kg-build/embedded.ts'
import { demoAdditions } from '../site/lc7/graph-facts.ts'
import { loadGraph } from '../../kg-build/load/load.ts'
import { memoryVectors } from '../../kg-build/load/memory-vectors.ts'
import { graphMigration, openSqliteD1 } from '../../kg-build/load/sqlite-d1.ts'
import { silentProgress, stderrProgress } from '../../kg-build/progress.ts'
import { localEmbedder } from '../../verify/ground/local-embedder.ts'
import type { Knowledge } from '../../verify/ground/port.ts'
import { rankedLists, rankFor, type RankedList } from '../../verify/ground/rank.ts'
import { retrieve, type Retrieved } from '../../verify/ground/retrieve.ts'
import { pairedMean, type PairedMean } from './statistics.ts'

export type RetrievalRow = {
  readonly query: string
  readonly expected: readonly string[]
  readonly found: readonly string[]
}

export type RetrievalReport = {
  readonly n: number
  readonly recall_at_10: number
  readonly mrr: number
  readonly ms_p50: number
  readonly ms_p95: number
  /** What recall loses without each of the joined lists, over the same queries; below zero: it gains. */
  readonly without: readonly ({ readonly list: RankedList } & PairedMean)[]
  readonly rows: readonly RetrievalRow[]
}

export type RetrievalOptions = {
  readonly json: boolean
  /** A built graph folder; otherwise one is built or taken from the cache. */
  readonly graphDir?: string
  /** Source folders to build from; otherwise `../shared/data/kg/sources` beside the checkout. */
  readonly sourcesDir?: string
}

const root = path.resolve(import.meta.dirname, '..', '..')

/** Folder of the graph to evaluate, built into `.build/` when needed; says which on stderr. */
async function graphFolder(options: RetrievalOptions): Promise<string> {
  if (options.graphDir !== undefined) {
    process.stderr.write(`graph: ${options.graphDir}\n`)
    return options.graphDir
  }
  const beside = path.resolve(root, '../shared/data/kg/sources')
  const sourcesDir = options.sourcesDir ?? (existsSync(beside) ? beside : null)
  process.stderr.write(`graph: ${sourcesDir === null ? 'embedded' : `full (${sourcesDir})`}\n`)
  const progress = process.stderr.isTTY ? stderrProgress() : silentProgress
  return ensureGraph({ sourcesDir, progress, additions: demoAdditions })
}

/** Loads a graph folder into memory and returns what retrieval needs. */
export async function openKnowledge(dir: string): Promise<Knowledge> {
  const d1 = openSqliteD1(':memory:')
  d1.exec(graphMigration())
  const vectors = memoryVectors()
  await loadGraph({ d1, vectorize: vectors, dir })
  return { store: d1GraphStore(d1), vectors, embedder: localEmbedder }
}

async function retrieved(knowledge: Knowledge, text: string): Promise<Retrieved> {
  const graph = await knowledge.store.active('lc7')
  if (!graph) throw new Error('no graph is loaded')
  return retrieve(knowledge, graph, [text])
}

const tenOf = (text: string, got: Retrieved, without: RankedList | null = null): string[] =>
  rankFor(text, 0, got, without)
    .slice(0, 10)
    .map((rid) => got.nodes.get(rid)?.id ?? `rid:${rid}`)

/** The ten node ids retrieved for one text, best first. */
export async function topTen(knowledge: Knowledge, text: string): Promise<string[]> {
  return tenOf(text, await retrieved(knowledge, text))
}

type Lost = Record<RankedList, number[]>

type Query = { readonly query: string; readonly expected_ids: readonly string[] }

function readQueries(file: string): Query[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return []
    const row = JSON.parse(line) as Partial<Query>
    if (typeof row.query !== 'string' || !Array.isArray(row.expected_ids)) {
      throw new Error(`${file}:${i + 1}: expected "query" and "expected_ids"`)
    }
    return [{ query: row.query, expected_ids: row.expected_ids }]
  })
}

const shareFound = ({ expected_ids }: Query, found: readonly string[]): number =>
  expected_ids.filter((id) => found.includes(id)).length / expected_ids.length

/** Scores every query of a JSON Lines file; recall is the mean share of expected ids in ten. */
export async function scoreRetrieval(file: string, knowledge: Knowledge): Promise<RetrievalReport> {
  const rows: RetrievalRow[] = []
  const times: number[] = []
  const lost = Object.fromEntries(rankedLists.map((list) => [list, [] as number[]])) as Lost
  let recall = 0
  let mrr = 0
  for (const q of readQueries(file)) {
    const start = performance.now()
    const got = await retrieved(knowledge, q.query)
    const found = tenOf(q.query, got)
    times.push(performance.now() - start)
    const own = shareFound(q, found)
    recall += own
    for (const list of rankedLists) {
      lost[list].push(own - shareFound(q, tenOf(q.query, got, list)))
    }
    const first = found.findIndex((id) => q.expected_ids.includes(id))
    mrr += first < 0 ? 0 : 1 / (first + 1)
    rows.push({ query: q.query, expected: q.expected_ids, found })
  }
  const n = Math.max(rows.length, 1)
  times.sort((a, b) => a - b)
  const at = (share: number): number =>
    Number((times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0).toFixed(2))
  return {
    n: rows.length,
    recall_at_10: Number((recall / n).toFixed(4)),
    mrr: Number((mrr / n).toFixed(4)),
    ms_p50: at(0.5),
    ms_p95: at(0.95),
    without: rankedLists.map((list) => ({ list, ...pairedMean(lost[list]) })),
    rows,
  }
}

/** The command: scores the file and prints one JSON document or a short table. */
export async function runRetrievalEval(
  file: string,
  options: RetrievalOptions,
): Promise<RetrievalReport> {
  const knowledge = await openKnowledge(await graphFolder(options))
  const report = await scoreRetrieval(file, knowledge)
  if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`)
  else {
    process.stdout.write(
      `${report.n} queries: recall@10 ${report.recall_at_10}, MRR ${report.mrr}, ` +
        `median ${report.ms_p50} ms, p95 ${report.ms_p95} ms\n`,
    )
    for (const { list, mean, ci95, queries } of report.without) {
      process.stdout.write(
        `  without ${list}: recall@10 loses ${mean} [${ci95.join(', ')}], other in ${queries} queries\n`,
      )
    }
    for (const row of report.rows) {
      const missed = row.expected.filter((id) => !row.found.includes(id))
      if (missed.length > 0) process.stdout.write(`  ${row.query}: missed ${missed.join(', ')}\n`)
    }
  }
  return report
}

if (import.meta.main) {
  const args = process.argv.slice(2)
  const option = (name: string): string | undefined => {
    const at = args.indexOf(name)
    return at < 0 ? undefined : args[at + 1]
  }
  const file = args[0]
  if (file === undefined || file.startsWith('--')) {
    process.stderr.write(
      'usage: lab/eval/retrieval.ts FILE [--json] [--graph DIR] [--sources DIR]\n',
    )
    process.exitCode = 2
  } else {
    const graphDir = option('--graph')
    const sourcesDir = option('--sources')
    await runRetrievalEval(file, {
      json: args.includes('--json'),
      ...(graphDir === undefined ? {} : { graphDir }),
      ...(sourcesDir === undefined ? {} : { sourcesDir }),
    })
  }
}
