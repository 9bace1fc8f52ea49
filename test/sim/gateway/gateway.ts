// The gateway of one simulated world: the real objects and the real check of an agent's token, over
// simulated storage. Only the judges are left out: a plan comes in as accepted, and everything that the
// product does with an accepted plan follows.
import { putAgentRow } from '../../../adapters/agents-d1.ts'
import { thumbprint } from '../../../contain/keys.ts'
import { CellState } from '../../../durable-objects/cell-state.ts'
import type { PlanReviewApi, SiteHubApi } from '../../../durable-objects/contracts.ts'
import type { ExecutionSessionApi } from '../../../durable-objects/contracts.ts'
import type { Env } from '../../../durable-objects/env.ts'
import { ExecutionSession } from '../../../durable-objects/execution-session.ts'
import { Outbox } from '../../../durable-objects/outbox.ts'
import { PlanReview } from '../../../durable-objects/plan-review.ts'
import { messageKinds } from '../../../durable-objects/review/messages.ts'
import { ReviewStore } from '../../../durable-objects/review/store.ts'
import { writeStep } from '../../../durable-objects/review/write.ts'
import { SiteHub } from '../../../durable-objects/site-hub.ts'
import { StandingApproval } from '../../../durable-objects/standing-approval.ts'
import { SiteKeeper } from '../../../durable-objects/site-keeper.ts'
import { SiteTotals } from '../../../durable-objects/site-totals.ts'
import { SiteWindow } from '../../../durable-objects/site-window.ts'
import { digest } from '../../../protocol/digest.ts'
import { provenDigests } from '../../../protocol/proven.ts'
import { featuresHeader } from '../../../protocol/features.ts'
import { makeId, objectName } from '../../../protocol/ids.ts'
import type { Plan } from '../../../protocol/plan.ts'
import { policySchema } from '../../../protocol/policy.ts'
import { isPhysical } from '../../../protocol/registry.ts'
import {
  admitPlan,
  admittedBefore,
  checkPlan,
  decideJudged,
  parse,
  screenedBefore,
  unjudged,
} from '../../../verify/pipeline.ts'
import { begin, step } from '../../../verify/review/step.ts'
import { verifyAgentToken } from '../../../worker/agent-token.ts'
import { d1Of, type Database } from './database.ts'
import { Namespace, type ObjectHost } from './objects.ts'
import { agentOf, cells, planner, registry, site } from './site.ts'
import type { ServerSocket } from './sockets.ts'
import type { WorldPort } from './world-port.ts'

/** What people and agents have of the gateway. */
export type Hub = SiteHubApi

export type Keys = { readonly gateway: object; readonly agents: Readonly<Record<string, string>> }

type Kind = 'hub' | 'session' | 'review' | 'cell' | 'window' | 'totals' | 'standing' | 'keeper'

export class Gateway {
  readonly env: Env
  readonly d1: Database
  readonly #world: WorldPort
  readonly #kinds: Record<Kind, Namespace>

  constructor(
    world: WorldPort,
    {
      keys,
      migrations,
      d1,
    }: { keys: Keys; migrations: readonly string[]; d1: () => Promise<void> },
  ) {
    this.#world = world
    this.d1 = world.openDatabase()
    for (const migration of migrations) this.d1.exec(migration)
    const caller = (): ObjectHost | null => {
      const life = world.current()
      return life === null ? null : (this.hosts().find((host) => host.owns(life)) ?? null)
    }
    const kind = (name: string, make: (ctx: DurableObjectState) => object): Namespace =>
      new Namespace(name, world, make, caller)
    this.#kinds = {
      hub: kind('hub', (ctx) => new SiteHub(ctx, this.env)),
      session: kind('session', (ctx) => new ExecutionSession(ctx, this.env)),
      review: kind('review', (ctx) => new PlanReview(ctx, this.env)),
      cell: kind('cell', (ctx) => new CellState(ctx, this.env)),
      window: kind('window', (ctx) => new SiteWindow(ctx, this.env)),
      totals: kind('totals', (ctx) => new SiteTotals(ctx, this.env)),
      standing: kind('standing', (ctx) => new StandingApproval(ctx, this.env)),
      keeper: kind('keeper', (ctx) => new SiteKeeper(ctx, this.env)),
    }
    const env = {
      DB: d1Of(this.d1, d1),
      SITE_HUB: this.#kinds.hub,
      EXECUTION_SESSION: this.#kinds.session,
      PLAN_REVIEW: this.#kinds.review,
      CELL_STATE: this.#kinds.cell,
      SITE_WINDOW: this.#kinds.window,
      SITE_TOTALS: this.#kinds.totals,
      STANDING_APPROVAL: this.#kinds.standing,
      SITE_KEEPER: this.#kinds.keeper,
      DEPLOYMENT: 'gw.test',
      SIGNING_KEYS: JSON.stringify([keys.gateway]),
    }
    this.env = env as unknown as Env
  }

  hosts(): ObjectHost[] {
    return Object.values(this.#kinds).flatMap((kind) => [...kind.hosts.values()])
  }

  hostsOf(kind: keyof Gateway['kinds']): ObjectHost[] {
    return [...this.#kinds[kind].hosts.values()]
  }

  get kinds(): Readonly<Record<Kind, Namespace>> {
    return this.#kinds
  }

  hub(): Hub {
    return this.#kinds.hub.getByName(site) as Hub
  }

  review(plan: string): PlanReviewApi {
    return this.#kinds.review.getByName(objectName(site, plan)) as PlanReviewApi
  }

  session(session: string): ExecutionSessionApi {
    return this.#kinds.session.getByName(objectName(site, session)) as ExecutionSessionApi
  }

  /** Every session that was ever opened, by its id. */
  sessions(): string[] {
    return [...this.#kinds.session.hosts.keys()].map((name) => name.slice(name.indexOf('/') + 1))
  }

  /** The process of the gateway ends; what was flushed is there when it is back. */
  die(why: string): void {
    for (const host of this.hosts()) host.reset(why)
  }

  /** A site with its agents, as an administrator sets it up. */
  async setUp(agents: Readonly<Record<string, string>>): Promise<void> {
    const now_ms = this.#world.nowMs()
    this.d1.prepare('INSERT INTO sites (site, created_ms) VALUES (?, ?)').run(site, now_ms)
    const hub = this.hub()
    await hub.init(site)
    const registry_digest = await digest('registry', registry)
    const text = JSON.stringify(registry)
    await hub.putRegistry({ text, registry_digest, quarantined: [] }, 'admin')
    const rows = await provenDigests(registry.tools)
    await hub.proven({ rows, by: 'admin', session: null, at_ms: now_ms })
    const policy = policySchema.parse({ session_deadline_ms: 240_000, decision_valid_ms: 900_000 })
    await hub.putPolicy(policy, 'admin')
    for (const cell of cells) {
      const x = agents[agentOf(cell)] ?? ''
      const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
      const row = { agent: agentOf(cell), cell, jkt: await thumbprint(x), jwk }
      await hub.putAgent(row, 'admin')
      await putAgentRow(this.env.DB, { site, ...row, created_ms: now_ms })
    }
  }

  /** A plan that was accepted; resolves with its id. */
  async accept(body: object): Promise<string> {
    const { nowMs } = this.#world
    const parsed = parse(new TextEncoder().encode(JSON.stringify(body)))
    const taken = await this.hub().snapshot(null)
    const now = taken?.snapshot.registry ?? null
    if (!parsed.ok || taken === null || now === null) throw new Error('the site is not ready')
    const snapshot = { ...taken.snapshot, registry: now, window: [] }
    const submitter = { site, planner, owner: 'owner-1' }
    const admitted = await admitPlan(parsed.value, { submitter, snapshot, received_ms: nowMs() })
    if (!admitted.ok) throw new Error(JSON.stringify(admitted.error))
    const plan_id = makeId('plan', crypto.getRandomValues(new Uint8Array(26)))
    await this.#note(plan_id, admitted.value.plan, admitted.value.plan_digest)
    const screened = await checkPlan(admittedBefore(admitted.value))
    const spec = { plan_id, ...screened }
    const judged = await decideJudged(unjudged(screenedBefore(spec), []), nowMs())
    const decision = {
      ...judged.decision,
      verdict: 'accept' as const,
      reasons: ['all_accept' as const],
      valid_until: nowMs() + snapshot.policy.decision_valid_ms,
    }
    const decided = { ...judged, decision, decision_digest: await digest('decision', decision) }
    const host = this.#kinds.review.host(objectName(site, plan_id))
    const sql: unknown = host.storage
    const store = new ReviewStore(sql as SqlStorage)
    const outbox = new Outbox(sql as SqlStorage, messageKinds)
    const tables = {
      storage: host.storage as Pick<DurableObjectStorage, 'transactionSync'>,
      store,
      outbox,
    }
    const first = begin(spec, nowMs())
    await writeStep(tables, first, { now_ms: nowMs(), spec })
    const done = step({ spec, packet: null }, first.state, { type: 'judged', decided }, nowMs())
    await writeStep(tables, done, { now_ms: nowMs(), spec: undefined })
    host.flush()
    // It wakes the object; a call that is lost leaves the plan accepted all the same.
    await this.review(plan_id)
      .status()
      .catch(() => undefined)
    return plan_id
  }

  async #note(plan: string, { nodes }: Plan, plan_digest: string): Promise<void> {
    const moves = registry.tools.filter((row) => isPhysical(row.risk_class)).map(({ name }) => name)
    const calls = await Promise.all(
      nodes
        .filter(({ tool }) => moves.includes(tool))
        .map(async ({ id, tool, args }) => {
          return { nid: id, tool, call: await digest('args', { tool, args }) }
        }),
    )
    const now_ms = this.#world.nowMs()
    const who = { planner, owner: 'owner-1', credential: 'cred-p', keyed: true }
    const chain = { follows: null, supersedes: null }
    const note = { plan, plan_digest, ...who, ...chain, calls, received_ms: now_ms }
    const noted = await this.hub().noteSubmission(note, now_ms)
    if (!noted.ok) throw new Error(noted.error.reason)
  }

  /** An agent dials. Its socket, or the status with which the door refuses it. */
  async dial(
    path: string,
    bearer: string,
    features: string | null,
  ): Promise<ServerSocket | number> {
    const agent = await verifyAgentToken(this.env.DB, bearer, this.#world.nowMs())
    if (!agent.ok) return 401
    const headers = new Headers({
      'x-portcullis-agent': agent.value.agent,
      'x-portcullis-jkt': agent.value.jkt,
      'x-portcullis-key': agent.value.jwk.x,
      'x-portcullis-site': agent.value.site,
    })
    if (features !== null) headers.set(featuresHeader, features)
    const session = /^\/v1\/sessions\/([^/]+)\/agent$/.exec(path)?.[1]
    const host =
      session === undefined
        ? this.#kinds.hub.host(site)
        : this.#kinds.session.host(objectName(site, decodeURIComponent(session)))
    const request = new Request(`http://gw.test${path}`, { headers })
    const answer = await host.event<{ status: number; webSocket?: { server: ServerSocket } }>(
      'fetch',
      request,
    )
    return answer.webSocket?.server ?? answer.status
  }
}
