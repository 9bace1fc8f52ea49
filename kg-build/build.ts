// Builds the whole graph in memory: sources, own facts, cross-source rules, aliases, statistics.
// Pure but for reading files; same input, same bytes.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { addAliases } from './aliases.ts'
import { addFacts } from './facts.ts'
import { recordedDigests } from './fetch/fetch.ts'
import { GraphBuilder, type GraphEdge, type GraphNode } from './graph.ts'
import { linkSources } from './links/index.ts'
import type { Progress } from './progress.ts'
import { folderSources, packageSources } from './registry.ts'
import { pinsOf, type SourceRecord } from './pins.ts'
import { addSite, type Screen, type SiteReport } from './site.ts'
import { SourceDir, type SourceModule } from './source.ts'
import { indexGraph, type GraphIndex } from './index.ts'
import { statistics, type GraphStats } from './stats.ts'

export type BuildInput = {
  /** Folder of source folders; null builds the embedded graph alone. */
  readonly sourcesDir: string | null
  /** A site's own additions; null for none. */
  readonly siteDir: string | null
  /** Finds instructions in a text; null refuses site additions. */
  readonly screen: Screen | null
  readonly progress: Progress
  /** What the one who builds adds to the own facts, before anything is linked. */
  readonly add?: (graph: GraphBuilder) => void
  /** Read sources whose digest is not the pinned one (their shape is still checked). */
  readonly acceptChanged?: boolean
}

export type BuiltGraph = {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
  readonly stats: GraphStats
  readonly index: GraphIndex
  readonly sources: readonly SourceRecord[]
  /** Source folders that were not there. */
  readonly absent: readonly string[]
  readonly site: SiteReport | null
}

/** Builds the graph; throws a SourceError that names file, line and what was expected. */
export async function buildGraph(input: BuildInput): Promise<BuiltGraph> {
  const graph = new GraphBuilder()
  const sources: SourceRecord[] = []
  const absent: string[] = []
  const folders = input.sourcesDir === null ? [] : folderSources
  const bar = input.progress.start('sources', folders.length + packageSources.length + 3)
  const read = (module: SourceModule, dir: string): void => {
    const pins = pinsOf(module.name)
    const source = new SourceDir(
      dir,
      input.acceptChanged === true ? {} : { ...pins.files, ...recordedDigests(dir) },
    )
    module.parse(source, graph)
    sources.push({ name: module.name, ...pins, files: [...source.digests].map(fileRow) })
    bar.tick(module.name)
  }
  let fullCwe = false
  for (const module of folders) {
    const dir = path.join(input.sourcesDir ?? '', module.name)
    if (!existsSync(dir)) {
      absent.push(module.name)
      continue
    }
    if (module.name.startsWith('cwe-')) fullCwe = true
    read(module, dir)
  }
  for (const entry of packageSources) {
    if (entry.package === 'cwe-sdk' && fullCwe) continue
    read(entry.module, packageFolder(entry.package, entry.folder))
  }
  addFacts(graph)
  input.add?.(graph)
  bar.tick('own facts')
  const site = input.siteDir === null ? null : await addSite(input.siteDir, input.screen, graph)
  linkSources(graph)
  bar.tick('links')
  addAliases(graph)
  bar.tick('aliases')
  const done = graph.finish()
  sources.push({ name: 'own', ...pinsOf('own'), files: [] })
  bar.end()
  const { nodes, edges } = done
  const index = indexGraph(nodes, edges, input.progress)
  return {
    nodes,
    edges,
    index,
    stats: statistics(nodes, edges, done.dangling),
    sources,
    absent,
    site,
  }
}

const fileRow = ([file, d]: [string, { sha256: string; bytes: number }]) => ({ file, ...d })

/** Folder of an installed npm package, found through its package.json. */
function packageFolder(name: string, folder: string): string {
  const require = createRequire(import.meta.url)
  return path.join(path.dirname(require.resolve(`${name}/package.json`)), folder)
}
