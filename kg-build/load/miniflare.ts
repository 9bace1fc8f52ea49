// D1 and the Vectorize stand-in of a local state folder, through Miniflare: the same storage that
// the local gateway opens. The gateway must not run on that folder at the same time.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import type { D1Like } from '../../verify/ground/d1-like.ts'
import type { VectorizeLike } from './load.ts'

const root = path.resolve(import.meta.dirname, '../..')
const compatibilityDate = '2026-10-01'
const databaseId = '00000000-0000-4000-8000-000000000001'

/** Dimensions of the local embedding; equal in wrangler.local.toml. */
export const vectorizeProps = {
  index: 'kg',
  dimensions: 384,
  metric: 'cosine',
  metadataIndexes: ['kind'],
} as const

export type LocalStore = {
  /** Calls the worker that holds the bindings (measurements bring their own). */
  readonly fetch: (url: string, body: string) => Promise<string>
  readonly d1: D1Like
  readonly vectorize: VectorizeLike
  /** Runs the SQL of migrations/ that this database has not seen. */
  readonly migrate: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens the state folder (null: in memory). Needs `.build/vectorize.js` (npm run build:local). */
export async function openLocalStore(
  stateDir: string | null,
  script = 'export default { fetch: () => new Response(null, { status: 404 }) }',
): Promise<LocalStore> {
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.ERROR),
      ...(stateDir === null ? {} : { resourcePersistencePath: path.join(stateDir, 'storage') }),
      workers: [
        {
          name: 'kg-load',
          modules: true,
          script,
          compatibilityDate,
          d1Databases: { DB: databaseId },
          serviceBindings: {
            VECTORIZE: {
              name: 'vectorize-local',
              entrypoint: 'VectorizeIndex',
              props: { ...vectorizeProps, metadataIndexes: [...vectorizeProps.metadataIndexes] },
            },
          },
        },
        {
          name: 'vectorize-local',
          modules: true,
          modulesRoot: root,
          scriptPath: path.join(root, '.build', 'vectorize.js'),
          compatibilityDate,
          durableObjects: { STORE: { className: 'VectorStore', useSQLite: true } },
        },
      ],
    }),
  )
  await mf.ready
  const d1 = await mf.getD1Database('DB', 'kg-load')
  const bindings = await mf.getBindings<{ VECTORIZE: VectorizeLike }>('kg-load')
  return {
    fetch: async (url, body) => (await mf.dispatchFetch(url, { method: 'POST', body })).text(),
    d1,
    vectorize: bindings.VECTORIZE,
    migrate: () => migrateGraph(d1),
    close: () => mf.dispose(),
  }
}

/** Applies unseen migrations with the same bookkeeping as the local gateway. */
async function migrateGraph(db: D1Like): Promise<void> {
  await db
    .prepare('CREATE TABLE IF NOT EXISTS local_migrations (name TEXT PRIMARY KEY) STRICT')
    .bind()
    .all()
  const { results } = await db.prepare('SELECT name FROM local_migrations').bind().all()
  const done = new Set(results.map((r) => (r as { name: string }).name))
  const folder = path.join(root, 'migrations')
  for (const name of (await readdir(folder)).filter((f) => f.endsWith('.sql')).sort()) {
    if (done.has(name)) continue
    const statements = splitStatements(await readFile(path.join(folder, name), 'utf8'))
    await db.batch([
      ...statements.map((s) => db.prepare(s).bind()),
      db.prepare('INSERT INTO local_migrations (name) VALUES (?1)').bind(name),
    ])
  }
}

/** Statements of a migration: comments out, triggers whole, split at a semicolon that ends a line. */
export function splitStatements(text: string): string[] {
  const out: string[] = []
  let current: string[] = []
  let trigger = false
  for (const line of text.split('\n')) {
    if (/^\s*--/.test(line) || (line.trim() === '' && current.length === 0)) continue
    if (/^\s*CREATE TRIGGER/i.test(line)) trigger = true
    current.push(line)
    if (!(trigger ? /^\s*END;\s*$/ : /;\s*(--.*)?$/).test(line)) continue
    out.push(current.join('\n'))
    current = []
    trigger = false
  }
  return out
}
