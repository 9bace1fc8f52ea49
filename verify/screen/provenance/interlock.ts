// Arguments that would defeat an interlock, a guard or an alarm: always refused, whatever the tool.
// Danger: machinery that stays energised with a person inside (CWE-693).
import type { Finding } from '../../../protocol/finding.ts'
import { report } from '../report.ts'
import type { Leaf, Scene } from '../scene.ts'

const standingOn = new Set(['on', 'true', 'yes', 'enable', 'enabled', '1'])

function isOn({ value }: Leaf): boolean {
  if (value === true || value === 1) return true
  return typeof value === 'string' && standingOn.has(value.trim().toLowerCase())
}

/** One finding for each argument that the site file binds to `bypass` and that is switched on. */
export function checkInterlock(scene: Scene): Finding[] {
  return scene.nodes.flatMap(({ node, leaves }) =>
    leaves
      .filter((leaf) => leaf.role === 'bypass' && isOn(leaf))
      .map((leaf) => report('INTERLOCK_BYPASS', 'block', leaf.at, { node: node.id })),
  )
}
