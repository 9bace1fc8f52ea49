// Bundles gateway, stand-ins, agent and cell once for a whole run, and makes the storage that gateways with a
// knowledge graph begin with: the tests start dozens of each, and what is started is what is shipped.
import path from 'node:path'
import { buildDir, bundledBefore } from '../../lab/local/bundle.ts'
import { prepareStorage } from '../../lab/local/graph.ts'

export default async function setup(): Promise<void> {
  // A run inside a run (the gates) takes what is there.
  if (process.env[bundledBefore] !== undefined) return
  await prepareStorage()
  // What is started from its source is compiled once.
  process.env['NODE_COMPILE_CACHE'] ??= path.join(buildDir, 'compile-cache')
  process.env[bundledBefore] = '1'
}
