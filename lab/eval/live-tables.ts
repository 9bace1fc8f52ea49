// What only models have: who was missing and why, what it cost, the adversarial table, and the table
// over sizes of the ensemble. Pure.
import { noEvidence } from '../../protocol/evidence.ts'
import type { Policy } from '../../protocol/policy.ts'
import type { Packet } from '../../protocol/records.ts'
import type { Verdict } from '../../protocol/verdict.ts'
import { gatewayVerdict } from './laws.ts'
import { threeWay, twoWay, type ResultRow } from './plan-tables.ts'
import { quantile, round3 } from './statistics.ts'

/** What the models of one plan did. */
export type ModelsRow = {
  readonly asked: number
  readonly answered: number
  readonly input_tokens: number
  readonly output_tokens: number
  /** Of the calls whose usage is known; null when the price of an answered one is not. */
  readonly cost_usd: number | null
  /** `seat: failure` of each judge or chief that should have answered and did not. */
  readonly outages: string[]
  /** The decision over the seats alone: no chief, and their number not held against the plan. */
  readonly judges_alone: Verdict
  /** The same without anything that rules found; null when some seat was cut off or not asked. */
  readonly models_alone: Verdict | null
}

export function modelsRow(packet: Packet, policy: Policy): ModelsRow {
  const judges = packet.opinions
  const chief = packet.chief === null ? [] : [packet.chief]
  const all = [...judges.map((one) => ({ ...one, seat: one.judge })), ...chief]
  // Cut off by an early stop, or a chief without judges to weigh: not asked for, so not missing.
  const asked = all.filter((one) => one.outcome !== 'cancelled')
  // What a vendor bills for a call that failed cannot be seen here: only its usage, if it sent any.
  const known = all.every((one) => one.outcome !== 'answered' || one.usage.cost_usd !== null)
  const seatsOnly: Packet = { ...packet, chief: null }
  // Facts refused the plan, or a rejection was certain before everybody had spoken.
  const unasked = judges.length === 0 || judges.some((one) => one.outcome === 'cancelled')
  return {
    asked: asked.length,
    answered: asked.filter((one) => one.outcome === 'answered').length,
    input_tokens: all.reduce((sum, one) => sum + one.usage.input_tokens, 0),
    output_tokens: all.reduce((sum, one) => sum + one.usage.output_tokens, 0),
    cost_usd: known ? all.reduce((sum, one) => sum + (one.usage.cost_usd ?? 0), 0) : null,
    outages: asked
      .filter((one) => one.outcome !== 'answered')
      .map((one) => `${one.seat}: ${one.failure ?? one.outcome}`),
    judges_alone: gatewayVerdict(seatsOnly, policy),
    models_alone: unasked ? null : gatewayVerdict({ ...seatsOnly, evidence: noEvidence }, policy),
  }
}

const round6 = (value: number): number => Math.round(value * 1_000_000) / 1_000_000

/** Cost, tokens and outages over rows that models judged. */
function models(rows: readonly ResultRow[]) {
  const judged = rows.flatMap((row) => (row.models === undefined ? [] : [row.models]))
  const sum = (of: (row: ModelsRow) => number): number =>
    judged.reduce((total, row) => total + of(row), 0)
  const outages: Record<string, number> = {}
  for (const name of judged.flatMap((row) => row.outages).sort()) {
    outages[name] = (outages[name] ?? 0) + 1
  }
  const unpriced = judged.filter((row) => row.cost_usd === null).length
  const cost = unpriced > 0 || judged.length === 0 ? null : sum((row) => row.cost_usd ?? 0)
  return {
    plans: judged.length,
    asked: sum((row) => row.asked),
    answered: sum((row) => row.answered),
    input_tokens: sum((row) => row.input_tokens),
    output_tokens: sum((row) => row.output_tokens),
    /** null when some price is not known (MODEL_PRICES). */
    cost_usd: cost === null ? null : round6(cost),
    cost_usd_per_plan: cost === null ? null : round6(cost / judged.length),
    unpriced_plans: unpriced,
    outages,
  }
}

const isAdversarial = (row: ResultRow): boolean =>
  row.concern === 'adversarial' || row.category.startsWith('adversarial')

/** Members of the document that a panel of models adds. */
export function liveTables(rows: readonly ResultRow[]) {
  const { outages, ...rest } = models(rows)
  const adversarial = rows.filter(isAdversarial)
  const ways = adversarial.every((row) => row.label !== 'safe' && row.label !== 'unsafe')
  return {
    models: rest,
    outages,
    ...(adversarial.length === 0
      ? {}
      : { adversarial: ways ? threeWay(adversarial) : twoWay(adversarial) }),
  }
}

function summary(rows: readonly ResultRow[], verdict: (row: ResultRow) => Verdict) {
  const table = threeWay(rows.map((row) => ({ ...row, verdict: verdict(row) })))
  const { accuracy, accuracy_ci95, macro_f1, flips, review_load } = table
  return { accuracy, accuracy_ci95, macro_f1, flips, review_load }
}

/** One size of the ensemble: the gateway's verdicts, and those of its judges alone. */
export function ensembleRow(size: number, rows: readonly ResultRow[]) {
  const table = threeWay(rows)
  const times = rows.map((row) => row.ms)
  // What the floor blocks no model ever sees.
  const reached = rows.filter((row) => !row.reasons.includes('floor_block'))
  const known = reached.length > 0 && reached.every((row) => row.models?.models_alone !== null)
  const { asked, answered, cost_usd_per_plan, outages } = models(rows)
  return {
    size,
    n: table.n,
    accuracy: table.accuracy,
    accuracy_ci95: table.accuracy_ci95,
    macro_f1: table.macro_f1,
    flips: table.flips,
    containment: table.containment,
    containment_ci95: table.containment_ci95,
    accept_recall: table.accept_recall,
    review_load: table.review_load,
    review_load_ci95: table.review_load_ci95,
    ms_p50: round3(quantile(times, 0.5)),
    ms_p95: round3(quantile(times, 0.95)),
    cost_usd_per_plan,
    asked,
    answered,
    outages,
    judges_alone: summary(rows, (row) => row.models?.judges_alone ?? row.verdict),
    /** Over plans that reached the models; null where some seat was not asked about one (`--ask-all`). */
    models_alone: known
      ? {
          n: reached.length,
          ...summary(reached, (row) => row.models?.models_alone ?? row.verdict),
        }
      : null,
  }
}
export type EnsembleRow = ReturnType<typeof ensembleRow>
