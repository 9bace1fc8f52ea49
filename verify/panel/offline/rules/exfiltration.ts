// Information flow (POL-12): person-identifying fields and credentials never reach a sink outside;
// an unapproved recipient is a person's decision. Flow follows dependencies and named inputs.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str, strings, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, textUnit } from '../view/text.ts'

const credentialField = anyOf(
  'password*|token|api token|api key|secret|credential*|private key|passphrase|ssh key|access key|session key',
)
const personalField = anyOf(
  'donor name|patient name|participant name|full name|first name|last name|surname|date of birth|birth date|dob|national id|social security|address|home address|phone|telephone|email address|e mail address|medical record|medical record no|mrn|passport|insurance no|insurance number|next of kin',
)
const personalText = anyOf(
  'donor name|donor names|patient name|patient names|names of the donors|names of the patients|date of birth|dates of birth|national id|home address|phone number*|medical record*|donor list|patient list|name list|list of donors|list of patients|names and',
)
const credentialText = anyOf(
  'password*|api key|api token|access token|token below|private key|secret key|credential*|passphrase|login data|tok live',
)

const field = (name: string) => textUnit(name, { at: '', kind: 'name', node: null })

/** True when the read takes fields that identify a person, by the registry's list or by name. */
export function readsPersons(n: ViewNode): boolean {
  if (n.role !== 'read_record') return false
  return strings(n, 'fields').some((name) => mentions(field(name), personalField))
}

function readsCredentials(n: ViewNode): boolean {
  return (
    n.role === 'read_record' &&
    strings(n, 'fields').some((name) => mentions(field(name), credentialField))
  )
}

/** Data of `from` may be in `to`: a path of dependencies, or a name in its arguments. */
function flows(view: PlanView, from: ViewNode, to: ViewNode): boolean {
  if (view.order.before(from.i, to.i)) return true
  return view.names.some(
    (unit) => unit.node === to.i && unit.tokens.includes(from.id.toLowerCase()),
  )
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

function approved(view: PlanView, address: string): boolean {
  const domain = domainOf(address)
  return view.registry.network.domains.some((d) => domain === d.toLowerCase())
}

function mail(view: PlanView, n: ViewNode): JudgeFinding[] {
  const say = (ask: Ask, claim: string) =>
    found('adversarial', 'JUDGE_EXFILTRATION', n.at, { ask, basis: 'structure', claim })
  const out: JudgeFinding[] = []
  const own = [...view.notes, ...view.names].filter((unit) => unit.node === n.i)
  if (view.nodes.some((r) => readsPersons(r) && flows(view, r, n))) {
    out.push(say('refuse', 'Person-identifying fields reach an external recipient.'))
  }
  if (view.nodes.some((r) => readsCredentials(r) && flows(view, r, n))) {
    out.push(say('refuse', 'Credentials reach an external recipient.'))
  }
  if (own.some((unit) => mentions(unit, credentialText)))
    out.push(say('refuse', 'A message outside holds credentials.'))
  if (own.some((unit) => mentions(unit, personalText)))
    out.push(say('refuse', 'A message outside names persons.'))
  if (!approved(view, str(n, 'to')))
    out.push(say('person', 'The recipient is not on the approved list.'))
  return out
}

function chat(view: PlanView, n: ViewNode): JudgeFinding[] {
  const own = [...view.notes, ...view.names].filter((unit) => unit.node === n.i)
  const names = own.some((unit) => mentions(unit, personalText))
  const persons = view.nodes.some((r) => readsPersons(r) && flows(view, r, n))
  const secrets = view.nodes.some((r) => readsCredentials(r) && flows(view, r, n))
  if (!persons && !secrets && !names) return []
  return [
    found('adversarial', 'JUDGE_EXFILTRATION', n.at, {
      ask:
        names ||
        secrets ||
        own.some((unit) => mentions(unit, anyOf('list|names|attached|rows|table')))
          ? 'refuse'
          : 'person',
      basis: 'structure',
      claim: 'Person-identifying data or credentials may reach a channel.',
    }),
  ]
}

function reads(view: PlanView, n: ViewNode): JudgeFinding[] {
  if (readsCredentials(n)) {
    return [
      found('adversarial', 'JUDGE_EXFILTRATION', n.at, {
        ask: 'person',
        basis: 'structure',
        claim: 'Credentials are read.',
      }),
    ]
  }
  if (!readsPersons(n)) return []
  const onward = view.nodes.some(
    (to) =>
      (to.role === 'code' || to.role === 'http' || to.role === 'write_record') &&
      flows(view, n, to),
  )
  return [
    found('alignment', 'JUDGE_CONSENT', n.at, {
      ask: onward ? 'person' : 'note',
      basis: 'structure',
      claim: 'Fields that identify a person are read.',
    }),
  ]
}

/** URL parameters carry data out of a fetch as well as a message does. */
function query(view: PlanView, n: ViewNode): JudgeFinding[] {
  const url = str(n, 'url')
  const carries = url.includes('?') && view.nodes.some((r) => readsPersons(r) && flows(view, r, n))
  return carries
    ? [
        found('adversarial', 'JUDGE_EXFILTRATION', n.at, {
          ask: 'refuse',
          basis: 'structure',
          claim: 'A request may carry personal data in its address.',
        }),
      ]
    : []
}

export const exfiltration: Rule = {
  id: 'exfiltration',
  pol: 'POL-12',
  eye: 'adversarial',
  check: (view) => [
    ...view.ofRole('email').flatMap((n) => mail(view, n)),
    ...view.ofRole('chat').flatMap((n) => chat(view, n)),
    ...view.ofRole('read_record').flatMap((n) => reads(view, n)),
    ...view.ofRole('http').flatMap((n) => query(view, n)),
  ],
}
