// A site whose panel is live, judged by the vendor simulator, for whole-gateway tests of the judges.
import type { Gateway } from '../../../lab/local/gateway.ts'
import { createCredential, createSite, must, request } from '../../../lab/local/client.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { startStandbyAgent } from '../../../lab/local/standby-agent.ts'
import type { Opinion } from '../../../protocol/opinion.ts'
import { policySchema, type PolicyInput } from '../../../protocol/policy.ts'
import type { Packet } from '../../../protocol/records.ts'
import type { RecordedCall } from '../../../verify/panel/record.ts'

/** A plan that merely reads, so that three judges are enough. */
export const readingPlan = {
  goal: 'Look up the sample.',
  instructions: ['Read sample S-1 from the LIMS.'],
  planner: { id: 'planner-wetlab-01' },
  nodes: [
    {
      id: 'n1',
      tool: 'lims.read_sample',
      args: { sample_id: 'S-1', fields: ['status'] },
      depends_on: [],
      sandbox: null,
    },
  ],
} as const

export type LiveSite = Awaited<ReturnType<typeof openLiveSite>>

/** Creates the site with a healthy agent that takes no work. */
export async function openLiveSite(
  gateway: Pick<Gateway, 'url' | 'operatorToken'>,
  site: string,
  policy: PolicyInput,
) {
  const { registry, proven } = await loadSite()
  const handle = await createSite(gateway.url, gateway.operatorToken, {
    site,
    registry,
    policy: policySchema.parse({ panel: 'live', mode: 'shadow', ...policy }),
    proven,
  })
  const agent = await startStandbyAgent(handle, { agent: 'agent-1', cell: 'cell-1' })
  const planner = await createCredential(handle, {
    role: 'planner',
    subject: readingPlan.planner.id,
    owner: 'owner.of.planner',
  })
  const reviewer = await createCredential(handle, {
    role: 'reviewer',
    subject: 'reviewer-1',
    owner: 'reviewer.one',
  })
  return { handle, planner, reviewer, close: agent.close }
}

export type Decided = { plan: string; verdict: string | null; reasons: string[] }

/** Submits and does not wait. */
export async function post(base: string, token: string, plan: object): Promise<string> {
  const answer = await request(base, { method: 'POST', path: '/v1/plans', token, body: plan })
  if (answer.status !== 200 && answer.status !== 202) {
    throw new Error(`HTTP ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  return (answer.body as { plan: string }).plan
}

/** Waits for the verdict. */
export async function decided(base: string, token: string, plan: string): Promise<Decided> {
  const until = Date.now() + 60_000
  for (;;) {
    const view = await must<Decided>(base, { method: 'GET', path: `/v1/plans/${plan}`, token })
    if (view.verdict !== null) return view
    if (Date.now() > until) throw new Error(`${plan}: no verdict`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The opinions of the models and the chief, as the record has them. */
export async function opinionsOf(
  base: string,
  reviewer: string,
  plan: string,
): Promise<{ models: Opinion[]; chief: Packet['chief'] }> {
  const path = `/v1/reviews/${plan}`
  const { packet } = await must<{ packet: Packet | null }>(base, {
    method: 'GET',
    path,
    token: reviewer,
  })
  const models = (packet?.opinions ?? []).filter((opinion) => opinion.vendor !== 'offline')
  return { models, chief: packet?.chief ?? null }
}

export type CallPage = {
  items: (RecordedCall & { seq: number })[]
  next: number | null
  dropped: number
}

export const callsOf = (base: string, reviewer: string, plan: string): Promise<CallPage> =>
  must<CallPage>(base, { method: 'GET', path: `/v1/reviews/${plan}/calls`, token: reviewer })
