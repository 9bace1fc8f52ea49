// What a plan adds to the sums that rules limit: for every rule with a total, every act that may meet the
// rule, and how much of the role it has. Danger: an amount that is divided over steps, wells or spellings.
import type { Condition, Term } from '../../protocol/condition.ts'
import type { Dimension } from '../../protocol/acts.ts'
import type { SiteRule } from '../../protocol/site-file.ts'
import { anyThing, type Charge } from '../../protocol/totals.ts'
import type { Interval, SceneAct } from '../read/scene.ts'
import { countOf, partsOf } from '../simulate/parts.ts'
import { channelsOf } from '../simulate/world.ts'
import { multiply } from '../simulate/interval.ts'
import { applies, speaksOf } from './site-rules.ts'
import { targetOf, targets, type Around, type TotalTerm } from './terms.ts'

/** A charge of one step, and whether the step is sure to happen when the plan runs. */
export type PlanCharge = Charge & { readonly sure: boolean }

const isTotal = (term: Term | undefined): term is TotalTerm => term !== undefined && 'total' in term

/** Every total that a condition asks for. */
function totalsIn(condition: Condition | undefined): TotalTerm[] {
  if (condition === undefined) return []
  if ('all' in condition) return condition.all.flatMap(totalsIn)
  if ('any' in condition) return condition.any.flatMap(totalsIn)
  if ('not' in condition) return totalsIn(condition.not)
  if (!('is' in condition)) return []
  const { is, eq, ne, lt, le, gt, ge } = condition
  const operands = [eq, ne, lt, le, gt, ge].filter((one) => typeof one === 'object')
  return [is, ...operands].filter(isTotal)
}

/** The totals of one rule, each counter once: what is summed does not depend on the period. */
function countersOf(rule: SiteRule): Pick<TotalTerm, 'total' | 'of'>[] {
  const all = [...totalsIn(rule.if?.that), ...totalsIn(rule.needs)]
  return [...new Map(all.map(({ total, of }) => [`${total}|${of ?? ''}`, { total, of }])).values()]
}

/** True when a rule limits a sum. */
export const hasTotals = (rule: SiteRule): boolean => countersOf(rule).length > 0

/** Identities of what a total counts for; a substance counts under each of its ids. */
export function countedFor(around: Around, of: string | undefined): readonly string[] {
  if (of === undefined) return ['']
  const role = of.startsWith('$') ? (around.act.roles[of.slice(1)] ?? []) : []
  const substances = role.flatMap((v) => (v.kind === 'substance' ? [v.substance] : []))
  if (substances.length > 0) {
    return substances.flatMap(({ known, ids }) => (known && ids.length > 0 ? ids : [anyThing]))
  }
  const things = targets(around, of)
  if (things === null || things.length === 0) return [anyThing]
  // A name longer than a counter may have is none that can be told from others.
  return [...new Set(things.map(({ key }) => (key.length > 200 ? anyThing : key)))]
}

/** How many parts a step means: an amount is told for each part that it goes to. */
function timesOf(around: Around, act: SceneAct): Interval | null {
  const to = (act.roles['to'] ?? []).flatMap(targetOf)
  if (to.length === 0) return { lo: 1, hi: 1 }
  const heads = Object.values(act.roles).flatMap((values) => values.flatMap(targetOf))
  const channels = Math.max(
    1,
    ...heads.map(({ id }) => channelsOf(around.registry.devices.find((d) => d.id === id))),
  )
  let hi = 0
  for (const { id, part } of to) {
    const item = around.state.inventory.find((one) => one.thing === id)
    const kind = item?.kind ?? around.registry.things.find((one) => one.id === id)?.kind
    const grid = around.registry.kinds.find((one) => one.id === kind) ?? null
    // Of what nobody declared, one part has a name and several have no number.
    if (grid === null && part !== null && !/^(?:[A-Z]{1,2}\d{1,3}|\d{1,4})$/.test(part)) return null
    hi += Math.max(1, countOf(partsOf(part, grid, channels)))
  }
  return { lo: 1, hi }
}

type Amount = { readonly dim: Dimension; readonly value: Interval }

/** How much of a role one act has, over all its parts; null when that is not known. */
function amountOf(around: Around, role: string): Amount | null {
  const { act } = around
  const values = act.roles[role] ?? []
  if (act.missing.includes(role) || values.length === 0) return null
  const times = timesOf(around, act)
  if (times === null) return null
  let sum: Amount | null = null
  for (const value of values) {
    if (value.kind !== 'quantity' || (sum !== null && sum.dim !== value.dim)) return null
    const { lo, hi } = multiply(value.value, times)
    const before: Interval = sum?.value ?? { lo: 0, hi: 0 }
    sum = { dim: value.dim, value: { lo: before.lo + Math.max(0, lo), hi: before.hi + hi } }
  }
  return sum
}

/** The role's own dimension stands for an amount that nobody can say. */
const unknownDim: Dimension = 'count'

/** Charges of one act to the counters of one rule; none when the rule certainly does not apply. */
function chargesOfAct(around: Around, rule: SiteRule): PlanCharge[] {
  if (!speaksOf(rule, around.act.act)) return []
  const met = applies(around, rule)
  if (met === false) return []
  const sure = met === true && around.step.certain && !around.act.maybe
  return countersOf(rule).flatMap(({ total: role, of }) => {
    const amount = amountOf(around, role)
    return countedFor(around, of).map((key): PlanCharge => {
      const charge = { rule: rule.id, role, of: key, node: around.step.node.id }
      if (amount === null) return { ...charge, dim: unknownDim, lo: 0, hi: null, sure: false }
      const { dim, value } = amount
      const exact = sure && key !== anyThing
      const hi = Number.isFinite(value.hi) ? value.hi : null
      return { ...charge, dim, lo: exact ? value.lo : 0, hi, sure }
    })
  })
}

/** Everything that a plan may add to the counters of the site's rules, act by act. */
export const chargesOf = (
  rules: readonly SiteRule[],
  acts: readonly Around[],
): readonly PlanCharge[] =>
  rules.filter(hasTotals).flatMap((rule) => acts.flatMap((around) => chargesOfAct(around, rule)))
