// Administrative tools are always a person's decision (POL-13); no text of a plan removes the flag.
import type { Finding } from '../../../protocol/finding.ts'
import { report } from '../report.ts'
import type { Scene } from '../scene.ts'

/** One flag for each node that uses an administrative tool. */
export function checkAdmin(scene: Scene): Finding[] {
  return scene.nodes
    .filter(({ tool }) => tool?.risk_class === 'admin')
    .map(({ node, at }) =>
      report('ADMIN_TOOL', 'flag', `${at}/tool`, { node: node.id, tool: node.tool }),
    )
}
