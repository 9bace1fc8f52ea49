// Entries of the long-window monitor for tests: what the hub keeps of a plan that was screened before.
import { expect } from 'vitest'
import type { Plan } from '../../../protocol/plan.ts'
import { windowEntrySchema, type WindowEntry } from '../../../protocol/snapshot.ts'
import { sketch } from '../../../verify/screen/window/index.ts'
import { demoRegistry, findingsOf, nowMs, planOf, submitterOf, type NodeInput } from './snapshot.ts'

const registry = demoRegistry()

let serial = 0

/** What the hub keeps of a plan that was screened `agoMs` before now. */
export function remembered(
  plan: Plan,
  more: Partial<WindowEntry> & { agoMs?: number } = {},
): WindowEntry {
  const { agoMs = 300_000, ...rest } = more
  serial += 1
  return windowEntrySchema.parse({
    ...sketch(plan, { registry, sigma: 0 }),
    plan: `plan_${serial}`,
    planner: plan.planner.id,
    owner: 'owner-a',
    at_ms: nowMs - agoMs,
    verdict: 'accept',
    supersedes: null,
    codes: [],
    ...rest,
  })
}

/** A harmless plan of one reading. */
export const weigh = planOf([{ tool: 'balance.read', args: { balance_id: 'bal_1' } }], {
  goal: 'Weigh the tare tube',
  instructions: ['Read balance 1 once.', 'Note the mass in the book of the day.'],
})

/** The window's findings on a plan, which are always flags. */
export function windowCodes(plan: Plan, window: WindowEntry[], owner = 'owner-a'): string[] {
  const found = findingsOf(plan, { window }, submitterOf(plan, owner))
  const kept = found.filter(({ code }) => code.startsWith('WINDOW'))
  expect(kept.every(({ effect }) => effect === 'flag')).toBe(true)
  return kept.map(({ code }) => code)
}

/** One liquid moved into one vessel. */
export const transfer = (liquid: string, into: string, volume = 100): NodeInput => ({
  tool: 'liquid_handler.transfer',
  args: {
    pipette: 'p300',
    volume_ul: volume,
    source: { labware: 'res_1', well: 'A1' },
    destination: { labware: into, well: 'A1' },
    liquid,
    new_tip: 'once',
  },
})
