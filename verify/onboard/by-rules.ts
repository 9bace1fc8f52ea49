// The deterministic half alone, over a site whose devices are healthy: floor, dry run and rules. No graph, no
// memory, no recent plans, no model. What it says of a plan depends on the file, the policy and the record of
// the cell, so two files can be compared by it.
import { noEvidence, type Evidence } from '../../protocol/evidence.ts'
import type { Floor } from '../../protocol/finding.ts'
import { limits } from '../../protocol/limits.ts'
import type { Policy } from '../../protocol/policy.ts'
import { provenDigests } from '../../protocol/proven.ts'
import type { Violation } from '../../protocol/reasons.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { SiteSnapshot } from '../../protocol/snapshot.ts'
import type { CellState } from '../../protocol/state.ts'
import type { Verdict } from '../../protocol/verdict.ts'
import { decide } from '../decide/decide.ts'
import { admitPlan, checkPlan, parse, readPlan, simulatePlan } from '../pipeline.ts'
import type { Trace } from '../simulate/trace.ts'
import type { Asked } from '../stages.ts'

/** What the deterministic half says of one plan. */
export type Ruled = {
  /** null: the plan is not even well formed at this site (answered 422). */
  readonly verdict: Verdict | null
  readonly violations: readonly Violation[]
  readonly evidence: Evidence
  readonly findings: Floor['findings']
  readonly trace: Trace | null
}

const never = { registry: `reg:${'A'.repeat(43)}`, policy: `pol:${'A'.repeat(43)}` } as const

type Servers = SiteSnapshot['agents'][number]['servers']

/** A file with what trials take from it, made once for many plans. */
export type TrialFile = Pick<SiteSnapshot, 'registry' | 'quarantined'> & {
  readonly proven: Record<string, string>
  readonly servers: Servers
}

/**
 * A file without the rows whose schemas approval would refuse. Danger: a pattern that is not linear would be
 * compiled and run on the texts of example plans. At the bound of violations any other row may have one as well.
 */
export function withoutRefused(registry: Registry, violations: readonly Violation[]): Registry {
  if (violations.length >= limits.violationsMax) return { ...registry, tools: [] }
  const refused = new Set(
    violations.map(({ at }) => /^\/tools\/(\d+)\/(?:args|output)_schema/.exec(at)?.[1]),
  )
  return { ...registry, tools: registry.tools.filter((_, i) => !refused.has(String(i))) }
}

/**
 * A file for trials: servers as it pins them, and every row proven. So a trial says what becomes of plans once
 * the first use of their rows, which waits for a person, is over. `quarantined` as its approval says.
 */
export async function trialFile(
  registry: Registry,
  quarantined: readonly string[],
): Promise<TrialFile> {
  const servers: Servers = {}
  for (const tool of registry.tools) {
    const server = (servers[tool.server] ??= { state: 'up', tools: {} })
    server.tools[tool.mcp_tool] = tool.definition_digest
  }
  const proven = await provenDigests(registry.tools)
  return { registry, quarantined: [...quarantined], proven, servers }
}

type HealthySite = {
  readonly site: string
  readonly file: TrialFile
  readonly policy: Policy
  readonly agents: readonly { readonly agent: string; readonly cell: string }[]
  readonly cell_state: CellState
  /** Milliseconds since the epoch. */
  readonly at_ms: number
}

/** A site whose devices all answer and are as pinned. */
export function healthySite(given: HealthySite): SiteSnapshot {
  const { site, file, policy, cell_state, at_ms } = given
  const { registry, quarantined, proven, servers } = file
  const sandboxes = Object.fromEntries(registry.sandboxes.map((name) => [name, 'up' as const]))
  return {
    site,
    taken_at_ms: at_ms,
    registry,
    registry_digest: never.registry,
    policy,
    policy_version: never.policy,
    epoch: 0,
    quarantined,
    proven,
    agents: given.agents.map((one) => ({ ...one, reported_at_ms: at_ms, servers, sandboxes })),
    window: [],
    cell_state,
  }
}

/** Judges a plan, as it would be sent, by the deterministic half alone. */
export async function byRules(body: object, asked: Asked): Promise<Ruled> {
  const nothing = { verdict: null, evidence: noEvidence, findings: [], trace: null }
  const parsed = parse(new TextEncoder().encode(JSON.stringify(body)))
  if (!parsed.ok) return { ...nothing, violations: parsed.error }
  const admitted = await admitPlan(parsed.value, asked)
  if (!admitted.ok) return { ...nothing, violations: admitted.error }
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
    policy: { ...asked.snapshot.policy, panel: 'offline' },
  })
  return { verdict, violations: [], evidence, findings: screened.floor.findings, trace }
}
