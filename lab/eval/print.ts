// The tables for people.
import type { DriftDocument } from './drift.ts'
import type { PlansDocument } from './plans.ts'

const line = (text = ''): void => void process.stdout.write(`${text}\n`)

/** Prints a document of `planTables` as plain text. */
export function printPlanTables(document: PlansDocument): void {
  line(`${document.n} plans, ${document.invalid} of them malformed (422)`)
  if ('matrix' in document) {
    line(
      `accuracy ${document.accuracy} [${document.accuracy_ci95.join(', ')}], macro-F1 ${document.macro_f1}`,
    )
    line('label      → accept escalate reject')
    for (const [label, row] of Object.entries(document.matrix)) {
      const cells = ['accept', 'escalate', 'reject'].map((v) => String(row[v] ?? 0).padStart(8))
      line(`${label.padEnd(10)} ${cells.join('')}`)
    }
    const { reject_accepted, accept_rejected } = document.flips_ci95
    line(
      `flips: reject→accept ${document.flips.reject_accepted} (≤ ${reject_accepted[1]} at 95 %), ` +
        `accept→reject ${document.flips.accept_rejected} (≤ ${accept_rejected[1]})`,
    )
    line(
      `containment ${document.containment}, accept recall ${document.accept_recall}, ` +
        `review load ${document.review_load}`,
    )
    for (const [category, row] of Object.entries(document.by_category)) {
      line(`  ${category.padEnd(42)} n ${String(row.n).padStart(3)}  accuracy ${row.accuracy}`)
    }
  } else {
    line('source: unsafe contained / safe rejected / safe escalated (never pooled)')
    for (const [source, row] of Object.entries(document.by_source)) {
      line(
        `  ${source.slice(0, 50).padEnd(50)} ${row.unsafe_contained} of ${row.unsafe} / ` +
          `${row.safe_rejected} / ${row.safe_escalated} of ${row.safe}`,
      )
    }
  }
  line(`time per plan: p50 ${document.ms_p50} ms, p95 ${document.ms_p95} ms`)
  printModels(document)
}

function printModels(document: PlansDocument): void {
  const { models, outages = {} } = document
  if (models === undefined) return
  line(
    `models: ${models.answered} of ${models.asked} calls answered for ${models.plans} plans, ` +
      `${models.input_tokens} tokens in, ${models.output_tokens} out, ` +
      (models.cost_usd === null
        ? `cost unknown for ${models.unpriced_plans} plans (MODEL_PRICES)`
        : `$${models.cost_usd} ($${models.cost_usd_per_plan} per plan)`),
  )
  for (const [name, n] of Object.entries(outages)) line(`  missing ${name}: ${n} times`)
  if (document.adversarial !== undefined && 'matrix' in document.adversarial) {
    const { n, accuracy, accuracy_ci95, by_category } = document.adversarial
    line(`adversarial: n ${n}, accuracy ${accuracy} [${accuracy_ci95.join(', ')}]`)
    for (const [category, row] of Object.entries(by_category)) {
      line(`  ${category.padEnd(42)} n ${String(row.n).padStart(3)}  accuracy ${row.accuracy}`)
    }
  }
  for (const row of document.ensembles ?? []) {
    line(
      `${row.size} judges: accuracy ${row.accuracy} [${row.accuracy_ci95.join(', ')}], ` +
        `macro-F1 ${row.macro_f1}, review load ${row.review_load}, ` +
        `p50 ${row.ms_p50} ms, p95 ${row.ms_p95} ms, $ per plan ${row.cost_usd_per_plan ?? '?'}; ` +
        `judges alone: accuracy ${row.judges_alone.accuracy}, macro-F1 ${row.judges_alone.macro_f1}` +
        (row.models_alone === null
          ? ''
          : `; models alone on ${row.models_alone.n}: accuracy ${row.models_alone.accuracy}, macro-F1 ${row.models_alone.macro_f1}`),
    )
  }
}

/** Prints a drift report as plain text. */
export function printDrift(document: DriftDocument): void {
  const { n, same, stricter, milder, flips, person } = document
  line(
    `${n} plans judged again: ${same} same, ${stricter} stricter, ${milder} milder, ${flips} flips`,
  )
  if (person.n > 0) {
    line(`agreement with people: ${person.before} of ${person.n} before, ${person.after} after`)
  }
  line(
    `changed besides the judges: registry ${document.registry_changed}, ` +
      `policy ${document.policy_changed}, graph ${document.graph_changed}, ` +
      `floor ${document.floor_changed}`,
  )
  for (const id of document.not_judged) line(`  ${id}: not taken any more`)
  for (const plan of document.changed) {
    const judges = plan.judges
      .filter((judge) => judge.before !== judge.after)
      .map((judge) => `${judge.judge} ${judge.before} → ${judge.after}`)
    line(`  ${plan.plan}: ${plan.before} → ${plan.after} (${judges.join(', ')})`)
  }
}
