// The plan's sentences beside its steps.
import { limits } from '../../../protocol/limits.ts'
import type { Plan } from '../../../protocol/plan.ts'
import { ofTexts, remembered } from '../../lexicon/remembered.ts'
import type { Names } from '../bind.ts'
import type { Scene, Sentence, Step } from '../scene.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { carriedBy, unaskedSteps } from './carry.ts'
import { sentenceSpans } from './clauses.ts'
import { glyphsOf, type Glyphs } from './glyphs.ts'
import type { Stations } from './prepares.ts'
import { readSentence, type Reader, type ReadSentence } from './sentence.ts'

const part = ({ text, lower, origin }: Glyphs, start: number, end: number): Glyphs => ({
  text: text.slice(start, end),
  lower: lower.slice(start, end),
  origin: origin.slice(start, end + 1),
})

/** Sentences of one instruction (or of the goal), at most `max`. */
function sentencesOf(
  source: string,
  instruction: number,
  reader: Reader,
  max: number,
): (ReadSentence & { readonly instruction: number })[] {
  const glyphs = glyphsOf(source)
  const known = sentencesKnownTo(reader)
  // Where a sign was read as several, the sentence alone may read otherwise.
  const straight = glyphs.origin.every((at, i) => at === i)
  return sentenceSpans(glyphs.text, max).map(({ start, end }) => {
    const read = straight
      ? moved(known(source.slice(start, end)), instruction, start)
      : readSentence(part(glyphs, start, end), source, instruction, reader)
    return { ...read, instruction }
  })
}

/** A reader of single sentences: plans repeat them, and a plan is read again when it is bound. */
function sentencesKnownTo(reader: Reader): (sentence: string) => ReadSentence {
  const { names, vocabulary } = reader
  const old = known.get(names.things)
  if (old?.vocabulary === vocabulary && old.names.substances === names.substances) return old.read
  const read = remembered(
    (sentence: string) => readSentence(glyphsOf(sentence), sentence, 0, reader),
    ofTexts,
  )
  known.set(names.things, { ...reader, read })
  return read
}

type Known = Reader & { readonly read: (sentence: string) => ReadSentence }
const known = new WeakMap<Names['things'], Known>()

/** The same sentence at another place of an instruction. */
function moved(read: ReadSentence, instruction: number, by: number): ReadSentence {
  if (instruction === 0 && by === 0) return read
  const at = <T extends { readonly span: readonly [number, number] }>(one: T) => ({
    ...one,
    span: [one.span[0] + by, one.span[1] + by] as const,
  })
  return {
    ...read,
    told: read.told.map((one) => ({ ...at(one), instruction })),
    named: read.named.map((one) => ({ ...at(one), instruction })),
    forbids: read.forbids.map(at),
  }
}

/** Sentences of the instructions, what carries them out, and steps that nobody asked for. */
export function readWords(
  plan: Pick<Plan, 'goal' | 'instructions'>,
  steps: readonly Step[],
  names: Names,
  vocabulary: Vocabulary,
  stations: Stations,
): Pick<Scene, 'sentences' | 'unasked'> {
  const reader: Reader = { names, vocabulary }
  // Each instruction keeps room for one sentence: what is over the bound stays in its last one.
  let left = limits.sentencesMax - plan.instructions.length
  const read = plan.instructions.flatMap((source, i) => {
    const list = sentencesOf(source, i, reader, Math.max(0, left) + 1)
    left -= Math.max(0, list.length - 1)
    return list
  })
  const carried = carriedBy(read, steps)
  const sentences = read.map(({ words: _words, ...sentence }, s): Sentence => ({
    ...sentence,
    carried_by: carried[s] ?? [],
  }))
  const goal = sentencesOf(plan.goal, -1, reader, 16)
  return { sentences, unasked: unaskedSteps([...read, ...goal], steps, stations) }
}
