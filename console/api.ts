// The page's way to the gateway. A refusal is thrown as the gateway worded it.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { Plan } from '../protocol/plan.ts'
import type { PlanSummary } from '../protocol/plan-summary.ts'
import type { Approval, Decision, DecisionReason, Packet } from '../protocol/records.ts'
import type { CellState, StateFact } from '../protocol/state.ts'
import type {
  AgentStatus,
  CellStatus,
  QueueLine,
  SessionStatus,
  SessionStop,
} from '../protocol/status.ts'
import type { DeviceRest } from '../protocol/tokens.ts'
import { me, noteRefused, type Me, type Role } from './state/who.ts'

export type ReviewRow = {
  plan: string
  planner: string
  owner: string
  concern: string | null
  reasons: DecisionReason[]
  packet_digest: string | null
  received_ms: number
  expires_ms: number | null
  assignee: string | null
  summary: PlanSummary | null
}

export type May =
  | 'yes'
  | 'not_escalated'
  | 'conflict_of_interest'
  | 'same_approver'
  | 'outdated'
  | 'review_expired'

export type Difference = {
  change: string
  at: string
  before: string | null
  after: string | null
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
    reasons: DecisionReason[]
    packet_digest: string | null
    decision: Decision | null
    session: string | null
    session_reason: string | null
    supersedes: string | null
    received_ms: number
    decided_ms: number | null
  }
  lineage: {
    plan: string
    state: string
    reasons: DecisionReason[]
    codes: string[]
    approvals: Approval[]
    differences: Difference[]
  }[]
  precedent: string | null
  approvals: Approval[]
  approvals_required: number
  assignee: string | null
  may: { accept: May; reject: May }
  codes: Record<string, { title: string; remedy: string; risks: { id: string; name: string }[] }>
}

export type Citations = {
  graph_version: string | null
  items: { id: string; name: string | null; category: string | null; text: string | null }[]
}

export type QueuedPlan = QueueLine & { summary: PlanSummary | null }

export type Run = Omit<SessionStatus, 'nodes' | 'site' | 'ctx' | 'order'> & {
  planner: string | null
  goal: string | null
  stopped_by: string | null
  as_of_ms: number
  moving_at_end: string | null
  steps: (SessionStatus['nodes'][number] & {
    sentence: string | null
    started_ms: number | null
    ended_ms: number | null
  })[]
  devices: DeviceRest[]
}

export type CellRecordInput = {
  inventory?: CellState['inventory']
  facts?: Pick<StateFact, 'thing' | 'part' | 'fact' | 'value'>[]
}

export type Credential = {
  id: string
  role: Role
  subject: string
  owner: string
  created_ms: number
  expires_ms: number | null
  revoked_ms: number | null
  last_used_ms: number | null
  created_by: string | null
}

export type SignIn = {
  id: string
  way: 'code' | 'access' | 'passkey'
  credential: string
  owner: string
  created_ms: number
  expires_ms: number
  last_used_ms: number | null
  current: boolean
}

export type Passkey = {
  id: string
  credential: string
  name: string
  rp_id: string
  created_ms: number
  expires_ms: number
  last_used_ms: number | null
}

/** What a fresh touch signs. */
export type Touch = {
  act: 'accept_plan' | 'sign_template' | 'add_passkey' | 'end_passkey'
  of: string
  digest: string | null
}

export type Resolution = {
  verdict: 'accept' | 'reject'
  rationale: string
  packet_digest: string
  touch?: AuthenticationResponseJSON
}

/** What whoever opens the page may sign in as, as the identity provider in front says. */
export type SignInWays = {
  access: {
    email: string
    choices: { site: string; credential: string; role: Role; owner: string }[]
  } | null
}

export type NewCredential = Pick<Credential, 'role' | 'subject' | 'owner' | 'expires_ms'>

type List<T> = { items: T[]; next: string | null }

/** A refusal as the gateway worded it; status 0 when it could not be reached. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * On every request: whose sign-in this page believes to use. The cookie is one for all tabs; where another
 * tab has signed in as somebody else, nothing of this page is taken as that person's.
 */
export function headersOf(who: Me | null): Record<string, string> {
  return who === null ? {} : { 'portcullis-as': who.credential }
}

async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  asked: Me | null = me.peek(),
): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: {
      ...headersOf(asked),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    credentials: 'same-origin',
    redirect: 'error',
  }).catch(() => {
    throw new Refused(0, 'unreachable', 'The gateway could not be reached. Nothing was changed.')
  })
  const answer: unknown = await response.json().catch(() => ({}))
  if (response.ok) return answer as T
  const { code = '', title, detail } = answer as { code?: string; title?: string; detail?: string }
  if (response.status === 401) noteRefused(asked)
  throw new Refused(response.status, code, [title, detail].filter(Boolean).join(' '))
}

const part = encodeURIComponent

async function all<T>(path: string, max: number): Promise<T[]> {
  const items: T[] = []
  let next: string | null = null
  do {
    const answer: List<T> = await call(
      'GET',
      `${path}?limit=100${next === null ? '' : `&after=${part(next)}`}`,
    )
    items.push(...answer.items)
    next = answer.next
  } while (next !== null && items.length < max)
  return items
}

/** More than a site may have. */
const credentialsMax = 10_000

export const api = {
  signIn: (code: string) => call<{ id: string }>('POST', '/v1/sign-ins', { code }),
  signInWays: () => call<SignInWays>('GET', '/v1/sign-in-ways'),
  signInByAccess: (site: string, credential: string) =>
    call<{ id: string }>('POST', '/v1/sign-ins/access', { site, credential }),
  passkeyQuestion: () =>
    call<{ options: PublicKeyCredentialRequestOptionsJSON }>(
      'POST',
      '/v1/sign-ins/passkey/options',
    ),
  signInByPasskey: (answer: AuthenticationResponseJSON) =>
    call<{ id: string }>('POST', '/v1/sign-ins/passkey', { answer }),
  passkeys: () => call<List<Passkey>>('GET', '/v1/passkeys'),
  newPasskeyQuestion: () =>
    call<{ options: PublicKeyCredentialCreationOptionsJSON }>('POST', '/v1/passkeys/options'),
  addPasskey: (made: {
    name: string
    answer: RegistrationResponseJSON
    touch?: AuthenticationResponseJSON
  }) => call<Passkey>('POST', '/v1/passkeys', made),
  endPasskey: (id: string, touch?: AuthenticationResponseJSON) =>
    call<Passkey>('POST', `/v1/passkeys/${part(id)}/end`, touch === undefined ? {} : { touch }),
  touchQuestion: (signing: Touch) =>
    call<{ options: PublicKeyCredentialRequestOptionsJSON }>('POST', '/v1/touches', signing),
  endSignIn: (id: string) => call<unknown>('POST', `/v1/sign-ins/${part(id)}/end`),
  /** Whoever the cookie signs in, whoever it was before. */
  me: () => call<Me>('GET', '/v1/me', undefined, null),
  reviews: (max: number) => all<ReviewRow>('/v1/reviews', max),
  review: (plan: string) => call<ReviewRecord>('GET', `/v1/reviews/${part(plan)}`),
  citations: (plan: string) => call<Citations>('GET', `/v1/reviews/${part(plan)}/citations`),
  resolve: (plan: string, review: Resolution) =>
    call<{ state: string }>('POST', `/v1/reviews/${part(plan)}`, review),
  assign: (plan: string, assignee: string | null, seen: string | null) =>
    call<{ assignee: string | null }>('PUT', `/v1/reviews/${part(plan)}/assignee`, {
      assignee,
      seen,
    }),
  cells: () => call<List<CellStatus>>('GET', '/v1/cells'),
  agents: () => call<List<AgentStatus>>('GET', '/v1/agents'),
  queue: (cell: string) => call<List<QueuedPlan>>('GET', `/v1/cells/${part(cell)}/queue`),
  cellState: (cell: string) => call<CellState>('GET', `/v1/cells/${part(cell)}/state`),
  run: (session: string) => call<Run>('GET', `/v1/sessions/${part(session)}/run`),
  stopSession: (session: string) => call<SessionStop>('POST', `/v1/sessions/${part(session)}/stop`),
  record: (cell: string, record: CellRecordInput) =>
    call<{ version: number }>('PUT', `/v1/cells/${part(cell)}/record`, record),
  arm: (cell: CellStatus, until_ms: number) =>
    call<CellStatus>('POST', `/v1/cells/${part(cell.cell)}/arm`, { until_ms, seen: cell.change }),
  disarm: (cell: string) => call<CellStatus>('POST', `/v1/cells/${part(cell)}/disarm`),
  clear: (cell: CellStatus, note: string) =>
    call<CellStatus>('POST', `/v1/cells/${part(cell.cell)}/clear`, { note, seen: cell.change }),
  release: (cell: CellStatus) =>
    call<CellStatus>('POST', `/v1/cells/${part(cell.cell)}/release`, { seen: cell.change }),
  stop: (cell: string) => call<CellStatus>('POST', `/v1/cells/${part(cell)}/stop`),
  credentials: () => all<Credential>('/v1/credentials', credentialsMax),
  createCredential: (wanted: NewCredential) =>
    call<{ credential: Credential; token: string }>('POST', '/v1/credentials', wanted),
  revoke: (credential: string) =>
    call<Credential>('POST', `/v1/credentials/${part(credential)}/revoke`),
  offboard: (owner: string) => call<List<Credential>>('POST', `/v1/owners/${part(owner)}/revoke`),
  signInLink: (credential: string) =>
    call<{ link: string; owner: string; expires_ms: number }>('POST', '/v1/sign-in-codes', {
      credential,
    }),
  signIns: () => call<List<SignIn>>('GET', '/v1/sign-ins'),
  enrolmentCode: (agent: string, cell: string) =>
    call<{ code: string; expires_ms: number }>('POST', '/v1/agents/codes', { agent, cell }),
  revokeAgent: (agent: string) => call<unknown>('POST', `/v1/agents/${part(agent)}/revoke`),
}
