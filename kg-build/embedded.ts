// The embedded graph, built once per state of the code and its packages and kept under .build/:
// a fresh machine has a real graph within seconds, and a second start reads it from disk.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { buildGraph } from './build.ts'
import type { GraphBuilder } from './graph.ts'
import { silentProgress, type Progress } from './progress.ts'
import { writeGraph } from './write.ts'

const root = path.resolve(import.meta.dirname, '..')

/** What somebody adds to the own facts; `files` are the ones that it is made of. */
export type Additions = {
  readonly name: string
  readonly add: (graph: GraphBuilder) => void
  readonly files: readonly string[]
}

/** Digest of everything the graph is made of: this room, the text rules, and the packages. */
function inputDigest(sourcesDir: string | null, additions: Additions | null): string {
  const hash = createHash('sha256')
  for (const folder of ['kg-build', 'verify/ground']) {
    const files = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    for (const f of files.map((e) => path.join(e.parentPath, e.name)).sort()) {
      if (/\.(ts|json)$/.test(f)) hash.update(`${path.relative(root, f)}\n`).update(readFileSync(f))
    }
  }
  for (const f of additions?.files ?? []) hash.update(readFileSync(f))
  const require = createRequire(import.meta.url)
  for (const name of ['cwe-sdk', '@opentrons/shared-data']) {
    hash.update(readFileSync(require.resolve(`${name}/package.json`)))
  }
  return hash.update(sourcesDir ?? '').digest('hex')
}

/**
 * Folder of the embedded graph (or of the graph of `sourcesDir`), built when it is missing or older
 * than the code. Throws a SourceError when a source is broken; an old graph stays in place then.
 */
export async function ensureGraph(
  options: {
    readonly sourcesDir?: string | null
    readonly outDir?: string
    readonly additions?: Additions
    readonly progress?: Progress
  } = {},
): Promise<string> {
  const sourcesDir = options.sourcesDir ?? null
  const additions = options.additions ?? null
  const base = sourcesDir === null ? 'kg-embedded' : 'kg-full'
  const kind = additions === null ? base : `${base}-${additions.name}`
  const out = options.outDir ?? path.join(root, '.build', kind)
  const digest = inputDigest(sourcesDir, additions)
  const stamp = path.join(out, 'inputs.sha256')
  const fresh =
    existsSync(path.join(out, 'manifest.json')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === digest
  if (fresh) return out
  const progress = options.progress ?? silentProgress
  const add = additions === null ? {} : { add: additions.add }
  writeGraph(await buildGraph({ sourcesDir, siteDir: null, screen: null, progress, ...add }), out)
  writeFileSync(stamp, digest)
  return out
}
