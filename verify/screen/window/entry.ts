// What the site remembers of a plan: sketch, names of capabilities and tools, codes and marks. No text.
import type { Floor } from '../../../protocol/finding.ts'
import type { Plan } from '../../../protocol/plan.ts'
import type { Registry } from '../../../protocol/registry.ts'
import type { WindowEntry } from '../../../protocol/snapshot.ts'
import { sceneNodes, type SceneNode } from '../scene.ts'
import { allMarksOf, boundMarks } from './marks.ts'
import { sketchOf } from './minhash.ts'

export type WindowParts = Pick<WindowEntry, 'sketch' | 'capabilities' | 'tools' | 'marks'>

/** The parts of an entry that follow from the plan and the registry alone. */
export function partsOf(plan: Plan, nodes: readonly SceneNode[], registry: Registry): WindowParts {
  const capabilities = new Set(nodes.flatMap(({ tool }) => tool?.capability ?? []))
  const tools = new Set(nodes.map(({ node }) => node.tool))
  return {
    sketch: sketchOf(plan),
    capabilities: [...capabilities].toSorted().slice(0, 200),
    tools: [...tools].toSorted().slice(0, 256),
    marks: boundMarks(allMarksOf(nodes, registry)),
  }
}

/**
 * What a caller stores of a screened plan, beside the plan's id, planner, owner, time, verdict,
 * `supersedes` and codes. Fits `WindowEntry`.
 */
export function sketch(
  plan: Plan,
  given: { readonly registry: Registry; readonly sigma: number },
): WindowParts & Pick<WindowEntry, 'sigma'> {
  return { ...partsOf(plan, sceneNodes(plan, given.registry), given.registry), sigma: given.sigma }
}

/** Codes that raised the floor, each once: what a resubmission has to mend. */
export function raisingCodes(floor: Pick<Floor, 'findings'>): string[] {
  const codes = floor.findings.filter(({ effect }) => effect !== 'advisory').map(({ code }) => code)
  return [...new Set(codes)].toSorted().slice(0, 50)
}
