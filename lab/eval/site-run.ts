// One plan through the real gateway in a site of its own: set up, submit, wait, read the record that a
// reviewer sees. Shared by the evaluations that judge labelled and stored plans.
import { z } from 'zod'
import {
  createCredential,
  createSite,
  must,
  recordCell,
  request,
  type SiteHandle,
} from '../local/client.ts'
import type { Gateway } from '../local/gateway.ts'
import { startStandbyAgent } from '../local/standby-agent.ts'
import type { Policy } from '../../protocol/policy.ts'
import { decisionSchema, packetSchema, type Decision, type Packet } from '../../protocol/records.ts'
import type { ProvenRows } from '../../protocol/proven.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { CellRecord } from '../../protocol/state.ts'
import { recordedCallSchema, type RecordedCall } from '../../verify/panel/record.ts'
import type { Verdict } from '../../protocol/verdict.ts'

export type EvalSite = {
  readonly handle: SiteHandle
  readonly reviewer: string
  /** Puts what a person recorded of the cell in the place of what was recorded before. */
  readonly record: (state: CellRecord) => Promise<void>
  readonly token: (planner: string) => Promise<string>
  readonly close: () => void
}

const decideWithinS = 25
const cell = 'cell-eval'

/** Records a cell anew each time: what an earlier record named is taken out first. */
export function cellRecorder(
  base: string,
  operator: string,
  cellName: string,
): (state: CellRecord) => Promise<void> {
  let recorded: ReadonlySet<string> = new Set()
  return async (state) => {
    for (const thing of recorded) {
      const path = `/v1/cells/${cellName}/things/${encodeURIComponent(thing)}`
      // A thing without an inventory row answers 404; its facts are gone all the same.
      await request(base, { method: 'DELETE', path, token: operator })
    }
    recorded = new Set([...state.inventory, ...state.facts].map((row) => row.thing))
    await recordCell(base, operator, cellName, state)
  }
}

/** Creates a site with an agent that reports healthy devices and takes no work. */
export async function openSite(
  gateway: Gateway,
  site: string,
  spec: { registry: Registry; policy: Policy; proven: ProvenRows },
): Promise<EvalSite> {
  const handle = await createSite(gateway.url, gateway.operatorToken, { site, ...spec })
  const agent = await startStandbyAgent(handle, { agent: 'agent-eval', cell })
  const credential = (role: 'planner' | 'reviewer' | 'operator', subject: string) =>
    createCredential(handle, { role, subject, owner: `owner.of.${subject}`.slice(0, 64) })
  const reviewer = await credential('reviewer', 'reviewer-eval')
  const operator = await credential('operator', 'operator-eval')
  const record = cellRecorder(handle.base, operator, cell)
  const tokens = new Map<string, Promise<string>>()
  const token = (planner: string) => {
    const made = tokens.get(planner) ?? credential('planner', planner)
    tokens.set(planner, made)
    return made
  }
  return { handle, reviewer, record, token, close: agent.close }
}

export type PlanAnswer = {
  readonly plan: string
  readonly verdict: Verdict
  readonly reasons: string[]
  readonly findings: { code: string }[]
}
type Answered = { readonly ms: number } & (
  | { readonly ok: true; readonly plan: PlanAnswer }
  /** Malformed: answered before any verdict. */
  | { readonly ok: false; readonly violations: { code: string; at: string }[] }
)

/** Submits a plan and waits for its verdict. Throws on any answer that is neither. */
export async function submitPlan(
  site: EvalSite,
  item: { id: string; planner: string; plan: unknown },
): Promise<Answered> {
  const token = await site.token(item.planner)
  const { base } = site.handle
  const started = performance.now()
  const took = () => performance.now() - started
  const answer = await request(base, {
    method: 'POST',
    path: '/v1/plans',
    token,
    body: item.plan,
    headers: { prefer: `wait=${decideWithinS}` },
  })
  if (answer.status === 422) {
    const { violations } = answer.body as { violations: { code: string; at: string }[] }
    return { ok: false, violations, ms: took() }
  }
  if (answer.status !== 200 && answer.status !== 202) {
    throw new Error(`${item.id}: HTTP ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  type Waiting = Omit<PlanAnswer, 'verdict'> & { verdict: Verdict | null }
  let plan = answer.body as Waiting
  while (plan.verdict === null) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    plan = await must<Waiting>(base, { method: 'GET', path: `/v1/plans/${plan.plan}`, token })
  }
  return { ok: true, plan: { ...plan, verdict: plan.verdict }, ms: took() }
}

const reviewSchema = z.looseObject({
  packet: packetSchema.nullable(),
  status: z.looseObject({ decision: decisionSchema.nullable() }),
})

/** The packet and decision of a plan, as its reviewer sees them. */
export async function readReview(
  site: EvalSite,
  plan: string,
): Promise<{ packet: Packet | null; decision: Decision | null }> {
  const review: unknown = await must(site.handle.base, {
    method: 'GET',
    path: `/v1/reviews/${plan}`,
    token: site.reviewer,
  })
  const { packet, status } = reviewSchema.parse(review)
  return { packet, decision: status.decision }
}

const callPageSchema = z.object({
  items: z.array(recordedCallSchema.extend({ seq: z.number() })),
  next: z.number().nullable(),
  dropped: z.number(),
})

/** All recorded calls of a plan without what was sent. Throws when some were dropped. */
export async function readCalls(site: EvalSite, plan: string): Promise<RecordedCall[]> {
  const calls: RecordedCall[] = []
  let after: number | null = -1
  while (after !== null) {
    const answer: unknown = await must(site.handle.base, {
      method: 'GET',
      path: `/v1/reviews/${plan}/calls?after=${after}`,
      token: site.reviewer,
    })
    const page: z.infer<typeof callPageSchema> = callPageSchema.parse(answer)
    if (page.dropped > 0) throw new Error(`${plan}: ${page.dropped} calls were not recorded`)
    for (const { seq: _seq, sent: _sent, ...call } of page.items) calls.push(call)
    after = page.next
  }
  return calls
}
