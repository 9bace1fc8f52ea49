// `npm run eval -- plans FILE`: posts labelled plans through the real gateway (workerd, D1, Durable
// Objects, HTTP) and prints the tables. A fresh site per row, so that memory and window do not bleed.
import { loadSite } from '../local/demo-site.ts'
import type { Gateway } from '../local/gateway.ts'
import { startGatewayWithGraph } from '../local/graph.ts'
import { policySchema, type Policy } from '../../protocol/policy.ts'
import type { ProvenRows } from '../../protocol/proven.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { RecordedCall } from '../../verify/panel/record.ts'
import { rederive } from '../../verify/decide/decide.ts'
import type { JudgesChoice } from './judges-option.ts'
import { gatewayVerdict } from './laws.ts'
import { ensembleRow, liveTables, modelsRow, type EnsembleRow } from './live-tables.ts'
import { withOpinions } from './opinions.ts'
import type { StoredPacket } from './packets.ts'
import { marksOf } from './held-by.ts'
import { inParallel } from './parallel.ts'
import { planTables, type ResultRow } from './plan-tables.ts'
import { readCases, type Case } from './rows.ts'
import { openSite, readCalls, readReview, submitPlan, type EvalSite } from './site-run.ts'

/** Where the records of an evaluation go; null where nobody asked for them. */
export type Keep = {
  readonly calls: ((calls: readonly RecordedCall[]) => void) | null
  readonly packet: ((packet: StoredPacket) => void) | null
}

export type PlansOptions = {
  readonly site: string | null
  readonly keepMemory: boolean
  readonly parallel: number
  readonly judges: JudgesChoice
  /** Asks every judge and the chief although a rejection is certain. */
  readonly askAll: boolean
  /** Sizes of the panel, each a run of its own; null judges once with the policy as it is. */
  readonly ensembles: readonly Ensemble[] | null
  readonly keep: Keep
}

export type Ensemble = 1 | 3 | 5 | 7

type Run = {
  readonly gateway: Gateway
  readonly registry: Registry
  readonly policy: Policy
  readonly proven: ProvenRows
  readonly name: string
  readonly options: PlansOptions
}

/** The first `size` seats, all of which are asked about every plan. */
function ofSize(policy: Policy, size: Ensemble): Policy {
  if (policy.panel !== 'live') throw new Error('--ensembles goes with models, not with offline')
  const judges = policy.judges.slice(0, size)
  if (judges.length < size) throw new Error(`--ensembles ${size}: the site has fewer judges`)
  return { ...policy, judges, least_depth: size }
}

/** What `eval plans --json` prints; the last members only where models judged. */
export type PlansDocument = { judges: JudgesChoice['kind'] } & ReturnType<typeof planTables> &
  Partial<ReturnType<typeof liveTables>> & { ensembles?: EnsembleRow[] }

/** Judges every row and returns the document; progress goes to stderr. */
export async function evaluatePlans(file: string, options: PlansOptions): Promise<PlansDocument> {
  const site = await loadSite(options.site ?? undefined)
  const { registry, proven } = site
  const fallback = Object.keys(registry.planners)[0] ?? 'planner'
  const cases = await readCases(file, fallback)
  // Shadow: the site judges and reports and dispatches nothing.
  const judged: Policy = policySchema.parse({
    ...options.judges.policy(site.policy),
    mode: 'shadow',
  })
  const sizes = options.ensembles
  const policies =
    sizes === null
      ? [{ name: 'eval', size: null, policy: judged }]
      : sizes.map((size) => ({ name: `eval-${size}`, size, policy: ofSize(judged, size) }))
  const gateway = await startGatewayWithGraph({
    standInModels: options.judges.binding,
    vars: { ...options.judges.vars, JUDGES_ASK_ALL: options.askAll ? '1' : '0' },
  })
  try {
    const ensembles: EnsembleRow[] = []
    let rows: ResultRow[] = []
    for (const { name, size, policy } of policies) {
      // Packets of the last run alone: the smaller ensembles are the same plans once more.
      const packet = policy === policies.at(-1)?.policy ? options.keep.packet : null
      const keep = { calls: options.keep.calls, packet }
      rows = await judgeAll(
        { gateway, registry, policy, proven, name, options: { ...options, keep } },
        cases,
      )
      if (size !== null) ensembles.push(ensembleRow(size, rows))
    }
    const document = { judges: options.judges.kind, ...planTables(rows) }
    if (judged.panel !== 'live' && options.judges.opinions === null) return document
    return {
      ...document,
      ...liveTables(rows),
      ...(sizes === null ? {} : { ensembles }),
    }
  } finally {
    await gateway.close()
  }
}

async function judgeAll(run: Run, cases: readonly Case[]): Promise<ResultRow[]> {
  const { gateway, registry, policy, proven, name, options } = run
  const lab = { registry, policy, proven }
  const shared = options.keepMemory ? await openSite(gateway, name, lab) : null
  const rows = await inParallel(cases, shared === null ? options.parallel : 1, async (item, i) => {
    const site = shared ?? (await openSite(gateway, `${name}-${i}`, lab))
    try {
      return await judge(run, site, item)
    } finally {
      if (shared === null) site.close()
    }
  })
  shared?.close()
  return rows
}

async function judge(run: Run, site: EvalSite, item: Case): Promise<ResultRow> {
  const { policy, options } = run
  const { id, label, category, concern, source } = item
  const head = { id, label, category, concern, source }
  if (item.state !== null) await site.record(item.state)
  const answer = await submitPlan(site, item)
  if (!answer.ok) {
    const reasons = answer.violations.map((violation) => `${violation.code} ${violation.at}`)
    // Malformed plans are answered before any verdict; they can never run, so they count as refused.
    const stopped_by = [...new Set(answer.violations.map(({ code }) => code))].toSorted()
    const none = { codes: [], stopped_by, held_by: [], places: reasons.toSorted() }
    return { ...head, verdict: 'reject', reasons, ...none, ms: answer.ms, invalid: true }
  }
  const { plan, ms } = answer
  const { packet } = await readReview(site, plan.plan)
  const marks = packet === null ? { stopped_by: [], held_by: [], places: [] } : marksOf(packet)
  const row: ResultRow = {
    ...head,
    ...marks,
    verdict: plan.verdict,
    reasons: plan.reasons,
    codes: [...new Set(plan.findings.map((found) => found.code))],
    ms,
    invalid: false,
  }
  const { keep } = options
  if (keep.calls !== null) keep.calls(await readCalls(site, plan.plan))
  if (packet === null) return row
  const { opinions } = options.judges
  const about = { plan: item.plan, registry: run.registry }
  const recorded = opinions === null ? null : withOpinions(packet, opinions.get(id) ?? [], about)
  keep.packet?.({
    v: 1,
    id,
    planner: item.planner,
    plan: item.plan,
    policy,
    packet: recorded ?? packet,
    ...(item.state === null ? {} : { state: item.state }),
    person: null,
    label,
    category,
    concern,
  })
  if (recorded !== null) {
    const { reasons } = rederive(recorded, { ...policy, panel: 'live' })
    const models = modelsRow(recorded, policy)
    return { ...row, verdict: gatewayVerdict(recorded, policy), reasons, models }
  }
  return policy.panel === 'live' ? { ...row, models: modelsRow(packet, policy) } : row
}
