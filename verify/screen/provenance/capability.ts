// Who may use what: the planner is registered, is the one that submits, and holds the capability of
// every tool it names. Default deny; exact names only, since both sides are approved in canonical form
// (CWE-862 missing authorisation, CWE-287).
import type { Finding } from '../../../protocol/finding.ts'
import { imitated } from '../names.ts'
import { report } from '../report.ts'
import type { Scene } from '../scene.ts'

function plannerFindings(scene: Scene): Finding[] {
  const { plan, snapshot, submitter } = scene
  const out: Finding[] = []
  const planners = snapshot.registry.planners
  const given = plan.planner.id
  if (given !== submitter.planner) {
    out.push(report('ACTING_AS_OTHER', 'block', '/planner/id', { given, own: submitter.planner }))
  }
  if (!Object.hasOwn(planners, given)) {
    out.push(report('PLANNER_UNKNOWN', 'block', '/planner/id', { given }))
    const like = imitated(given, Object.keys(planners))
    if (like !== null) {
      const facts = { given, resembles: like.name, kind: 'planner' }
      out.push(report('NAME_NOT_CANONICAL', 'block', '/planner/id', facts))
    }
  }
  return out
}

/** Planner known and its own; one finding for each node whose capability it lacks. */
export function checkCapability(scene: Scene): Finding[] {
  const out = plannerFindings(scene)
  const { plan, snapshot } = scene
  const planners = snapshot.registry.planners
  const entry = Object.hasOwn(planners, plan.planner.id) ? planners[plan.planner.id] : undefined
  const held = new Set(entry?.capabilities)
  for (const { node, at, tool } of scene.nodes) {
    if (tool !== undefined && held.has(tool.capability)) continue
    const facts = { node: node.id, tool: node.tool, needs: tool?.capability ?? 'a registered tool' }
    out.push(report('CAPABILITY_MISSING', 'block', `${at}/tool`, facts))
  }
  return out
}
