// Approvals attached to a call are people's, each a different one (POL-07): an agent that approves itself or
// a neighbour, or one person written twice, is refused (CWE-863).
import type { Finding } from '../../../protocol/finding.ts'
import { imitated, skeleton } from '../names.ts'
import { report } from '../report.ts'
import type { Scene, SceneNode } from '../scene.ts'

/** Planners and agents of the site: no person answers under these names. */
function machines(scene: Scene): string[] {
  const { registry, agents } = scene.snapshot
  return [...Object.keys(registry.planners), ...agents.map(({ agent }) => agent)]
}

function ofNode(used: SceneNode, notPeople: readonly string[]): Finding[] {
  const out: Finding[] = []
  const seen = new Set<string>()
  for (const { role, value, at } of used.texts) {
    if (role !== 'approvals') continue
    const facts = { node: used.node.id, approver: value }
    const machine = notPeople.includes(value) || imitated(value, notPeople) !== null
    // "planner-x" need not be registered here to be no person.
    if (machine || /^(?:planner|agent|judge|gateway|bot|system|auto)\b/i.test(value)) {
      out.push(report('APPROVAL_INVALID', 'block', at, { ...facts, why: 'not a person' }))
    }
    const same = skeleton(value)
    if (same !== '' && seen.has(same)) {
      out.push(report('APPROVAL_INVALID', 'block', at, { ...facts, why: 'the same person' }))
    }
    seen.add(same)
  }
  return out
}

/** One finding for each approval that is not a distinct person's. */
export function checkApprovals(scene: Scene): Finding[] {
  const notPeople = machines(scene)
  return scene.nodes.flatMap((used) => ofNode(used, notPeople))
}
