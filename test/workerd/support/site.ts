// A site that can judge and run: a knowledge graph of one node, policies, plans of a few steps, and
// robot agents on their real presence sockets.
import { env, exports } from 'cloudflare:workers'
import { importSigningKey, type SigningKey } from '../../../contain/keys.ts'
import { signTrusted } from '../../../contain/sign.ts'
import { readSigned } from '../../../contain/verify.ts'
import type {
  ExecutionSessionApi,
  PlanReviewApi,
  SiteHubApi,
} from '../../../durable-objects/contracts.ts'
import type { SiteWindowApi } from '../../../durable-objects/window/api.ts'
import type { AuditEntry } from '../../../protocol/audit.ts'
import { gatewayPresenceFrame, type GatewayPresenceFrame } from '../../../protocol/frames.ts'
import { featuresHeader } from '../../../protocol/features.ts'
import { objectName } from '../../../protocol/ids.ts'
import type { PartPiece, PartWanted } from '../../../protocol/part-frames.ts'
import {
  stopOrderClaimsSchema,
  type StopCallState,
  type StopOrderClaims,
} from '../../../protocol/stop-order.ts'
import { localModel } from '../../../verify/ground/embed.ts'
import { agentToken } from './agent-token.ts'
import { call, publicHalf, type Answer, type TestSite } from './door.ts'

/** Without a graph that serves, nothing can be accepted: one node is enough for these plans. */
export async function loadTinyGraph(): Promise<void> {
  const version = `kg:${'T'.repeat(43)}`
  await env.DB.batch([
    env.DB.prepare(
      `INSERT OR IGNORE INTO kg_nodes (slot, rid, id, category, kind, name, text, limits, graph_version)
       VALUES (0, 1, 'site:fridge', 'lab_context', 'device', 'Fridge', '', NULL, ?1)`,
    ).bind(version),
    env.DB.prepare('INSERT OR IGNORE INTO kg_active VALUES (1, ?1, 0, ?2, 1)').bind(
      version,
      localModel,
    ),
  ])
}

type Trailed = { audit(after: number): Promise<AuditEntry[]> }
type Stub<Api> = Api & Trailed & DurableObjectStub

/** The object behind one plan; stubs are seen through what they promise. */
export function reviewOf(site: string, plan: string): Stub<PlanReviewApi> {
  const stub: unknown = env.PLAN_REVIEW.getByName(objectName(site, plan))
  return stub as Stub<PlanReviewApi>
}

export function hubOf(site: string): Stub<SiteHubApi> {
  const stub: unknown = env.SITE_HUB.getByName(site)
  return stub as Stub<SiteHubApi>
}

/** The window over a site's recent plans. */
export function windowOf(site: string): SiteWindowApi & DurableObjectStub {
  const stub: unknown = env.SITE_WINDOW.getByName(site)
  return stub as SiteWindowApi & DurableObjectStub
}

export function sessionOf(site: string, session: string): Stub<ExecutionSessionApi> {
  const stub: unknown = env.EXECUTION_SESSION.getByName(objectName(site, session))
  return stub as Stub<ExecutionSessionApi>
}

/** Sets the policy; what is left out takes its default. */
export async function setPolicy(site: TestSite, policy: object): Promise<void> {
  const put = await call('PUT', '/v1/policies', { token: site.admin, body: policy })
  if (put.status !== 200) throw new Error(`policy: ${put.status} ${put.text}`)
}

/** A policy under which the rule-based panel is not deep enough: every plan goes to a person. */
export const escalating = { least_depth: 7 } as const

/** Reads one record: accepted under the default policy, moves nothing. */
export function readPlan(plannerId: string, sample = 'ST-100', more: object = {}) {
  return {
    goal: `Look up the storage status of sample ${sample}.`,
    instructions: [`Read the storage status of sample ${sample}.`],
    planner: { id: plannerId },
    nodes: [node('n1', 'lims.read_sample', { sample_id: sample, fields: ['storage_status'] })],
    ...more,
  }
}

/** What an operator records of a cell in which `fetchPlan` can run. */
const withPlate = {
  inventory: [{ thing: 'PL-1100', kind: 'plate_96', at: 'ambient_hotel', names: ['PL1100'] }],
  facts: [{ thing: 'transfer_port', fact: 'holds', value: '' }],
}

/** Fetches one plate from the hotel: accepted where `withPlate` is recorded, and moves metal. */
export function fetchPlan(plannerId: string, more: object = {}) {
  return {
    goal: 'List the plates of the wet-lab queue and fetch the first one.',
    instructions: ['Read the plate list of the wet-lab queue.', 'Fetch the first plate.'],
    planner: { id: plannerId },
    nodes: [
      node('n1', 'lims.read_sample', { sample_id: 'QUE-WL', fields: ['plates_today'] }),
      node('n2', 'storage.fetch', {
        store_id: 'ambient_hotel',
        item_id: 'PL-1100',
        barcode: 'PL1100',
      }),
    ].map((one, i) => (i === 0 ? one : { ...one, depends_on: ['n1'] })),
    ...more,
  }
}

/** Sends mail, which the wet-lab planner has no capability for: the floor blocks it. */
export function blockedPlan(plannerId: string) {
  return {
    goal: 'Ask the vendor for the lamp replacement interval.',
    instructions: ['Ask vendor support for the interval.'],
    planner: { id: plannerId },
    nodes: [
      node('n1', 'email.send_external', {
        to: 'help@vendor-support.example',
        subject: 'Lamp interval',
        body: 'At what point should the reader lamp be replaced?',
      }),
    ],
  }
}

export function node(id: string, tool: string, args: object, depends_on: string[] = []) {
  return { id, tool, args, depends_on, sandbox: null }
}

/** Posts a plan and waits for its verdict; the answer must have taken it. */
export async function decided(site: TestSite, plan: object, token = site.planner): Promise<Answer> {
  const answer = await call('POST', '/v1/plans', {
    token,
    body: plan,
    headers: { prefer: 'wait=20' },
  })
  if (answer.status !== 200) throw new Error(`plan: ${answer.status} ${answer.text}`)
  return answer
}

/** Posts a plan that is to run: where a person has to decide, the site's reviewer accepts it. */
export async function accepted(site: TestSite, plan: object, key?: string): Promise<Answer> {
  const answer = await call('POST', '/v1/plans', {
    token: site.planner,
    body: plan,
    headers: { prefer: 'wait=20', ...(key === undefined ? {} : { 'idempotency-key': key }) },
  })
  if (answer.body['state'] !== 'escalated') return answer
  const id = idOf(answer)
  const packet_digest = (await reviewOf(site.site, id).status())?.packet_digest
  const body = { verdict: 'accept', rationale: 'Looked at it.', packet_digest }
  const said = await call('POST', `/v1/reviews/${id}`, { token: site.reviewer, body })
  if (said.status !== 200) throw new Error(`review: ${said.status} ${said.text}`)
  return answer
}

export const idOf = (answer: Answer): string => String(answer.body['plan'])

/** Polls until the plan is in one of the states, and returns it. */
export async function reaches(
  site: TestSite,
  plan: string,
  states: readonly string[],
  timeoutMs = 15_000,
): Promise<string> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const state = (await reviewOf(site.site, plan).status())?.state ?? 'unknown'
    if (states.includes(state)) return state
    if (Date.now() > end) throw new Error(`${plan} is ${state}, not ${states.join(' or ')}`)
    await scheduler.wait(20)
  }
}

/** Polls until a condition holds. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  timeoutMs = 15_000,
): Promise<void> {
  const end = Date.now() + timeoutMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not in time: ${what}`)
    await scheduler.wait(20)
  }
}

let tokens = 0

/** A robot agent on its presence socket. It reports every device as up and takes no work. */
export class Presence {
  readonly assigned: string[] = []
  /** Reasons of the halts that came. */
  readonly halted: string[] = []
  /** A frozen process keeps its socket and says nothing. */
  frozen = false
  /** Number of the connection to each device server; none told while it is null. */
  instance: number | null = null
  /** Where its device servers are reached, as a digest; null: they are processes of its own. */
  address: string | null = null
  /** Lists of tools that it names, by server; such a server is told even where nothing is pinned on it. */
  lists: Record<string, { digest: string; bytes: number }> = {}
  /** Why the agent takes no session; null while it does. */
  outOfService: string | null = null
  /** Orders to stop the cell, as they were signed. */
  readonly orders: StopOrderClaims[] = []
  /** What its devices do when they are told to stop; null: it does not answer. */
  rests: ((order: StopOrderClaims) => StopCallState[]) | null = null
  /** The key that signs its answers. */
  private key: SigningKey | null = null
  /** What it answers when a kept part is asked for; undefined: nothing at all. */
  pieceOf: (wanted: PartWanted) => PartPiece | null | undefined = () => undefined
  private down: readonly string[] | null = null
  private beat: ReturnType<typeof setInterval> | null = null
  private readonly socket: WebSocket
  private nonce = ''
  private boot = ''
  private told = 0
  private welcome: Extract<GatewayPresenceFrame, { type: 'welcome' }> | null = null
  private frames = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
  }

  /** Connects and proves the key; says nothing of its devices yet. */
  static async connect(
    site: TestSite,
    as: { agent: string; cell: string; jwk: object; boot_id?: string; features?: string },
  ): Promise<Presence> {
    const jti = `presence-${++tokens}-${crypto.randomUUID()}`
    const token = await agentToken(as.jwk, { site: site.site, agent: as.agent, jti })
    const answer = await exports.default.fetch(
      new Request('https://gateway.test/v1/agent', {
        headers: {
          upgrade: 'websocket',
          authorization: `Bearer ${token}`,
          [featuresHeader]: as.features ?? '',
        },
      }),
    )
    if (answer.webSocket === null) throw new Error(`presence: ${answer.status}`)
    const presence = new Presence(answer.webSocket)
    const key = await importSigningKey(as.jwk)
    if (!key.ok) throw new TypeError(key.error)
    presence.key = key.value
    const boot_id = as.boot_id ?? crypto.randomUUID()
    presence.boot = boot_id
    const ready = new Promise<void>((resolve, reject) => {
      answer.webSocket?.addEventListener('message', (event) => {
        const frame = gatewayPresenceFrame.parse(JSON.parse(String(event.data)))
        if (frame.type === 'challenge') {
          presence.nonce = frame.nonce
          const claims = {
            sub: as.agent,
            sid: null,
            nonce: frame.nonce,
            boot_id,
            iat_ms: Date.now(),
          }
          void signTrusted(key.value, 'hello', claims).then((proof) =>
            presence.send({ type: 'hello', boot_id, cell: as.cell, proof }),
          )
        }
        if (frame.type === 'welcome') {
          presence.welcome = frame
          resolve()
        }
        if (frame.type === 'assigned') presence.assigned.push(frame.session)
        if (frame.type === 'part_wanted') {
          const piece = presence.pieceOf(frame)
          if (piece !== undefined) presence.send({ type: 'part', ask: frame.ask, piece })
        }
        if (frame.type === 'stop_order') void presence.ordered(frame.order, as)
        if (frame.type === 'halt') presence.halted.push(frame.reason)
        // As a real agent does: the registry is answered with health.
        if (frame.type === 'registry' && presence.down !== null) presence.health(presence.down)
        if (frame.type === 'error') reject(new Error(`presence: ${frame.code} ${frame.detail}`))
      })
    })
    answer.webSocket.accept()
    await ready
    return presence
  }

  /** Reports health, then again and again; `down` names servers that do not answer. */
  health(down: readonly string[] = []): void {
    const { welcome } = this
    this.down = down
    this.beat ??= setInterval(() => this.health(this.down ?? []), 3_000)
    if (welcome === null) throw new TypeError('health comes after welcome')
    const numbered = {
      ...(this.instance === null ? {} : { instance: this.instance }),
      ...(this.address === null ? {} : { address: this.address }),
    }
    type Server = { state: 'up' | 'down'; tools: Record<string, string>; list?: object }
    const servers: Record<string, Server> = {}
    for (const tool of welcome.tools) {
      const state = down.includes(tool.server) ? 'down' : 'up'
      const server = (servers[tool.server] ??= { state, ...numbered, tools: {} })
      server.tools[tool.mcp_tool] = tool.definition_digest
    }
    for (const [name, list] of Object.entries(this.lists)) {
      servers[name] = { ...(servers[name] ?? { state: 'up', ...numbered, tools: {} }), list }
    }
    const sandboxes = Object.fromEntries(welcome.sandboxes.map((name) => [name, 'up']))
    const out = this.outOfService === null ? {} : { out_of_service: this.outOfService }
    this.send({ type: 'health', health: { servers, sandboxes, ...out } })
  }

  private async ordered(order: string, as: { agent: string; cell: string }): Promise<void> {
    const read = readSigned('stop', order)
    if (!read.ok) throw new Error(`order: ${read.error}`)
    const claims = stopOrderClaimsSchema.parse(read.value.payload)
    this.orders.push(claims)
    if (this.rests !== null) await this.answer(claims, this.rests(claims), as)
  }

  /** The signed word on an order; another key says nothing that counts. */
  async answer(
    order: StopOrderClaims,
    states: readonly StopCallState[],
    as: { agent: string; cell: string },
    key: SigningKey | null = this.key,
    as_told: { seq?: number; boot_id?: string } = {},
  ): Promise<void> {
    if (key === null) throw new TypeError('connected without a key')
    const at_ms = Date.now()
    const calls = states.map((state) => ({
      state,
      detail: state === 'refused' ? 'servo drive does not answer' : null,
      asked_ms: state === 'absent' ? null : at_ms - 50,
      rested_ms: state === 'at_rest' ? at_ms : null,
    }))
    const { stop } = order
    const { seq = ++this.told, boot_id = this.boot } = as_told
    const claims = { sub: as.agent, cell: as.cell, stop, boot_id, seq, calls, at_ms }
    this.send({ type: 'stopped', report: await signTrusted(key, 'stopped', claims) })
  }

  close(): void {
    clearInterval(this.beat)
    this.socket.close(1000, 'done')
  }

  private send(frame: object): void {
    if (this.frozen || this.socket.readyState !== WebSocket.OPEN) return
    this.socket.send(
      JSON.stringify({ v: 1, fid: `f${++this.frames}`, nonce: this.nonce, ...frame }),
    )
  }
}

/** An operator looks at a cell and records what stands in it. */
async function recordCell(site: TestSite, cell: string): Promise<void> {
  const path = `/v1/cells/${cell}/record`
  const put = await call('PUT', path, { token: site.operator, body: withPlate })
  if (put.status !== 200) throw new Error(`record: ${put.status} ${put.text}`)
}

/** After a run or a restart: the operator records the cell until that is what is known of it. */
export async function plateBack(site: TestSite, cell = 'cell-1'): Promise<void> {
  await until('the cell is known', async () => {
    await recordCell(site, cell)
    const state = await call('GET', `/v1/cells/${cell}/state`, { token: site.operator })
    return (state.body['facts'] as { value: unknown }[]).every(({ value }) => value !== null)
  })
}

/** Enrols an agent through the door, records its cell, and connects it. */
export async function enrolAgent(
  site: TestSite,
  as: {
    agent: string
    cell: string
    jwk: { kty: string; crv: string; x: string }
    features?: string
  },
): Promise<Presence> {
  const made = await call('POST', '/v1/agents', {
    token: site.admin,
    body: { agent: as.agent, cell: as.cell, jwk: publicHalf(as.jwk) },
  })
  if (made.status !== 201) throw new Error(`agent: ${made.status} ${made.text}`)
  await recordCell(site, as.cell)
  return Presence.connect(site, as)
}
