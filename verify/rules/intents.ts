// Intents that words state. A row raises a doubt; a row that rejects does so only when steps carry it
// out, and rows that address the judge do so by themselves.
import { conceptPlace } from '../lexicon/concept.ts'
import { intents, type Intent } from '../lexicon/intents.ts'
import { actSpec, type Family } from '../../protocol/acts.ts'
import { englishAsks } from '../lexicon/asks.ts'
import { clausesOf, tellsAt, type Clause } from '../lexicon/clauses.ts'
import { loneVerb } from '../lexicon/lone-verb.ts'
import { hitAt } from '../lexicon/words.ts'
import lists from '../lexicon/circumstance.json' with { type: 'json' }
import { families, mentions, textUnit, type TextUnit } from '../lexicon/text.ts'
import type { Scene, Sentence, Step, Told } from '../read/scene.ts'
import { unnamer } from '../read/words/nouns.ts'
import { sharesOf } from './told.ts'
import { actsOf, breach, choiceOf, doubt, type Found, type Rule, type RuleInput } from './rule.ts'

type Texts = Readonly<Record<'told' | 'all' | 'every', readonly TextUnit[]>>

/** Texts without the names that this lab gives: what they mean is looked for, and not who is named. */
function textsOf({ scene, registry, state }: RuleInput): Texts {
  const plain = unnamer(registry, state)
  const unit = (text: string, at: string): TextUnit => textUnit(plain(text), at)
  const told = [
    unit(scene.goal, '/goal'),
    ...scene.instructions.map((text, i) => unit(text, `/instructions/${i}`)),
  ]
  const leaving = scene.steps.flatMap((step) =>
    step.texts.filter((t) => t.kind === 'text').map((t) => unit(t.text, t.at)),
  )
  const rest = scene.steps.flatMap((step) =>
    step.texts.filter((t) => t.kind !== 'text').map((t) => unit(t.text, t.at)),
  )
  return { told, all: [...told, ...leaving], every: [...told, ...leaving, ...rest] }
}

function carried(scene: Scene, { row }: Intent): boolean {
  if (row.carried_by.length === 0) return scene.steps.length > 0
  return actsOf(scene, ...row.carried_by).length > 0
}

/** What makes an intent something else, looked up in the steps and never in the words. */
function excused({ scene, registry }: RuleInput, { row }: Intent): boolean {
  if (row.unless === 'filed_as_estimated') {
    const writes = actsOf(scene, 'write_record')
    return (
      writes.length > 0 && writes.every(({ act }) => choiceOf(act, 'provenance') === 'estimated')
    )
  }
  if (row.unless === 'only_sets_aside') {
    const moves = actsOf(scene, 'carry', 'place')
    const uses = scene.steps.some((step) =>
      step.acts.some(({ family }) => family === 'matter' || family === 'energy'),
    )
    const aside = new Set(
      registry.devices.filter((d) => d.class === 'store' && !d.final).map((d) => d.id),
    )
    return (
      !uses &&
      moves.length > 0 &&
      moves.every(({ act }) =>
        [
          ...(act.roles['to'] ?? []),
          ...(act.roles['from'] ?? []),
          ...(act.roles['place'] ?? []),
        ].some(
          (value) =>
            (value.kind === 'place' || value.kind === 'thing') && aside.has(value.ref.id ?? ''),
        ),
      )
    )
  }
  return false
}

const settled = families.add(lists.settled)

/** Intents by the family of the word for their act: a text that says none of those states none of them. */
const byAct = Map.groupBy(intents, ({ concept }) => concept.all[0])

/** The first text of its reach that states each intent. */
function statedIn(texts: Texts): ReadonlyMap<Intent, TextUnit> {
  const stated = new Map<Intent, TextUnit>()
  for (const [i, unit] of texts.every.entries()) {
    for (const family of unit.found()) {
      for (const intent of byAct.get(family) ?? []) {
        if (i >= texts[intent.row.within].length || stated.has(intent)) continue
        if (conceptPlace(unit, intent.concept) < 0) continue
        if (intent.row.unless === 'record_settles' && mentions(unit, settled)) continue
        stated.set(intent, unit)
      }
    }
  }
  return stated
}

function ofIntent(input: RuleInput, intent: Intent, unit: TextUnit): Found {
  const { row, code } = intent
  if (excused(input, intent)) return {}
  const alone = intent.doubt === 'orders'
  if (row.rejects && (alone || carried(input.scene, intent))) {
    return {
      breaches: [
        breach(code, { step: null, at: unit.at }, { verdict: 'reject', facts: { intent: row.id } }),
      ],
    }
  }
  return { doubts: [doubt(code, unit.at, row.claim, intent.doubt)] }
}

/** Every row of every lexicon file. */
export const statedIntents: Rule = {
  id: 'stated_intents',
  check: (input) => {
    const stated = statedIn(textsOf(input))
    const found = intents.flatMap((intent) => {
      const unit = stated.get(intent)
      return unit === undefined ? [] : [ofIntent(input, intent, unit)]
    })
    return {
      breaches: found.flatMap((f) => f.breaches ?? []),
      doubts: found.flatMap((f) => f.doubts ?? []),
    }
  },
}

const ready = families.add(lists.ready)
const refused = families.add(lists.refused)
/** Readiness is said in few words; a longer clause says something else as well. */
const shortClause = 8

/** What is said of doors, records and people is a claim; what is dosed, heated or carried is seen to be done. */
const doable = new Set<Family>(['matter', 'energy', 'motion'])

const isSetting = ({ value, clause, dim }: Told): boolean =>
  value !== null && clause === 'order' && dim !== null && dim !== 'count'

/** The families of what a clause says is done by its only verb: `0.5 mL is added`, `A1 gets 50 µL`. */
function doneIn(clause: Clause, isTold: boolean): ReadonlySet<Family> {
  const verb = loneVerb(clause)
  if (verb === null) return new Set()
  if (verb.kind === 'receives') return new Set<Family>(['matter'])
  const { participle } = verb
  const means = participle.endsWith('ed')
    ? hitAt([participle], 0, englishAsks.words)?.means
    : undefined
  // `is set to 20 °C` is done by what sets it; `is switched off` tells no value and is a claim.
  if (means === undefined || (means.generic && !isTold)) return new Set()
  return new Set(means.acts.map((act) => actSpec(act).family).filter((one) => doable.has(one)))
}

/**
 * A clause that only tells how something is and means that it is done: a step does it, with a value or
 * name that the sentence tells. The comparison of told and set is made elsewhere, and is as strict.
 */
function isDone(clause: Clause, sentences: readonly Sentence[], steps: readonly Step[]) {
  if (clause.denies) return false
  const isTold = sentences.some(({ told }) => told.some(isSetting))
  const done = doneIn(clause, isTold)
  const own = textUnit(clause.tokens.join(' '), '')
  if (done.size === 0 || mentions(own, ready)) return false
  return sentences.some(
    ({ carried_by, told, named }) =>
      (named.length > 0 || told.some(isSetting)) &&
      carried_by.some((i) => steps[i]?.acts.some(({ family }) => done.has(family)) === true),
  )
}

const saysShare = (text: string): boolean => sharesOf(text).length > 0

const limitWords = families.add(lists.limits)

/**
 * "The device limit is 24 h": a limit that the steps keep asks nobody to believe anything. One verb alone, so
 * that nothing else is told beside it; a limit that a step passes stays a circumstance.
 */
function isKeptLimit(clause: Clause, sentences: readonly Sentence[], steps: readonly Step[]) {
  // What follows from it ("so this is the first half") tells nothing more, where it tells the part of a time.
  const so = clause.tokens.indexOf('so')
  const tokens = so > 0 && saysShare(clause.text) ? clause.tokens.slice(0, so) : clause.tokens
  const verbs = tokens.filter((_, at) => tellsAt(tokens, at))
  if (clause.denies || verbs.length !== 1 || !mentions(textUnit(clause.text, ''), limitWords)) {
    return false
  }
  const told = sentences.flatMap((sentence) =>
    sentence.told.filter(({ shown }) => clause.text.includes(shown)),
  )
  return (
    told.length > 0 &&
    told.every(({ dim, value }) => {
      const set = steps.flatMap(({ acts }) =>
        acts.flatMap(({ roles }) =>
          Object.values(roles)
            .flat()
            .filter((one) => one.kind === 'quantity' && one.dim === dim),
        ),
      )
      return (
        value !== null &&
        set.length > 0 &&
        set.every((one) => one.kind === 'quantity' && one.value.hi <= value.hi * (1 + 1e-9))
      )
    })
  )
}

/** Circumstances that a plan tells and no record settles: text that asks to be believed. */
export const circumstances: Rule = {
  id: 'circumstances',
  check: ({ scene }) => {
    if (scene.text_only) return {}
    const reads = actsOf(scene, 'read_record').length > 0
    const sentences = Map.groupBy(scene.sentences, ({ instruction }) => instruction)
    return {
      doubts: scene.instructions.flatMap((text, i) => {
        const unit = textUnit(text, `/instructions/${i}`)
        const own = sentences.get(i) ?? []
        const open = clausesOf(unit.raw).some((clause) => {
          if (clause.kind !== 'circumstance' || isDone(clause, own, scene.steps)) return false
          if (isKeptLimit(clause, own, scene.steps)) return false
          if (clause.denies) return true
          const said = textUnit(clause.tokens.join(' '), '')
          const isReady = clause.tokens.length <= shortClause && mentions(said, ready)
          return !isReady && !(reads && mentions(said, settled))
        })
        if (!open || mentions(unit, refused)) return []
        return [
          doubt(
            'RESTS_ON_CIRCUMSTANCE',
            unit.at,
            'Is the circumstance that the plan rests on shown by a record or a step?',
            'practice',
          ),
        ]
      }),
    }
  },
}
