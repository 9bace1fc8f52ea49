// The real outside of a set-up: the platform's tool, its API, this checkout, the network.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ensureGraph } from '../kg-build/embedded.ts'
import { loadGraph } from '../kg-build/load/load.ts'
import { openRemote } from '../kg-build/load/remote.ts'
import { stderrProgress } from '../kg-build/progress.ts'
import { root, writeConfig, type Names } from './config.ts'
import { accountsOf, openPlatform, type Platform } from './platform.ts'
import { SetupError } from './port.ts'

export const defaultBase = 'https://api.cloudflare.com/client/v4'

type Environment = Readonly<Record<string, string | undefined>>

/** Runs a program and answers what it printed; throws with the end of it when it failed. */
async function run(
  program: string,
  args: readonly string[],
  env: Environment = process.env,
): Promise<string> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...env, CI: '1', WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    text = (text + chunk.toString()).slice(-20_000)
  })
  child.stderr.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-20_000)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0)
    throw new SetupError(`${args.slice(0, 3).join(' ')} failed:\n${text.slice(-2_000)}`)
  return out
}

const wranglerBin = path.join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js')

/** The token of the environment, or that of `npx wrangler login`. */
async function tokenOf(env: Environment): Promise<string> {
  const given = env['CLOUDFLARE_API_TOKEN']
  if (given !== undefined && given !== '') return given
  try {
    const out = await run(process.execPath, [wranglerBin, 'auth', 'token', '--json'], env)
    const { token } = JSON.parse(out.slice(out.indexOf('{'))) as { token?: string }
    if (token !== undefined && token !== '') return token
  } catch {
    // Told below.
  }
  throw new SetupError(
    'Nobody is signed in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.',
  )
}

/** Opens the account that the environment or the sign-in names. */
export async function connect(env: Environment): Promise<{ platform: Platform; token: string }> {
  const base = env['CLOUDFLARE_API_BASE_URL'] ?? defaultBase
  const token = await tokenOf(env)
  const accounts = await accountsOf({ base, token })
  const given = env['CLOUDFLARE_ACCOUNT_ID']
  const wanted = given === '' ? undefined : given
  const found = wanted === undefined ? accounts : accounts.filter(({ id }) => id === wanted)
  const [account] = found
  if (account === undefined) {
    throw new SetupError(
      wanted === undefined
        ? 'The token may use no account. Give it Workers, D1, Vectorize and Workers AI permissions.'
        : `The token may not use the account ${wanted} (CLOUDFLARE_ACCOUNT_ID).`,
    )
  }
  if (found.length > 1) {
    const list = found.map(({ id, name }) => `  ${id}  ${name}`).join('\n')
    throw new SetupError(`The token may use several accounts; set CLOUDFLARE_ACCOUNT_ID:\n${list}`)
  }
  return { platform: openPlatform({ base, token, account: account.id }), token }
}

/** Everything whose change needs a new deployment. */
const deployed = [
  'adapters',
  'contain',
  'durable-objects',
  'protocol',
  'verify',
  'worker',
  'console',
]

/** Digest of code, page and configuration as they stand in this checkout. */
export function bundleDigest(names: Names): string {
  const hash = createHash('sha256').update(JSON.stringify(names))
  for (const file of ['package-lock.json', 'wrangler.toml']) {
    hash.update(readFileSync(path.join(root, file)))
  }
  for (const room of deployed) {
    const files = readdirSync(path.join(root, room), { recursive: true, withFileTypes: true })
    for (const file of files
      .filter((one) => one.isFile())
      .map((one) => path.join(one.parentPath, one.name))
      .toSorted()) {
      hash.update(`${path.relative(root, file)}\n`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

/** The parts of a {@link World} that are the same for every set-up of this checkout. */
export function checkout(platform: Platform, token: string, env: Environment = process.env) {
  const account = { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: platform.account }
  return {
    migrations: () =>
      readdirSync(path.join(root, 'migrations')).filter((file) => file.endsWith('.sql')),
    bundle: (names: Names) => Promise.resolve(bundleDigest(names)),
    async wrangler(names: Names, args: readonly string[]) {
      const config = writeConfig(names)
      await run(process.execPath, [wranglerBin, ...args, '-c', config], { ...env, ...account })
    },
    async loadGraph(database: string, index: string) {
      const baseUrl = env['CLOUDFLARE_API_BASE_URL']
      await loadGraph({
        ...openRemote({
          accountId: platform.account,
          apiToken: token,
          databaseId: database,
          indexName: index,
          ...(baseUrl === undefined ? {} : { baseUrl }),
        }),
        dir: await ensureGraph({ progress: stderrProgress() }),
      })
    },
  }
}
