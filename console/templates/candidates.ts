// Arguments of a plan that may become holes of a standing approval: each plain value, with the name and the
// range or list that it begins with.
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan } from '../../protocol/plan.ts'
import { toPointer } from '../../protocol/pointer.ts'
import type { Hole } from '../../protocol/standing.ts'
import { orderOf } from '../review/places.ts'

export type Candidate = {
  name: string
  node: string
  pointer: string
  value: string | number | boolean
}

function scalarsIn(value: JsonValue, path: readonly string[]): [string[], Candidate['value']][] {
  if (typeof value === 'object' && value !== null) {
    // What another step measures is no constant that could be opened.
    if ('$from' in value) return []
    return Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : scalarsIn(inner, [...path, key]),
    )
  }
  return value === null ? [] : [[[...path], value]]
}

/** The last word of a place as a name that a hole may have. */
function nameOf(path: readonly string[], taken: ReadonlySet<string>): string {
  const words = path.filter((word) => !/^\d+$/.test(word)).at(-1) ?? 'value'
  const plain = words
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 36)
  const base = plain === '' ? 'value' : plain
  let name = base
  for (let i = 2; taken.has(name); i += 1) name = `${base}_${i}`
  return name
}

/** In the order of the steps. */
export function candidatesOf(plan: Plan): Candidate[] {
  const taken = new Set<string>()
  return orderOf(plan).flatMap((id) => {
    const node = plan.nodes.find((one) => one.id === id)
    return scalarsIn(node?.args ?? {}, []).map(([path, value]) => {
      const name = nameOf(path, taken)
      taken.add(name)
      return { name, node: id, pointer: toPointer(path), value }
    })
  })
}

/** What somebody has written for one candidate. */
export type Opened = { min: string; max: string; list: string }

/** The plan's own value alone: opening a hole widens nothing by itself. */
export function openedAs({ value }: Candidate): Opened {
  return { min: String(value), max: String(value), list: String(value) }
}

/** The hole as the gateway takes it. Numbers that are none are refused there, with the place. */
export function holeOf({ name, node, pointer, value }: Candidate, opened: Opened): Hole {
  if (typeof value === 'number') {
    return { name, node, pointer, within: { min: Number(opened.min), max: Number(opened.max) } }
  }
  const lines = opened.list.split('\n').filter((line) => line !== '')
  const list = typeof value === 'boolean' ? lines.map((line) => line === 'true') : lines
  return { name, node, pointer, within: { enum: list } }
}
