// Hazardous states that the graph knows figures of: a flammable liquid heated close to its boiling point,
// and a text-only plan that names a rotor and a speed above its limit. What is a matter of the site's own
// limits (rotors, lids, balance) is the dry run's.
import { finding, type Finding } from '../../protocol/finding.ts'
import { depositsOf } from './contents.ts'
import type { Happening } from './happenings.ts'
import { linkText } from './link.ts'
import { quantitiesIn } from './quantity.ts'
import type { Retrieved } from './retrieve.ts'

/** Common practice: margin below the boiling point of a sealed liquid. */
const boilMarginCelsius = 10

const idOf = (rid: number, got: Retrieved): string => got.nodes.get(rid)?.id ?? `rid:${rid}`

/** A text-only plan that names a rotor and a speed above its limit. */
export function spokenSpeed(instructions: readonly string[], got: Retrieved): Finding[] {
  return instructions.flatMap((text, i) => {
    const speeds = quantitiesIn(text).filter((q) => q.quantity === 'rotation')
    return linkText(text, got.names).flatMap((rid) => {
      const row = got.nodes.get(rid)
      const max = row?.limit?.max ?? null
      if (!row?.id.startsWith('rotor:') || max === null) return []
      const over = speeds.find((q) => q.value > max)
      if (!over) return []
      const facts = { rpm: over.value, max_rpm: max }
      return [
        finding('HAZARD_LIMIT_EXCEEDED', 'flag', `/instructions/${i}`, { kg: [row.id], facts }),
      ]
    })
  })
}

const flammable = new Set(['ghs:H224', 'ghs:H225', 'ghs:H226'])

/** Flammable liquids that the plan pours, and a later step that heats close to their boiling point. */
export function heatFindings(happenings: readonly Happening[], got: Retrieved): Finding[] {
  const order = new Map(happenings.map(({ at }, i) => [at, i]))
  const boiling = depositsOf(happenings, got).deposits.flatMap((d) =>
    d.materials.flatMap((m) => {
      const hazards = got.edges
        .filter((e) => e.from === m.rid && e.kind === 'has-hazard')
        .map((e) => idOf(e.to, got))
        .filter((id) => flammable.has(id))
      const celsius = got.nodes.get(m.rid)?.limit?.max ?? null
      // A few per cent in water neither burns nor boils off as the pure liquid does.
      if (hazards.length === 0 || celsius === null || (m.percent !== null && m.percent < 20)) {
        return []
      }
      return [{ rid: m.rid, boils: celsius, hazards, at: d.at, nth: order.get(d.at) ?? 0 }]
    }),
  )
  return happenings.flatMap(({ at, celsius }, i) => {
    if (celsius === null) return []
    return boiling.flatMap((b) => {
      if (b.nth > i || celsius < b.boils - boilMarginCelsius) return []
      const facts = { celsius, boils_at: b.boils, added_at: b.at }
      return [finding('HAZARD_STATE', 'flag', at, { kg: [idOf(b.rid, got), ...b.hazards], facts })]
    })
  })
}
