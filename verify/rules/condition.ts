// Conditions of the site file over one act of a plan and the state around it: true, false or unknown.
// A condition that asks what nobody knows is unknown, never true.
import type { Condition, SiteList, Term } from '../../protocol/condition.ts'
import { unreachable } from '../../protocol/result.ts'
import type { SubstanceRef } from '../read/scene.ts'
import type { Tri } from '../simulate/trace.ts'
import { named, targetOf, targets, valuesOf, zoneOf, type Around, type Target } from './terms.ts'
import { pageListed } from './pages.ts'
import { compare, every, negate, some, type Operator, type Value } from './values.ts'

function literal(around: Around, value: string | number | boolean): Value {
  if (typeof value === 'boolean') return { kind: 'flag', value }
  if (typeof value === 'number') {
    return { kind: 'quantity', value: { lo: value, hi: value }, dim: null }
  }
  return around.quantity(value) ?? { kind: 'word', value }
}

/** How a test over several values counts: when each meets it, or when one does. */
type Join = (values: readonly Tri[]) => Tri

/** A condition that asks of nothing at all is not known: a list that is empty agrees with everything. */
const joined = (join: Join, tests: readonly Tri[]): Tri => (tests.length === 0 ? null : join(tests))

const operators = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const satisfies readonly Operator[]

type Comparison = Extract<Condition, { is: Term }>

function comparison(around: Around, c: Comparison, join: Join): Tri {
  const left = valuesOf(around, c.is)
  const tests: Tri[][] = []
  for (const operator of operators) {
    const operand = c[operator]
    if (operand === undefined) continue
    const right =
      typeof operand === 'object' ? valuesOf(around, operand) : [literal(around, operand)]
    // Of one value all comparisons must hold; over values it depends on who asks.
    tests.push(
      left.map((a) =>
        joined(
          join,
          right.map((b) => compare(a, operator, b)),
        ),
      ),
    )
  }
  if (c.in !== undefined) tests.push(left.map((a) => among(around, a, c.in ?? [])))
  if (c.not_in !== undefined) {
    tests.push(left.map((a) => negate(among(around, a, c.not_in ?? []))))
  }
  if (c.known === true) tests.push(left.map((value) => value !== null))
  return joined(
    join,
    left.map((_, i) => every(tests.map((each) => each[i] ?? null))),
  )
}

const among = (around: Around, left: Value, list: readonly (string | number | boolean)[]): Tri =>
  some(list.map((item) => compare(left, 'eq', literal(around, item))))

/** Material of people is a property of a substance; sites may ask for it like for a group. */
function inGroup(substance: SubstanceRef, group: string): boolean {
  return substance.groups.includes(group) || (group === 'human material' && substance.human)
}

function belongs(
  substance: SubstanceRef,
  test: { group?: string | undefined; hazard?: string | undefined; id?: string | undefined },
): Tri {
  const has =
    (test.group === undefined || inGroup(substance, test.group)) &&
    (test.hazard === undefined || substance.hazards.includes(test.hazard)) &&
    (test.id === undefined || substance.ids.includes(test.id))
  if (has) return true
  return substance.known ? false : null
}

/** Everything that is, or comes, into a thing; null when its contents are not known. */
function contentsOf(around: Around, term: string, when: 'before' | 'after'): SubstanceRef[] | null {
  const of = targets(around, term)
  if (of === null) return null
  const all = of.map((target) => around.fact(target, 'contents', when))
  const out: SubstanceRef[] = []
  for (const value of all) {
    if (value?.kind !== 'contents' || value.value === null) return null
    out.push(...value.value.map((content) => content.substance))
  }
  return out
}

type SubstanceTest = Extract<Condition, { substance: unknown }>

function substanceTest(around: Around, c: SubstanceTest): Tri {
  if ('role' in c.substance) {
    const values = around.act.roles[c.substance.role] ?? []
    const found = values.flatMap((v) => (v.kind === 'substance' ? [v.substance] : []))
    return found.length === 0 ? null : some(found.map((s) => belongs(s, c)))
  }
  const inside = contentsOf(around, c.substance.in, 'before')
  return inside === null ? null : some(inside.map((s) => belongs(s, c)))
}

type KindTest = Extract<Condition, { thing: string }>

/** In a list of the site: a domain covers its addresses, a page the files below its path. */
function isListed(around: Around, value: string, list: SiteList): boolean {
  const { network, records, sandboxes, signers, people } = around.registry
  const text = value.toLowerCase()
  switch (list) {
    case 'domains':
      return network.domains.some((d) => text.slice(text.lastIndexOf('@') + 1) === d.toLowerCase())
    case 'pages':
      return pageListed(value, network.pages)
    case 'channels':
      return network.channels.some((c) => c.id.toLowerCase() === text)
    case 'hosts':
      return network.hosts.some((h) => h.toLowerCase() === text)
    case 'sandboxes':
      return sandboxes.includes(value)
    case 'signers':
      return signers.includes(value)
    case 'people':
      return people.includes(value)
    case 'raw_fields':
    case 'approval_fields':
    case 'person_fields':
    case 'consent_fields':
    case 'relied_on_fields':
      return records[list].some((field) => field.toLowerCase() === text)
    default:
      return unreachable(list)
  }
}

function kindTest(around: Around, c: KindTest, join: Join): Tri {
  if (c.listed !== undefined) {
    const role = c.thing.startsWith('$') ? (around.act.roles[c.thing.slice(1)] ?? []) : []
    const texts = role.flatMap((v) => (v.kind === 'address' || v.kind === 'text' ? [v.text] : []))
    const list = c.listed
    return texts.length === 0 ? null : join(texts.map((text) => isListed(around, text, list)))
  }
  const of = targets(around, c.thing)
  if (of === null) return null
  // There is no such thing: whatever is asked of it is not so.
  if (of.length === 0) return false
  const { registry, state } = around
  return join(
    of.map((target): Tri => {
      const device = registry.devices.find((d) => d.id === target.id)
      const item = state.inventory.find((i) => i.thing === target.id)
      const standing = registry.things.find((t) => t.id === target.id)
      const kindId = item?.kind ?? standing?.kind ?? null
      const kind = registry.kinds.find((k) => k.id === kindId)
      const tests: Tri[] = []
      if (c.kind !== undefined)
        tests.push(kindId === null ? (device === undefined ? null : false) : kindId === c.kind)
      if (c.class !== undefined) {
        const own = device?.class ?? kind?.class ?? null
        const barrier = registry.barriers.some((b) => b.id === target.id)
        tests.push(own === null ? (barrier ? c.class === 'barrier' : null) : own === c.class)
      }
      if (c.zone !== undefined) {
        const zone = zoneOf(around, target)
        tests.push(zone === null ? null : zone === c.zone)
      }
      if (c.people !== undefined) tests.push(peopleAt(around, target, c.people))
      return every(tests)
    }),
  )
}

/** Whether somebody may be at a thing: a zone that is never entered, and what is known now. */
function peopleAt(around: Around, target: Target, wanted: boolean): Tri {
  const device = around.registry.devices.find((d) => d.id === target.id)
  if (device?.class === 'camera') return device.sees_people === wanted
  const zoneId = zoneOf(around, target)
  const zone = around.registry.zones.find((z) => z.id === zoneId)
  if (zone === undefined) return null
  if (zone.people === 'never') return !wanted
  if (zone.people === 'always') return wanted
  const known = around.fact(named(zone.id), 'people', 'before')
  if (known?.kind !== 'flag' || known.value === null) return null
  return known.value === wanted
}

type OrderTest = Extract<Condition, { before: unknown }>

/** A step that is sure to have run before, and cannot be skipped, did the act on each of the things. */
function orderTest(around: Around, c: OrderTest): Tri {
  const of = c.before.of === undefined ? undefined : targets(around, c.before.of)
  if (of === null) return null
  // An act that happens for some values only, or to one of several things, is none that was done.
  const done = around.scene.steps
    .filter((step) => step.certain && around.step.after.has(step.node.id))
    .flatMap((step) => step.acts)
    .filter((act) => act.act === c.before.act && !act.maybe && act.one_of.length === 0)
  if (of === undefined) return done.length > 0
  const met = new Set(
    done.flatMap((act) =>
      Object.values(act.roles)
        .flat()
        .flatMap((value) => targetOf(value).map(({ key }) => key)),
    ),
  )
  return of.length > 0 && of.every(({ key }) => met.has(key))
}

type ApprovalTest = Extract<Condition, { approved: string }>

function approvalTest(around: Around, c: ApprovalTest): Tri {
  const role = c.approved.startsWith('$') ? (around.act.roles[c.approved.slice(1)] ?? []) : []
  const texts = role.flatMap((v) => (v.kind === 'address' ? [v.text] : []))
  const subjects = new Set([
    ...texts,
    ...(targets(around, c.approved) ?? []).flatMap((t) => [t.id ?? t.key]),
  ])
  const peopleFor = (subject: string) =>
    new Set(
      around.state.approvals
        .filter((a) => a.subject === subject && (c.for === undefined || a.for === c.for))
        .flatMap((a) => a.by),
    )
  // Nobody recorded it: the fact is that it is not there, and a plan cannot bring it. An approval of
  // one thing is none of another.
  return subjects.size > 0 && [...subjects].every((subject) => peopleFor(subject).size >= c.by)
}

/**
 * Evaluates one condition. Total; bounded by the size of the condition and of the plan. Where a term
 * stands for several values, `join` says whether each must meet a test or one is enough; a negation
 * turns it round, so that `not` asks of each value what it denies.
 */
export function holds(around: Around, condition: Condition, join: Join = every): Tri {
  if ('all' in condition) return every(condition.all.map((c) => holds(around, c, join)))
  if ('any' in condition) return some(condition.any.map((c) => holds(around, c, join)))
  if ('not' in condition) return negate(holds(around, condition.not, join === every ? some : every))
  if ('is' in condition) return comparison(around, condition, join)
  if ('substance' in condition) return substanceTest(around, condition)
  if ('meets' in condition) {
    const inside = contentsOf(around, condition.in, 'after')
    if (inside === null) return null
    const has = (group: string) => some(inside.map((s) => belongs(s, { group })))
    return every([has(condition.meets.a), has(condition.meets.b)])
  }
  if ('thing' in condition) return kindTest(around, condition, join)
  if ('before' in condition) return orderTest(around, condition)
  return approvalTest(around, condition)
}
