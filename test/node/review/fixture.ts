// One plan in each of its ten states, and every event that can meet it, small enough to be read.
import { unknownState } from '../../../protocol/state.ts'
import type { Floor } from '../../../protocol/finding.ts'
import type { Context, Decision, Packet } from '../../../protocol/records.ts'
import { policySchema, type PolicyInput } from '../../../protocol/policy.ts'
import { registrySchema } from '../../../protocol/registry.ts'
import type { SiteSnapshot } from '../../../protocol/snapshot.ts'
import type { PlanState } from '../../../protocol/status.ts'
import type {
  BindAsk,
  ReviewEvent,
  ReviewFacts,
  ReviewSpec,
  ReviewState,
  Standing,
} from '../../../verify/review/state.ts'
import type { Decided, Facts } from '../../../verify/stages.ts'
import { calmInput } from '../decide/arbitraries.ts'

/** When everything here happens (milliseconds). */
export const at = 1_000_000
export const hook = 'https://reviews.example/hook'
const digestOf = (prefix: string, letter: string) => `${prefix}:${letter.repeat(43)}`
export const packetDigest = digestOf('packet', 'P')
export const decisionDigest = digestOf('decision', 'D')
export const reminderMs = 60_000
/** When an open review and an acceptance run out. */
export const until = at + 200_000

const calm = calmInput('offline')
export const floor: Floor = { ...calm.floor, level: 'pass', findings: [] }

export const snapshotOf = (policy: PolicyInput = {}, change: Partial<SiteSnapshot> = {}) => ({
  site: 'site-a',
  taken_at_ms: at,
  registry: registrySchema.parse({
    registry_version: '1',
    tools: [],
    planners: {},
    rules: [],
  }),
  registry_digest: digestOf('reg', 'R'),
  policy: policySchema.parse({
    review_webhook: hook,
    reminder_ms: reminderMs,
    decision_valid_ms: until - at,
    ...policy,
  }),
  policy_version: digestOf('pol', 'V'),
  epoch: 3,
  quarantined: [],
  agents: [],
  window: [],
  cell_state: unknownState,
  ...change,
})

export function specOf(policy: PolicyInput = {}, change: Partial<ReviewSpec> = {}): ReviewSpec {
  return {
    plan_id: 'plan_1',
    plan: {
      goal: 'g',
      instructions: ['i'],
      planner: { id: 'planner-1' },
      nodes: [{ id: 'n1', tool: 't', args: {}, depends_on: [], sandbox: null }],
    },
    plan_digest: digestOf('plan', 'L'),
    submitter: { site: 'site-a', planner: 'planner-1', owner: 'olga' },
    floor,
    snapshot: snapshotOf(policy),
    received_ms: at,
    ...change,
  }
}

export function packetOf(verdict: 'accept' | 'escalate' | 'reject'): Packet {
  const level = { accept: 'pass', escalate: 'flag', reject: 'block' } as const
  return {
    plan_digest: digestOf('plan', 'L'),
    floor: { ...floor, level: level[verdict] },
    grounding: { degraded: null, nodes: [], findings: [] },
    depth: calm.depth,
    trace: null,
    evidence: calm.evidence,
    opinions: [...calm.opinions],
    chief: calm.chief,
    citations: [],
    memory: [],
    registry_digest: digestOf('reg', 'R'),
    policy_version: digestOf('pol', 'V'),
    graph_version: null,
    expires: until,
  }
}

export const decisionOf = (verdict: Decision['verdict'], approvals: string[] = []): Decision => ({
  packet_digest: packetDigest,
  verdict,
  reasons: verdict === 'accept' ? ['all_accept'] : ['floor_flag'],
  approvals: approvals.map((approver) => ({
    approver,
    packet_digest: packetDigest,
    verdict: 'accept',
    rationale: 'seen',
    at_ms: at,
  })),
  valid_until: until,
})

export const standingOf = (verdict: Decision['verdict']): Standing => ({
  decision: decisionOf(verdict),
  concern: verdict === 'accept' ? 'none' : 'safety',
  decided_ms: at,
})

export const decidedAs = (verdict: Decision['verdict']): Facts<Decided> => ({
  packet: packetOf(verdict),
  packet_digest: packetDigest,
  concern: verdict === 'accept' ? 'none' : 'safety',
  decision: decisionOf(verdict),
  decision_digest: decisionDigest,
  linked: {},
})

const run = { session: 'sess_1', bound_ms: at }
const accepted = standingOf('accept')

/** The plan in each state, as a run of the step leaves it there. */
export const states: { readonly [Name in PlanState]: Extract<ReviewState, { state: Name }> } = {
  judging: { state: 'judging', passes: 0, next_ms: at },
  rejected: { state: 'rejected', standing: standingOf('reject') },
  escalated: {
    state: 'escalated',
    standing: standingOf('escalate'),
    approvals: [],
    remind_ms: at + reminderMs,
  },
  accepted: { state: 'accepted', standing: accepted },
  queued: { state: 'queued', standing: accepted },
  bound: { state: 'bound', standing: accepted, run },
  completed: { state: 'completed', standing: accepted, run, ended_ms: at },
  terminated: {
    state: 'terminated',
    standing: accepted,
    run,
    ended_ms: at,
    reason: 'node_failed',
    node: 'n1',
  },
  withdrawn: { state: 'withdrawn', standing: accepted },
  expired: { state: 'expired', standing: accepted, refusal: 'policy_changed', run: null },
}

/** Facts that fit a state: the packet is there once the plan was decided. */
export function factsFor(state: ReviewState, policy: PolicyInput = {}): ReviewFacts {
  if (state.state === 'judging') return { spec: specOf(policy), packet: null }
  if (state.standing === null) return { spec: specOf(policy), packet: null }
  const { verdict } = state.standing.decision
  return { spec: specOf(policy), packet: packetOf(verdict) }
}

export const askOf = (change: Partial<BindAsk> = {}): BindAsk => ({
  session: 'sess_1',
  cell: 'cell-1',
  agent: 'agent-1',
  agent_jkt: 'jkt',
  features: [],
  snapshot: snapshotOf(),
  ...change,
})

export const contextFor = (spec: ReviewSpec, ask = askOf()): Context => ({
  session: ask.session,
  site: spec.submitter.site,
  cell: ask.cell,
  agent: ask.agent,
  agent_jkt: ask.agent_jkt,
  plan: spec.plan,
  order: ['n1'],
  registry_digest: digestOf('reg', 'R'),
  policy_version: digestOf('pol', 'V'),
  decision_digest: decisionDigest,
  deadline: at + spec.snapshot.policy.session_deadline_ms,
})

export const review = (
  change: Partial<Extract<ReviewEvent, { type: 'review' }>['review']> = {},
) => ({
  approver: 'rita',
  verdict: 'accept' as const,
  rationale: 'seen',
  packet_digest: packetDigest,
  ...change,
})

/** Every event, each in the form in which it does something somewhere. */
export const events: Record<string, ReviewEvent> = {
  tick: { type: 'tick', idle: true },
  'tick in a pass': { type: 'tick', idle: false },
  'judged accept': { type: 'judged', decided: decidedAs('accept') },
  'judged escalate': { type: 'judged', decided: decidedAs('escalate') },
  'judged reject': { type: 'judged', decided: decidedAs('reject') },
  'review accept': { type: 'review', review: review(), outdated: false },
  'review reject': { type: 'review', review: review({ verdict: 'reject' }), outdated: false },
  withdraw: { type: 'withdraw', by: 'olga' },
  bind: {
    type: 'bind',
    session_over: false,
    ask: askOf(),
    floor,
    differences: [],
    cell_state: null,
    rows: {},
    decision_digest: decisionDigest,
  },
  'bind by another': {
    type: 'bind',
    session_over: false,
    ask: askOf({ session: 'sess_2' }),
    floor,
    differences: [],
    cell_state: null,
    rows: {},
    decision_digest: decisionDigest,
  },
  opened: { type: 'opened', session: 'sess_1', answer: { ok: true, value: undefined } },
  'not opened': {
    type: 'opened',
    session: 'sess_1',
    answer: { ok: false, error: { code: 'decision_expired' } },
  },
  'not queued': { type: 'not_queued', code: 'shadow_mode' },
  completed: {
    type: 'ended',
    session: 'sess_1',
    status: 'completed',
    reason: null,
    node: null,
    ended_ms: at,
  },
  terminated: {
    type: 'ended',
    session: 'sess_1',
    status: 'terminated',
    reason: 'node_failed',
    node: 'n1',
    ended_ms: at,
  },
  'given up': { type: 'given_up', kind: 'webhook', attempts: 8 },
}
