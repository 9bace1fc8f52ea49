// What stands against a deployment: a database or rows that this checkout does not read, and cells that move.
import { versionGaps, type Versions } from '../protocol/versions.ts'
import { PlatformError } from './platform.ts'
import { addressOf, SetupError, type World } from './port.ts'

/** Migrations that the database has and this checkout does not know. */
export async function foreignMigrations(world: World, database: string): Promise<string[]> {
  const rows = await world.platform
    .query(database, 'SELECT name FROM d1_migrations')
    .catch((cause: unknown) => {
      // A database without that table has none.
      if (cause instanceof PlatformError) return []
      throw cause
    })
  const known = new Set(world.migrations())
  return rows.map((row) => String(row['name'])).filter((name) => !known.has(name))
}

/** A newer release wrote this database: an older one must not go over it unseen. */
export async function refuseForeign(world: World): Promise<void> {
  const database = await world.platform.database(world.name)
  const foreign = database === null ? [] : await foreignMigrations(world, database)
  if (foreign.length === 0) return
  throw new SetupError(
    `The database has ${foreign.join(', ')}, which this checkout does not know: a newer release was ` +
      'deployed. Check out that release, or one after it.',
  )
}

const otherwise = 'Drain it (`npm run drain -- --wait`), or say --while-moving.'

/** What the gateway that runs now says of itself; null when it does not answer as one. */
export async function askDeployment<T>(
  world: World,
  path: string,
  init: RequestInit = {},
): Promise<T | null> {
  const token = world.vault.read('operator-token') ?? ''
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const address = `${await addressOf(world)}${path}`
  const answer = await world.fetch(address, { ...init, headers }).catch(() => null)
  // Health says what it has to say with 503 as well.
  if (answer === null || (!answer.ok && answer.status !== 503)) return null
  return (await answer.json().catch(() => null)) as T | null
}

export type Moving = {
  sites: number
  draining: number
  running: { site: string; cell: string; session: string }[]
  silent: string[]
}

/** Refuses over rows that the two releases cannot share, and while a cell moves or may move. */
export async function refuseMoving(world: World): Promise<void> {
  const health = await askDeployment<{ versions?: Partial<Versions> }>(world, '/healthz')
  const gaps = versionGaps(health?.versions ?? {})
  if (gaps.length > 0) {
    throw new SetupError(
      `What runs and this checkout are more than one release apart (${gaps.join('; ')}). Deploy the ` +
        'releases between, one after the other.',
    )
  }
  if (world.whileMoving) return
  const moving = await askDeployment<Moving>(world, '/v1/drain')
  if (moving === null) {
    throw new SetupError(
      "Nobody can say whether a cell moves: the deployment does not answer, is too old to, or the operator's " +
        `token is not in ${world.vault.folder}. Look yourself, then say --while-moving.`,
    )
  }
  const cells = moving.running.map(({ site, cell }) => `${cell} of ${site}`)
  if (cells.length > 0) throw new SetupError(`In ${cells.join(', ')} a plan runs. ${otherwise}`)
  if (moving.silent.length > 0) {
    throw new SetupError(
      `These sites do not say whether they move: ${moving.silent.join(', ')}. ${otherwise}`,
    )
  }
}
