// Looks at a deployment from outside and names what is broken, with what to do. Changes nothing.
import { foreignMigrations } from './guard.ts'
import { addressOf, SetupError, type World } from './port.ts'
import { indexShape, metadataProperty, requiredSecrets } from './steps.ts'
import { PlatformError } from './platform.ts'

export type Diagnosis = {
  readonly check: string
  readonly ok: boolean
  /** What is wrong; empty when nothing is. */
  readonly what: string
  readonly remedy: string
}

/** A clock further off than this makes agents refuse what they get. */
const skewMsMax = 2_000

type Health = { status?: string; deployment?: string; checks?: Record<string, string> }

const again = 'Run `npm run setup` again: it finishes what is missing.'

const healthRemedies: Readonly<Record<string, string>> = {
  storage: 'The worker does not reach its database: deploy again so that the binding names it.',
  signer: 'SIGNING_KEYS is missing or is no JSON array of private Ed25519 JWKs; set it again.',
  objects:
    'The durable objects do not answer: look at the platform’s status and the worker’s logs.',
  knowledge:
    'No graph is loaded: plans that need grounding wait for a person. `npm run setup` loads it.',
}

/** All checks, in the order in which they depend on each other; `now_ms` is this machine's clock. */
export async function diagnose(world: World, now_ms: number): Promise<Diagnosis[]> {
  const out: Diagnosis[] = []
  const { platform, name } = world
  const look = async (
    check: string,
    remedy: string,
    wrong: () => Promise<string | { what: string; remedy: string } | null>,
  ): Promise<boolean> => {
    let found: string | { what: string; remedy: string } | null
    try {
      found = await wrong()
    } catch (cause) {
      if (!(cause instanceof PlatformError || cause instanceof SetupError)) throw cause
      found = cause.message
    }
    const told = typeof found === 'string' ? { what: found, remedy } : found
    out.push({ check, ok: told === null, what: told?.what ?? '', remedy: told?.remedy ?? '' })
    return told === null
  }

  let database: string | null = null
  const there = await look('database', again, async () => {
    database = await platform.database(name)
    return database === null ? `There is no database ${name}.` : null
  })
  if (there) {
    await look('migrations', again, async () => {
      const files = world.migrations()
      const rows = await platform
        .query(database ?? '', 'SELECT name FROM d1_migrations')
        .catch((cause: unknown) => {
          if (cause instanceof PlatformError) return []
          throw cause
        })
      const applied = new Set(rows.map((row) => row['name']))
      const missing = files.filter((file) => !applied.has(file))
      const newer = await foreignMigrations(world, database ?? '')
      if (newer.length > 0) {
        return {
          what: `The database has ${newer.join(', ')}, which this checkout does not know.`,
          remedy:
            'A newer version was deployed: check out that version before you deploy anything.',
        }
      }
      return missing.length === 0 ? null : `Not applied: ${missing.join(', ')}.`
    })
  }
  const indexThere = await look('index', again, async () => {
    const found = await platform.index(`${name}-kg`)
    if (found === null) return `There is no index ${name}-kg.`
    const { dimensions, metric } = found
    return dimensions === indexShape.dimensions && metric === indexShape.metric
      ? null
      : {
          what: `It has ${dimensions} dimensions and the metric ${metric}.`,
          remedy: `Delete ${name}-kg (\`npx wrangler vectorize delete ${name}-kg\`) and run \`npm run setup\`.`,
        }
  })
  if (indexThere) {
    await look('metadata index', again, async () =>
      (await platform.metadataIndexes(`${name}-kg`)).includes(metadataProperty)
        ? null
        : `The property ${metadataProperty} is not indexed.`,
    )
  }
  let secrets: string[] | null = null
  const worker = await look('worker', again, async () => {
    secrets = await platform.secrets(name)
    return secrets === null ? `There is no worker ${name}.` : null
  })
  if (!worker) return out
  await look('secrets', again, async () => {
    const missing = requiredSecrets.filter((one) => !(secrets ?? []).includes(one))
    return missing.length === 0 ? null : `Missing: ${missing.join(', ')}.`
  })

  const seen: { health: Health | null } = { health: null }
  const answers = await look(
    'address',
    'Give the right --address; under workers.dev it may take a minute after the first deployment.',
    async () => {
      const address = await addressOf(world)
      const asked = performance.now()
      let answer: Response
      try {
        answer = await world.fetch(`${address}/healthz`, { signal: AbortSignal.timeout(15_000) })
      } catch (cause) {
        return `${address} does not answer: ${String(cause)}`
      }
      const text = await answer.text()
      try {
        seen.health = JSON.parse(text) as Health
      } catch {
        return `${address} answers, but it is no Portcullis: ${text.slice(0, 100)}`
      }
      if (typeof seen.health.checks !== 'object') {
        return `${address} answers, but it is no Portcullis.`
      }
      const date = Date.parse(answer.headers.get('date') ?? '')
      // The header has whole seconds.
      const skew = Number.isNaN(date) ? 0 : Math.abs(date - now_ms - (performance.now() - asked))
      return skew > skewMsMax + 1_000
        ? {
            what: `This machine’s clock and the deployment’s are ${Math.round(skew / 1_000)} s apart.`,
            remedy: 'Set the clock (NTP). An agent on this machine would refuse what it is given.',
          }
        : null
    },
  )
  if (!answers) return out
  for (const [check, remedy] of Object.entries(healthRemedies)) {
    await look(check, remedy, () => {
      const said = seen.health?.checks?.[check] ?? 'unknown'
      const well = check === 'knowledge' ? said !== 'none' && said !== 'down' : said === 'ok'
      return Promise.resolve(well ? null : `It says ${said}.`)
    })
  }
  await look('issuer', 'Deploy again: `npm run setup`.', async () => {
    const { host } = new URL(await addressOf(world))
    const said = seen.health?.deployment
    return said === host || world.address !== null
      ? null
      : `It signs as ${said}, and is reached as ${host}.`
  })
  await look(
    'administrator',
    'Run `npm run setup` again: the operator’s token gives the site another administrator.',
    async () => {
      const token = world.vault.read('administrator-token')
      if (token === null) return 'No site was made from this machine.'
      const answer = await world.fetch(`${await addressOf(world)}/v1/sites`, {
        headers: { authorization: `Bearer ${token}` },
      })
      await answer.body?.cancel()
      return answer.ok ? null : `Its token is refused (HTTP ${answer.status}).`
    },
  )
  return out
}
