// A plan as every stage reads it: steps with acts, quantities, things, substances and words.
// Pure; the work is linear in the plan and in the site file.
import type { Plan } from '../../protocol/plan.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { CellState } from '../../protocol/state.ts'
import { readCall, rowOf } from './acts.ts'
import type { Names } from './bind.ts'
import { standings } from './order.ts'
import type { RoleValue, Scene, Step, SubstanceRef, ThingRef } from './scene.ts'
import { substanceReader } from './substances.ts'
import { thingIndex } from './things.ts'
import type { Vocabulary } from './vocabulary.ts'
import { readWords } from './words/index.ts'
import { stationsOf } from './words/prepares.ts'

function stepsOf(
  plan: Plan,
  order: readonly string[],
  registry: Pick<Registry, 'tools'>,
  names: Names,
): Step[] {
  const entries = new Map(registry.tools.map((tool) => [tool.name, tool]))
  const position = new Map(plan.nodes.map((node, i) => [node.id, i]))
  const nodes = order.flatMap((id) => plan.nodes[position.get(id) ?? -1] ?? [])
  const standing = standings(nodes)
  return nodes.map((node, i) => {
    const entry = entries.get(node.tool) ?? null
    const row = entry === null ? null : rowOf(entry)
    const at = `/nodes/${position.get(node.id) ?? 0}`
    const { after, certain } = standing.get(node.id) ?? { after: new Set<string>(), certain: true }
    return { i, node, at, row: entry, ...readCall(node, at, row, names), certain, after }
  })
}

function* valuesOf(steps: readonly Step[]): Generator<RoleValue> {
  for (const step of steps) {
    for (const act of step.acts) for (const values of Object.values(act.roles)) yield* values
  }
}

/** What steps do, without the words about them: all that the deterministic checks need. */
export function readSteps(
  plan: Plan,
  order: readonly string[],
  registry: Registry,
  state: CellState,
  vocabulary: Vocabulary,
): readonly Step[] {
  return stepsOf(plan, order, registry, namesOf(registry, state, vocabulary))
}

function namesOf(registry: Registry, state: CellState, vocabulary: Vocabulary): Names {
  return {
    things: thingIndex(registry, state),
    substances: substanceReader(vocabulary.substances, registry.substances),
  }
}

/**
 * Reads a plan. `order` is the exact order of execution; what the plan says in words is told beside
 * what its steps do, and nothing is judged.
 */
export function readScene(
  plan: Plan,
  order: readonly string[],
  registry: Registry,
  state: CellState,
  vocabulary: Vocabulary,
): Scene {
  const names = namesOf(registry, state, vocabulary)
  const steps = stepsOf(plan, order, registry, names)
  const things = new Map<string, ThingRef>()
  const substances = new Map<string, SubstanceRef>()
  for (const value of valuesOf(steps)) {
    if ((value.kind === 'thing' || value.kind === 'place') && value.ref.id !== null) {
      if (!things.has(value.ref.key)) things.set(value.ref.key, value.ref)
    }
    if (value.kind === 'substance') substances.set(value.substance.raw, value.substance)
  }
  for (const { node } of steps) {
    const sandbox = node.sandbox === null ? null : names.things.find(node.sandbox, 'sandbox')
    if (sandbox !== null && !things.has(sandbox.key)) things.set(sandbox.key, sandbox)
  }
  return {
    goal: plan.goal,
    instructions: plan.instructions,
    steps,
    ...readWords(plan, steps, names, vocabulary, stationsOf(registry)),
    things,
    substances: [...substances.values()],
    text_only: plan.nodes.length === 0,
  }
}
