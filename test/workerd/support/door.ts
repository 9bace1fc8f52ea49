// A site as an outsider sees it: everything goes through HTTP, nothing through a binding.
import { env, exports } from 'cloudflare:workers'
import { provenDigests } from '../../../protocol/proven.ts'
import { registrySchema, type Registry } from '../../../protocol/registry.ts'
import { remember } from './openapi.ts'

export type Answer = {
  status: number
  headers: Headers
  text: string
  /** The parsed body; tests look into it by name. */
  body: Record<string, unknown>
}

export type Call = {
  token?: string
  body?: unknown
  raw?: BodyInit
  headers?: Record<string, string>
}

const origin = 'https://gateway.test'

/** One request to the Worker. `body` is sent as JSON, `raw` as it is. */
export async function call(method: string, path: string, with_: Call = {}): Promise<Answer> {
  const headers = new Headers(with_.headers)
  if (with_.token !== undefined) headers.set('authorization', `Bearer ${with_.token}`)
  const sends = with_.body !== undefined || with_.raw !== undefined
  if (sends && !headers.has('content-type')) headers.set('content-type', 'application/json')
  const response = await exports.default.fetch(
    new Request(origin + path, {
      method,
      headers,
      ...(sends ? { body: with_.raw ?? JSON.stringify(with_.body) } : {}),
      redirect: 'manual',
    }),
  )
  const text = await response.text()
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  const json = /[/+]json$/.test(type) && text !== ''
  const body = json ? (JSON.parse(text) as Record<string, unknown>) : {}
  if (json) {
    remember({ method, path: path.replace(/\?.*$/, ''), status: response.status, type, body })
  }
  return { status: response.status, headers: response.headers, text, body }
}

export type TestSite = {
  site: string
  admin: string
  planner: string
  plannerId: string
  reviewer: string
  operator: string
}

let sites = 0

/** Creates a credential through the door and returns its token. */
export async function credential(
  admin: string,
  role: string,
  subject: string,
  owner: string,
): Promise<string> {
  const made = await call('POST', '/v1/credentials', {
    token: admin,
    body: { role, subject, owner },
  })
  if (made.status !== 201) throw new Error(`credential: ${made.status} ${made.text}`)
  return String(made.body['token'])
}

/** States of every row of the registry that it has run before. */
export async function proveRows(admin: string, registry: Registry): Promise<void> {
  const { tools } = registrySchema.parse(registry)
  const body = { rows: await provenDigests(tools) }
  const put = await call('PUT', '/v1/tools/proven', { token: admin, body })
  if (put.status !== 200) throw new Error(`proven: ${put.status} ${put.text}`)
}

/** A fresh site with the demo registry and one credential per role, each of another owner. */
export async function freshSite(
  options: { registry?: boolean; proven?: boolean } = {},
): Promise<TestSite> {
  const site = `site-${++sites}`
  const made = await call('POST', '/v1/sites', {
    token: env.TEST_OPERATOR_TOKEN,
    body: { site, administrator: { subject: 'admin', owner: 'ada' } },
  })
  if (made.status !== 201) throw new Error(`site: ${made.status} ${made.text}`)
  const admin = String((made.body['administrator'] as Record<string, unknown>)['token'])
  if (options.registry !== false) {
    const put = await call('PUT', '/v1/tools', { token: admin, body: env.TEST_REGISTRY })
    if (put.status !== 200) throw new Error(`registry: ${put.status} ${put.text}`)
    // The lab of these tests has run the rows of the demo before.
    if (options.proven !== false) await proveRows(admin, env.TEST_REGISTRY)
  }
  const plannerId = Object.keys(env.TEST_REGISTRY.planners)[0] ?? 'planner'
  return {
    site,
    admin,
    plannerId,
    planner: await credential(admin, 'planner', plannerId, 'pia'),
    reviewer: await credential(admin, 'reviewer', 'rosa', 'rosa'),
    operator: await credential(admin, 'operator', 'olga', 'olga'),
  }
}

/** A harmless plan of one reading. */
export function readingPlan(plannerId: string, more: Record<string, unknown> = {}) {
  return {
    goal: 'Read the temperature of the incubator for the daily log.',
    instructions: ['Read the incubator temperature once.'],
    planner: { id: plannerId },
    nodes: [],
    ...more,
  }
}

/** The code of a problem answer. */
export const codeOf = (answer: Answer): unknown => answer.body['code']

/** Codes and places of the violations in a problem answer. */
export const codesOf = (answer: Answer): [string, string][] =>
  ((answer.body['violations'] ?? []) as { code: string; at: string }[]).map((v) => [v.code, v.at])

/** What of a key may leave its owner. */
export const publicHalf = ({ kty, crv, x }: { kty: string; crv: string; x: string }) => ({
  kty,
  crv,
  x,
})

/** Submits a harmless plan as the site's planner. */
export function submitReading(
  site: TestSite,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return call('POST', '/v1/plans', {
    token: site.planner,
    body: readingPlan(site.plannerId, more),
    headers,
  })
}
