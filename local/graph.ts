// The embedded knowledge graph of a local gateway: built once per version of its own sources, kept in
// .build/, loaded into the gateway's D1 and vector store. Needs no internet.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { buildGraph } from '../kg-build/build.ts'
import { loadGraph, type VectorizeLike } from '../kg-build/load/load.ts'
import { silentProgress } from '../kg-build/progress.ts'
import { writeGraph } from '../kg-build/write.ts'
import { buildDir, root } from './bundle.ts'
import type { Gateway } from './gateway.ts'

/** Everything that the graph is made from, so that a change of it is a new graph. */
async function sourceKey(): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = ['package-lock.json']
  for (const room of ['kg-build', path.join('verify', 'ground')]) {
    const entries = await readdir(path.join(root, room), { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (entry.isFile() && /\.(ts|json)$/.test(entry.name)) {
        files.push(path.relative(root, path.join(entry.parentPath, entry.name)))
      }
    }
  }
  for (const file of files.sort()) {
    hash.update(`${file}\n`)
    hash.update(await readFile(path.join(root, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Folder of the embedded graph; builds it when this version of it is not there yet. */
export async function embeddedGraph(): Promise<string> {
  const out = path.join(buildDir, `graph-${await sourceKey()}`)
  if (existsSync(path.join(out, 'manifest.json'))) return out
  const built = await buildGraph({
    sourcesDir: null,
    siteDir: null,
    screen: null,
    progress: silentProgress,
  })
  writeGraph(built, out)
  return out
}

/** Loads the embedded graph into a gateway that does not serve it yet. */
export async function prepareGraph(gateway: Gateway): Promise<void> {
  const dir = await embeddedGraph()
  await loadGraph({
    d1: await gateway.d1(),
    vectorize: (await gateway.vectorize()) as VectorizeLike,
    dir,
  })
}
