// Deterministic look-ups over the whole plan: known incompatible pairs, refused waste streams,
// exceeded limits, hazardous states over several steps. A hit flags; nothing here clears a plan.
// Which substance belongs to which reactivity group is our own list and needs a chemist's eye.
import { finding, type Finding } from '../../protocol/finding.ts'
import type { Plan } from '../../protocol/plan.ts'
import { depositsOf, materialsIn, type Material } from './contents.ts'
import type { Happening } from './happenings.ts'
import { linkText } from './link.ts'
import { groupsOf, pairsBetween } from './rank.ts'
import type { Retrieved } from './retrieve.ts'
import { heatFindings, spokenSpeed } from './states.ts'

export type RuleInput = {
  readonly plan: Plan
  /** What its steps do to materials; empty for a plan without steps. */
  readonly happenings: readonly Happening[]
  readonly got: Retrieved
}

/** All findings, each once, in plan order of their first place. */
export function groundFindings(input: RuleInput): Finding[] {
  const { plan, happenings, got } = input
  const spoken = plan.nodes.length === 0 ? spokenSpeed(plan.instructions, got) : []
  const all = [...pairFindings(input), ...heatFindings(happenings, got), ...spoken]
  const seen = new Set<string>()
  return all.filter((f) => {
    const key = `${f.code}\n${f.at}\n${f.kg.join(',')}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

const idOf = (rid: number, got: Retrieved): string => got.nodes.get(rid)?.id ?? `rid:${rid}`

/**
 * A solution too weak for the hazard of its group: acids and bases below 1 mol/L or 10 %,
 * peroxides below 8 % (the transport threshold, 49 CFR 172.101), traces below 0.1 %.
 */
export function isWeak(m: Material, group: string): boolean {
  if (m.percent !== null && m.percent < 0.1) return true
  if (group === 'rg:1-A' || group === 'rg:1-B' || group === 'rg:3-B') {
    return (m.molar !== null && m.molar < 1) || (m.percent !== null && m.percent < 10)
  }
  return group === 'rg:6-A' && m.peroxide && m.percent !== null && m.percent < 8
}

function pairFindings({ plan, happenings, got }: RuleInput): Finding[] {
  const out: Finding[] = []
  const { deposits, contents } = depositsOf(happenings, got)
  for (const [place, materials] of contents) out.push(...meeting(place, materials, got))
  for (const d of deposits) out.push(...streamFindings(d.place, d.materials, got))
  out.push(...machineFindings(happenings, got))
  if (plan.nodes.length === 0) {
    for (const [i, text] of plan.instructions.entries()) {
      const at = `/instructions/${i}`
      out.push(...meeting(at, materialsIn(text, at, got), got))
    }
  }
  return out
}

/** Pairs among the materials of one place; cited at the step that completes the pair. */
function meeting(place: string, materials: readonly Material[], got: Retrieved): Finding[] {
  const out: Finding[] = []
  for (const [i, a] of materials.entries()) {
    for (const b of materials.slice(i + 1)) {
      if (a.rid === b.rid) continue
      const pairs = pairsBetween(a.rid, b.rid, got).filter((p) => {
        const [ga, gb] = [idOf(p.a, got), idOf(p.b, got)]
        const aFirst = groupsOf(a.rid, got).includes(p.a)
        return !(isWeak(a, aFirst ? ga : gb) || isWeak(b, aFirst ? gb : ga))
      })
      if (pairs.length === 0) continue
      out.push(
        finding('HAZARD_INCOMPATIBLE_PAIR', 'flag', b.at, {
          kg: [...pairs.map((p) => p.pair), a.rid, b.rid].map((r) => idOf(r, got)).slice(0, 20),
          facts: { place: place.slice(0, 100), with: a.at },
        }),
      )
    }
  }
  return out
}

/** A waste stream that refuses a group of the material. */
function streamFindings(place: string, materials: readonly Material[], got: Retrieved): Finding[] {
  const streams = linkText(place, got.names).filter(
    (rid) => got.nodes.get(rid)?.kind === 'waste-stream',
  )
  return streams.flatMap((stream) => {
    const refused = got.edges.filter((e) => e.from === stream && e.kind === 'refuses')
    return materials.flatMap((m) => {
      const groups = groupsOf(m.rid, got)
      const hit = refused.find((e) => groups.includes(e.to) && !isWeak(m, idOf(e.to, got)))
      if (!hit) return []
      return [
        finding('HAZARD_INCOMPATIBLE_PAIR', 'flag', m.at, {
          kg: [stream, m.rid, hit.to].map((r) => idOf(r, got)),
          facts: { place: place.slice(0, 100) },
        }),
      ]
    })
  })
}

/** A vessel goes into a machine that its contents must not meet (bleach and the autoclave). */
function machineFindings(happenings: readonly Happening[], got: Retrieved): Finding[] {
  return happenings.flatMap(({ at, moved }) =>
    moved.flatMap(({ materials, into }) => {
      const machines = linkText(into, got.names)
      return materials
        .flatMap((text) => materialsIn(text, at, got))
        .flatMap((m) =>
          machines.flatMap((machine) => {
            const pairs = pairsBetween(m.rid, machine, got)
            if (pairs.length === 0) return []
            return [
              finding('HAZARD_INCOMPATIBLE_PAIR', 'flag', at, {
                kg: [...pairs.map((p) => p.pair), m.rid, machine].map((r) => idOf(r, got)),
                facts: { place: into.slice(0, 100) },
              }),
            ]
          }),
        )
    }),
  )
}
