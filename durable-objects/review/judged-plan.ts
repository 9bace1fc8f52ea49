// A judged plan as another file or policy is tried on it: what it was judged over, without window and trail.
import type { Registry } from '../../protocol/registry.ts'
import type { JudgedPlan } from '../../verify/onboard/what-if.ts'
import { cellSeen } from '../../verify/stages.ts'
import type { ReviewStore } from './store.ts'

/** `registry` is null when the caller has it. */
export type JudgedPlanAnswer = { readonly judged: JudgedPlan; readonly registry: Registry | null }

/** JSON text; null for a plan that was never started, is still judged, or whose text is gone. */
export function judgedPlanOf(store: ReviewStore, have: readonly string[]): string | null {
  const status = store.status()
  if (status === null || status.state === 'judging') return null
  const spec = store.spec()
  const { plan_id, plan, submitter, snapshot } = spec
  const { registry, registry_digest, policy, agents } = snapshot
  const { cell_state, at_ms } = cellSeen(spec)
  const packet = store.packet()
  const answer: JudgedPlanAnswer = {
    judged: {
      plan_id,
      plan,
      submitter,
      cell_state,
      at_ms,
      agents: agents.map(({ agent, cell }) => ({ agent, cell })),
      registry_digest,
      policy,
      stands: status.verdict,
      models: packet !== null && (packet.opinions.length > 0 || packet.chief !== null),
    },
    registry: have.includes(registry_digest) ? null : registry,
  }
  return JSON.stringify(answer)
}
