// What the terms of a condition stand for at one act: things, and the values that are known of them.
// A term that names something unknown gives null, and whoever compares it cannot come to true.
import type { FactName, Term } from '../../protocol/condition.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { CellState } from '../../protocol/state.ts'
import type { RoleValue, Scene, SceneAct, Step } from '../read/scene.ts'
import type { FactValue } from '../simulate/trace.ts'
import type { Value } from './values.ts'

/** One thing that a term stands for: the identity of the scene, and the part if one is meant. */
export type Target = {
  readonly key: string
  readonly id: string | null
  readonly part: string | null
}

/** What a condition may look at. The dry run makes one for each act. */
export type Around = {
  readonly scene: Scene
  readonly step: Step
  readonly act: SceneAct
  readonly registry: Registry
  readonly state: CellState
  /** The fact of a thing just before or after the act; null when it is not known. */
  readonly fact: (
    target: Target,
    fact: FactName,
    when: 'before' | 'after' | 'end',
  ) => FactValue | null
  /** Reads `40 Cel` into the scene's unit; null when it is no quantity. */
  readonly quantity: (text: string) => Extract<Value, { kind: 'quantity' }> | null
  /** Milliseconds since the epoch: ages of inspections and expiries count from here. */
  readonly now_ms: number
  /** How a sum of the rule that asks stands with this plan, for each thing that it counts for. */
  readonly total: (term: TotalTerm) => readonly Value[]
}

export type TotalTerm = Extract<Term, { total: string }>

export const targetOf = (value: RoleValue): Target[] =>
  value.kind === 'thing' || value.kind === 'place'
    ? [{ key: value.ref.key, id: value.ref.id, part: value.ref.part }]
    : []

export const named = (id: string): Target => ({ key: id, id, part: null })

/** A vial in a rack on a plate on a device is as far as things stand on each other. */
const hopsMax = 8

/** Where a thing stands, as far as the site file says it or the state knows it. */
export function zoneOf(around: Around, target: Target, hops = 0): string | null {
  const { registry } = around
  const place = registry.places.find((p) => p.id === target.id)
  if (place !== undefined) return place.zone
  const device = registry.devices.find((d) => d.id === target.id)
  if (device !== undefined) return device.zone ?? null
  if (registry.zones.some((z) => z.id === target.id)) return target.id
  const at = around.fact(target, 'place', 'before')
  const where = at?.kind === 'word' ? at.value : null
  // Things that stand on each other in a circle stand nowhere that is known.
  if (where === null || hops >= hopsMax) return null
  return zoneOf(around, named(where), hops + 1)
}

/** The device that a thing, place or barrier belongs to; '' none, null not known. */
function deviceOf(around: Around, target: Target, hops = 0): string | null {
  const { registry } = around
  if (registry.devices.some((d) => d.id === target.id)) return target.id
  const barrier = registry.barriers.find((b) => b.id === target.id)
  if (barrier !== undefined) return barrier.device ?? ''
  const place = registry.places.find((p) => p.id === target.id)
  if (place !== undefined) return place.device ?? ''
  const at = around.fact(target, 'place', 'before')
  const where = at?.kind === 'word' ? at.value : null
  if (where === '') return ''
  return where === null || hops >= hopsMax ? null : deviceOf(around, named(where), hops + 1)
}

/** The things that a term names; null when the term names something that is not known. */
export function targets(around: Around, term: string): Target[] | null {
  if (!term.startsWith('$')) return [named(term)]
  const [role, ...rest] = term.slice(1).split('.')
  const values = (around.act.roles[role ?? ''] ?? []).flatMap(targetOf)
  if (values.length === 0) return null
  let now: Target[] = values
  for (const field of rest) {
    const next = now.flatMap((target): (Target | null)[] => {
      if (field === 'zone') {
        const zone = zoneOf(around, target)
        return [zone === null ? null : named(zone)]
      }
      if (field === 'device' || field === 'stream') {
        const device = deviceOf(around, target)
        if (device === '') return []
        return [device === null ? null : named(device)]
      }
      if (field === 'barriers') {
        const zone = around.registry.zones.find((z) => z.id === target.id)
        const own = around.registry.barriers.filter((b) => b.device === target.id)
        return [...(zone?.barriers ?? []).map(named), ...own.map((b) => named(b.id))]
      }
      return [null]
    })
    if (next.includes(null)) return null
    now = next.filter((t) => t !== null)
  }
  return now
}

function factValue(value: FactValue | null): Value {
  if (value === null) return null
  if (value.kind === 'quantity') return { kind: 'quantity', value: value.value, dim: null }
  if (value.kind === 'flag') {
    return value.value === null ? null : { kind: 'flag', value: value.value }
  }
  if (value.kind === 'word') {
    return value.value === null ? null : { kind: 'word', value: value.value }
  }
  // Contents are compared by what is in them, never as one value; here only whether they are known.
  return value.value === null ? null : { kind: 'flag', value: value.value.length > 0 }
}

function roleValue(value: RoleValue): Value {
  switch (value.kind) {
    case 'quantity':
      return { kind: 'quantity', value: value.value, dim: value.dim }
    case 'flag':
      return { kind: 'flag', value: value.value }
    case 'choice':
      return value.means === null ? null : { kind: 'word', value: value.means }
    case 'thing':
    case 'place':
      return { kind: 'word', value: value.ref.id ?? value.ref.key }
    case 'substance': {
      // A mixture has the name of none of its parts.
      const [id, more] = value.substance.ids
      return id === undefined || more !== undefined ? null : { kind: 'word', value: id }
    }
    case 'text':
    case 'address':
      return { kind: 'word', value: value.text }
  }
}

/** Declared limits: of a device, else of the kind that a thing is of. */
function limitValue(around: Around, name: string, target: Target): Value {
  const { registry } = around
  const [quantity, end] = name.split('.')
  const device = registry.devices.find((d) => d.id === target.id)
  const range = device?.limits[quantity ?? '']
  const text = end === 'min' ? range?.min : range?.max
  if (text !== undefined) return around.quantity(text)
  const zone = registry.zones.find((z) => z.id === target.id)
  if (name === 'speed_with_people' && zone?.speed_with_people !== undefined) {
    return around.quantity(zone.speed_with_people)
  }
  const barrier = registry.barriers.find((b) => b.id === target.id)
  if (name === 'working_opening' && barrier?.working_opening?.max !== undefined) {
    return around.quantity(barrier.working_opening.max)
  }
  const item = around.state.inventory.find((i) => i.thing === target.id)
  const kind = registry.kinds.find((k) => k.id === (item?.kind ?? target.id))
  const own: Readonly<Record<string, string | undefined>> = {
    capacity: kind?.capacity,
    max_rotation: kind?.max_rotation,
    imbalance: kind?.imbalance,
    max_load: kind?.max_load,
    mass: kind?.mass,
  }
  const found = own[name]
  return found === undefined ? null : around.quantity(found)
}

/** Every value that a term may have; null: something of it is not known. */
export function valuesOf(around: Around, term: Term): Value[] {
  if ('role' in term) {
    const values = around.act.roles[term.role] ?? []
    return values.length === 0 ? [null] : values.map(roleValue)
  }
  if ('fact' in term) {
    const of = targets(around, term.of)
    if (of === null) return [null]
    return of.map((target) =>
      factValue(
        around.fact(
          term.part === undefined ? target : { ...target, part: term.part },
          term.fact,
          term.at,
        ),
      ),
    )
  }
  if ('limit' in term) {
    const of = targets(around, term.of)
    return of === null ? [null] : of.map((target) => limitValue(around, term.limit, target))
  }
  if ('total' in term) return [...around.total(term)]
  // Results are known when the run checks them, never at judgement.
  return [null]
}
