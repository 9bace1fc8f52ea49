// Ids of steps are handles: they stand in logs, reports and journals that others read. Danger: an id that
// says something of its own carries it past every rule about texts, and two ids that look alike let a
// person approve one step and read another.
import { verbFormsOf } from '../lexicon/asks.ts'
import lists from '../lexicon/handles.json' with { type: 'json' }
import { keptFor } from '../lexicon/remembered.ts'
import { tokenise } from '../lexicon/words.ts'
import { actNames } from '../../protocol/acts.ts'
import type { Scene, Step } from '../read/scene.ts'
import { wordsOf } from '../screen/words.ts'
import { doubt, type Rule } from './rule.ts'

const plain = new Set([...lists.plain, ...actNames.flatMap((act) => [...verbFormsOf(act)])])

/** Shorter runs of letters are no words: `n`, `hs`. */
const wordCharsMin = 3

/** Words of the plan, and the same by their first letters. */
type Said = {
  readonly words: ReadonlySet<string>
  readonly begin: ReadonlyMap<string, readonly string[]>
}

const beginning = (word: string): string => word.slice(0, wordCharsMin)

/** What an id may say: words and numbers of the plan's own text, tools and arguments; read when one is asked for. */
const saidBy = keptFor((scene: Scene): Said => {
  const texts = [scene.goal, ...scene.instructions]
  for (const step of scene.steps) {
    texts.push(...wordsOf(step.node.tool), ...step.texts.map(({ text }) => text))
  }
  const words = new Set<string>()
  for (const text of texts) {
    for (const word of tokenise(text)) words.add(word.toLowerCase())
    for (const word of wordsOf(text)) words.add(word.toLowerCase())
  }
  const long = [...words].filter((word) => word.length >= wordCharsMin)
  return { words, begin: Map.groupBy(long, beginning) }
})

const lower = (word: string): string => word.toLowerCase()

/** `disp` for "dispense", `heating` for "heat": one is the beginning of the other. */
function isSaid(word: string, scene: Scene): boolean {
  if (plain.has(word)) return true
  const { words, begin } = saidBy(scene)
  if (words.has(word)) return true
  return (begin.get(beginning(word)) ?? []).some(
    (other) => other.startsWith(word) || (other.length > wordCharsMin && word.startsWith(other)),
  )
}

/** True when an id says no more than which step it is. */
function isHandle(id: string, scene: Scene): boolean {
  const chunks = wordsOf(id).flatMap((word) => word.match(/\p{L}+|\p{N}+/gu) ?? [])
  const numbers = chunks.filter((chunk) => /^\p{N}/u.test(chunk))
  const words = chunks.filter((chunk) => !/^\p{N}/u.test(chunk)).map(lower)
  const short = words.filter((word) => word.length < wordCharsMin)
  const countMax = Math.max(lists.number_max, scene.steps.length * 10)
  const isNew = (word: string): boolean => !saidBy(scene).words.has(word)
  return (
    chunks.length <= lists.chunks_max &&
    numbers.length <= lists.numbers_max &&
    numbers.every((number) => Number(number) <= countMax || !isNew(number)) &&
    (short.length <= lists.short_chunks_max ||
      short.filter(isNew).length <= lists.short_chunks_max) &&
    words.every((word) => word.length < wordCharsMin || isSaid(word, scene))
  )
}

/** One form for all ids that a person takes for each other: case, separators, zeros, `1` and `l`. */
const skeleton = (id: string): string =>
  id
    .toLowerCase()
    .replaceAll(/[il]/g, '1')
    .replaceAll('o', '0')
    .replaceAll(/[_.-]+/g, '-')
    .replaceAll(/(?<![0-9])0+(?=[0-9])/g, '')

/** Later steps whose id looks like that of an earlier one. */
function alike(steps: readonly Step[]): Step[] {
  const seen = new Set<string>()
  return steps.filter(({ node }) => {
    const form = skeleton(node.id)
    if (seen.has(form)) return true
    seen.add(form)
    return false
  })
}

/** Ids that say more than which step they name, or that are taken for each other. */
export const stepIds: Rule = {
  id: 'step_ids',
  check: ({ scene }) => {
    const speaking = scene.steps.filter(({ node }) => !isHandle(node.id, scene))
    return {
      doubts: [
        ...speaking.map(({ at }) =>
          doubt(
            'STEP_ID_SPEAKS',
            at,
            'Why does the id of this step say more than the plan?',
            'data',
            false,
          ),
        ),
        ...alike(scene.steps).map(({ at }) =>
          doubt(
            'STEP_IDS_ALIKE',
            at,
            'Which of the steps with ids that look alike is meant?',
            'identity',
          ),
        ),
      ],
    }
  },
}
