// A local gateway that serves the embedded knowledge graph with the demo lab's own facts. Loading it takes many
// seconds of a processor, so the storage of a gateway that has loaded it is kept under .build/ and copied.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { loadGraph, type VectorizeLike } from '../../kg-build/load/load.ts'
import { ensureGraph } from '../../kg-build/embedded.ts'
import { demoAdditions } from '../site/lc7/graph-facts.ts'
import { buildDir, bundleAll, bundlePaths, root } from './bundle.ts'
import { startGateway, storageOf, type Gateway, type GatewayOptions } from './gateway.ts'

const prepared = path.join(buildDir, 'prepared')

/** Makes the gateway serve the embedded graph; a no-op when it already does. Needs no internet. */
async function serveGraph(gateway: Gateway, dir: string): Promise<void> {
  const vectorize = (await gateway.vectorize()) as VectorizeLike
  await loadGraph({ d1: await gateway.d1(), vectorize, dir })
}

/** Digest of all that decides what the storage holds and how: graph, migrations, index, runtime. */
async function storageKey(graph: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(path.join(graph, 'manifest.json')))
  const migrations = path.join(root, 'migrations')
  for (const file of (await readdir(migrations)).sort()) {
    hash.update(`${file}\n`).update(await readFile(path.join(migrations, file)))
  }
  hash.update(await readFile(bundlePaths.vectorize))
  for (const name of ['miniflare', 'workerd']) {
    hash.update(await readFile(path.join(root, 'node_modules', name, 'package.json')))
  }
  return hash.digest('hex').slice(0, 32)
}

/** The kept storage for this graph, made by a gateway of its own when it is missing. */
async function preparedStorage(graph: string): Promise<string> {
  const kept = path.join(prepared, await storageKey(graph))
  if (existsSync(kept)) return kept
  await mkdir(prepared, { recursive: true })
  const state = await mkdtemp(path.join(prepared, '.making-'))
  try {
    const gateway = await startGateway({ stateDir: state, reuseBundles: true })
    try {
      await serveGraph(gateway, graph)
    } finally {
      await gateway.close()
    }
    // Whole or not at all. Whoever makes the same at the same time keeps the first.
    await rename(storageOf(state), kept).catch((cause: unknown) => {
      if (!existsSync(kept)) throw cause
    })
  } finally {
    await rm(state, { recursive: true, force: true })
  }
  return kept
}

/** Makes what starts with a graph copy: for a run of many starts, once before them. */
export async function prepareStorage(): Promise<void> {
  await bundleAll()
  await preparedStorage(await ensureGraph({ additions: demoAdditions }))
}

/** Starts a gateway that serves the demo lab's graph. A new state folder begins as a copy of the kept storage. */
export async function startGatewayWithGraph(options: GatewayOptions = {}): Promise<Gateway> {
  if (options.reuseBundles !== true) await bundleAll()
  const graph = await ensureGraph({ additions: demoAdditions })
  const given = options.stateDir ?? null
  const stateDir = given ?? (await mkdtemp(path.join(tmpdir(), 'portcullis-gateway-')))
  if (!existsSync(storageOf(stateDir))) {
    await cp(await preparedStorage(graph), storageOf(stateDir), { recursive: true })
  }
  const gateway = await startGateway({ ...options, stateDir, reuseBundles: true })
  // A folder of an earlier state of the code may hold an older graph.
  await serveGraph(gateway, graph)
  if (given !== null) return gateway
  const close = async (): Promise<void> => {
    await gateway.close()
    await rm(stateDir, { recursive: true, force: true })
  }
  return { ...gateway, close }
}
