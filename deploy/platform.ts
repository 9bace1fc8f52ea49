// The platform's REST API as far as a set-up needs it: databases, indexes, secrets, addresses.
// Written after the published reference (api.cloudflare.com, client v4); never run against a live account.

/** A call that the platform refused: what was asked, its code and its own words. */
export class PlatformError extends Error {
  constructor(call: string, status: number, code: number | null, detail: string) {
    super(`${call}: HTTP ${status}${code === null ? '' : `, code ${code}`}: ${detail}`)
  }
}

type Envelope = {
  success: boolean
  result: unknown
  errors?: { code?: number; message?: string }[]
}

export type PlatformOptions = {
  readonly token: string
  readonly account: string
  /** `https://api.cloudflare.com/client/v4`; a stand-in in tests. */
  readonly base: string
  readonly fetch?: typeof fetch
}

/** Tries of one call; only answers that say "later" are asked again. */
const attemptsMax = 4

export type Index = { readonly dimensions: number; readonly metric: string }

/** The platform's account, seen by name. Every method throws a {@link PlatformError} on a refusal. */
export interface Platform {
  readonly account: string
  /** Id of the database with exactly this name, or null. */
  database(name: string): Promise<string | null>
  createDatabase(name: string): Promise<string>
  deleteDatabase(id: string): Promise<void>
  /** Rows of one statement. */
  query(id: string, sql: string): Promise<Record<string, unknown>[]>
  index(name: string): Promise<Index | null>
  createIndex(name: string, shape: Index): Promise<void>
  deleteIndex(name: string): Promise<void>
  metadataIndexes(name: string): Promise<string[]>
  createMetadataIndex(name: string, property: string): Promise<void>
  /** Names of the secrets of a script; null where there is no such script. */
  secrets(script: string): Promise<string[] | null>
  putSecret(script: string, name: string, text: string): Promise<void>
  deleteScript(script: string): Promise<void>
  /** The account's part of `*.workers.dev`; null before one was chosen. */
  subdomain(): Promise<string | null>
}

type Call = { method: string; path: string; body?: unknown; missing?: boolean }

/** Opens the account. Nothing is asked before the first call. */
export function openPlatform(options: PlatformOptions): Platform {
  const send = options.fetch ?? fetch
  const root = `${options.base}/accounts/${options.account}`

  async function call({ method, path, body, missing }: Call): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(`${root}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${options.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      })
      if ((answer.status === 429 || answer.status >= 500) && attempt < attemptsMax) {
        await answer.body?.cancel()
        await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** attempt))
        continue
      }
      const text = await answer.text()
      let envelope: Envelope | null = null
      try {
        envelope = JSON.parse(text) as Envelope
      } catch {
        // Told below in the platform's own words.
      }
      if (answer.ok && envelope?.success === true) return envelope.result
      if (missing === true && answer.status === 404) return null
      const [error] = envelope?.errors ?? []
      const detail = error?.message ?? text.slice(0, 200)
      throw new PlatformError(`${method} ${path}`, answer.status, error?.code ?? null, detail)
    }
  }

  const vectorize = '/vectorize/v2/indexes'
  return {
    account: options.account,
    async database(name) {
      const path = `/d1/database?name=${encodeURIComponent(name)}&per_page=100`
      const list = (await call({ method: 'GET', path })) as { uuid: string; name: string }[]
      return list.find((one) => one.name === name)?.uuid ?? null
    },
    async createDatabase(name) {
      const made = await call({ method: 'POST', path: '/d1/database', body: { name } })
      return (made as { uuid: string }).uuid
    },
    async deleteDatabase(id) {
      await call({ method: 'DELETE', path: `/d1/database/${id}`, missing: true })
    },
    async query(id, sql) {
      const path = `/d1/database/${id}/query`
      const [first] = (await call({ method: 'POST', path, body: { sql, params: [] } })) as {
        results: Record<string, unknown>[]
      }[]
      return first?.results ?? []
    },
    async index(name) {
      const found = await call({ method: 'GET', path: `${vectorize}/${name}`, missing: true })
      return found === null ? null : (found as { config: Index }).config
    },
    async createIndex(name, config) {
      await call({ method: 'POST', path: vectorize, body: { name, config } })
    },
    async deleteIndex(name) {
      await call({ method: 'DELETE', path: `${vectorize}/${name}`, missing: true })
    },
    async metadataIndexes(name) {
      const path = `${vectorize}/${name}/metadata_index/list`
      const { metadataIndexes } = (await call({ method: 'GET', path })) as {
        metadataIndexes: { propertyName: string }[]
      }
      return metadataIndexes.map((one) => one.propertyName)
    },
    async createMetadataIndex(name, propertyName) {
      const path = `${vectorize}/${name}/metadata_index/create`
      await call({ method: 'POST', path, body: { propertyName, indexType: 'string' } })
    },
    async secrets(script) {
      const path = `/workers/scripts/${script}/secrets`
      const list = await call({ method: 'GET', path, missing: true })
      return list === null ? null : (list as { name: string }[]).map((one) => one.name)
    },
    async putSecret(script, name, text) {
      const path = `/workers/scripts/${script}/secrets`
      await call({ method: 'PUT', path, body: { name, text, type: 'secret_text' } })
    },
    async deleteScript(script) {
      await call({ method: 'DELETE', path: `/workers/scripts/${script}?force=true`, missing: true })
    },
    async subdomain() {
      const found = await call({ method: 'GET', path: '/workers/subdomain', missing: true })
      return found === null ? null : ((found as { subdomain?: string }).subdomain ?? null)
    },
  }
}

export type Account = { readonly id: string; readonly name: string }

/** The accounts that a token may use. Throws a {@link PlatformError} when the token is refused. */
export async function accountsOf(options: Omit<PlatformOptions, 'account'>): Promise<Account[]> {
  const answer = await (options.fetch ?? fetch)(`${options.base}/accounts?per_page=50`, {
    headers: { authorization: `Bearer ${options.token}` },
    signal: AbortSignal.timeout(60_000),
  })
  const text = await answer.text()
  if (!answer.ok) {
    throw new PlatformError('GET /accounts', answer.status, null, text.slice(0, 200))
  }
  const { result } = JSON.parse(text) as { result: Account[] }
  return result.map(({ id, name }) => ({ id, name }))
}
