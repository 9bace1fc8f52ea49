// A stand-in of the platform's API, after its published reference: databases on real SQLite, indexes,
// scripts, secrets, and the door that a deployed worker would open for sites and health.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { versions } from '../../../protocol/versions.ts'
import { sha256 } from '../../../deploy/steps.ts'

type Script = { secrets: Map<string, string>; uploads: number }

export class StandIn {
  readonly databases = new Map<string, { name: string; db: DatabaseSync }>()
  readonly indexes = new Map<
    string,
    { config: { dimensions: number; metric: string }; metadata: string[] }
  >()
  readonly scripts = new Map<string, Script>()
  /** Site → digests of its administrators' tokens. */
  readonly sites = new Map<string, string[]>()
  /** Every call that changed something. */
  readonly changes: string[] = []
  token = 'right'
  accounts = [{ id: 'acc', name: 'the lab' }]
  subdomain: string | null = 'lab'
  health: Record<string, string> = { storage: 'ok', objects: 'ok', knowledge: 'kg:1' }
  deployment = ''
  versions: Record<string, number> = { ...versions }
  /** What `/v1/drain` says. */
  moving = {
    running: [] as { site: string; cell: string; session: string }[],
    silent: [] as string[],
    on: false,
  }
  dateOffsetMs = 0
  #server: Server | null = null
  #made = 0

  async start(): Promise<string> {
    this.#server = createServer((request, response) => void this.#answer(request, response))
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    for (const { db } of this.databases.values()) db.close()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  /** Everything that exists, by kind and name. */
  resources(): string[] {
    return [
      ...[...this.databases.values()].map(({ name }) => `database ${name}`),
      ...[...this.indexes].map(([name, { metadata }]) => `index ${name} ${metadata.join(',')}`),
      ...[...this.scripts].map(
        ([name, { secrets }]) => `script ${name} ${[...secrets.keys()].toSorted().join(',')}`,
      ),
      ...[...this.sites.keys()].map((name) => `site ${name}`),
    ].toSorted()
  }

  addDatabase(name: string): string {
    this.#made += 1
    const uuid = `00000000-0000-4000-8000-${String(this.#made).padStart(12, '0')}`
    this.databases.set(uuid, { name, db: new DatabaseSync(':memory:') })
    return uuid
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const url = new URL(request.url ?? '/', 'http://x')
    response.setHeader('content-type', 'application/json')
    response.setHeader('date', new Date(Date.now() + this.dateOffsetMs).toUTCString())
    const send = (status: number, body: unknown): void => {
      response.statusCode = status
      response.end(JSON.stringify(body))
    }
    const method = request.method ?? 'GET'
    if (!url.pathname.startsWith('/client/v4')) {
      this.#door(method, url.pathname, text, request.headers.authorization ?? '', send)
      return
    }
    const ok = (result: unknown): void =>
      send(200, { success: true, errors: [], messages: [], result })
    const no = (status: number, code: number, message: string): void =>
      send(status, { success: false, errors: [{ code, message }], messages: [], result: null })
    if (request.headers.authorization !== `Bearer ${this.token}`) {
      no(401, 10_000, 'Authentication error')
      return
    }
    if (method !== 'GET' && !url.pathname.endsWith('/query')) {
      this.changes.push(`${method} ${url.pathname}`)
    }
    const path = url.pathname.replace('/client/v4', '')
    if (path === '/accounts') {
      ok(this.accounts)
      return
    }
    const own = /^\/accounts\/acc(\/.*)$/.exec(path)?.[1]
    if (own === undefined) no(404, 7003, 'no such account')
    else if (own.startsWith('/d1/')) this.#d1(method, own, url, text, ok, no)
    else if (own.startsWith('/vectorize/')) this.#vectorize(method, own, text, ok, no)
    else this.#workers(method, own, text, ok, no)
  }

  #d1(method: string, path: string, url: URL, text: string, ok: Ok, no: No): void {
    const id = /^\/d1\/database\/([^/]+)/.exec(path)?.[1]
    if (id === undefined) {
      if (method === 'POST') {
        const { name } = JSON.parse(text) as { name: string }
        const taken = [...this.databases.values()].some((one) => one.name === name)
        if (taken) no(400, 7502, 'a database with that name exists')
        else ok({ uuid: this.addDatabase(name), name })
        return
      }
      const wanted = url.searchParams.get('name') ?? ''
      ok(
        [...this.databases]
          .map(([uuid, { name }]) => ({ uuid, name }))
          .filter(({ name }) => name.includes(wanted)),
      )
      return
    }
    const found = this.databases.get(id)
    if (found === undefined) no(404, 7404, 'no such database')
    else if (method === 'DELETE') {
      found.db.close()
      this.databases.delete(id)
      ok(null)
    } else if (path.endsWith('/query')) {
      const { sql, params } = JSON.parse(text) as { sql: string; params?: (string | number)[] }
      try {
        // A migration is many statements, a question is one.
        if ((params ?? []).length === 0 && !/^\s*(?:SELECT|PRAGMA)/i.test(sql)) {
          found.db.exec(sql)
          ok([{ results: [], success: true, meta: {} }])
        } else {
          const results = found.db.prepare(sql).all(...(params ?? []))
          ok([{ results, success: true, meta: {} }])
        }
      } catch (cause) {
        no(400, 7500, String(cause))
      }
    } else ok({ uuid: id, name: found.name })
  }

  #vectorize(method: string, path: string, text: string, ok: Ok, no: No): void {
    const [, name, rest] = /^\/vectorize\/v2\/indexes(?:\/([^/]+)(\/.*)?)?$/.exec(path) ?? []
    if (name === undefined) {
      const made = JSON.parse(text) as {
        name: string
        config: { dimensions: number; metric: string }
      }
      if (this.indexes.has(made.name)) no(409, 3002, 'an index with that name exists')
      else {
        this.indexes.set(made.name, { config: made.config, metadata: [] })
        ok(made)
      }
      return
    }
    const found = this.indexes.get(name)
    if (found === undefined) no(404, 3000, 'no such index')
    else if (rest === '/metadata_index/list') {
      ok({ metadataIndexes: found.metadata.map((propertyName) => ({ propertyName })) })
    } else if (rest === '/metadata_index/create') {
      found.metadata.push((JSON.parse(text) as { propertyName: string }).propertyName)
      ok({ mutationId: 'm' })
    } else if (method === 'DELETE') {
      this.indexes.delete(name)
      ok(null)
    } else ok({ name, config: found.config })
  }

  #workers(method: string, path: string, text: string, ok: Ok, no: No): void {
    if (path === '/workers/subdomain') {
      if (this.subdomain === null) no(404, 10_007, 'no subdomain')
      else ok({ subdomain: this.subdomain })
      return
    }
    const service = /^\/workers\/services\/([^/]+)$/.exec(path)?.[1]
    if (service !== undefined) {
      if (this.scripts.has(service))
        ok({ id: service, default_environment: { script: { last_deployed_from: 'wrangler' } } })
      else no(404, 10_090, 'no such service')
      return
    }
    const worker = /^\/workers\/workers\/([^/]+)$/.exec(path)?.[1]
    if (worker !== undefined) {
      ok({ id: worker, name: worker, subdomain: { enabled: true, previews_enabled: true } })
      return
    }
    const [, name = '', rest = ''] = /^\/workers\/scripts\/([^/]+)(\/.*)?$/.exec(path) ?? []
    const script = this.scripts.get(name)
    if (rest === '' && method === 'PUT') {
      this.upload(name)
      ok({ id: name, etag: 'e', startup_time_ms: 5, deployment_id: 'd', entry_point: 'index.js' })
    } else if (rest === '' && method === 'DELETE') {
      if (script === undefined) no(404, 10_007, 'no such script')
      else {
        this.scripts.delete(name)
        ok(null)
      }
    } else if (rest === '/secrets') {
      if (script === undefined) no(404, 10_007, 'no such script')
      else if (method === 'PUT') {
        const secret = JSON.parse(text) as { name: string; text: string }
        script.secrets.set(secret.name, secret.text)
        ok({ name: secret.name, type: 'secret_text' })
      } else ok([...script.secrets.keys()].map((one) => ({ name: one, type: 'secret_text' })))
    } else if (rest === '/assets-upload-session') ok({ jwt: 'j', buckets: [] })
    else if (rest === '/deployments') ok({ deployments: [] })
    else if (rest === '/subdomain') ok({ enabled: true, previews_enabled: true })
    else ok({})
  }

  upload(name: string): void {
    const script = this.scripts.get(name)
    if (script === undefined) this.scripts.set(name, { secrets: new Map(), uploads: 1 })
    else script.uploads += 1
  }

  #door(method: string, path: string, text: string, authorization: string, send: Send): void {
    const [script] = this.scripts.values()
    if (script === undefined) {
      send(404, { title: 'nothing is deployed here' })
      return
    }
    const token = authorization.replace(/^Bearer /, '')
    if (path === '/healthz') {
      const signer = script.secrets.has('SIGNING_KEYS') ? 'ok' : 'keys_missing'
      const checks = { signer, ...this.health }
      const well = ['storage', 'signer', 'objects'].every((one) => checks[one as 'signer'] === 'ok')
      const status = well ? 'ok' : 'down'
      const { deployment, versions: numbers } = this
      send(well ? 200 : 503, { status, deployment, checks, versions: numbers })
      return
    }
    if (path === '/v1/sites' && method === 'GET') {
      const known = [...this.sites.values()].some((tokens) => tokens.includes(sha256(token)))
      send(known ? 200 : 401, { title: known ? 'ok' : 'unknown credential' })
      return
    }
    if (path === '/v1/sign-in-codes' && method === 'POST') {
      const known = [...this.sites.values()].some((tokens) => tokens.includes(sha256(token)))
      const link = 'https://door.example/console/#/sign-in/abc'
      send(known ? 201 : 401, known ? { link } : { title: 'unknown credential' })
      return
    }
    if (sha256(token) !== script.secrets.get('OPERATOR_TOKEN_SHA256')) {
      send(401, { title: 'The operator’s token is wrong.' })
      return
    }
    if (path === '/v1/drain') {
      if (method === 'POST') this.moving.on = (JSON.parse(text) as { on: boolean }).on
      const { running, silent, on } = this.moving
      send(200, { sites: this.sites.size, draining: on ? this.sites.size : 0, running, silent })
      return
    }
    const given = `pc_${this.changes.length}_${this.sites.size}`
    const body = JSON.parse(text) as { site?: string }
    this.changes.push(`${method} ${path}`)
    const more = /^\/v1\/sites\/([^/]+)\/administrators$/.exec(path)?.[1]
    if (more !== undefined) {
      this.sites.get(more)?.push(sha256(given))
      send(201, { token: given })
    } else if (this.sites.has(body.site ?? ''))
      send(409, { title: 'There is a site of that name.' })
    else {
      this.sites.set(body.site ?? '', [sha256(given)])
      send(201, { site: body.site, administrator: { token: given } })
    }
  }
}

type Ok = (result: unknown) => void
type No = (status: number, code: number, message: string) => void
type Send = (status: number, body: unknown) => void
