// What a person records of a thing that several cells use is recorded in each of them: a door that one
// cell knows to be open must not be closed in the mind of the other.
import type { Env } from '../durable-objects/env.ts'
import type { Registry } from '../protocol/registry.ts'
import type { CellRecord } from '../protocol/state.ts'
import { forOtherCells } from '../verify/review/shared.ts'
import { cellState } from './objects.ts'

/** Throws when a cell does not answer, or has no room: the person records it again. */
export async function recordShared(
  env: Env,
  site: string,
  given: {
    readonly registry: Registry | null
    readonly cells: readonly string[]
    readonly from: string
    readonly record: CellRecord
    readonly by: string
  },
): Promise<void> {
  const { registry, cells, from, record, by } = given
  if (registry === null) return
  const inventory = forOtherCells(registry, from, record.inventory)
  const facts = forOtherCells(registry, from, record.facts)
  for (const cell of cells) {
    const about = { inventory: inventory.get(cell) ?? [], facts: facts.get(cell) ?? [] }
    if (about.inventory.length + about.facts.length === 0) continue
    const shared: CellRecord = {
      inventory: [...about.inventory],
      facts: [...about.facts],
      approvals: [],
    }
    const answer = await cellState(env, site, cell).record(shared, by, Date.now())
    if (!answer.ok) throw new Error(`too many rows of ${answer.error.table} in ${cell}`)
  }
}
