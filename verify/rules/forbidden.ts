// Steps that an instruction forbids. A sentence that says what must not happen asks for no act, so the
// comparison of orders with steps never sees it.
import { substanceLexicon } from '../lexicon/substances.ts'
import { tokenise } from '../lexicon/words.ts'
import type { Registry } from '../../protocol/registry.ts'
import { foldName } from '../read/fold.ts'
import type { Forbids, Scene, SceneAct, Sentence, Step } from '../read/scene.ts'
import { forbiddenRows, type ForbiddenRow } from '../read/words/forbids.ts'
import { doubt, thingsOf, valuesOf, type Rule } from './rule.ts'

type Wastes = ReadonlySet<string>

const wastesOf = ({ devices, streams }: Registry): Wastes =>
  new Set([
    ...streams.map(({ id }) => id),
    ...devices.filter((d) => d.final || d.class === 'bin').map(({ id }) => id),
  ])

function beyond(act: SceneAct, { above, below }: ForbiddenRow): boolean {
  if (above === undefined && below === undefined) return true
  const told = ['temperature', 'temperatures'].flatMap((role) => valuesOf(act, role, 'quantity'))
  return told.some(
    ({ value }) =>
      (above !== undefined && value.hi > above) || (below !== undefined && value.lo < below),
  )
}

/** The act is of a kind that the row forbids. */
function does(act: SceneAct, row: ForbiddenRow, wastes: Wastes): boolean {
  if (!row.acts.includes(act.act) || !beyond(act, row)) return false
  if (row.into === undefined) return true
  const into = ['to', 'into', 'place'].flatMap((role) => valuesOf(act, role, 'thing', 'place'))
  return into.some(({ ref }) => ref.id !== null && wastes.has(ref.id))
}

const describing = new Set(substanceLexicon.materials.qualifiers.names)

/** Words of the substances that a step handles. */
function handled(step: Step): ReadonlySet<string> {
  const names = step.texts.filter(({ kind }) => kind === 'substance').map(({ text }) => text)
  return new Set(names.flatMap(tokenise).filter((word) => !describing.has(word)))
}

/** What the clause names: things with their keys, and words that some step of the plan handles. */
function isAbout(
  sentence: Sentence,
  { span, words }: Forbids,
  step: Step,
  row: ForbiddenRow,
  inPlan: ReadonlySet<string>,
) {
  const keys = new Set(
    step.acts.flatMap((act) => thingsOf(act).map(({ ref }) => foldName(ref.key))),
  )
  const named = sentence.named.filter(({ span: at }) => at[0] >= span[0] && at[1] <= span[1])
  if (named.length > 0) return named.some(({ ref }) => keys.has(foldName(ref.key)))
  const materials = words.filter((word) => inPlan.has(word))
  if (materials.length > 0) return materials.some((word) => handled(step).has(word))
  return row.named !== true
}

/** Another sentence orders the same of this step: which of the two is meant is not settled here. */
function isOrdered(scene: Scene, row: string, step: Step): boolean {
  return scene.sentences.some(
    ({ orders, carried_by }) => orders.includes(row) && carried_by.includes(step.i),
  )
}

/** Steps that do what an instruction says must not be done. */
export const forbiddenSteps: Rule = {
  id: 'forbidden_steps',
  check: ({ scene, registry }) => {
    if (scene.sentences.every(({ forbids }) => forbids.length === 0)) return {}
    const wastes = wastesOf(registry)
    const inPlan = new Set(scene.steps.flatMap((step) => [...handled(step)]))
    const doubts = scene.sentences.flatMap((sentence) =>
      sentence.forbids.flatMap((forbids) => {
        const row = forbiddenRows.get(forbids.row)
        if (row === undefined) return []
        const step = scene.steps.find(
          (one) =>
            one.acts.some((act) => does(act, row, wastes)) &&
            isAbout(sentence, forbids, one, row, inPlan) &&
            !isOrdered(scene, forbids.row, one),
        )
        if (step === undefined) return []
        return [
          doubt('STEP_FORBIDDEN', step.at, 'Does an instruction forbid this step?', 'mismatch'),
        ]
      }),
    )
    return { doubts }
  },
}
