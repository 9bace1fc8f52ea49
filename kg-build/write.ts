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
  const files = Object.fromEntries(
    [...contents].map(([f, text]) => [f, { sha256: sha256(text), bytes: Buffer.byteLength(text) }]),
  )
  const all = graphFiles.map((f) => `${f} ${files[f]?.sha256 ?? ''}\n`).join('')
  const manifest: Manifest = {
    format: 1,
    graph_version: `kg:${createHash('sha256').update(`portcullis/graph/v1\n${all}`).digest('base64url')}`,
    embedding: { model: graph.index.model, dimensions: graph.index.dimensions },
    files,
    sources: graph.sources,
    absent: graph.absent,
    site: graph.site,
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
