// A small client of the gateway's HTTP interface for the project's own commands. It throws on any
// answer that the caller did not expect, with the problem's code and detail.
import type { Policy } from '../../protocol/policy.ts'
import { stillProven, type ProvenRows } from '../../protocol/proven.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { CellRecord } from '../../protocol/state.ts'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly body: unknown

  constructor(what: string, status: number, body: unknown) {
    super(`${what}: HTTP ${status} ${JSON.stringify(body).slice(0, 2_000)}`)
    this.status = status
    this.body = body
  }
}

export type Answer = { status: number; headers: Headers; body: unknown }

const requestTimeoutMs = 60_000

/** One JSON request; any status is returned. */
export async function request(
  base: string,
  call: {
    method: string
    path: string
    token?: string
    body?: unknown
    headers?: Record<string, string>
  },
): Promise<Answer> {
  const headers = new Headers(call.headers)
  if (call.token !== undefined) headers.set('authorization', `Bearer ${call.token}`)
  if (call.body !== undefined) headers.set('content-type', 'application/json')
  const response = await fetch(base + call.path, {
    method: call.method,
    headers,
    signal: AbortSignal.timeout(requestTimeoutMs),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const body: unknown = type.includes('json') && text !== '' ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body }
}

/** One JSON request that must succeed (2xx). */
export async function must<T>(base: string, call: Parameters<typeof request>[1]): Promise<T> {
  const answer = await request(base, call)
  if (answer.status < 200 || answer.status > 299) {
    throw new ApiError(`${call.method} ${call.path}`, answer.status, answer.body)
  }
  return answer.body as T
}

export type SiteHandle = {
  readonly base: string
  readonly site: string
  readonly admin: string
}

/**
 * Creates a site with an approved registry and policy. `proven` are the rows that its lab states to have
 * run before; those that are not as stated are unproven, as everywhere.
 */
export async function createSite(
  base: string,
  operatorToken: string,
  spec: { site: string; registry: Registry; policy: Policy; proven: ProvenRows },
): Promise<SiteHandle> {
  const created = await must<{ administrator: { token: string } }>(base, {
    method: 'POST',
    path: '/v1/sites',
    token: operatorToken,
    body: { site: spec.site, administrator: { subject: 'admin', owner: 'site.admin' } },
  })
  const handle = { base, site: spec.site, admin: created.administrator.token }
  await must(base, { method: 'PUT', path: '/v1/tools', token: handle.admin, body: spec.registry })
  await must(base, { method: 'PUT', path: '/v1/policies', token: handle.admin, body: spec.policy })
  const rows = await stillProven(spec.registry.tools, spec.proven)
  const path = '/v1/tools/proven'
  if (Object.keys(rows).length > 0) {
    await must(base, { method: 'PUT', path, token: handle.admin, body: { rows } })
  }
  return handle
}

/** Creates one credential and returns its token. */
export async function createCredential(
  handle: SiteHandle,
  spec: {
    role: 'planner' | 'reviewer' | 'operator' | 'administrator'
    subject: string
    owner: string
  },
): Promise<string> {
  const created = await must<{ token: string }>(handle.base, {
    method: 'POST',
    path: '/v1/credentials',
    token: handle.admin,
    body: spec,
  })
  return created.token
}

/** A link by which the holder of a token signs in at the console, once and within a quarter of an hour. */
export async function signInLink(base: string, token: string): Promise<string> {
  const call = { method: 'POST', path: '/v1/sign-in-codes', token, body: {} }
  return (await must<{ link: string }>(base, call)).link
}

/** Records, as a person at the cell, what stands there and what is known of it. */
export async function recordCell(
  base: string,
  operator: string,
  cell: string,
  record: CellRecord,
): Promise<void> {
  const path = `/v1/cells/${encodeURIComponent(cell)}/record`
  await must(base, { method: 'PUT', path, token: operator, body: record })
}
