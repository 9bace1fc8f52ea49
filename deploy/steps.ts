// The steps of a set-up, in order. Each looks first whether it is done, so that a second run changes
// nothing and a run that was cut off anywhere is finished by the next one.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Names } from './config.ts'
import { refuseForeign, refuseMoving } from './guard.ts'
import { addressOf, SetupError, type World } from './port.ts'
import { madeOf, noteMade } from './vault.ts'

/** The vectors of the platform's embedding model. */
export const indexShape = { dimensions: 384, metric: 'cosine' } as const
export const metadataProperty = 'kind'

export type Step = {
  readonly name: string
  /** What the step would do, for `--dry-run`. */
  readonly tells: string
  done(): Promise<boolean>
  act(): Promise<void>
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** How often a new deployment is asked whether it is well, and how long between. */
const healthTries = 30
const healthEveryMs = 2_000

/** Names and ids of the deployment; throws while the database does not exist. */
export async function namesOf(world: World): Promise<Names> {
  const database = await world.platform.database(world.name)
  if (database === null) throw new SetupError(`The database ${world.name} does not exist.`)
  const { host } = new URL(await addressOf(world))
  return { name: world.name, database, deployment: host }
}

/** The private keys and digests of a new deployment; each is made once and never shown. */
function freshSecret(world: World, name: string): string {
  if (name === 'SIGNING_KEYS') {
    return JSON.stringify([generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })])
  }
  if (name === 'SITE_KEY_SECRET') return randomBytes(32).toString('base64url')
  const [file, prefix] =
    name === 'METRICS_TOKEN_SHA256'
      ? (['metrics-token', 'pcme_'] as const)
      : (['operator-token', 'pcop_'] as const)
  const kept = world.vault.read(file)
  const token = kept ?? prefix + randomBytes(32).toString('base64url')
  // Kept before the deployment knows its digest: a token that only the deployment knows is lost.
  if (kept === null) world.vault.write(file, token)
  return sha256(token)
}

export const requiredSecrets = [
  'SIGNING_KEYS',
  'OPERATOR_TOKEN_SHA256',
  'METRICS_TOKEN_SHA256',
  'SITE_KEY_SECRET',
] as const

async function missingSecrets(world: World): Promise<string[]> {
  const there = (await world.platform.secrets(world.name)) ?? []
  return requiredSecrets.filter((name) => !there.includes(name))
}

/** All steps of a set-up. */
export function stepsOf(world: World): Step[] {
  const { platform, vault, name } = world
  const index = `${name}-kg`
  const call = async (path: string, token: string, body?: unknown): Promise<Response> =>
    await world.fetch(`${await addressOf(world)}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return [
    {
      name: 'database',
      tells: `create the D1 database ${name}`,
      done: async () => (await platform.database(name)) !== null,
      async act() {
        // Noted before it is made: what was made and not noted would be left behind by a teardown.
        noteMade(vault, { database: name })
        await platform.createDatabase(name)
      },
    },
    {
      name: 'index',
      tells: `create the Vectorize index ${index} (${indexShape.dimensions}, ${indexShape.metric})`,
      done: async () => (await platform.index(index)) !== null,
      async act() {
        noteMade(vault, { index })
        await platform.createIndex(index, indexShape)
      },
    },
    {
      name: 'metadata index',
      tells: `index the property ${metadataProperty} of ${index}`,
      done: async () => (await platform.metadataIndexes(index)).includes(metadataProperty),
      act: () => platform.createMetadataIndex(index, metadataProperty),
    },
    {
      name: 'migrations',
      tells: 'apply the migrations that the database does not have',
      // The platform's tool keeps the list in the database; asked again it applies nothing.
      done: async () => false,
      async act() {
        await refuseForeign(world)
        await world.wrangler(await namesOf(world), ['d1', 'migrations', 'apply', 'DB', '--remote'])
      },
    },
    {
      name: 'deploy',
      tells: `deploy the worker ${name}`,
      async done() {
        if ((await platform.secrets(name)) === null) return false
        return vault.read('deployed') === (await world.bundle(await namesOf(world)))
      },
      async act() {
        const names = await namesOf(world)
        const secrets = await platform.secrets(name)
        const fresh = secrets === null
        const digest = await world.bundle(names)
        if (fresh) noteMade(vault, { script: name })
        // Before it knew an operator there was no site, and nothing that could move.
        else if (secrets.includes('OPERATOR_TOKEN_SHA256')) await refuseMoving(world)
        await world.wrangler(names, ['deploy'])
        vault.write('deployed', digest)
      },
    },
    {
      name: 'secrets',
      tells: `make ${requiredSecrets.join(', ')} where they are missing; none is shown`,
      done: async () => (await missingSecrets(world)).length === 0,
      async act() {
        for (const secret of await missingSecrets(world)) {
          await platform.putSecret(name, secret, freshSecret(world, secret))
        }
      },
    },
    {
      name: 'knowledge graph',
      tells: world.graph ? 'load the knowledge graph' : 'nothing: --no-graph',
      done: async () => !world.graph,
      act: async () => await world.loadGraph((await namesOf(world)).database),
    },
    {
      name: 'health',
      tells: 'wait until the deployment says that it is well',
      done: async () => false,
      async act() {
        let told = ''
        for (let i = 0; i < healthTries; i++) {
          const answer = await world
            .fetch(`${await addressOf(world)}/healthz`)
            .catch((cause: unknown) => String(cause))
          if (typeof answer !== 'string' && answer.ok) return
          told = typeof answer === 'string' ? answer : await answer.text()
          await world.wait(healthEveryMs)
        }
        throw new SetupError(`The deployment is not well: ${told.slice(0, 300)}`)
      },
    },
    {
      name: 'first site',
      tells: `create the site ${world.site} with ${world.owner} as its first administrator`,
      async done() {
        const token = vault.read('administrator-token')
        return token !== null && (await call('/v1/sites', token)).ok
      },
      async act() {
        const operator = vault.read('operator-token')
        if (operator === null) {
          throw new SetupError(
            `Sites are created with the operator's token, which another machine's set-up made. Put it ` +
              `into ${vault.folder}/operator-token, or replace the secret OPERATOR_TOKEN_SHA256.`,
          )
        }
        const administrator = { subject: world.owner, owner: world.owner }
        let answer = await call('/v1/sites', operator, { site: world.site, administrator })
        // It exists and its administrator's token never arrived: the operator may give another one.
        if (answer.status === 409) {
          answer = await call(`/v1/sites/${world.site}/administrators`, operator, administrator)
        }
        const body = (await answer.json()) as {
          token?: string
          administrator?: { token: string }
          title?: string
        }
        const token = body.token ?? body.administrator?.token
        if (!answer.ok || token === undefined) {
          throw new SetupError(`The site was refused: ${body.title ?? `HTTP ${answer.status}`}`)
        }
        vault.write('administrator-token', token)
      },
    },
  ]
}

/** What {@link setUp} tells of each step. */
export type Progress = (step: string, outcome: 'there' | 'done' | 'would') => void

/** Runs the steps; with `dry` it only tells. Throws at the first that fails: the next run goes on there. */
export async function setUp(world: World, dry: boolean, tell: Progress): Promise<void> {
  for (const step of stepsOf(world)) {
    // A dry run of a later step may need what an earlier one would have made: then it is not done.
    const done = await step.done().catch((cause: unknown) => {
      if (dry) return false
      throw cause
    })
    if (!done && !dry) await step.act()
    tell(step.name, done ? 'there' : dry ? 'would' : 'done')
  }
}

/** Removes what a set-up from this machine made, and nothing else; answers what was removed. */
export async function tearDown(world: Pick<World, 'platform' | 'vault'>): Promise<string[]> {
  const { script, index, database } = madeOf(world.vault)
  const removed: string[] = []
  // The script first: it holds the bindings of the others, and nothing answers any more.
  if (script !== undefined) {
    await world.platform.deleteScript(script)
    removed.push(`worker ${script}`)
  }
  if (index !== undefined) {
    await world.platform.deleteIndex(index)
    removed.push(`index ${index}`)
  }
  if (database !== undefined) {
    const id = await world.platform.database(database)
    if (id !== null) await world.platform.deleteDatabase(id)
    removed.push(`database ${database}`)
  }
  world.vault.clear()
  return removed
}
