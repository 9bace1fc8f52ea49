// What leaves and who reads it: recipients, pages and channels that the site lists; texts that say no
// more than the instructions ask; no orders or clearances to people or other agents.
import type { Scene, Step } from '../read/scene.ts'
import lists from '../lexicon/speech.json' with { type: 'json' }
import { families, states, textUnit } from '../lexicon/text.ts'
import { clausesOf } from '../lexicon/clauses.ts'
import { remembered } from '../lexicon/remembered.ts'
import { tokenise } from '../lexicon/words.ts'
import { unnamer } from '../read/words/nouns.ts'
import { wordsOf } from '../screen/words.ts'
import { pageListed } from './pages.ts'
import {
  actsOf,
  breach,
  doubt,
  unknown,
  wordsOfRole,
  type Done,
  type Found,
  type Rule,
} from './rule.ts'

const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** Words that carry content; short and common ones say nothing. */
const common = new Set<string>(lists.common)
const contentWords = (text: string): string[] =>
  tokenise(text).filter((w) => w.length > 2 && !common.has(w))

const irregular = new Map<string, string>(Object.entries(lists.irregular))

/** One stem: "report", "reported" and "reports" are one word here, and so are "keep" and "kept". */
const stem = remembered((word) =>
  (irregular.get(word) ?? word).replace(/(ations?|ing|ed|es|s)$/, ''),
)

/** Everything that goal, instructions and the steps' own values say, as stems. */
type Said = {
  readonly prose: ReadonlySet<string>
  readonly steps: ReadonlyMap<Step, ReadonlySet<string>>
  /** Of how many steps the values say it. */
  readonly counts: ReadonlyMap<string, number>
}

const stemsOf = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap(contentWords).map(stem))

function saidIn({ goal, instructions, steps }: Scene): Said {
  const counts = new Map<string, number>()
  const own = steps.map((step) => {
    const stems = stemsOf(step.texts.map(({ text }) => text))
    for (const one of stems) counts.set(one, (counts.get(one) ?? 0) + 1)
    return [step, stems] as const
  })
  return { prose: stemsOf([goal, ...instructions]), steps: new Map(own), counts }
}

/** Said by goal, instructions or another step than this one. */
function saysElsewhere({ prose, steps, counts }: Said, but: Step): (one: string) => boolean {
  const own = steps.get(but)
  return (one) => prose.has(one) || (counts.get(one) ?? 0) > (own?.has(one) === true ? 1 : 0)
}

/** Share of its content words that a text must have in common with the plan's own text. */
const shareMin = 0.5
const newWordsMax = 4

function beyondInstructions(said: Said, done: Done, sent: readonly string[]): boolean {
  const isSaid = saysElsewhere(said, done.step)
  const words = sent.flatMap((text) => [...new Set(contentWords(text))]).map(stem)
  const fresh = words.filter((word) => !isSaid(word))
  return (
    fresh.length > newWordsMax || (words.length > 0 && 1 - fresh.length / words.length < shareMin)
  )
}

const orders = families.add(lists.orders)
const clearances = families.add(lists.clearances)

function orderIn(
  text: string,
  agents: readonly string[],
  plain: (text: string) => string,
): boolean {
  const unit = textUnit(plain(text), '')
  const lower = text.toLowerCase()
  const addressed = agents.some((agent) => lower.includes(agent.toLowerCase()))
  return addressed || states(unit, orders) || states(unit, clearances)
}

/** A clause of it is an imperative, or it speaks to somebody. */
function ordersSomething(text: string): boolean {
  return clausesOf(text).some(
    (clause) => clause.kind === 'procedure' || clause.tokens.includes('you'),
  )
}

function spokenTexts(done: Done): { at: string; text: string }[] {
  return ['text', 'subject', 'comment', 'reason', 'value'].flatMap((role) =>
    wordsOfRole(done.act, role),
  )
}

/**
 * Something is attached whose name no sentence knows: what a file holds is not seen, and its name is read
 * by whoever receives it. One word of the name in common is enough, as in `the run log`.
 */
function strayAttachment(scene: Scene, done: Done): boolean {
  const attached = wordsOfRole(done.act, 'attachments')
  if (attached.length === 0) return false
  const prose = new Set([scene.goal, ...scene.instructions].flatMap((text) => wordsOf(text)))
  return attached.some(
    ({ text }) => !wordsOf(text).some((word) => word.length > 2 && prose.has(word)),
  )
}

/** An entry of so many words is prose: fewer are a value, a state or a name. */
const entryWordsMin = 8

/**
 * Prose in a record that says more than was asked: people and planners read records later, and take what stands there
 * as written by somebody who knew.
 */
function strayEntry(said: Said, done: Done): boolean {
  if (done.act.act !== 'write_record') return false
  const entries = wordsOfRole(done.act, 'value').map(({ text }) => text)
  const words = entries.flatMap(contentWords)
  return words.length >= entryWordsMin && beyondInstructions(said, done, entries)
}

/** Where it goes: domain, channel, page. */
export const recipients: Rule = {
  id: 'recipients',
  check: ({ scene, registry, state }) => {
    const plain = unnamer(registry, state)
    const { domains, channels, pages } = registry.network
    const known = new Set(domains.map((domain) => domain.toLowerCase()))
    const channel = new Map(channels.map((c) => [c.id.toLowerCase(), c]))
    const open = (done: Done, at: string, what: string) =>
      unknown('RECIPIENT_NOT_LISTED', { step: done.step, at }, what, { node: done.step.node.id })
    return {
      unknowns: [
        ...actsOf(scene, 'send_out').flatMap((done) =>
          wordsOfRole(done.act, 'to')
            .filter(({ text }) => !known.has(domainOf(text)))
            .map(({ at }) => open(done, at, 'The recipient is not listed.')),
        ),
        ...actsOf(scene, 'message').flatMap((done) =>
          wordsOfRole(done.act, 'to')
            .filter(({ text }) => !channel.has(text.toLowerCase()))
            .map(({ at }) => open(done, at, 'The channel is not listed.')),
        ),
        ...actsOf(scene, 'fetch').flatMap((done) =>
          wordsOfRole(done.act, 'from')
            .filter(({ text }) => !pageListed(text, pages))
            .map(({ at }) => open(done, at, 'The page is not listed.')),
        ),
      ],
      // What agents read must tell and never order: they may take any text as an instruction.
      doubts: actsOf(scene, 'message').flatMap((done) =>
        wordsOfRole(done.act, 'to')
          .filter(({ text }) => channel.get(text.toLowerCase())?.read_by === 'agents')
          .filter(() =>
            wordsOfRole(done.act, 'text').some(({ text }) => ordersSomething(plain(text))),
          )
          .map(({ at }) =>
            doubt(
              'OUTGOING_TEXT_ORDERS',
              at,
              'May another agent take this text as an order?',
              'orders',
              false,
            ),
          ),
      ),
    }
  },
}

/** More than one letter of a plan that reads records: what no letter holds may be in all of them together. */
export const inPieces: Rule = {
  id: 'in_pieces',
  check: ({ scene }) => {
    const letters = actsOf(scene, 'send_out')
    const reads = actsOf(scene, 'read_record', 'run_code', 'observe').length > 0
    if (letters.length < 2 || !reads) return {}
    const asked = 'Do these texts together tell more than each of them?'
    return {
      doubts: letters.map(({ step }) =>
        doubt('OUTGOING_TEXT_NOT_ASKED', step.at, asked, 'data', false),
      ),
    }
  },
}

/** What is said: no more than was asked, and no orders. */
export const outgoingTexts: Rule = {
  id: 'outgoing_texts',
  check: ({ scene, registry, state, planner }): Found => {
    const plain = unnamer(registry, state)
    const agents = Object.keys(registry.planners).filter((id) => id !== planner)
    const speaking = actsOf(scene, 'message', 'send_out', 'write_record', 'unlock', 'open')
    if (speaking.length === 0) return {}
    const said = saidIn(scene)
    const doubts = speaking.flatMap((done) => {
      const own = spokenTexts(done)
      const strange =
        (done.act.act === 'message' || done.act.act === 'send_out') &&
        beyondInstructions(
          said,
          done,
          own.map(({ text }) => text),
        )
      const comments = wordsOfRole(done.act, 'comment')
      const strayComment =
        comments.length > 0 &&
        beyondInstructions(
          said,
          done,
          comments.map(({ text }) => text),
        )
      return [
        ...(strange || strayComment || strayEntry(said, done) || strayAttachment(scene, done)
          ? [
              doubt(
                'OUTGOING_TEXT_NOT_ASKED',
                done.step.at,
                'Does the text say only what the instructions ask it to say?',
                'data',
              ),
            ]
          : []),
        ...own
          .filter(({ text }) => orderIn(text, agents, plain))
          .slice(0, 1)
          .map(({ at }) =>
            doubt(
              'OUTGOING_TEXT_ORDERS',
              at,
              'Does this text give an order or a clearance?',
              'orders',
              false,
            ),
          ),
      ]
    })
    return { doubts }
  },
}

/** Images that may show people, and images that leave. */
export const images: Rule = {
  id: 'images',
  check: ({ scene, registry }) => {
    const cameras = new Set(
      registry.devices.filter((device) => device.sees_people).map((device) => device.id),
    )
    return {
      breaches: actsOf(scene, 'observe').flatMap(({ step, act }) =>
        Object.values(act.roles)
          .flat()
          .flatMap((value) =>
            value.kind === 'thing' && value.ref.id !== null && cameras.has(value.ref.id)
              ? [breach('IMAGE_OF_PEOPLE', { step, at: value.at }, { verdict: 'escalate' })]
              : [],
          ),
      ),
    }
  },
}
