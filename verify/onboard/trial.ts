// One plan against a site file, by floor, dry run and rules alone: no graph, no memory, no model. The devices
// are taken as healthy and as pinned. It says what the description says, and nothing about a device.
import { policySchema } from '../../protocol/policy.ts'
import type { Registry } from '../../protocol/registry.ts'
import {
  cellStateSchema,
  unknownState,
  type CellRecord,
  type CellState,
} from '../../protocol/state.ts'
import type { Verdict } from '../../protocol/verdict.ts'
import { approveRegistry } from '../screen/approve.ts'
import {
  byRules,
  healthySite,
  trialFile,
  withoutRefused,
  type Ruled,
  type TrialFile,
} from './by-rules.ts'

/** One example of a site: a plan, what a person recorded of the cell, and what should come out. */
export type Example = {
  readonly id: string
  readonly plan: object
  readonly state: CellRecord | null
  readonly expect: Verdict | null
}

export type Trial = Ruled & {
  readonly id: string
  readonly expect: Verdict | null
  /** Tools of the plan by node id. */
  readonly tools: Readonly<Record<string, string>>
}

/** What a person recorded of the cell, as the cell would hold it. Nothing ran before the trial. */
function stateOf(state: CellRecord | null, at: number): CellState {
  if (state === null) return { ...unknownState, totals: [] }
  const person = { source: 'person', by: 'example', at_ms: at - 60_000 } as const
  return cellStateSchema.parse({
    cell: 'trial',
    version: 1,
    inventory: state.inventory,
    facts: state.facts.map((fact) => ({ ...fact, ...person })),
    approvals: state.approvals,
    totals: [],
  })
}

const policy = policySchema.parse({ panel: 'offline' })

/** A file as trials take it: without what approval would refuse, with what it would quarantine. */
export function trialSite(registry: Registry): Promise<TrialFile> {
  const { violations, quarantined } = approveRegistry(registry)
  return trialFile(withoutRefused(registry, violations), quarantined)
}

/** Judges one example by the file alone. `at` is the time of the trial, in milliseconds. */
export async function tryPlan(file: TrialFile, example: Example, at: number): Promise<Trial> {
  const planner = plannerOf(example.plan) ?? Object.keys(file.registry.planners)[0] ?? 'planner'
  const { id, expect, state } = example
  const body = { ...example.plan, planner: { id: planner } }
  const snapshot = healthySite({
    site: 'trial',
    file,
    policy,
    agents: [{ agent: 'trial', cell: 'trial' }],
    cell_state: stateOf(state, at),
    at_ms: at,
  })
  const submitter = { site: 'trial', planner, owner: 'trial' }
  const found = await byRules(body, { snapshot, submitter, received_ms: at })
  return { id, expect, ...found, tools: toolsOf(body) }
}

function plannerOf(plan: object): string | null {
  const planner = 'planner' in plan ? plan.planner : null
  if (typeof planner !== 'object' || planner === null || !('id' in planner)) return null
  return typeof planner.id === 'string' ? planner.id : null
}

function toolsOf(plan: object): Record<string, string> {
  const nodes = 'nodes' in plan && Array.isArray(plan.nodes) ? (plan.nodes as unknown[]) : []
  const out: Record<string, string> = {}
  for (const node of nodes) {
    if (typeof node !== 'object' || node === null || !('id' in node) || !('tool' in node)) continue
    out[String(node.id)] = String(node.tool)
  }
  return out
}
