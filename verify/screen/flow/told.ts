// What a planner would learn of results that it may not read, by what its own plan then does: a step that
// is skipped or not tells whether a comparison held, and sixteen comparisons tell a number.
import type { Finding } from '../../../protocol/finding.ts'
import { withheldFrom } from '../../../protocol/may-read.ts'
import { comparisonsOf, referencesOfNode } from '../../../protocol/plan-needs.ts'
import { report } from '../report.ts'
import type { Scene, SceneNode } from '../scene.ts'

/** Nodes whose results decide about a node, with the places that say so. */
function decidedBy({ node, at }: SceneNode): readonly { readonly at: string; from: string }[] {
  return [
    ...comparisonsOf(node).map(({ at: place, comparison }) => ({
      at: `${at}${place}`,
      from: comparison.result.node,
    })),
    // A value outside its bounds ends the run before the call: that shows too.
    ...referencesOfNode(node).map(({ at: place, from }) => ({
      at: `${at}${place}`,
      from: from.node,
    })),
  ]
}

/** One flag for each tool whose results the planner may not read, where the plan first rests on one. */
export function checkTold(scene: Scene): Finding[] {
  const { registry } = scene.snapshot
  const found = new Map<string, { at: string; node: string; labels: string; places: number }>()
  for (const used of scene.nodes) {
    for (const { at, from } of decidedBy(used)) {
      const source = scene.byId.get(from)
      if (source?.tool === undefined) continue
      const { name, emits } = source.tool
      const labels = withheldFrom(registry, scene.plan.planner.id, emits)
      if (labels.length === 0) continue
      const known = found.get(name)
      if (known === undefined) {
        found.set(name, { at, node: used.node.id, labels: labels.join(', '), places: 1 })
      } else known.places += 1
    }
  }
  return [...found].map(([tool, { at, ...facts }]) =>
    report('FLOW_RESULT_TOLD', 'flag', at, { ...facts, tool }),
  )
}
