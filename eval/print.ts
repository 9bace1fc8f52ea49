// The plan tables for people.
import type { planTables } from './plan-tables.ts'

type Document = ReturnType<typeof planTables>

const line = (text = ''): void => void process.stdout.write(`${text}\n`)

/** Prints a document of `planTables` as plain text. */
export function printPlanTables(document: Document): void {
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
}
