// Names that nobody declared, as an instruction tells them, against those that its steps use: numbers of
// records, and wells that stand alone. Danger: two digits change places, and another record is read.
import lists from '../lexicon/told.json' with { type: 'json' }
import { tokenise } from '../lexicon/words.ts'
import { foldName } from '../read/fold.ts'
import type { Scene, Sentence, Step } from '../read/scene.ts'
import { usedBy } from './names.ts'
import { breach, type Rule } from './rule.ts'

const digitsOf = (text: string): string[] =>
  (text.match(/\d{3,}/g) ?? []).map((digits) => digits.replace(/^0+/, ''))

type Gathered = () => ReadonlySet<string>

/** What the whole plan says and touches, each gathered once and only where a sentence asks for it. */
type Everywhere = {
  /** Folded strings of all arguments. */
  readonly used: Gathered
  /** Folded words of goal and instructions. */
  readonly told: Gathered
  readonly usedDigits: Gathered
  readonly toldDigits: Gathered
  /** Words of substances that steps handle. */
  readonly substances: Gathered
}

function once(gather: () => Iterable<string>): Gathered {
  let made: ReadonlySet<string> | null = null
  return () => (made ??= new Set(gather()))
}

function everywhereIn({ goal, instructions, steps }: Scene): Everywhere {
  const prose = [goal, ...instructions]
  const words = () => prose.flatMap((text) => text.match(/[\p{L}\p{N}_.-]+/gu) ?? [])
  const texts = steps.flatMap((step) => step.texts)
  const substances = texts.filter(({ kind }) => kind === 'substance')
  return {
    used: once(() => texts.map(({ text }) => foldName(text))),
    told: once(() => words().map((word) => foldName(word.replace(/[.-]+$/, '')))),
    usedDigits: once(() => texts.flatMap(({ text }) => digitsOf(text))),
    toldDigits: once(() => prose.flatMap(digitsOf)),
    substances: once(() => substances.flatMap(({ text }) => tokenise(text))),
  }
}

const differs = (where: { step: Step; at: string }, told: string, has: string) =>
  breach('TOLD_NAME_DIFFERS', where, {
    verdict: 'escalate',
    facts: { told: told.slice(0, 200), has: has.slice(0, 200) },
  })

const carriers = ({ carried_by }: Sentence, steps: readonly Step[]): Step[] =>
  carried_by.flatMap((i) => steps[i] ?? [])

/** `B2` is in column 2 and in row B. */
function holdsPart(used: string, told: string): boolean {
  if (used === told) return true
  const [, row, column] = /^([A-Z]{1,2})(\d+)$/.exec(told) ?? []
  return used === `col:${column ?? ''}` || used === `row:${row ?? ''}`
}

const isRange = (part: string): boolean => /\d:/.test(part)

/** Wells that an ordering clause tells without their plate ("into B2"), and no step that carries it uses. */
function partsDiffer(sentence: Sentence, steps: readonly Step[], { substances }: Everywhere) {
  const bare = sentence.named.filter(
    ({ ref, raw, clause }) =>
      clause === 'order' &&
      ref.is === 'unknown' &&
      ref.part !== null &&
      foldName(ref.part) === foldName(ref.key) &&
      // `P2` is a buffer where a step handles one of that name.
      !substances().has(raw.toLowerCase()),
  )
  if (bare.length === 0) return []
  const used = usedBy(carriers(sentence, steps)).filter(({ ref }) => ref.part !== null)
  const [first] = used
  if (first === undefined || used.some(({ ref }) => isRange(ref.part ?? ''))) return []
  return bare
    .filter(({ ref }) => !used.some((u) => holdsPart(u.ref.part ?? '', ref.part ?? '')))
    .map(({ raw }) => differs(first, raw, first.ref.part ?? ''))
}

/** `RUN-2031` and `RUN-2013`: the same letters, so that one is taken for the other. */
const letters = (key: string): string => key.replaceAll(/[^\p{L}]+/gu, '.')

/** Records that a sentence names and no step touches, beside one of the same series that nobody named. */
function recordsDiffer(sentence: Sentence, steps: readonly Step[], { used, told }: Everywhere) {
  const open = sentence.named.filter(
    ({ ref }) =>
      ref.is === 'unknown' && /\d{2}/.test(foldName(ref.key)) && !used().has(foldName(ref.key)),
  )
  if (open.length === 0) return []
  const mine = carriers(sentence, steps).flatMap((step) =>
    step.texts.map(({ text, at }) => ({ step, at, raw: text, key: foldName(text) })),
  )
  return open.flatMap(({ ref, raw }) => {
    const series = letters(foldName(ref.key))
    const other = mine.find(({ key }) => letters(key) === series && !told().has(key))
    return other === undefined ? [] : [differs(other, raw, other.raw)]
  })
}

const numbered = new RegExp(
  String.raw`\b(?:${lists.numbered.join('|')})\s(?:no\.?\s)?([0-9]{3,})\b`,
  'gi',
)

/** `sample 4711`: a number that no step touches, beside a record whose number nobody told. */
function numbersDiffer(sentence: Sentence, steps: readonly Step[], all: Everywhere) {
  // "Wash the plate 100 µL at a time" tells a dose.
  const isDose = (digits: string): boolean =>
    sentence.told.some(({ dim, shown }) => dim !== 'count' && shown.startsWith(digits))
  if (!/[0-9]{3}/.test(sentence.text)) return []
  const open = [...sentence.text.matchAll(numbered)]
    .flatMap(([, digits = '']) => (isDose(digits) ? [] : digitsOf(digits)))
    .find((digits) => !all.usedDigits().has(digits))
  if (open === undefined) return []
  const other = carriers(sentence, steps)
    .flatMap((step) => step.texts.map(({ text, at, kind }) => ({ step, at, text, kind })))
    .find(
      ({ text, kind }) =>
        (kind === 'address' || kind === 'thing') &&
        digitsOf(text).some((digits) => !all.toldDigits().has(digits)),
    )
  return other === undefined ? [] : [differs(other, open, other.text)]
}

/** Told numbers of records and lone wells, sentence by sentence. */
export const toldRecords: Rule = {
  id: 'told_records',
  check: ({ scene }) => {
    const all = everywhereIn(scene)
    return {
      breaches: scene.sentences.flatMap((sentence) => [
        ...recordsDiffer(sentence, scene.steps, all),
        ...numbersDiffer(sentence, scene.steps, all),
        ...partsDiffer(sentence, scene.steps, all),
      ]),
    }
  },
}
