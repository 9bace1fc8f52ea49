// The page's way to the gateway. The credential lives in this tab's session storage only, and goes out
// in a header, never in a URL.
import type { Plan } from '../protocol/plan.ts'
import type { Decision, Packet } from '../protocol/records.ts'

const storageKey = 'portcullis.credential'

export type ReviewRow = {
  plan: string
  planner: string
  owner: string
  concern: string | null
  reasons: string[]
  packet_digest: string | null
  received_ms: number
  expires_ms: number | null
}

export type ReviewRecord = {
  plan: Plan
  packet: Packet | null
  status: {
    plan: string
    planner: string
    owner: string
    state: string
    verdict: string | null
    reasons: string[]
    packet_digest: string | null
    decision: Decision | null
    supersedes: string | null
    received_ms: number
  }
  lineage: {
    plan: string
    state: string
    reasons: string[]
    codes: string[]
    differences: { change: string; at: string; before: string | null; after: string | null }[]
  }[]
  precedent: string | null
  codes: Record<string, { title: string; remedy: string; risks: { id: string; name: string }[] }>
}

export type Cell = {
  cell: string
  agent: string | null
  armed_until_ms: number | null
  armed_by: string | null
  needs_clearance: boolean
  latch_reason: string | null
  session: string | null
  queued: number
  /** Number of the latest change; arming and clearing name the one that is shown. */
  change: number
  changed: { what: string; by: string; at_ms: number } | null
  held_by: string | null
  holds: { planner: string; plan: string; reason: string }[]
  not_at_rest: string[]
  stops: { session: string; stop: string; devices: string[] }[]
}

type List<T> = { items: T[]; next: string | null }

/** A refusal as the gateway worded it. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function signIn(credential: string): void {
  sessionStorage.setItem(storageKey, credential)
}

export function signOut(): void {
  sessionStorage.removeItem(storageKey)
}

export function isSignedIn(): boolean {
  return sessionStorage.getItem(storageKey) !== null
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${sessionStorage.getItem(storageKey) ?? ''}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    credentials: 'omit',
    redirect: 'error',
  })
  const answer = (await response.json()) as unknown
  if (response.ok) return answer as T
  const { title, detail } = answer as { title?: string; detail?: string }
  throw new Refused(response.status, [title, detail].filter(Boolean).join(' '))
}

const part = encodeURIComponent

export const api = {
  reviews: (after: string | null) =>
    call<List<ReviewRow>>('GET', `/v1/reviews${after === null ? '' : `?after=${part(after)}`}`),
  review: (plan: string) => call<ReviewRecord>('GET', `/v1/reviews/${part(plan)}`),
  resolve: (
    plan: string,
    review: { verdict: 'accept' | 'reject'; rationale: string; packet_digest: string },
  ) => call<{ state: string }>('POST', `/v1/reviews/${part(plan)}`, review),
  cells: () => call<List<Cell>>('GET', '/v1/cells'),
  arm: (cell: Cell, until_ms: number) =>
    call<Cell>('POST', `/v1/cells/${part(cell.cell)}/arm`, { until_ms, seen: cell.change }),
  disarm: (cell: string) => call<Cell>('POST', `/v1/cells/${part(cell)}/disarm`),
  clear: (cell: Cell, note: string) =>
    call<Cell>('POST', `/v1/cells/${part(cell.cell)}/clear`, { note, seen: cell.change }),
  release: (cell: Cell) =>
    call<Cell>('POST', `/v1/cells/${part(cell.cell)}/release`, { seen: cell.change }),
  stop: (cell: string) => call<Cell>('POST', `/v1/cells/${part(cell)}/stop`),
}
