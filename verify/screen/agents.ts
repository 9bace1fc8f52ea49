// Which agents a plan could run on, and whether what they said is recent enough to count.
import { limits } from '../../protocol/limits.ts'
import type { AgentHealth } from '../../protocol/snapshot.ts'
import type { Scene } from './scene.ts'

/** The agent that the plan names, or all of the site. */
export function candidateAgents(scene: Scene): readonly AgentHealth[] {
  const wanted = scene.plan.agent
  const agents = scene.snapshot.agents
  return wanted === undefined ? agents : agents.filter(({ agent }) => agent === wanted)
}

/** Health from the future (a broken clock) counts as unknown, like health that is too old. */
export function isFresh(agent: AgentHealth, nowMs: number): boolean {
  const ageMs = nowMs - agent.reported_at_ms
  return ageMs <= limits.presenceStaleMs && ageMs >= -limits.clockSkewMsMax
}
