// The monitor as the last step of the screen: it needs the codes and σ that the other checks found.
import type { Finding } from '../../../protocol/finding.ts'
import type { Scene } from '../scene.ts'
import { partsOf, raisingCodes } from './entry.ts'
import { monitor } from './monitor.ts'

const sensitiveClasses = new Set(['hazardous_actuation', 'network', 'code', 'admin'])

/** Findings of the long-window monitor about the plan of this scene. */
export function checkWindow(
  scene: Scene,
  found: {
    readonly findings: readonly Finding[]
    readonly sigma: number
    readonly thresholds: { readonly advisory: number; readonly warning: number }
  },
): Finding[] {
  const { snapshot, plan, submitter, nowMs } = scene
  // Without a window there is nothing to compare with, and no sketch to pay for.
  if (snapshot.window.length === 0) return []
  const sensitive = new Set(
    snapshot.registry.tools
      .filter(({ risk_class }) => sensitiveClasses.has(risk_class))
      .map(({ capability }) => capability),
  )
  const current = {
    planner: submitter.planner,
    owner: submitter.owner,
    at_ms: nowMs,
    supersedes: plan.supersedes ?? null,
    codes: raisingCodes({ findings: [...found.findings] }),
    sigma: found.sigma,
    thresholds: found.thresholds,
    sensitive,
    ...partsOf(plan, scene.nodes),
  }
  return monitor(current, snapshot.window)
}
