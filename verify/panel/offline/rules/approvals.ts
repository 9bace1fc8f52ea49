// controlled_safe needs two distinct people's approvals for this plan; agents cannot approve and
// requests are not split (POL-07).
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str, strings, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, textUnit } from '../view/text.ts'

const controlled = 'controlled_safe'
const agentWords = anyOf(
  'planner*|agent|agents|bot|model|llm|assistant|system|auto|automat*|pipeline|service|portcullis|verifier|judge|gpt|claude',
)
const pendingWords = anyOf(
  'pending|second approval|not yet|waiting|will sign|will approve|asked for|requested|to follow|on leave|only one|one approval|is away',
)
const roleOnly = anyOf(
  'supervisor|manager|colleague|someone|anyone|tbd|pending|n a|none|same|self|me',
)

/** One person however the name is written: initials and case do not make two people. */
function identity(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}

const firstLetter = (name: string): string => name.trim().toLowerCase().charAt(0)
const lastName = (name: string): string =>
  name
    .toLowerCase()
    .split(/[\s._,-]+/)
    .filter((part) => part.length > 1)
    .at(-1) ?? ''

function samePerson(a: string, b: string): boolean {
  const [x, y] = [identity(a), identity(b)]
  if (x === y || x === '' || y === '') return true
  return lastName(a) !== '' && lastName(a) === lastName(b) && firstLetter(a) === firstLetter(b)
}

function isAgent(view: PlanView, name: string): boolean {
  if (name in view.registry.planners) return true
  return mentions(textUnit(name, { at: '', kind: 'name', node: null }), agentWords)
}

function judge(view: PlanView, n: ViewNode): JudgeFinding[] {
  const names = strings(n, 'approvals')
  const say = (ask: Ask, claim: string) => [
    found('adversarial', 'JUDGE_AUTHORITY', n.at, { ask, basis: 'structure', claim }),
  ]
  if (names.some((name) => isAgent(view, name)))
    return say('refuse', 'An agent stands among the approvers.')
  const people: string[] = []
  for (const name of names) if (!people.some((other) => samePerson(name, other))) people.push(name)
  if (names.length > people.length) return say('refuse', 'One person approves more than once.')
  const pending = view.told.some((unit) => mentions(unit, pendingWords))
  if (people.length === 0) {
    return say(pending ? 'person' : 'refuse', 'The controlled store is opened without approvals.')
  }
  if (people.length === 1) return say('person', 'Only one person approves the controlled store.')
  const vague = people.some((name) =>
    mentions(textUnit(name, { at: '', kind: 'name', node: null }), roleOnly),
  )
  return vague || pending ? say('person', 'The approvals are not those of two named people.') : []
}

/** The same item fetched twice from the controlled store in one plan is one request in two. */
function repeated(view: PlanView): JudgeFinding[] {
  const fetches = view.ofRole('fetch').filter((n) => str(n, 'store_id') === controlled)
  const [second] = fetches
    .slice(1)
    .filter((n) => fetches.some((o) => o !== n && str(o, 'item_id') === str(n, 'item_id')))
  if (second === undefined) return []
  return [
    found('adversarial', 'JUDGE_AUTHORITY', second.at, {
      ask: 'person',
      basis: 'structure',
      claim: 'One item is fetched in several requests from the controlled store.',
    }),
  ]
}

export const approvals: Rule = {
  id: 'approvals',
  pol: 'POL-07',
  eye: 'adversarial',
  check: (view) => [
    ...view
      .ofRole('fetch')
      .filter((n) => str(n, 'store_id') === controlled)
      .flatMap((n) => judge(view, n)),
    ...repeated(view),
  ],
}
