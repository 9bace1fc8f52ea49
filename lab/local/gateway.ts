// The whole gateway on this machine: workerd through Miniflare, embedded D1, Durable Objects and the
// Vectorize stand-in, with or without a folder that keeps their state.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { buildDir, bundlePaths, bundleAll, root } from './bundle.ts'
import { localSecrets, sha256Hex, type LocalSecrets } from './keys.ts'

export type GatewayOptions = {
  /** 0 takes a free port. */
  port?: number
  /** Where D1 and Durable Objects live; null keeps them in memory. */
  stateDir?: string | null
  /** Further variables and secrets of the Worker (MODEL_ENDPOINTS …). */
  vars?: Record<string, string>
  /** Binds a stand-in of the platform's models: it answers every model and judges nothing well. */
  standInModels?: boolean
  /** Another script than the product's Worker: benchmarks put faults into one. */
  script?: string
  /** Takes the bundles that are in .build instead of making them. */
  reuseBundles?: boolean
  /** Prints the Worker's own log lines to stderr. */
  verbose?: boolean
}

export type Gateway = {
  readonly url: string
  readonly operatorToken: string
  readonly secrets: LocalSecrets
  readonly d1: () => Promise<D1Like>
  readonly vectorize: () => Promise<unknown>
  readonly close: () => Promise<void>
}

/** As much of D1Database as set-up code needs; Miniflare's proxy offers it. */
export type D1Like = Awaited<ReturnType<Miniflare['getD1Database']>>

/** Where a state folder keeps D1 and Durable Objects. */
export const storageOf = (stateDir: string): string => path.join(stateDir, 'storage')

const compatibilityDate = '2026-10-01'

/** Statements of a migration file; triggers keep their inner semicolons. */
export function splitSql(text: string): string[] {
  const statements: string[] = []
  let current = ''
  let inTrigger = false
  for (const line of text.split('\n')) {
    if (/^\s*--/.test(line)) continue
    if (/^\s*CREATE TRIGGER/i.test(line)) inTrigger = true
    current += `${line}\n`
    const ends = inTrigger ? /^\s*END;\s*$/.test(line) : /;\s*(--.*)?$/.test(line)
    if (!ends) continue
    inTrigger = false
    if (current.trim() !== '') statements.push(current.trim())
    current = ''
  }
  if (current.trim() !== '') statements.push(current.trim())
  return statements
}

/** Applies the migrations that this database has not seen, in order, each in one batch. */
export async function migrate(db: D1Like): Promise<void> {
  await db
    .prepare('CREATE TABLE IF NOT EXISTS local_migrations (name TEXT PRIMARY KEY) STRICT')
    .run()
  const { results } = await db.prepare('SELECT name FROM local_migrations').all<{ name: string }>()
  const done = new Set(results.map((row) => row.name))
  const dir = path.join(root, 'migrations')
  for (const name of (await readdir(dir)).filter((file) => file.endsWith('.sql')).sort()) {
    if (done.has(name)) continue
    const statements = splitSql(await readFile(path.join(dir, name), 'utf8'))
    await db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare('INSERT INTO local_migrations (name) VALUES (?)').bind(name),
    ])
  }
}

/** The reviewer's page, when it was built (`npm run build:console`); the door serves it. */
function consoleAssets() {
  const directory = path.join(buildDir, 'console')
  if (!existsSync(path.join(directory, 'index.html'))) return {}
  const routerConfig = { has_user_worker: true, invoke_user_worker_ahead_of_assets: true }
  return { assets: { directory, binding: 'ASSETS', routerConfig } }
}

const closeWithinMs = 15_000

/**
 * Waits for a clean-up, but not for ever. The timer also keeps the process alive meanwhile: a clean-up
 * that waits for something already gone would otherwise let Node end before the result is printed.
 */
async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}

/** Starts the gateway and waits until it answers. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const stateDir = options.stateDir ?? null
  const secrets = await localSecrets(stateDir)
  const bundles = options.reuseBundles === true ? bundlePaths : await bundleAll()
  // The stand-in is another Worker: a call to it takes its signal along only with this flag.
  const signals =
    options.standInModels === true ? { compatibilityFlags: ['enable_abortsignal_rpc'] } : {}
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: options.port ?? 0,
      cf: false,
      // Never to stdout: with --json it holds one document and nothing else.
      handleStructuredLogs: ({ level, message }) => {
        process.stderr.write(`[worker ${level}] ${message}\n`)
      },
      log: new Log(options.verbose === true ? LogLevel.INFO : LogLevel.ERROR),
      ...(stateDir === null ? {} : { resourcePersistencePath: storageOf(stateDir) }),
      workers: [
        {
          name: 'portcullis',
          modules: true,
          modulesRoot: root,
          scriptPath: options.script ?? bundles.gateway,
          compatibilityDate,
          ...signals,
          durableObjects: {
            PLAN_REVIEW: { className: 'PlanReview', useSQLite: true },
            EXECUTION_SESSION: { className: 'ExecutionSession', useSQLite: true },
            SITE_HUB: { className: 'SiteHub', useSQLite: true },
            CELL_STATE: { className: 'CellState', useSQLite: true },
            SITE_WINDOW: { className: 'SiteWindow', useSQLite: true },
            SITE_TOTALS: { className: 'SiteTotals', useSQLite: true },
            STANDING_APPROVAL: { className: 'StandingApproval', useSQLite: true },
            SITE_KEEPER: { className: 'SiteKeeper', useSQLite: true },
          },
          d1Databases: { DB: '00000000-0000-4000-8000-000000000001' },
          serviceBindings: {
            VECTORIZE: {
              name: 'vectorize-local',
              entrypoint: 'VectorizeIndex',
              props: { index: 'kg', dimensions: 384, metric: 'cosine', metadataIndexes: ['kind'] },
            },
            ...(options.standInModels === true
              ? { AI: { name: 'models-local', entrypoint: 'Models' } }
              : {}),
          },
          ...consoleAssets(),
          bindings: {
            DEPLOYMENT: 'local',
            SIGNING_KEYS: JSON.stringify(secrets.signing_keys),
            OPERATOR_TOKEN_SHA256: sha256Hex(secrets.operator_token),
            METRICS_TOKEN_SHA256: sha256Hex(secrets.metrics_token),
            ...options.vars,
          },
        },
        {
          name: 'vectorize-local',
          modules: true,
          modulesRoot: root,
          scriptPath: bundles.vectorize,
          compatibilityDate,
          durableObjects: { STORE: { className: 'VectorStore', useSQLite: true } },
        },
        {
          name: 'models-local',
          modules: true,
          modulesRoot: root,
          scriptPath: bundles.models,
          compatibilityDate,
          ...signals,
        },
      ],
    }),
  )
  const url = (await mf.ready).origin
  const d1 = () => mf.getD1Database('DB', 'portcullis')
  await migrate(await d1())
  return {
    url,
    operatorToken: secrets.operator_token,
    secrets,
    d1,
    vectorize: async () => (await mf.getBindings('portcullis'))['VECTORIZE'],
    close: () => within(mf.dispose(), closeWithinMs),
  }
}
