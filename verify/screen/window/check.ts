// The monitor as the last step of the screen: it needs the codes and σ that the other checks found.
import type { Finding } from '../../../protocol/finding.ts'
import { report } from '../report.ts'
import type { Scene } from '../scene.ts'
import { partsOf, raisingCodes } from './entry.ts'
import { allMarksOf, boundMarks } from './marks.ts'
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
  const marks = allMarksOf(scene.nodes, scene.snapshot.registry)
  const own = tooManyMarks(marks)
  // Without a window there is nothing to compare with, and no sketch to pay for.
  if (snapshot.window.length === 0) return own
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
    ...partsOf(plan, scene.nodes, scene.snapshot.registry),
    // What is kept is bounded; what the new plan itself shows is seen whole.
    marks,
  }
  return [...own, ...monitor(current, snapshot.window)]
}

/** More halves of risks than can be remembered: later plans cannot be held against all of them. */
function tooManyMarks(marks: readonly string[]): Finding[] {
  const more = boundMarks(marks).filter((mark) => mark.startsWith('more:'))
  if (more.length === 0) return []
  const facts = { risk: 'more of one kind than is remembered', kinds: more.join(' ') }
  return [report('WINDOW_SPLIT_INSTRUCTIONS', 'flag', '', facts)]
}
