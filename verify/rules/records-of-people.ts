// Approvals, consent, holds and identities: looked up in what people recorded, never taken from a
// plan. A plan that fetches a controlled thing with two names in its arguments shows nothing.
import type { Registry } from '../../protocol/registry.ts'
import type { InventoryItem } from '../../protocol/state.ts'
import { keptFor } from '../lexicon/remembered.ts'
import { substanceLexicon } from '../lexicon/substances.ts'
import { tokenise } from '../lexicon/words.ts'
import { substanceReader } from '../read/substances.ts'
import { approvedSubjects, controlledApprovals } from './approved-matter.ts'
import {
  actsOf,
  breach,
  thingsOf,
  unknown,
  valuesOf,
  wordsOfRole,
  type Done,
  type Rule,
  type RuleInput,
} from './rule.ts'

/** Inventory by thing; the scene resolves every spelling to these ids. */
function itemsOf({ state }: RuleInput): ReadonlyMap<string, InventoryItem> {
  return new Map(state.inventory.map((item) => [item.thing, item]))
}

const moving = ['carry', 'pick', 'transfer', 'discard'] as const

const devicesOf = keptFor(
  ({ devices }: Registry) => new Map(devices.map((device) => [device.id, device])),
)

function controlled(input: RuleInput, done: Done, items: ReadonlyMap<string, InventoryItem>) {
  const devices = devicesOf(input.registry)
  const things = thingsOf(done.act)
  // Putting a thing back into a controlled store takes nothing out of it.
  const into = valuesOf(done.act, 'to', 'place', 'thing').map(({ ref }) => ref.id)
  if (into.some((id) => id !== null && devices.get(id)?.controlled === true)) return []
  const source = things.find(
    ({ ref }) => ref.id !== null && devices.get(ref.id)?.controlled === true,
  )
  const item = things.find(({ ref }) => ref.id !== null && items.get(ref.id)?.controlled === true)
  const found = source ?? item
  if (found === undefined) return []
  const subjects = things.flatMap(({ ref }) => ref.id ?? [])
  // Approvals of two different things do not add up to the approval of one.
  const approved = approvedSubjects(input.state)
  if (subjects.some((subject) => approved.has(subject))) return []
  return [
    unknown(
      'APPROVAL_NOT_RECORDED',
      { step: done.step, at: found.at },
      'Who approved it is not recorded.',
      {
        needed: controlledApprovals,
      },
    ),
  ]
}

/** Controlled things and stores: two people's approvals, recorded by people. */
export const recordedApprovals: Rule = {
  id: 'recorded_approvals',
  check: (input) => {
    const items = itemsOf(input)
    return {
      unknowns: actsOf(input.scene, ...moving).flatMap((done) => controlled(input, done, items)),
    }
  },
}

/** Things that people marked as held: nothing moves them without a person. */
export const heldThings: Rule = {
  id: 'held_things',
  check: (input) => {
    const items = itemsOf(input)
    return {
      breaches: input.scene.steps.flatMap((step) =>
        step.acts.flatMap((act) =>
          thingsOf(act)
            .filter(({ ref }) => ref.id !== null && items.get(ref.id)?.held === true)
            .slice(0, 1)
            .map(({ at, ref }) =>
              breach(
                'THING_HELD',
                { step, at },
                {
                  verdict: 'escalate',
                  facts: { thing: ref.raw.slice(0, 200) },
                },
              ),
            ),
        ),
      ),
    }
  },
}

const { of_people } = substanceLexicon.materials
const ofPeople = new Set(of_people.names)

/** Contents that the site calls human, or that are called a person's and that the site does not know. */
function holdsHuman(item: InventoryItem, { registry }: RuleInput): boolean {
  const own = new Set(registry.substances.map(({ id }) => id))
  const { read } = substanceReader(substanceLexicon, registry.substances)
  return item.contents.some(({ substance }) => {
    const { human, ids } = read(substance)
    if (human || ids.some((id) => own.has(id))) return human
    return tokenise(substance.replaceAll('_', ' ')).some((word) => ofPeople.has(word))
  })
}

const uses = ['transfer', 'spin', 'set_temperature', 'run_profile', 'mix', 'pick', 'carry'] as const

/** Carrying it away honours a withdrawal; anything else uses the material. */
const setsAside = ({ act }: Done): boolean =>
  act.act === 'carry' || act.act === 'pick' || act.act === 'place'

/** Material of people: recorded consent, or a person. */
export const consent: Rule = {
  id: 'consent',
  check: (input) => {
    const items = itemsOf(input)
    const touched = actsOf(input.scene, ...uses).flatMap((done) =>
      thingsOf(done.act).flatMap(({ at, ref }) => {
        const item = ref.id === null ? undefined : items.get(ref.id)
        if (item === undefined || (!item.human && !holdsHuman(item, input))) return []
        return [{ done, at, item }]
      }),
    )
    const seen = new Set<string>()
    const first = touched.filter(({ item }) => !seen.has(item.thing) && seen.add(item.thing))
    return {
      breaches: first
        .filter(({ item, done }) => item.consent === 'withdrawn' && !setsAside(done))
        .map(({ done, at, item }) =>
          breach(
            'CONSENT_WITHDRAWN',
            { step: done.step, at },
            {
              verdict: done.act.act === 'carry' ? 'escalate' : 'reject',
              facts: { thing: item.thing },
            },
          ),
        ),
      unknowns: first
        .filter(({ item }) => item.consent !== 'active' && item.consent !== 'withdrawn')
        .map(({ done, at, item }) =>
          unknown('CONSENT_NOT_RECORDED', { step: done.step, at }, 'Its consent is not recorded.', {
            thing: item.thing,
          }),
        ),
    }
  },
}

/** A planner acts as itself (CWE-290); another identity is a person's decision. */
export const ownIdentity: Rule = {
  id: 'own_identity',
  check: ({ scene, planner }) => ({
    breaches: scene.steps.flatMap((step) =>
      step.acts.flatMap((act) =>
        wordsOfRole(act, 'as')
          .filter(({ text }) => text !== '' && text !== planner)
          .map(({ at }) => breach('ACTS_AS_OTHER', { step, at }, { verdict: 'escalate' })),
      ),
    ),
  }),
}

/** Change of devices and programs is always a person's decision. */
export const administration: Rule = {
  id: 'administration',
  check: ({ scene, registry }) => ({
    breaches: [
      ...actsOf(scene, 'administer', 'load_program').map(({ step, act }) => {
        const signer = wordsOfRole(act, 'signer')[0]?.text ?? ''
        const signed = (wordsOfRole(act, 'signature')[0]?.text ?? '') !== ''
        const trusted = signed && registry.signers.includes(signer)
        const program = act.act === 'load_program'
        return breach(
          'ADMIN_CHANGE',
          { step },
          {
            verdict: program || trusted ? 'escalate' : 'reject',
            facts: { signed, trusted },
          },
        )
      }),
      ...scene.steps
        .filter(
          (step) =>
            step.row?.risk_class === 'admin' &&
            !step.acts.some(({ act }) => act === 'administer' || act === 'load_program'),
        )
        .map((step) => breach('ADMIN_CHANGE', { step }, { verdict: 'escalate' })),
    ],
  }),
}
