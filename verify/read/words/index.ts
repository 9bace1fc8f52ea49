// The plan's sentences beside its steps.
import type { Plan } from '../../../protocol/plan.ts'
import type { Names } from '../bind.ts'
import type { Scene, Step } from '../scene.ts'
import type { Vocabulary } from '../vocabulary.ts'

/** Not read yet: no sentence asks for any step. */
export function readWords(
  _plan: Plan,
  steps: readonly Step[],
  _names: Names,
  _vocabulary: Vocabulary,
): Pick<Scene, 'sentences' | 'unasked'> {
  return { sentences: [], unasked: steps.map((step) => step.i) }
}
