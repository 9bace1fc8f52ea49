// The first use of a row in this lab waits for a person: that the device does what the row says has not
// been seen. It is a fact about the site, so no judge settles it; a person does, for this one plan.
import type { Finding } from '../../../protocol/finding.ts'
import type { Plan } from '../../../protocol/plan.ts'
import { provenDigest, rowsCalled } from '../../../protocol/proven.ts'
import type { SiteSnapshot } from '../../../protocol/snapshot.ts'
import { report } from '../report.ts'

/** A row that a plan calls and that is not proven. */
export type UnprovenRow = { readonly tool: string; readonly row: string; readonly node: number }

/**
 * The rows that are used for the first time. A snapshot without a word about it was taken by a release
 * that did not ask, and is only ever derived again; every hub of this release says what is proven.
 */
export async function unprovenRows(
  plan: Plan,
  { registry, proven }: SiteSnapshot,
): Promise<readonly UnprovenRow[]> {
  if (proven === undefined) return []
  const out: UnprovenRow[] = []
  for (const [entry, [node = 0]] of rowsCalled(plan.nodes, registry.tools)) {
    // A row that says nothing cannot be shown to be right: its plans wait for a person every time.
    if (entry.meaning === undefined) continue
    const row = await provenDigest(entry)
    const seen = Object.hasOwn(proven, entry.name) ? proven[entry.name] : undefined
    if (seen !== row) out.push({ tool: entry.name, row, node })
  }
  return out.toSorted((a, b) => (a.tool < b.tool ? -1 : 1))
}

/** One finding for each such row, at the first node that calls it. */
export function provenFindings(plan: Plan, rows: readonly UnprovenRow[]): Finding[] {
  return rows.map(({ tool, row, node }) =>
    report('ROW_UNPROVEN', 'flag', `/nodes/${node}/tool`, {
      node: plan.nodes[node]?.id ?? '',
      tool,
      row,
    }),
  )
}
