// Substances and organisms: accepted only when they are known. Every content word of a name has to be
// known; "X in water" is not water. High-risk agents and controlled substances are a person's.
import type { SubstanceRef } from '../read/scene.ts'
import { approvedSubjects, settledPlaces } from './approved-matter.ts'
import lists from '../lexicon/circumstance.json' with { type: 'json' }
import { substanceLexicon } from '../lexicon/substances.ts'
import { families, mentions, textUnit } from '../lexicon/text.ts'
import { actsOf, breach, doubt, unknown, valuesOf, type Done, type Rule } from './rule.ts'

/** Risk group from which an agent never runs on an automated deck without a person. */
const riskGroupOfPersons = 3

/** Risk group from which an agent that the site file does not name is reviewed before its first use. */
const riskGroupOfReview = 2

/** An agent that lists know to infect people and that this site has not declared: nobody has reviewed it here. */
const isNewHere = (substance: SubstanceRef, declared: ReadonlySet<string>): boolean =>
  (substance.risk_group ?? 0) >= riskGroupOfReview && !substance.ids.some((id) => declared.has(id))

function named({ act }: Done): { at: string; substance: SubstanceRef }[] {
  return Object.keys(act.roles).flatMap((role) =>
    valuesOf(act, role, 'substance').map(({ at, substance }) => ({ at, substance })),
  )
}

const matter = [
  'transfer',
  'mix',
  'discard',
  'set_flow',
  'set_gas',
  'spin',
  'set_temperature',
] as const

/** What is named or drawn in a step that handles matter. */
export const materials: Rule = {
  id: 'materials',
  check: ({ scene, trace, state, registry }) => {
    const declared = new Set(registry.substances.map(({ id }) => id))
    const approved = approvedSubjects(state)
    const settled = settledPlaces(scene, trace, approved)
    const handled = actsOf(scene, ...matter).flatMap((done) =>
      named(done).map((n) => ({ done, ...n })),
    )
    const drawn = trace.steps.flatMap((step) =>
      step.changes.flatMap((change) => {
        const contents = change.after?.kind === 'contents' ? (change.after.value ?? []) : []
        return contents.map((content) => ({ at: step.at, node: step.node, ...content }))
      }),
    )
    const strange = handled.filter(({ substance }) => !substance.known)
    const severe = [
      ...handled.map(({ at, substance, done }) => ({ at, substance, node: done.step.node.id })),
      ...drawn.map(({ at, substance, node }) => ({ at, substance, node })),
    ].filter(
      ({ at, substance }) =>
        (substance.controlled &&
          !substance.ids.some((id) => approved.has(id)) &&
          !settled.has(at)) ||
        (substance.risk_group ?? 0) >= riskGroupOfPersons ||
        isNewHere(substance, declared),
    )
    const seen = new Set<string>()
    return {
      unknowns: strange.slice(0, 20).map(({ at, substance, done }) =>
        unknown('SUBSTANCE_NOT_KNOWN', { step: done.step, at }, 'The substance is not known.', {
          words: substance.unread.join(' ').slice(0, 200),
        }),
      ),
      breaches: severe
        .filter(({ at }) => !seen.has(at) && seen.add(at))
        .slice(0, 20)
        .map(({ at, substance, node }) => ({
          ...breach(
            'ORGANISM_NEEDS_PERSON',
            { step: null, at },
            {
              verdict: 'escalate',
              facts: { risk_group: substance.risk_group ?? 0, controlled: substance.controlled },
            },
          ),
          node,
        })),
    }
  },
}

const unidentified = families.add(lists.unidentified)

/** Words that say that nobody knows what it is: a person identifies it first. */
export const unidentifiedMaterial: Rule = {
  id: 'unidentified_material',
  check: ({ scene }) => {
    const texts = [
      { at: '/goal', text: scene.goal },
      ...scene.instructions.map((text, i) => ({ at: `/instructions/${i}`, text })),
      ...scene.steps.flatMap((step) =>
        step.texts.filter((t) => t.kind === 'substance').map(({ at, text }) => ({ at, text })),
      ),
    ]
    const open = texts.find(({ at, text }) => mentions(textUnit(text, at), unidentified))
    const handles = actsOf(scene, ...matter, 'pick', 'carry').length > 0
    if (open === undefined || !handles) return {}
    return {
      doubts: [
        doubt(
          'JUDGE_NO_POSITIVE_EVIDENCE',
          open.at,
          'Has a person identified the material that is handled?',
          'identity',
          false,
        ),
      ],
    }
  },
}

const { rows: organisms } = substanceLexicon.organisms
const severeWords = families.add(
  organisms
    .filter((row) => (row.risk_group ?? 0) >= riskGroupOfPersons)
    .flatMap((row) => row.names),
)
const scheduledWords = families.add(
  organisms.filter((row) => row.scheduled === true).flatMap((row) => row.names),
)
const reviewWords = families.add(
  organisms.filter((row) => row.needs_review === true).flatMap((row) => row.names),
)

/** Agents that words name although no substance of a step does: a person weighs the work. */
export const toldOrganisms: Rule = {
  id: 'told_organisms',
  check: ({ scene }) => {
    if (scene.steps.length === 0) return {}
    const texts = [
      { at: '/goal', text: scene.goal },
      ...scene.instructions.map((text, i) => ({ at: `/instructions/${i}`, text })),
    ].map(({ at, text }) => textUnit(text, at))
    const raised = [
      [severeWords, 'Is the agent that is named handled only where its risk group allows it?'],
      [scheduledWords, 'Is the work with the scheduled substance that is named permitted?'],
      [reviewWords, 'Has a biosafety or chemical review covered the agent that is named?'],
    ] as const
    return {
      doubts: raised.flatMap(([family, question]) => {
        const unit = texts.find((one) => mentions(one, family))
        return unit === undefined ? [] : [doubt('JUDGE_DUAL_USE', unit.at, question, 'misuse')]
      }),
    }
  },
}
