// What a step takes from an earlier one, in words: where it comes from and what its bounds allow.
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Reference } from '../../protocol/reference.ts'
import { orderOf } from './places.ts'

const isReference = (value: object): value is Reference => '$from' in value

function allowed(from: Reference['$from']): string {
  if ('enum' in from) return `one of ${from.enum.map(String).join(', ')}`
  const unit = from.unit === undefined ? '' : ` ${from.unit}`
  return `${from.min} to ${from.max}${unit}`
}

/** A sentence for each reference in the arguments of one node. */
export function referencesInWords(plan: Plan, id: string): string[] {
  const order = orderOf(plan)
  const node = plan.nodes.find((one) => one.id === id)
  const walk = (value: JsonValue, path: readonly string[]): string[] => {
    if (typeof value !== 'object' || value === null) return []
    if (isReference(value)) {
      const { $from: from } = value
      const of = `step ${order.indexOf(from.node) + 1} (${from.node}) gives at ${from.pointer.slice(1)}`
      return [
        `${path.join(' / ')} is what ${of}: ${allowed(from)} is allowed; anything else ends the run before this step.`,
      ]
    }
    return Object.entries(value).flatMap(([key, inner]) => walk(inner, [...path, key]))
  }
  return walk(node?.args ?? {}, [])
}
