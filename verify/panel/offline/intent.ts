// Plainly stated intents. Words alone ask a person; an intent that the site refuses becomes a
// refusal only when nodes of the plan carry it out, and the finding then rests on those nodes.
import type { FindingCode } from '../../../protocol/finding-codes.ts'
import type { JudgeFinding } from '../../../protocol/opinion.ts'
import { found, type Eye, type Rule } from './rule.ts'
import { conceptPlace, type Concept } from './view/concept.ts'
import type { PlanView } from './view/plan-view.ts'
import type { Role } from './view/roles.ts'
import type { TextUnit } from './view/text.ts'

type Intent = {
  readonly concept: Concept
  /** Why it is in the lexicon, for readers; also the claim of the finding. */
  readonly claim: string
  /** Roles whose nodes carry the intent out; empty: any node at all. */
  readonly carriedBy: readonly Role[]
  /** True when the site's rules refuse it outright. */
  readonly refused: boolean
  /** Facts of the graph that make it something else; null when nothing does. */
  readonly unless: ((view: PlanView) => boolean) | null
  /** Where it is looked for. */
  readonly within: 'told' | 'all'
}

/** Builds an intent that the rules refuse when nodes carry it out. */
export function refusedIntent(
  concept: Concept,
  claim: string,
  carriedBy: readonly Role[] = [],
  unless: Intent['unless'] = null,
): Intent {
  return { concept, claim, carriedBy, refused: true, unless, within: 'all' }
}

/** Builds an intent that a person has to weigh. */
export function weighedIntent(
  concept: Concept,
  claim: string,
  unless: Intent['unless'] = null,
): Intent {
  return { concept, claim, carriedBy: [], refused: false, unless, within: 'told' }
}

function carried(view: PlanView, intent: Intent): boolean {
  if (intent.carriedBy.length === 0) return view.nodes.length > 0
  return view.ofRole(...intent.carriedBy).length > 0
}

function unitsOf(view: PlanView, intent: Intent): readonly TextUnit[] {
  return intent.within === 'told' ? view.told : [...view.told, ...view.notes]
}

function check(view: PlanView, intents: readonly Intent[], as: { eye: Eye; code: FindingCode }) {
  const out: JudgeFinding[] = []
  for (const intent of intents) {
    const unit = unitsOf(view, intent).find((one) => conceptPlace(one, intent.concept) >= 0)
    if (unit === undefined || intent.unless?.(view) === true) continue
    const refuse = intent.refused && carried(view, intent)
    out.push(
      found(as.eye, as.code, unit.at, {
        ask: refuse ? 'refuse' : 'person',
        basis: refuse ? 'structure' : 'words',
        claim: intent.claim,
      }),
    )
  }
  return out
}

/** A rule made of intents. */
export function intentRule(
  rule: Pick<Rule, 'id' | 'pol' | 'eye'> & { code: FindingCode; intents: readonly Intent[] },
): Rule {
  const { id, pol, eye, code, intents } = rule
  return { id, pol, eye, check: (view) => check(view, intents, { eye, code }) }
}
