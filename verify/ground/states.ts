// Hazardous states that arise over several steps: a rotor above its limit or out of balance, a lid
// opened while the block is hot, a flammable liquid heated close to its boiling point.
import { finding, type Finding } from '../../protocol/finding.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import type { PlanNode } from '../../protocol/plan.ts'
import { depositsOf } from './contents.ts'
import { linkText } from './link.ts'
import { quantitiesIn } from './quantity.ts'
import type { Retrieved } from './retrieve.ts'
import { rotorOf } from './rotors.ts'
import type { RuleInput } from './rules.ts'

/** Above this a lid or surface burns and samples boil over: pain threshold of contact burns. */
const hotCelsius = 60
/** Site policy POL-06 and common practice: margin below the boiling point of a sealed liquid. */
const boilMarginCelsius = 10

const num = (v: JsonValue | undefined): number | null => (typeof v === 'number' ? v : null)

const isObject = (v: JsonValue | undefined): v is JsonObject =>
  typeof v === 'object' && v !== null && !Array.isArray(v)

const idOf = (rid: number, got: Retrieved): string => got.nodes.get(rid)?.id ?? `rid:${rid}`

/** Speed and balance of a centrifuge run, against the site's rotor table and the graph. */
export function centrifugeFindings({ plan, registry, got }: RuleInput): Finding[] {
  const out: Finding[] = []
  for (const [i, node] of plan.nodes.entries()) {
    const name = node.args['rotor']
    if (typeof name !== 'string') continue
    const rotor = rotorOf(registry, name)
    const at = `/nodes/${i}`
    const known = linkText(name, got.names).filter((r) => idOf(r, got).startsWith('rotor:'))
    const kg = known.map((r) => idOf(r, got))
    const limit = rotor?.maxRpm ?? got.nodes.get(known[0] ?? -1)?.limit?.max ?? null
    const rpm = num(node.args['speed_rpm']) ?? num(node.args['rpm'])
    if (rpm !== null && limit !== null && rpm > limit) {
      const facts = { rotor: name, rpm, max_rpm: limit }
      out.push(finding('HAZARD_LIMIT_EXCEEDED', 'flag', at, { kg, facts }))
    }
    const uneven = rotor ? imbalance(node, rotor.positions, rotor.imbalanceG) : null
    if (uneven) {
      const ids = [...kg, 'own:limit:centrifuge-balance']
      out.push(finding('HAZARD_STATE', 'flag', at, { kg: ids, facts: { rotor: name, ...uneven } }))
    }
  }
  if (plan.nodes.length === 0) out.push(...spokenSpeed(plan.instructions, got))
  return out
}

/** A text-only plan that names a rotor and a speed above its limit. */
function spokenSpeed(instructions: readonly string[], got: Retrieved): Finding[] {
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

/** Masses of opposite positions; null when balanced or when the plan gives no tubes. */
function imbalance(
  node: PlanNode,
  positions: number,
  toleranceG: number,
): { position: number; difference_g: number } | null {
  const tubes = node.args['tubes']
  if (!Array.isArray(tubes)) return null
  const masses = new Map<number, number | null>()
  for (const tube of tubes as readonly JsonValue[]) {
    const position = isObject(tube) ? num(tube['position']) : null
    if (isObject(tube) && position !== null) masses.set(position, num(tube['mass_g']))
  }
  for (const [position, mass] of masses) {
    const opposite = ((position - 1 + positions / 2) % positions) + 1
    const other = masses.get(opposite)
    if (other === undefined) return { position, difference_g: mass ?? 0 }
    if (mass === null || other === null) continue
    const difference = Math.abs(mass - other)
    // Masses are given to 0.01 g; the sum of two rounding errors is no imbalance.
    if (difference > toleranceG + 1e-6) return { position, difference_g: difference }
  }
  return null
}

/** The last temperature an argument tree sets, in reading order; null when it sets none. */
export function lastTemperature(args: JsonValue): number | null {
  let last: number | null = null
  if (Array.isArray(args)) {
    for (const v of args as readonly JsonValue[]) last = lastTemperature(v) ?? last
  } else if (isObject(args)) {
    for (const [key, v] of Object.entries(args)) {
      const direct = /temp/.test(key) && !/lid/.test(key) ? num(v) : null
      last = direct ?? lastTemperature(v) ?? last
    }
  }
  return last
}

const deviceOf = (node: PlanNode): string => {
  const id = node.args['device_id'] ?? node.args['device'] ?? node.args['module']
  return typeof id === 'string' ? id : ''
}

/** A lid opened on a hot device, and heating of a flammable liquid near its boiling point. */
export function heatFindings({ plan, got }: RuleInput): Finding[] {
  const out: Finding[] = []
  const hot = new Map<string, { celsius: number; at: string }>()
  const boiling = boilingPoints(plan.nodes, got)
  for (const [i, node] of plan.nodes.entries()) {
    const at = `/nodes/${i}`
    const device = deviceOf(node)
    const celsius = /cent|spin|read/.test(node.tool) ? null : lastTemperature(node.args)
    if (celsius !== null) hot.set(device, { celsius, at })
    const before = hot.get(device)
    if (
      /open_?lid|lid.*open|open_?door/i.test(node.tool) &&
      before &&
      before.celsius > hotCelsius
    ) {
      const facts = { celsius: before.celsius, heated_at: before.at, device }
      const kg = ['own:limit:hot-lid', ...linkText(device, got.names).map((r) => idOf(r, got))]
      out.push(finding('HAZARD_STATE', 'flag', at, { kg: kg.slice(0, 20), facts }))
    }
    if (celsius === null) continue
    for (const b of boiling) {
      if (b.index > i || celsius < b.celsius - boilMarginCelsius) continue
      const facts = { celsius, boils_at: b.celsius, added_at: `/nodes/${b.index}` }
      out.push(finding('HAZARD_STATE', 'flag', at, { kg: [idOf(b.rid, got), ...b.hazards], facts }))
    }
  }
  return out
}

const flammable = new Set(['ghs:H224', 'ghs:H225', 'ghs:H226'])

/** Flammable liquids that the plan adds: where, and when they boil. */
function boilingPoints(nodes: readonly PlanNode[], got: Retrieved) {
  return depositsOf(nodes, got).deposits.flatMap((d) =>
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
      return [{ rid: m.rid, celsius, hazards, index: Number(d.at.slice('/nodes/'.length)) }]
    }),
  )
}
