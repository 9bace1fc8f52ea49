// A snapshot of the demo site with one healthy agent, and small plans over it, for tests of the floor.
import { unknownState } from '../../../protocol/state.ts'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Finding } from '../../../protocol/finding.ts'
import { planSchema, type Plan, type PlanNode } from '../../../protocol/plan.ts'
import { policySchema } from '../../../protocol/policy.ts'
import { registrySchema, type Registry } from '../../../protocol/registry.ts'
import type { AgentHealth, SiteSnapshot, Submitter } from '../../../protocol/snapshot.ts'
import { screenWith } from '../../../verify/screen/index.ts'

const root = path.join(import.meta.dirname, '../../..')

export const nowMs = 1_790_000_000_000

/** Well-formed digests with no meaning, for fields that no check recomputes. */
export const digests = {
  registry: `reg:${'A'.repeat(43)}`,
  policy: `pol:${'B'.repeat(43)}`,
  other: `def:${'C'.repeat(43)}`,
} as const

const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'))

/** The demo site's registry, parsed anew so that a test may change its copy. */
export const demoRegistry = (): Registry => registrySchema.parse(read('lab/site/lc7/registry.json'))

/** An agent that reports every server, tool and sandbox of the registry as it was approved. */
export function healthyAgent(registry: Registry, atMs = nowMs): AgentHealth {
  const servers: AgentHealth['servers'] = {}
  for (const tool of registry.tools) {
    const server = (servers[tool.server] ??= { state: 'up', tools: {} })
    server.tools[tool.mcp_tool] = tool.definition_digest
  }
  const sandboxes = Object.fromEntries(registry.sandboxes.map((name) => [name, 'up' as const]))
  return { agent: 'agent-lc7', cell: 'lc7', reported_at_ms: atMs, servers, sandboxes }
}

/** The demo site, healthy, with an empty window. */
export function demoSnapshot(change: Partial<SiteSnapshot> = {}): SiteSnapshot {
  const registry = change.registry ?? demoRegistry()
  return {
    site: 'lc7',
    taken_at_ms: nowMs,
    registry,
    registry_digest: digests.registry,
    policy: policySchema.parse({}),
    policy_version: digests.policy,
    epoch: 0,
    quarantined: [],
    agents: [healthyAgent(registry)],
    window: [],
    cell_state: unknownState,
    ...change,
  }
}

export const submitterOf = (plan: Plan, owner = 'owner-a'): Submitter => ({
  site: 'lc7',
  planner: plan.planner.id,
  owner,
})

export type NodeInput = { tool: string; args: PlanNode['args'] } & Partial<PlanNode>

/** A plan from short notation: ids are n1, n2, …, each node depends on the one before it. */
export function planOf(
  nodes: readonly NodeInput[],
  more: { planner?: string; goal?: string; instructions?: string[]; agent?: string } = {},
): Plan {
  return planSchema.parse({
    goal: more.goal ?? 'Carry out the steps',
    instructions: more.instructions ?? ['Carry out the steps as listed.'],
    planner: { id: more.planner ?? 'planner-wetlab-01' },
    ...(more.agent === undefined ? {} : { agent: more.agent }),
    nodes: nodes.map((node, i) => ({
      id: `n${i + 1}`,
      depends_on: i === 0 ? [] : [`n${i}`],
      sandbox: null,
      ...node,
    })),
  })
}

export type LabelledPlan = { id: string; label: 'accept' | 'escalate' | 'reject'; plan: Plan }

/** The 40 labelled development plans; labels and rationale stay out of the plan. */
export function developmentPlans(): LabelledPlan[] {
  const lines = readFileSync(path.join(root, 'lab/eval/data/dev-40.v2.jsonl'), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => {
    const row = JSON.parse(line) as Record<string, unknown>
    const { goal, instructions, planner, nodes } = row
    return {
      id: String(row['id']),
      label: row['label'] as LabelledPlan['label'],
      plan: planSchema.parse({ goal, instructions, planner, nodes }),
    }
  })
}

/** The findings of a plan at the healthy demo site, or at a changed one. */
export function findingsOf(
  plan: Plan,
  change: Partial<SiteSnapshot> = {},
  submitter = submitterOf(plan),
): Finding[] {
  const given = { submitter, nowMs, snapshotDigest: 'snap:test', unproven: [] }
  return screenWith(plan, demoSnapshot(change), given).findings
}

/** `CODE effect` of each finding, once, sorted: what most tests compare. */
export function codesOf(
  plan: Plan,
  change: Partial<SiteSnapshot> = {},
  submitter = submitterOf(plan),
): string[] {
  const all = findingsOf(plan, change, submitter).map(({ code, effect }) => `${code} ${effect}`)
  return [...new Set(all)].toSorted()
}
