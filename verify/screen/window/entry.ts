// What the site remembers of a plan: sketch, names of capabilities and tools, codes and marks. No text.
import type { Floor } from '../../../protocol/finding.ts'
import type { Plan } from '../../../protocol/plan.ts'
import type { SiteSnapshot, Submitter, WindowEntry } from '../../../protocol/snapshot.ts'
import { buildScene, type Scene } from '../scene.ts'
import { marksOf } from './marks.ts'
import { sketchOf } from './minhash.ts'

export type WindowParts = Pick<WindowEntry, 'sketch' | 'capabilities' | 'tools' | 'marks'>

/** The parts of an entry that follow from the plan and the registry alone. */
export function partsOf(scene: Scene): WindowParts {
  const capabilities = new Set(scene.nodes.flatMap(({ tool }) => tool?.capability ?? []))
  const tools = new Set(scene.nodes.map(({ node }) => node.tool))
  return {
    sketch: sketchOf(scene.plan),
    capabilities: [...capabilities].toSorted().slice(0, 200),
    tools: [...tools].toSorted().slice(0, 256),
    marks: marksOf(scene),
  }
}

/** Codes that raised the floor, each once: what a resubmission has to mend. */
export function raisingCodes(floor: Pick<Floor, 'findings'>): string[] {
  const codes = floor.findings.filter(({ effect }) => effect !== 'advisory').map(({ code }) => code)
  return [...new Set(codes)].toSorted().slice(0, 50)
}

/**
 * The entry for a plan that was just screened. The verdict is null until it is known; the caller then
 * stores it under the plan's id, with the codes of the decision added to those of the floor.
 */
export function entryOf(
  plan: Plan,
  snapshot: SiteSnapshot,
  given: {
    readonly planId: string
    readonly submitter: Submitter
    readonly floor: Pick<Floor, 'findings' | 'sigma'>
    readonly nowMs: number
  },
): WindowEntry {
  const { submitter, nowMs, floor, planId } = given
  const scene = buildScene(plan, snapshot, { submitter, nowMs })
  return {
    plan: planId,
    planner: submitter.planner,
    owner: submitter.owner,
    at_ms: nowMs,
    verdict: null,
    supersedes: plan.supersedes ?? null,
    codes: raisingCodes(floor),
    sigma: floor.sigma,
    ...partsOf(scene),
  }
}
