// Which steps carry a sentence out, and which steps nobody asked for. By acts, names and values:
// never by what a tool is called.
import { actSpec, type ActName, type Dimension, type Family } from '../../../protocol/acts.ts'
import { verbFormsOf } from '../../lexicon/asks.ts'
import { keptFor } from '../../lexicon/remembered.ts'
import { substanceLexicon } from '../../lexicon/substances.ts'
import { tokenise } from '../../lexicon/words.ts'
import { foldName } from '../fold.ts'
import type { Interval, Step } from '../scene.ts'
import { agrees } from './agree.ts'
import { preparing, type Stations } from './prepares.ts'
import type { ReadSentence } from './sentence.ts'

const { materials } = substanceLexicon

/** What a step touches and sets, for comparison with words. */
type Profile = {
  readonly keys: ReadonlySet<string>
  readonly values: ReadonlyMap<Dimension, readonly Interval[]>
  /** Words of what it handles that name a substance. */
  readonly words: ReadonlySet<string>
}

/** Longer texts are no names. */
const nameCharsMax = 120

/** Describe a material and name none: no sentence is about a step because both say "fresh". */
const describing = new Set(
  materials.qualifiers.names.concat(['water', 'buffer', 'medium', 'media']),
)

const substanceWords = (raw: string): string[] =>
  tokenise(raw).filter((word) => /^\p{L}{2,}/u.test(word) && !describing.has(word))

const profileOf = keptFor((step: Step): Profile => {
  const words = new Set<string>()
  const keys = new Set<string>()
  const values = new Map<Dimension, Interval[]>()
  for (const value of step.acts.flatMap((act) => Object.values(act.roles).flat())) {
    if (value.kind === 'thing' || value.kind === 'place') keys.add(foldName(value.ref.key))
    if (value.kind === 'substance')
      for (const word of substanceWords(value.substance.raw)) words.add(word)
    if (value.kind !== 'quantity') continue
    const list = values.get(value.dim)
    if (list === undefined) values.set(value.dim, [value.value])
    else list.push(value.value)
  }
  for (const { text } of step.texts) if (text.length <= nameCharsMax) keys.add(foldName(text))
  return { keys, values, words }
})

function namesIt(sentence: ReadSentence, profile: Profile): boolean {
  if (sentence.named.some(({ ref }) => profile.keys.has(foldName(ref.key)))) return true
  for (const word of profile.words) if (sentence.words.has(word)) return true
  return false
}

/** Every dimension that tells acts apart. */
const untimed = (dim: Dimension): boolean => dim !== 'time' && dim !== 'count'

const setsIt = (
  sentence: ReadSentence,
  profile: Profile,
  counts: (dim: Dimension) => boolean = () => true,
): boolean =>
  sentence.told.some(
    ({ dim, value, clause }) =>
      clause === 'order' &&
      dim !== null &&
      counts(dim) &&
      (profile.values.get(dim) ?? []).some((step) => agrees(step, value)),
  )

/** Names a thing of its own or tells a setting; a kind (`the vial`) or a count is neither. */
const isSpecific = ({ named, told }: ReadSentence): boolean =>
  named.some(({ ref }) => ref.is !== 'kind') ||
  told.some(({ dim, clause }) => clause === 'order' && dim !== null && dim !== 'count')

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
    const open = !isSpecific(sentence)
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

/** Acts that only look: a sentence that asks for one of them asks for no change of what is looked at. */
const looking = new Set<ActName>(['read_record', 'measure', 'observe', 'fetch'])

/** Acts on records that a sentence asks for by an act that changes something, or by a verb of writing. */
const writing = new Map<ActName, ReadonlySet<string>>(
  (['write_record', 'delete_record'] as const).map((act) => [act, verbFormsOf(act)]),
)

/** A step changes a record, and every sentence about records only looks something up. */
function writesUnasked(sentences: readonly ReadSentence[]): (step: Step) => boolean {
  const asked = sentences.flatMap(({ asks }) => asks).filter((act) => !looking.has(act))
  const changing = new Set<Family>(asked.map((act) => actSpec(act).family))
  const words = new Set(sentences.flatMap((one) => [...one.words]))
  return (step) =>
    step.acts.some(({ act, family }) => {
      const verbs = writing.get(act)
      return verbs !== undefined && !changing.has(family) && ![...verbs].some((v) => words.has(v))
    })
}

/** Share of the words of a step's own text that one sentence says, for the text to be its words. */
const saidShare = 0.75

/** An observation whose purpose a sentence tells in the same words. */
function purposeSaid(sentences: readonly ReadSentence[], step: Step): boolean {
  if (!step.acts.every(({ act }) => act === 'observe')) return false
  const words = step.texts
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ text }) => tokenise(text))
  return (
    words.length > 1 &&
    sentences.some(
      (sentence) =>
        words.filter((word) => sentence.words.has(word)).length >= words.length * saidShare,
    )
  )
}

const keysOf = (step: Step): readonly string[] => [...profileOf(step).keys]

const barrierKeys = (step: Step): string[] =>
  step.acts.flatMap(({ roles }) =>
    [...(roles['barrier'] ?? []), ...(roles['device'] ?? [])].flatMap((value) =>
      value.kind === 'thing' || value.kind === 'place' ? [foldName(value.ref.key)] : [],
    ),
  )

/**
 * Steps that only move barriers where sentences name another one: who asks to close the lid of one device has
 * not asked to open that of another. A barrier of what another step uses is prepared for it.
 */
function otherBarriers(
  sentences: readonly ReadSentence[],
  steps: readonly Step[],
): (step: Step, profile: Profile) => boolean {
  const isBarrier = ({ acts }: Step): boolean =>
    acts.length > 0 && acts.every(({ family }) => family === 'barrier')
  const told = sentences
    .filter(({ asks }) => asks.some((act) => actSpec(act).family === 'barrier'))
    .flatMap(({ named }) => named.filter(({ ref }) => ref.is === 'barrier' || ref.is === 'device'))
  const used = new Set(steps.filter((step) => !isBarrier(step)).flatMap(keysOf))
  const named = new Set(sentences.flatMap((one) => one.named.map(({ ref }) => foldName(ref.key))))
  return (step, { keys }) =>
    isBarrier(step) &&
    told.length > 0 &&
    ![...keys, ...barrierKeys(step)].some((key) => named.has(key) || used.has(key))
}

/** Steps for whose family of acts no sentence asks, whose things none names, and which prepare nothing told. */
export function unaskedSteps(
  sentences: readonly ReadSentence[],
  steps: readonly Step[],
  stations: Stations,
): number[] {
  const asks = new Set(sentences.flatMap((one) => one.asks))
  const families = new Set<Family>([...asks].map((act) => actSpec(act).family))
  const unwritten = writesUnasked(sentences)
  const named = new Set(sentences.flatMap((one) => one.named.map(({ ref }) => foldName(ref.key))))
  const words = new Set(sentences.flatMap((one) => [...one.words]))
  const meets = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
    [...a].some((one) => b.has(one))
  const strange = otherBarriers(sentences, steps)
  const open = steps.filter((step) => {
    if (unwritten(step)) return true
    const profile = profileOf(step)
    if (strange(step, profile)) return true
    const energetic = step.acts.some(({ family }) => family === 'energy')
    // Who asks to shake has not asked to heat: an act of energy is asked for itself, or by a value it has.
    if (step.acts.some((act) => families.has(act.family) && (!energetic || asks.has(act.act)))) {
      return false
    }
    // A time alone is told of many things.
    if (energetic) return !sentences.some((sentence) => setsIt(sentence, profile, untimed))
    if (meets(profile.keys, named) || meets(profile.words, words)) return false
    return !purposeSaid(sentences, step)
  })
  const prepared = preparing(open, steps, asks, stations)
  return open.filter(({ i }) => !prepared.has(i)).map(({ i }) => i)
}
