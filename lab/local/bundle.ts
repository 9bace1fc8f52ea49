// Bundles the Worker and its local neighbours with esbuild, as `wrangler deploy` would, so that
// whole-process runs need no watcher. Output goes to .build/.
import path from 'node:path'
import { build, type BuildOptions } from 'esbuild'

export const root = path.join(import.meta.dirname, '..', '..')
export const buildDir = path.join(root, '.build')

const common: BuildOptions = {
  bundle: true,
  format: 'esm',
  target: 'esnext',
  logLevel: 'error',
  absWorkingDir: root,
  conditions: ['workerd', 'worker', 'browser', 'import'],
  mainFields: ['browser', 'module', 'main'],
  external: ['cloudflare:workers', 'node:*'],
}

export const bundlePaths = {
  gateway: path.join(buildDir, 'gateway.js'),
  vectorize: path.join(buildDir, 'vectorize.js'),
  models: path.join(buildDir, 'stand-in-models.js'),
} as const

/** Bundles another Worker than the product's, as benchmarks put faults into it; returns its path. */
export async function bundleWorker(entry: string): Promise<string> {
  const outfile = path.join(buildDir, `${path.basename(entry, '.ts')}.js`)
  await build({ ...common, entryPoints: [entry], outfile })
  return outfile
}

/** Bundles gateway and stand-ins; returns the paths of the scripts. */
export async function bundleWorkers(): Promise<typeof bundlePaths> {
  const { gateway, vectorize, models } = bundlePaths
  await Promise.all([
    build({ ...common, entryPoints: ['worker/index.ts'], outfile: gateway }),
    build({
      ...common,
      entryPoints: ['lab/local/vectorize/index.ts'],
      outfile: vectorize,
    }),
    build({
      ...common,
      entryPoints: ['lab/local/stand-in-models/index.ts'],
      outfile: models,
    }),
  ])
  return bundlePaths
}
