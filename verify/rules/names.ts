// Things that an instruction names, against those that its steps use. A sentence that names one device,
// vessel or part and a step that uses another of the same class differ; that is never agreement.
import { tokenise } from '../lexicon/words.ts'
import { foldName } from '../read/fold.ts'
import type { Scene, Sentence, Step, ThingRef } from '../read/scene.ts'
import { breach, thingsOf, type Rule } from './rule.ts'

/** What may stand in for each other in a sentence: two devices, two vessels, two barriers. */
function classOf(ref: ThingRef): string {
  return ref.is === 'thing' || ref.is === 'kind' || ref.is === 'unknown' ? 'vessel' : ref.is
}

const partKnown = (ref: ThingRef): boolean => ref.part !== null && ref.part !== '*'

function usedBy(steps: readonly Step[]): { step: Step; at: string; ref: ThingRef }[] {
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

/** `B2` is in column 2 and in row B. */
const holdsPart = (used: string, told: string): boolean => {
  if (used === told) return true
  const [, row, column] = /^([A-Z]{1,2})(\d+)$/.exec(told) ?? []
  return used === `col:${column ?? ''}` || used === `row:${row ?? ''}`
}

/** Wells that an ordering clause tells without their plate ("into B2"), and no step that carries it uses. */
function partsDiffer(sentence: Sentence, steps: readonly Step[]) {
  const used = usedBy(sentence.carried_by.flatMap((i) => steps[i] ?? [])).filter(
    ({ ref }) => ref.part !== null,
  )
  const [first] = used
  if (
    first === undefined ||
    used.some(({ ref }) => ref.part?.includes(':') === true && /\d:/.test(ref.part))
  ) {
    return []
  }
  // `P2` is a buffer where a step handles one of that name.
  const substances = new Set(
    steps.flatMap((step) =>
      step.texts.filter(({ kind }) => kind === 'substance').flatMap(({ text }) => tokenise(text)),
    ),
  )
  return sentence.named.flatMap(({ ref, raw, clause }) => {
    const { part } = ref
    if (substances.has(raw.toLowerCase())) return []
    const bare = part !== null && ref.is === 'unknown' && foldName(part) === foldName(ref.key)
    if (!bare || clause !== 'order' || used.some((u) => holdsPart(u.ref.part ?? '', part)))
      return []
    return [
      breach('TOLD_NAME_DIFFERS', first, {
        verdict: 'escalate',
        facts: { told: raw.slice(0, 200), has: first.ref.part ?? '' },
      }),
    ]
  })
}

/** `RUN-2031` and `RUN-2013`: the same letters, so that one is taken for the other. */
const letters = (key: string): string => key.replaceAll(/[^\p{L}]+/gu, '.')

/**
 * Records that a sentence names by number and no step touches, beside a record of the same series that
 * nobody named.
 */
function recordsDiffer(sentence: Sentence, { goal, instructions, steps }: Scene) {
  const mine = sentence.carried_by.flatMap((i) => steps[i] ?? [])
  const used = (step: Step) =>
    step.texts.map(({ text, at }) => ({ step, at, raw: text, key: foldName(text) }))
  const everywhere = new Set(steps.flatMap(used).map(({ key }) => key))
  const prose = [goal, ...instructions].flatMap((text) => text.match(/[\p{L}\p{N}_.-]+/gu) ?? [])
  const told = new Set(prose.map((word) => foldName(word.replace(/[.-]+$/, ''))))
  return sentence.named.flatMap(({ ref, raw }) => {
    const key = foldName(ref.key)
    if (ref.is !== 'unknown' || !/\d{2}/.test(key) || everywhere.has(key)) return []
    const other = mine
      .flatMap(used)
      .find((one) => letters(one.key) === letters(key) && !told.has(one.key))
    if (other === undefined) return []
    return [
      breach('TOLD_NAME_DIFFERS', other, {
        verdict: 'escalate',
        facts: { told: raw.slice(0, 200), has: other.raw.slice(0, 200) },
      }),
    ]
  })
}

const numbered =
  /\b(?:sample|plate|run|lot|batch|record|request|order|donor)\s(?:no\.?\s)?([0-9]{3,})\b/gi
const digitsOf = (text: string): string[] =>
  (text.match(/\d{3,}/g) ?? []).map((digits) => digits.replace(/^0+/, ''))

/** `sample 4711`: a number that no step touches, beside a record whose number nobody told. */
function numbersDiffer(sentence: Sentence, { goal, instructions, steps }: Scene) {
  // "Wash the plate 100 µL at a time" tells a dose.
  const isDose = (digits: string): boolean =>
    sentence.told.some(({ dim, shown }) => dim !== 'count' && shown.startsWith(digits))
  const told = [...sentence.text.matchAll(numbered)].flatMap(([, digits = '']) =>
    isDose(digits) ? [] : digitsOf(digits),
  )
  if (told.length === 0) return []
  const said = new Set([goal, ...instructions].flatMap(digitsOf))
  const everywhere = new Set(
    steps.flatMap((step) => step.texts.flatMap(({ text }) => digitsOf(text))),
  )
  const open = told.find((digits) => !everywhere.has(digits))
  if (open === undefined) return []
  const other = sentence.carried_by
    .flatMap((i) => steps[i] ?? [])
    .flatMap((step) => step.texts.map(({ text, at, kind }) => ({ step, at, text, kind })))
    .find(
      ({ text, kind }) =>
        (kind === 'address' || kind === 'thing') &&
        digitsOf(text).some((digits) => !said.has(digits)),
    )
  if (other === undefined) return []
  const facts = { told: open, has: other.text.slice(0, 200) }
  return [breach('TOLD_NAME_DIFFERS', other, { verdict: 'escalate', facts })]
}

/** Named things against used things, sentence by sentence. */
export const toldNames: Rule = {
  id: 'told_names',
  check: ({ scene }) => {
    const everywhere = new Set(usedBy(scene.steps).map(({ ref }) => ref.key))
    return {
      breaches: scene.sentences.flatMap((sentence) => [
        ...ofSentence(sentence, scene.steps, everywhere),
        ...recordsDiffer(sentence, scene),
        ...numbersDiffer(sentence, scene),
        ...partsDiffer(sentence, scene.steps),
      ]),
    }
  },
}
