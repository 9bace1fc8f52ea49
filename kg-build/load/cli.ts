// `npm run kg:load -- [--graph DIR] (--state DIR | --remote)`: loads a built graph and switches to it.
import { ensureGraph } from '../embedded.ts'
import { stderrProgress } from '../progress.ts'
import { SourceError } from '../source.ts'
import { loadGraph, type LoadInput } from './load.ts'
import { openLocalStore } from './miniflare.ts'
import { openRemote } from './remote.ts'
import { optionsOf } from '../options.ts'

const usage = `usage: npm run kg:load -- [--graph DIR] (--state DIR | --remote)
  --graph DIR  a folder that kg:build wrote; default: the embedded graph
  --state DIR  the state folder of the local gateway (which must not run meanwhile)
  --remote     a Cloudflare account: CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_API_TOKEN,
               D1_DATABASE_ID and VECTORIZE_INDEX name it`

const need = (name: string): string => {
  const value = process.env[name]
  if (value === undefined || value === '') throw new SourceError('environment', 0, name)
  return value
}

function fromEnvironment() {
  return openRemote({
    accountId: need('CLOUDFLARE_ACCOUNT_ID'),
    apiToken: need('CLOUDFLARE_API_TOKEN'),
    databaseId: need('D1_DATABASE_ID'),
    indexName: need('VECTORIZE_INDEX'),
  })
}

async function main(): Promise<number> {
  const values = optionsOf({
    graph: { type: 'string' },
    state: { type: 'string' },
    remote: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  })
  if (values.help || (values.state === undefined) === !values.remote) {
    process.stderr.write(`${usage}\n`)
    return values.help ? 0 : 2
  }
  let bar: ReturnType<ReturnType<typeof stderrProgress>['start']> | null = null
  const onProgress = (done: number, total: number, label: string): void => {
    bar ??= stderrProgress().start('load', total - done + 1)
    bar.tick(label)
  }
  try {
    const dir = values.graph ?? (await ensureGraph({ progress: stderrProgress() }))
    if (values.remote) {
      const input: LoadInput = { ...fromEnvironment(), dir, onProgress }
      process.stdout.write(`${JSON.stringify(await loadGraph(input))}\n`)
      return 0
    }
    const store = await openLocalStore(values.state ?? null)
    try {
      await store.migrate()
      const { d1, vectorize } = store
      process.stdout.write(
        `${JSON.stringify(await loadGraph({ d1, vectorize, dir, onProgress }))}\n`,
      )
    } finally {
      await store.close()
    }
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`error: ${message}\nThe graph that served before still serves.\n`)
    return 1
  }
}

process.exitCode = await main()
