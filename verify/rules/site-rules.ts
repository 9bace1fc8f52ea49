// The site's own rules over one act: touched or not, held or broken, and what they permit. A rule whose
// `if` may be true and whose `needs` is not known to hold escalates: it names the missing fact.
import type { SiteRule } from '../../protocol/site-file.ts'
import type { Tri, TraceFinding } from '../simulate/trace.ts'
import { holds } from './condition.ts'
import type { Around } from './terms.ts'
import { every, some } from './values.ts'

export type RuleOutcome = {
  readonly findings: readonly TraceFinding[]
  /** Rules that are touched here, or may be. */
  readonly touched: readonly string[]
  /** A rule that speaks of this act and is known to hold: that is permission. */
  readonly covers: readonly string[]
}

/** Whether a rule is checked for acts of this name at all. */
export function speaksOf(rule: SiteRule, act: string): boolean {
  if (rule.if === undefined) return false
  return typeof rule.if.act === 'string' ? rule.if.act === act : rule.if.act.includes(act)
}

/** Whether a rule applies to an act. One value of a list that meets `if` is enough to ask. */
export function applies(around: Around, rule: SiteRule): Tri {
  const that = rule.if?.that
  return that === undefined ? true : holds(around, that, some)
}

/** Evaluates every checked rule of the site around one act; `totals` gives each rule its own sums. */
export function siteRules(
  act: Around,
  checked: readonly SiteRule[],
  totals: (rule: string, around: Around) => Around['total'],
): RuleOutcome {
  const findings: TraceFinding[] = []
  const touched: string[] = []
  const covers: string[] = []
  for (const rule of checked) {
    if (!speaksOf(rule, act.act.act)) continue
    const around: Around = { ...act, total: totals(rule.id, act) }
    const that = rule.if?.that
    const met = applies(around, rule)
    if (met === false) continue
    const needed = rule.needs === undefined ? false : holds(around, rule.needs)
    touched.push(rule.id)
    if (needed === true) {
      // Permission needs that each value meets it.
      if (that === undefined || holds(around, that, every) === true) covers.push(rule.id)
      continue
    }
    const broken = every([met, needed === false]) === true
    findings.push({
      kind: broken ? 'breach' : 'unknown',
      code: broken ? 'SITE_RULE_BROKEN' : 'SITE_RULE_OPEN',
      verdict: broken ? rule.else : 'escalate',
      at: around.step.at,
      rule: rule.id,
      facts: { act: around.act.act },
      remedy: rule.remedy ?? null,
    })
  }
  return { findings, touched, covers }
}
