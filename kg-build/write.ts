// Writes a built graph: into a fresh folder first, then one rename, so that a failed build leaves
// the old graph in place. Same input, same bytes.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BuiltGraph } from './build.ts'

/** Files of a graph folder. */
export const graphFiles = ['nodes.jsonl', 'edges.jsonl', 'vectors.jsonl', 'terms.jsonl'] as const

export type Manifest = {
  readonly format: 1
  /** Digest over the graph files: the name decisions record. */
  readonly graph_version: string
  readonly embedding: { readonly model: string; readonly dimensions: number }
  readonly files: Readonly<Record<string, { sha256: string; bytes: number }>>
  readonly sources: BuiltGraph['sources']
  readonly absent: readonly string[]
  readonly site: BuiltGraph['site']
}

/** The parts of a graph that are files; a folder read back has the same shape. */
export type GraphParts = {
  readonly nodes: readonly unknown[]
  readonly edges: readonly unknown[]
  readonly vectors: readonly unknown[]
  readonly terms: readonly unknown[]
  readonly manifest: Manifest
}

/** Writes parts that were read and changed (measurements); digests and version are made anew. */
export function writeFolder(parts: GraphParts, outDir: string): Manifest {
  const lists = [parts.nodes, parts.edges, parts.vectors, parts.terms]
  const contents = new Map(graphFiles.map((file, i) => [file as string, jsonl(lists[i] ?? [])]))
  return finish(contents, parts.manifest, outDir)
}

const jsonl = (rows: readonly unknown[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('')

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Writes nodes, edges, vectors, terms, stats and manifest to `outDir`; returns the manifest. */
export function writeGraph(graph: BuiltGraph, outDir: string): Manifest {
  const contents = new Map<string, string>([
    ['nodes.jsonl', jsonl(graph.nodes)],
    ['edges.jsonl', jsonl(graph.edges)],
    ['vectors.jsonl', jsonl(graph.index.vectors)],
    ['terms.jsonl', jsonl(graph.index.terms)],
    ['stats.json', `${JSON.stringify(graph.stats, null, 2)}\n`],
  ])
  const { model, dimensions } = graph.index
  const { sources, absent, site } = graph
  return finish(contents, { embedding: { model, dimensions }, sources, absent, site }, outDir)
}

function finish(
  contents: Map<string, string>,
  about: Pick<Manifest, 'embedding' | 'sources' | 'absent' | 'site'>,
  outDir: string,
): Manifest {
  const files = Object.fromEntries(
    [...contents].map(([f, text]) => [f, { sha256: sha256(text), bytes: Buffer.byteLength(text) }]),
  )
  const all = graphFiles.map((f) => `${f} ${files[f]?.sha256 ?? ''}\n`).join('')
  const digest = createHash('sha256').update(`portcullis/graph/v1\n${all}`).digest('base64url')
  const manifest: Manifest = {
    format: 1,
    graph_version: `kg:${digest}`,
    embedding: about.embedding,
    files,
    sources: about.sources,
    absent: about.absent,
    site: about.site,
  }
  contents.set('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`)
  replaceFolder(path.resolve(outDir), contents)
  return manifest
}

/** The new folder is complete before the old one goes; a crash leaves one of the two whole. */
function replaceFolder(out: string, contents: ReadonlyMap<string, string>): void {
  mkdirSync(path.dirname(out), { recursive: true })
  const fresh = mkdtempSync(path.join(path.dirname(out), '.kg-'))
  for (const [file, text] of contents) writeFileSync(path.join(fresh, file), text)
  const old = `${fresh}-old`
  if (existsSync(out)) renameSync(out, old)
  renameSync(fresh, out)
  rmSync(old, { recursive: true, force: true })
}
