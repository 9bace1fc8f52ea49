// Instructions that no step carries out, steps that no instruction asks for, and text that nobody
// read. Agreement of text and steps is necessary for acceptance by rules; silence is no consent.
import { actSpec, type Family } from '../../protocol/acts.ts'
import grammar from '../lexicon/grammar.json' with { type: 'json' }
import nouns from '../lexicon/nouns.json' with { type: 'json' }
import { englishAsks } from '../lexicon/asks.ts'
import { clausesOf } from '../lexicon/clauses.ts'
import { hitAt } from '../lexicon/words.ts'
import type { Sentence, Step } from '../read/scene.ts'
import { unnamer } from '../read/words/nouns.ts'
import { breach, choiceOf, doubt, wordsOfRole, type Found, type Rule } from './rule.ts'

/** A hidden step of these families acts on people, leaves the lab or takes a guard away. */
function isRefusedWhenHidden(step: Step): boolean {
  return step.acts.some(
    ({ act }) =>
      act === 'send_out' ||
      act === 'administer' ||
      act === 'load_program' ||
      act === 'unlock' ||
      act === 'delete_record',
  )
}

function hidden(step: Step): Found {
  if (step.acts.length > 0 && isRefusedWhenHidden(step)) {
    return {
      breaches: [
        breach('STEP_NOT_ASKED', { step }, { verdict: 'reject', facts: { node: step.node.id } }),
      ],
    }
  }
  return {
    doubts: [doubt('STEP_NOT_ASKED', step.at, 'Which instruction asks for this step?', 'scope')],
  }
}

/** Reading what names no person, and slowing a robot down, harms nobody when nobody asked for it. */
function isHarmless(step: Step, personFields: ReadonlySet<string>): boolean {
  return (
    step.opaque === null &&
    step.acts.length > 0 &&
    step.acts.every((act) => {
      if (act.act === 'measure') return true
      if (act.act === 'set_mode') return choiceOf(act, 'mode') === 'limited'
      if (act.act !== 'read_record') return false
      return wordsOfRole(act, 'fields').every(({ text }) => !personFields.has(text.toLowerCase()))
    })
  )
}

const people = new Set(grammar.people)
const determiners = new Set(nouns.determiners)

/** "The technician swaps the probe": told, and done by hand. */
function byHand(tokens: readonly string[]): boolean {
  const at = determiners.has(tokens[0] ?? '') ? 1 : 0
  return people.has(tokens[at] ?? '') && tokens.length > at + 1
}

/** A sentence that orders something of steps; what only tells how things are is a circumstance. */
const isOrder = (text: string): boolean =>
  clausesOf(text).some((clause) => clause.kind === 'procedure' && !byHand(clause.tokens))

/** Looking and waiting change nothing, whoever does it. */
const idle = new Set<Family>(['knowing', 'rest'])

const postures = new Set(grammar.postures)
const worksAfter = new Set(grammar.works_after)

/**
 * "The engineer stands at the handover with the pendant": where somebody is, which is no work. What a joining
 * word adds ("and opens the guard", "to hand it over") is work again.
 */
function isPosture(tokens: readonly string[]): boolean {
  const verb = tokens.findIndex((token) => people.has(token)) + 1
  if (verb === 0 || !postures.has(tokens[verb] ?? '')) return false
  return !tokens.some((token, at) => {
    const next = tokens[at + 1]
    if (at <= verb || !worksAfter.has(token) || next === undefined) return false
    return hitAt(tokens, at + 1, englishAsks.words) !== null
  })
}

/** A sentence that has a person do what changes something: no step shows that it is done. */
const isHandWork = (text: string, sentence: Sentence): boolean =>
  sentence.asks.some((act) => !idle.has(actSpec(act).family)) &&
  clausesOf(text).some(
    ({ kind, tokens }) =>
      (kind === 'procedure' || kind === 'phrase') && byHand(tokens) && !isPosture(tokens),
  )

/** Some step does something of the kind, even if values or names do not point to one step. */
function isServed(sentence: Sentence, steps: readonly Step[]): boolean {
  const families = new Set(sentence.asks.map((act) => actSpec(act).family))
  return steps.some((step) => step.acts.some(({ family }) => families.has(family)))
}

export const askedFor: Rule = {
  id: 'asked_for',
  check: ({ scene, registry, state }) => {
    if (scene.text_only) {
      return {
        doubts: [
          doubt(
            'TEXT_ONLY',
            '/nodes',
            'Does the text ask for ordinary work of this lab only?',
            'scope',
          ),
        ],
      }
    }
    const persons = new Set(registry.records.person_fields.map((field) => field.toLowerCase()))
    const found = scene.unasked.flatMap((i) => {
      const step = scene.steps[i]
      return step === undefined || isHarmless(step, persons) ? [] : [hidden(step)]
    })
    const plain = unnamer(registry, state)
    const uncarried = scene.sentences.filter(
      (s) => s.asks.length > 0 && s.carried_by.length === 0 && !s.unread,
    )
    const notCarried = (s: Sentence, claim: string) =>
      doubt('SENTENCE_NOT_CARRIED', `/instructions/${s.instruction}`, claim, 'scope')
    const lost = uncarried
      .filter((s) => isOrder(plain(s.text)) && !isServed(s, scene.steps))
      .map((s) => notCarried(s, 'Which step carries this instruction out, or who does it by hand?'))
    const manual = uncarried
      .filter((s) => isHandWork(plain(s.text), s))
      .map((s) => notCarried(s, 'Has this been done by hand, and by whom?'))
    const unread = scene.sentences
      .filter((s) => s.unread)
      .map((s) =>
        doubt(
          'TEXT_NOT_READ',
          `/instructions/${s.instruction}`,
          'What does this instruction say?',
          'language',
          false,
        ),
      )
    return {
      breaches: found.flatMap((f) => f.breaches ?? []),
      doubts: [...found.flatMap((f) => f.doubts ?? []), ...lost, ...manual, ...unread],
    }
  },
}
