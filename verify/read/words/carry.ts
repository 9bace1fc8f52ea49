// Which steps carry a sentence out, and which steps nobody asked for. By acts, names and values:
// never by what a tool is called.
import { actSpec, type ActName, type Dimension, type Family } from '../../../protocol/acts.ts'
import { foldName } from '../fold.ts'
import type { Interval, Sentence, Step } from '../scene.ts'
import { agrees } from './agree.ts'
import type { ReadSentence } from './sentence.ts'

/** What a step touches and sets, for comparison with words. */
type Profile = {
  readonly keys: ReadonlySet<string>
  readonly values: ReadonlyMap<Dimension, readonly Interval[]>
}

/** Longer texts are no names. */
const nameCharsMax = 120

function profileOf(step: Step): Profile {
  const keys = new Set<string>()
  const values = new Map<Dimension, Interval[]>()
  for (const value of step.acts.flatMap((act) => Object.values(act.roles).flat())) {
    if (value.kind === 'thing' || value.kind === 'place') keys.add(value.ref.key)
    if (value.kind !== 'quantity') continue
    const list = values.get(value.dim)
    if (list === undefined) values.set(value.dim, [value.value])
    else list.push(value.value)
  }
  for (const { text } of step.texts) if (text.length <= nameCharsMax) keys.add(foldName(text))
  return { keys, values }
}

const namesIt = (sentence: Pick<ReadSentence, 'named'>, profile: Profile): boolean =>
  sentence.named.some(({ ref }) => profile.keys.has(ref.key))

const setsIt = (sentence: ReadSentence, profile: Profile): boolean =>
  sentence.told.some(
    ({ dim, value, clause }) =>
      clause === 'order' &&
      dim !== null &&
      (profile.values.get(dim) ?? []).some((step) => agrees(step, value)),
  )

function stepsByAct(steps: readonly Step[]): ReadonlyMap<ActName, readonly number[]> {
  const index = new Map<ActName, number[]>()
  for (const step of steps) {
    for (const act of new Set(step.acts.map((one) => one.act))) {
      const list = index.get(act)
      if (list === undefined) index.set(act, [step.i])
      else list.push(step.i)
    }
  }
  return index
}

/** Indices of the steps that carry out each sentence, ascending. */
export function carriedBy(sentences: readonly ReadSentence[], steps: readonly Step[]): number[][] {
  const profiles = steps.map(profileOf)
  const byAct = stepsByAct(steps)
  const candidates = sentences.map(({ asks }) => {
    const all = new Set(asks.flatMap((act) => byAct.get(act) ?? []))
    return [...all].toSorted((a, b) => a - b)
  })
  const clear = sentences.map((sentence, s) => {
    const open = sentence.named.length === 0 && sentence.told.length === 0
    return (candidates[s] ?? []).filter((i) => {
      const profile = profiles[i]
      return (
        profile !== undefined && (open || namesIt(sentence, profile) || setsIt(sentence, profile))
      )
    })
  })
  // A sentence that no step fits by name or value still speaks of the steps that nothing else tells:
  // otherwise the one whose every value is wrong would be compared with nothing.
  const taken = new Set(clear.flat())
  return clear.map((list, s) =>
    list.length > 0 ? list : (candidates[s] ?? []).filter((i) => !taken.has(i)),
  )
}

/** Steps for whose family of acts no sentence asks and whose things none names. */
export function unaskedSteps(
  sentences: readonly Pick<Sentence, 'asks' | 'named'>[],
  steps: readonly Step[],
): number[] {
  const families = new Set<Family>(
    sentences.flatMap(({ asks }) => asks).map((act) => actSpec(act).family),
  )
  const named = new Set(sentences.flatMap((sentence) => sentence.named.map(({ ref }) => ref.key)))
  return steps
    .filter((step) => {
      if (step.acts.some((act) => families.has(act.family))) return false
      for (const key of profileOf(step).keys) if (named.has(key)) return false
      return true
    })
    .map((step) => step.i)
}
