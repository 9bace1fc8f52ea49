// Water into concentrated sulfuric acid boils and spits; the acid goes into the water. Order is
// what the graph makes certain: an unordered pair counts as the wrong one.
import { found, type Rule } from '../rule.ts'
import { originOf, targetOf, wellsOverlap } from '../view/contents.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str, type ViewNode } from '../view/roles.ts'

const concentratedPercent = 50
const concentratedMolar = 9

function isConcentrated(view: PlanView, raw: string): boolean {
  const liquid = view.liquid(raw)
  if (!liquid.substances.some((s) => s.id === 'sulfuric_acid') || liquid.dilute) return false
  if (liquid.percent !== null) return liquid.percent >= concentratedPercent
  return liquid.molar === null || liquid.molar >= concentratedMolar
}

function addsWater(view: PlanView, n: ViewNode): boolean {
  const liquid = view.liquid(str(n, 'liquid'))
  const hazards = [...liquid.groups].filter((g) => g !== 'aqueous')
  return liquid.groups.has('aqueous') && hazards.length === 0
}

export const dilution: Rule = {
  id: 'dilution',
  pol: '',
  eye: 'safety',
  check: (view) =>
    view.ofRole('deposit').flatMap((n) => {
      const target = targetOf(n)
      if (target === null || !addsWater(view, n)) return []
      const held = view.contents.of(target.labware).some((d) => {
        const there = d.by === null || (d.by !== n && !view.order.before(n.i, d.by.i))
        return there && wellsOverlap(d.well, target.well) && isConcentrated(view, d.liquid.raw)
      })
      if (!held || originOf(n)?.labware === target.labware) return []
      return [
        found('safety', 'JUDGE_CHEMICAL_RISK', n.at, {
          ask: 'refuse',
          basis: 'structure',
          claim: 'Water is added to concentrated acid.',
        }),
      ]
    }),
}
