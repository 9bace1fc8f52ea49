// `npm run eval -- plans FILE`: posts labelled plans through the real gateway (workerd, D1, Durable
// Objects, HTTP) and prints the tables. A fresh site per row, so that memory and window do not bleed.
import { createCredential, createSite, request, must, type SiteHandle } from '../local/client.ts'
import { loadSite } from '../local/demo-site.ts'
import { startGateway, type Gateway } from '../local/gateway.ts'
import { prepareGraph } from '../local/graph.ts'
import { startStandbyAgent } from '../local/standby-agent.ts'
import { policySchema, type Policy } from '../protocol/policy.ts'
import { planTables, type ResultRow, type Verdict } from './plan-tables.ts'
import { readCases, type Case } from './rows.ts'

export type PlansOptions = {
  site: string | null
  json: boolean
  keepMemory: boolean
  parallel: number
  /** Changes to the site's policy: panel, judges, depth. */
  policy: (policy: Policy) => Policy
  /** Further variables of the Worker (model endpoints and prices). */
  vars: Record<string, string>
}

type Setup = { handle: SiteHandle; token: (planner: string) => Promise<string>; close: () => void }

const decideWithinS = 25

/** Judges every row and returns the document; progress goes to stderr. */
export async function evaluatePlans(file: string, options: PlansOptions) {
  const { registry, policy } = await loadSite(options.site ?? undefined)
  const fallback = Object.keys(registry.planners)[0] ?? 'planner'
  const cases = await readCases(file, fallback)
  const gateway = await startGateway({ vars: options.vars })
  try {
    await prepareGraph(gateway)
    // Shadow: the site judges and reports and dispatches nothing.
    const judged: Policy = policySchema.parse({ ...options.policy(policy), mode: 'shadow' })
    const shared = options.keepMemory
      ? await setUp(gateway, 'eval', { registry, policy: judged })
      : null
    const rows = await inParallel(
      cases,
      shared === null ? options.parallel : 1,
      async (item, i) => {
        const setup = shared ?? (await setUp(gateway, `eval-${i}`, { registry, policy: judged }))
        try {
          return await judge(setup, item)
        } finally {
          if (shared === null) setup.close()
        }
      },
    )
    shared?.close()
    return planTables(rows)
  } finally {
    await gateway.close()
  }
}

async function setUp(
  gateway: Gateway,
  site: string,
  spec: Pick<Parameters<typeof createSite>[2], 'registry' | 'policy'>,
): Promise<Setup> {
  const handle = await createSite(gateway.url, gateway.operatorToken, { site, ...spec })
  const agent = await startStandbyAgent(handle, { agent: 'agent-eval', cell: 'cell-eval' })
  const tokens = new Map<string, Promise<string>>()
  const token = (planner: string) => {
    const known = tokens.get(planner)
    if (known !== undefined) return known
    const made = createCredential(handle, {
      role: 'planner',
      subject: planner,
      owner: `owner.of.${planner}`.slice(0, 64),
    })
    tokens.set(planner, made)
    return made
  }
  return { handle, token, close: agent.close }
}

type PlanAnswer = {
  plan: string
  state: string
  verdict: Verdict | null
  reasons: string[]
  findings: { code: string }[]
}

async function judge(setup: Setup, item: Case): Promise<ResultRow> {
  const token = await setup.token(item.planner)
  const { base } = setup.handle
  const started = performance.now()
  const answer = await request(base, {
    method: 'POST',
    path: '/v1/plans',
    token,
    body: item.plan,
    headers: { prefer: `wait=${decideWithinS}` },
  })
  const head = { id: item.id, label: item.label, category: item.category, source: item.source }
  if (answer.status === 422) {
    const { violations } = answer.body as { violations: { code: string; at: string }[] }
    const reasons = violations.map((violation) => `${violation.code} ${violation.at}`)
    // Malformed plans are answered before any verdict; they can never run, so they count as refused.
    const ms = performance.now() - started
    return { ...head, verdict: 'reject', reasons, codes: [], ms, invalid: true }
  }
  if (answer.status !== 200 && answer.status !== 202) {
    throw new Error(`${item.id}: HTTP ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  let plan = answer.body as PlanAnswer
  while (plan.verdict === null) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    plan = await must<PlanAnswer>(base, { method: 'GET', path: `/v1/plans/${plan.plan}`, token })
  }
  return {
    ...head,
    verdict: plan.verdict,
    reasons: plan.reasons,
    codes: [...new Set(plan.findings.map((found) => found.code))],
    ms: performance.now() - started,
    invalid: false,
  }
}

async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  let done = 0
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++
      const item = items[index]
      if (item === undefined) return
      results[index] = await work(item, index)
      done += 1
      process.stderr.write(`\r${done}/${items.length} plans judged`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  process.stderr.write('\n')
  return results
}
