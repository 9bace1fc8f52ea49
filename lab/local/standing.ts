// What an operator does before a plan is sent: records what stands in the cell.
import type { CellRecord } from '../../protocol/state.ts'
import { must, recordCell } from './client.ts'
import type { Lab } from './lab.ts'
import { until } from './plans.ts'

/** So long a cell may take to hear of the end of its last run. */
const heardMs = 30_000

/**
 * Records what stands in the cell until that is what is known: the cell may hear of the end of its last
 * run later than the operator, and what a run touched is not known until then.
 */
export async function recordStanding(lab: Lab, cell: string, state: CellRecord): Promise<void> {
  const { operator: token } = lab.record
  const path = `/v1/cells/${encodeURIComponent(cell)}/state`
  await until(
    async () => {
      await recordCell(lab.url, token, cell, state)
      return must<{ facts: { source: string; value: unknown }[] }>(lab.url, {
        method: 'GET',
        path,
        token,
      })
    },
    ({ facts }) => facts.every(({ source, value }) => source !== 'session' || value !== null),
    heardMs,
  )
}
