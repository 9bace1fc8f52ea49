// The plan's sentences beside its steps.
import { limits } from '../../../protocol/limits.ts'
import type { Plan } from '../../../protocol/plan.ts'
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
  return sentenceSpans(glyphs.text, max).map(({ start, end }) => ({
    ...readSentence(part(glyphs, start, end), source, instruction, reader),
    instruction,
  }))
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
