// Things that an instruction names, against those that its steps use. A sentence that names one device,
// vessel or part and a step that uses another of the same class differ; that is never agreement.
import type { Sentence, Step, ThingRef } from '../read/scene.ts'
import { breach, thingsOf, type Rule } from './rule.ts'

/** What may stand in for each other in a sentence: two devices, two vessels, two barriers. */
function classOf(ref: ThingRef): string {
  return ref.is === 'thing' || ref.is === 'kind' || ref.is === 'unknown' ? 'vessel' : ref.is
}

const partKnown = (ref: ThingRef): boolean => ref.part !== null && ref.part !== '*'

export function usedBy(steps: readonly Step[]): { step: Step; at: string; ref: ThingRef }[] {
  return steps.flatMap((step) =>
    step.acts.flatMap((act) => thingsOf(act).map(({ at, ref }) => ({ step, at, ref }))),
  )
}

function ofSentence(sentence: Sentence, steps: readonly Step[], everywhere: ReadonlySet<string>) {
  if (sentence.named.length === 0) return []
  const mine = sentence.carried_by.flatMap((i) => steps[i] ?? [])
  const used = usedBy(mine)
  return sentence.named.flatMap(({ ref, raw }) => {
    // Named and used somewhere: the sentence may tell about it and act on another.
    if (everywhere.has(ref.key)) {
      const parts = used.filter((u) => u.ref.key === ref.key && partKnown(u.ref))
      const [first] = parts
      if (!partKnown(ref) || first === undefined) return []
      if (parts.some((u) => u.ref.part === ref.part)) return []
      if (
        sentence.named.some(
          (other) => other.ref.key === ref.key && parts.some((u) => u.ref.part === other.ref.part),
        )
      )
        return []
      return [
        breach('TOLD_NAME_DIFFERS', first, {
          verdict: 'escalate',
          facts: {
            told: `${raw} ${ref.part ?? ''}`.trim().slice(0, 200),
            has: first.ref.part ?? '',
          },
        }),
      ]
    }
    if (ref.is === 'unknown') return []
    // "The closed box", and a thing of that kind is used.
    if (ref.is === 'kind' && used.some((u) => u.ref.kind === ref.kind || u.ref.kind === ref.id)) {
      return []
    }
    const others = used.filter(
      (u) =>
        classOf(u.ref) === classOf(ref) &&
        (ref.kind === null || u.ref.kind === null || u.ref.kind === ref.kind),
    )
    // A step that uses what the sentence does name as well is not at odds with it.
    const [other] = others.filter(
      (u) => !sentence.named.some((named) => named.ref.key === u.ref.key),
    )
    if (other === undefined) return []
    return [
      breach('TOLD_NAME_DIFFERS', other, {
        verdict: 'escalate',
        facts: { told: raw.slice(0, 200), has: other.ref.raw.slice(0, 200) },
      }),
    ]
  })
}

/** Named things against used things, sentence by sentence. */
export const toldNames: Rule = {
  id: 'told_names',
  check: ({ scene }) => {
    const everywhere = new Set(usedBy(scene.steps).map(({ ref }) => ref.key))
    return {
      breaches: scene.sentences.flatMap((one) => ofSentence(one, scene.steps, everywhere)),
    }
  },
}
