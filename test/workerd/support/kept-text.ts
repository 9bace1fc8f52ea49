// Where a text is kept: every table of the database and every table of every object is searched.
import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

const kinds = [
  'PLAN_REVIEW',
  'EXECUTION_SESSION',
  'SITE_HUB',
  'SITE_WINDOW',
  'CELL_STATE',
  'SITE_TOTALS',
  'SITE_KEEPER',
  'STANDING_APPROVAL',
] as const

const decoder = new TextDecoder()
const textOf = (value: SqlStorageValue): string =>
  value instanceof ArrayBuffer ? decoder.decode(value) : String(value)

/** Every cell of every table of one object, as one text. */
export const objectText = (stub: DurableObjectStub): Promise<string> =>
  runInDurableObject(stub, (_, { storage: { sql } }) =>
    sql
      .exec<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'
           AND name NOT LIKE 'sqlite%'`,
      )
      .toArray()
      .flatMap(({ name }) => sql.exec(`SELECT * FROM ${name}`).toArray())
      .flatMap((row) => Object.values(row).map(textOf))
      .join('\n'),
  )

async function databaseText(): Promise<string> {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'
       AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'kg\\_fts%' ESCAPE '\\'`,
  ).all<{ name: string }>()
  const rows = await Promise.all(
    results.map(async ({ name }) => (await env.DB.prepare(`SELECT * FROM ${name}`).all()).results),
  )
  return JSON.stringify(rows)
}

/** Where a text is kept: the kinds of object, and `D1`. */
export async function placesOf(text: string): Promise<string[]> {
  const found = new Set<string>()
  for (const kind of kinds) {
    const namespace: DurableObjectNamespace = env[kind]
    for (const id of await listDurableObjectIds(namespace)) {
      if ((await objectText(namespace.get(id))).includes(text)) found.add(kind)
    }
  }
  if ((await databaseText()).includes(text)) found.add('D1')
  return [...found]
}
