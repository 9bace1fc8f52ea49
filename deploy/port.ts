// What a set-up, a drain and a doctor need of the outside, and how one of them says that it cannot go on.
import type { Names } from './config.ts'
import type { Platform } from './platform.ts'
import type { Vault } from './vault.ts'

/** What the steps need of the outside. */
export type World = {
  readonly platform: Platform
  readonly vault: Vault
  readonly name: string
  readonly site: string
  /** Who becomes the first administrator. */
  readonly owner: string
  /** The public address, where it is not `<name>.<subdomain>.workers.dev`. */
  readonly address: string | null
  readonly graph: boolean
  readonly fetch: typeof fetch
  /** Digest of what would be deployed: code, configuration, page. */
  readonly bundle: (names: Names) => Promise<string>
  /** Runs the platform's own tool with this configuration; throws with what it said. */
  readonly wrangler: (names: Names, args: readonly string[]) => Promise<void>
  /** Deploys although something moves, or nobody can say whether something does. */
  readonly whileMoving: boolean
  /** Names of the migrations of this checkout. */
  readonly migrations: () => readonly string[]
  /** Makes the database serve the knowledge graph; a no-op when it does. */
  readonly loadGraph: (database: string) => Promise<void>
  readonly wait: (ms: number) => Promise<void>
}

/** A set-up that cannot go on, with what to do. */
export class SetupError extends Error {}

/** The address under which the deployment answers. */
export async function addressOf(world: World): Promise<string> {
  if (world.address !== null) return world.address
  const subdomain = await world.platform.subdomain()
  if (subdomain === null) {
    throw new SetupError(
      'This account has no workers.dev subdomain yet. Open Workers in the dashboard once, or give --address.',
    )
  }
  return `https://${world.name}.${subdomain}.workers.dev`
}
