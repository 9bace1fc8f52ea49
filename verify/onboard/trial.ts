// One plan against a site file, by floor, dry run and rules alone: no graph, no memory, no model. The devices
// are taken as healthy and as pinned. It says what the description says, and nothing about a device.
import { noEvidence, type Evidence } from '../../protocol/evidence.ts'
import type { Floor } from '../../protocol/finding.ts'
import { policySchema, type Policy } from '../../protocol/policy.ts'
import type { Violation } from '../../protocol/reasons.ts'
import type { Registry } from '../../protocol/registry.ts'
import { provenDigests } from '../../protocol/proven.ts'
import type { SiteSnapshot } from '../../protocol/snapshot.ts'
import { cellStateSchema, unknownState, type CellRecord } from '../../protocol/state.ts'
import type { Verdict } from '../../protocol/verdict.ts'
import { decide } from '../decide/decide.ts'
import { admitPlan, checkPlan, parse, readPlan, simulatePlan } from '../pipeline.ts'
import { approveRegistry } from '../screen/approve.ts'
import type { Trace } from '../simulate/trace.ts'

/** One example of a site: a plan, what a person recorded of the cell, and what should come out. */
export type Example = {
  readonly id: string
  readonly plan: object
  readonly state: CellRecord | null
  readonly expect: Verdict | null
}

export type Trial = {
  readonly id: string
  readonly expect: Verdict | null
  /** null: the plan is not even well formed at this site (answered 422). */
  readonly verdict: Verdict | null
  readonly violations: readonly Violation[]
  readonly evidence: Evidence
  readonly findings: Floor['findings']
  readonly trace: Trace | null
  /** Tools of the plan by node id. */
  readonly tools: Readonly<Record<string, string>>
}

const never = { registry: `reg:${'A'.repeat(43)}`, policy: `pol:${'A'.repeat(43)}` } as const

/**
 * A site of healthy devices with that file, and a cell with that record. Every row counts as proven: a trial
 * says what becomes of plans once the first use of their rows, which waits for a person, is over.
 */
async function snapshotOf(
  registry: Registry,
  policy: Policy,
  state: CellRecord | null,
  at: number,
): Promise<SiteSnapshot> {
  const servers: SiteSnapshot['agents'][number]['servers'] = {}
  for (const tool of registry.tools) {
    const server = (servers[tool.server] ??= { state: 'up', tools: {} })
    server.tools[tool.mcp_tool] = tool.definition_digest
  }
  const sandboxes = Object.fromEntries(registry.sandboxes.map((name) => [name, 'up' as const]))
  const person = { source: 'person', by: 'example', at_ms: at - 60_000 } as const
  const cell_state =
    state === null
      ? { ...unknownState, totals: [] }
      : cellStateSchema.parse({
          cell: 'trial',
          version: 1,
          inventory: state.inventory,
          facts: state.facts.map((fact) => ({ ...fact, ...person })),
          approvals: state.approvals,
          // Nothing ran before the trial.
          totals: [],
        })
  return {
    site: 'trial',
    taken_at_ms: at,
    registry,
    registry_digest: never.registry,
    policy,
    policy_version: never.policy,
    epoch: 0,
    quarantined: approveRegistry(registry).quarantined,
    proven: await provenDigests(registry.tools),
    agents: [{ agent: 'trial', cell: 'trial', reported_at_ms: at, servers, sandboxes }],
    window: [],
    cell_state,
  }
}

export type Site = { readonly registry: Registry; readonly policy?: Policy }

/** Judges one example by the file alone. `at` is the time of the trial, in milliseconds. */
export async function tryPlan(site: Site, example: Example, at: number): Promise<Trial> {
  const policy = site.policy ?? policySchema.parse({ panel: 'offline' })
  const snapshot = await snapshotOf(site.registry, policy, example.state, at)
  const planner = plannerOf(example.plan) ?? Object.keys(site.registry.planners)[0] ?? 'planner'
  const body = { ...example.plan, planner: { id: planner } }
  const { id, expect } = example
  const nothing = { evidence: noEvidence, findings: [], trace: null, tools: toolsOf(body) }
  const parsed = parse(new TextEncoder().encode(JSON.stringify(body)))
  if (!parsed.ok) return { id, expect, verdict: null, violations: parsed.error, ...nothing }
  const submitter = { site: 'trial', planner, owner: 'trial' }
  const admitted = await admitPlan(parsed.value, { submitter, snapshot, received_ms: at })
  if (!admitted.ok) return { id, expect, verdict: null, violations: admitted.error, ...nothing }
  const screened = await checkPlan(admitted.value)
  const { trace, evidence } = simulatePlan(readPlan(screened))
  const { verdict } = decide({
    floor: screened.floor,
    grounding: { degraded: null, nodes: [], findings: [] },
    evidence,
    opinions: [],
    chief: null,
    memory: [],
    trace: null,
    depth: { panel: 'rules', required: 1, seats: 0, short: null, expected: [], reads_only: false },
    policy: { ...policy, panel: 'offline' },
  })
  const { findings } = screened.floor
  return { id, expect, verdict, violations: [], evidence, findings, trace, tools: nothing.tools }
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
