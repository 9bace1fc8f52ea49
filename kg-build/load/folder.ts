// Reads a built graph folder and checks it against its manifest before a byte is loaded.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { GraphEdge, GraphNode } from '../graph.ts'
import type { GraphIndex } from '../index.ts'
import { SourceError } from '../source.ts'
import { graphFiles, type Manifest } from '../write.ts'

export type GraphFolder = {
  readonly manifest: Manifest
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly vectors: GraphIndex['vectors']
  readonly terms: GraphIndex['terms']
}

/** Reads and verifies the folder; throws a SourceError naming the file that does not fit. */
export function readFolder(dir: string): GraphFolder {
  const file = path.join(dir, 'manifest.json')
  if (!existsSync(file)) throw new SourceError(file, 0, 'a graph folder (run kg:build first)')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  if (manifest.format !== 1) throw new SourceError(file, 1, '"format": 1')
  const parts = graphFiles.map((name) => {
    const text = readFileSync(path.join(dir, name), 'utf8')
    const sha = createHash('sha256').update(text).digest('hex')
    if (manifest.files[name]?.sha256 !== sha) {
      throw new SourceError(path.join(dir, name), 1, 'the digest that the manifest names')
    }
    return text.split('\n').filter((line) => line !== '')
  })
  const rows = (i: number): unknown[] => (parts[i] ?? []).map((line) => JSON.parse(line) as unknown)
  return {
    manifest,
    nodes: rows(0) as GraphNode[],
    edges: rows(1) as GraphEdge[],
    vectors: rows(2) as GraphIndex['vectors'],
    terms: rows(3) as GraphIndex['terms'],
  }
}
