// Binding as compare-and-set: the site must still be what the decision was made for, and the floor
// has not risen. Pure over the stored plan and the hub's fresh snapshot (invariant 10).
import type { Floor } from '../../protocol/finding.ts'
import { topologicalOrder } from '../../protocol/graph.ts'
import type { BindRefusal } from '../../protocol/reasons.ts'
import type { Context, Decision, Packet } from '../../protocol/records.ts'
import type { ToolEntry } from '../../protocol/registry.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { entriesFor } from '../../protocol/tool-row.ts'
import { featuresNeeded } from '../../protocol/plan-needs.ts'
import { floorVerdict } from '../../protocol/verdict.ts'
import { conversionsOf } from '../admit/conversions.ts'
import { newFloorFindings } from '../standing/found.ts'
import type { BindAsk, ReviewSpec } from './state.ts'

export type BindFacts = {
  readonly spec: ReviewSpec
  readonly packet: Packet
  readonly decision: Decision
  readonly decision_digest: string
  /** The floor over the fresh snapshot. */
  readonly floor: Floor
  /** How many things differ in the dry run over the cell as it is now. */
  readonly differences: number
  /** Milliseconds that the steps last at least, by what they tell. */
  readonly told_ms: number
  /** Tool → digest of its row, of every row that the agent may use. */
  readonly rows: Readonly<Record<string, string>>
}

/** True when the floor says something that was not flagged in the packet that was decided. */
export function floorRose(before: Floor, now: Floor): boolean {
  if (floorVerdict(now.level) === 'reject') return true
  return newFloorFindings(before.findings, now.findings).length > 0
}

const bootOf = ({ boot_id }: BindAsk): { boot_id?: string } =>
  typeof boot_id === 'string' ? { boot_id } : {}

/** Composes the context of the session, or says why the decision no longer covers it. */
export function compareAndBind(
  facts: BindFacts,
  ask: BindAsk,
  now_ms: number,
): Result<Context, { code: BindRefusal }> {
  const { spec, packet, decision } = facts
  const { snapshot } = ask
  const no = (code: BindRefusal) => err({ code })
  if (decision.verdict !== 'accept') return no('not_accepted')
  if (spec.plan.nodes.length === 0) return no('text_only')
  if (snapshot.policy.mode === 'shadow') return no('shadow_mode')
  if (now_ms >= decision.valid_until) return no('decision_expired')
  if (snapshot.registry_digest !== packet.registry_digest) return no('registry_changed')
  if (snapshot.policy_version !== packet.policy_version) return no('policy_changed')
  if (snapshot.epoch !== spec.snapshot.epoch) return no('epoch_changed')
  const codes = facts.floor.findings.map((found) => found.code)
  if (codes.includes('CAPABILITY_MISSING') || codes.includes('PLANNER_UNKNOWN')) {
    return no('capability_revoked')
  }
  if (floorRose(packet.floor, facts.floor)) return no('floor_raised')
  if (facts.differences > 0) return no('state_changed')
  const { plan } = spec
  const needed = featuresNeeded(plan, Object.values(toolsOf(spec)))
  if (needed.some((feature) => !ask.features.includes(feature))) return no('agent_outdated')
  const conversions = conversionsOf(plan, spec.snapshot.registry)
  if (conversions === null) return no('units_unreadable')
  // Half a run is worse than none: what cannot end before the deadline is not begun.
  if (facts.told_ms > snapshot.policy.session_deadline_ms) return no('does_not_fit')
  return ok({
    session: ask.session,
    site: spec.submitter.site,
    cell: ask.cell,
    agent: ask.agent,
    agent_jkt: ask.agent_jkt,
    plan,
    order: topologicalOrder(plan.nodes),
    // An agent of the version before reads neither.
    ...(ask.features.includes('signed-rows') ? { tools: { ...facts.rows }, ...bootOf(ask) } : {}),
    ...(conversions.length > 0 ? { conversions: [...conversions] } : {}),
    registry_digest: packet.registry_digest,
    policy_version: packet.policy_version,
    decision_digest: facts.decision_digest,
    deadline: now_ms + snapshot.policy.session_deadline_ms,
  })
}

/** The registry rows that an agent may call or read for a plan, by name. */
export function toolsOf(spec: ReviewSpec): Record<string, ToolEntry> {
  const used = spec.plan.nodes.map((node) => node.tool)
  const entries = entriesFor(used, spec.snapshot.registry.tools)
  return Object.fromEntries(entries.map((tool) => [tool.name, tool]))
}
