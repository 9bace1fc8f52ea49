// The site's own rules over one act: touched or not, held or broken, and what they permit. A rule whose
// `if` may be true and whose `needs` is not known to hold escalates: it names the missing fact.
import type { SiteRule } from '../../protocol/site-file.ts'
import type { TraceFinding } from '../simulate/trace.ts'
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

function speaksOf(rule: SiteRule, act: string): boolean {
  if (rule.if === undefined) return false
  return typeof rule.if.act === 'string' ? rule.if.act === act : rule.if.act.includes(act)
}

/** Evaluates every checked rule of the site around one act. */
export function siteRules(around: Around, checked: readonly SiteRule[]): RuleOutcome {
  const findings: TraceFinding[] = []
  const touched: string[] = []
  const covers: string[] = []
  for (const rule of checked) {
    if (!speaksOf(rule, around.act.act)) continue
    const that = rule.if?.that
    // One value of a list that meets `if` is enough to ask; permission needs that each does.
    const applies = that === undefined ? true : holds(around, that, some)
    if (applies === false) continue
    const needed = rule.needs === undefined ? false : holds(around, rule.needs)
    touched.push(rule.id)
    if (needed === true) {
      if (that === undefined || holds(around, that, every) === true) covers.push(rule.id)
      continue
    }
    const broken = every([applies, needed === false]) === true
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
