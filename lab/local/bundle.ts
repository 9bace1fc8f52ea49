// Bundles what runs as a process of its own: the Worker and its local neighbours, as `wrangler deploy`
// would, the robot agent as it is shipped, and the simulated cell. Output goes to .build/.
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

/** Programs for Node, one file each. */
export const programPaths = {
  agent: path.join(buildDir, 'portcullis-agent.mjs'),
  cell: path.join(buildDir, 'sim-cell.mjs'),
  siteCell: path.join(buildDir, 'sim-cell-of-site.mjs'),
} as const

/** Some packages still ask for modules as CommonJS does. */
const requireHere =
  'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);'

const program: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  legalComments: 'none',
  lineLimit: 160,
  logLevel: 'error',
  absWorkingDir: root,
  banner: { js: requireHere },
}

/** The robot agent as it is shipped: one file, which needs nothing beside it. */
export async function bundleAgent(outfile: string = programPaths.agent): Promise<void> {
  await build({ ...program, entryPoints: ['robot-agent/main.ts'], outfile })
}

/** Bundles another Worker than the product's, as benchmarks put faults into it; returns its path. */
export async function bundleWorker(entry: string): Promise<string> {
  const outfile = path.join(buildDir, `${path.basename(entry, '.ts')}.js`)
  await build({ ...common, entryPoints: [entry], outfile })
  return outfile
}

/** Set by a run of many starts that has bundled before them (the tests): the files are taken as they are. */
export const bundledBefore = 'PORTCULLIS_BUNDLED'

/** Bundles gateway, stand-ins, agent and cell; returns the paths of the Worker scripts. */
export async function bundleAll(): Promise<typeof bundlePaths> {
  if (process.env[bundledBefore] !== undefined) return bundlePaths
  const { gateway, vectorize, models } = bundlePaths
  const { cell, siteCell } = programPaths
  await Promise.all([
    build({ ...common, entryPoints: ['worker/index.ts'], outfile: gateway }),
    build({ ...common, entryPoints: ['lab/local/vectorize/index.ts'], outfile: vectorize }),
    build({ ...common, entryPoints: ['lab/local/stand-in-models/index.ts'], outfile: models }),
    bundleAgent(),
    build({ ...program, entryPoints: ['lab/sim-cell/main.ts'], outfile: cell }),
    build({ ...program, entryPoints: ['lab/sim-cell/site-main.ts'], outfile: siteCell }),
  ])
  return bundlePaths
}
