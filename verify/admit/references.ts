// References in arguments: each takes a declared result of a node before it, in a unit that can be
// converted, and whatever value its bounds allow fits the schema of the argument.
import { conversionOf, unchanged } from '../../protocol/conversion.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import { referencesOfNode } from '../../protocol/plan-needs.ts'
import type { Plan, PlanNode } from '../../protocol/plan.ts'
import { pointerStep } from '../../protocol/pointer.ts'
import type { Violation } from '../../protocol/reasons.ts'
import { referencesIn, type PlacedReference, type Reference } from '../../protocol/reference.ts'
import { numberPlace, placeOf } from './argument-place.ts'
import type { Declared, Sources } from './result-source.ts'
import type { ArgsFault, KnownTool } from './tools.ts'

type From = Reference['$from']
type Numbers = Extract<From, { readonly min: number }>
type Tools = ReadonlyMap<string, KnownTool>

/** What is wrong with the unit of a number; null when nothing is. */
export function unitFault(declared: Declared, unit: string | undefined): string | null {
  if (declared.unit === undefined) {
    return unit === undefined ? null : 'the site declares no unit of this result: leave unit out'
  }
  if (unit === undefined) return `the result is in ${declared.unit}: name the unit that you mean`
  return conversionOf(declared.unit, unit) === null
    ? `the result is in ${declared.unit}, which does not convert to ${unit}`
    : null
}

/** A result that the site lists the texts of, or of which it says nothing, may be other than a number. */
function numberFault(
  declared: Declared,
  from: Numbers,
  root: JsonObject,
  at: string,
): string | null {
  if (declared.values !== undefined) return 'the result is one of a list of texts: use "enum"'
  const unit = unitFault(declared, from.unit)
  if (unit !== null) return unit
  const place = numberPlace(root, at)
  if (place === null) {
    return 'only an argument whose schema is a plain range of numbers can be a number of the run'
  }
  if (place.unit === null) return null
  if (from.unit === undefined) {
    return `the argument is in ${place.unit}, and the site declares no unit of this result`
  }
  const same = conversionOf(from.unit, place.unit)
  const fits = same !== null && JSON.stringify(same) === JSON.stringify(unchanged)
  return fits ? null : `the argument is in ${place.unit}: name that unit, and the bounds in it`
}

function closedFault(
  declared: Declared,
  from: Exclude<From, Numbers>,
  root: JsonObject,
  at: string,
): string | null {
  if (declared.unit !== undefined)
    return `the result is a number in ${declared.unit}: use min and max`
  const unknown = from.enum.filter(
    (value) => typeof value === 'string' && declared.values?.includes(value) !== true,
  )
  if (unknown.length > 0) return 'enum names a text that the site does not list for this result'
  return placeOf(root, at) === null
    ? 'the schema of this argument joins values: it cannot be one of the run'
    : null
}

type Filling = ReadonlyMap<string, JsonValue>

/** The arguments with a value in place of every reference, by its pointer. */
function filled(args: JsonObject, values: Filling): JsonObject {
  const walk = (part: JsonValue, at: string): JsonValue => {
    const value = values.get(at)
    if (value !== undefined) return value
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) {
      return (part as readonly JsonValue[]).map((item, i) => walk(item, `${at}/${i}`))
    }
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [key, walk(item, `${at}/${pointerStep(key)}`)]),
    )
  }
  return walk(args, '') as JsonObject
}

/** All at their lower ends, all at their upper ends, then each further closed value alone. */
function* fillings(found: readonly PlacedReference[]): Generator<Filling> {
  const ends = (end: 'min' | 'max'): Map<string, JsonValue> =>
    new Map(found.map(({ at, reference: r }) => [at, 'enum' in r ? (r.enum[0] ?? '') : r[end]]))
  const lower = ends('min')
  yield lower
  yield ends('max')
  for (const { at, reference } of found) {
    if (!('enum' in reference)) continue
    for (const value of reference.enum.slice(1)) yield new Map([...lower, [at, value]])
  }
}

function valuesIn(part: JsonValue): number {
  if (typeof part !== 'object' || part === null) return 1
  return Object.values(part).reduce<number>((sum, item) => sum + valuesIn(item), 1)
}

/** How many values are looked at to try a node: its filled arguments, once for each filling. */
export function trialWork({ args }: PlanNode): number {
  const { found } = referencesIn(args)
  const further = found.map(({ reference: r }) => ('enum' in r ? r.enum.length - 1 : 0))
  const inert: Filling = new Map(found.map(({ at }) => [at, 0]))
  return found.length === 0
    ? 0
    : valuesIn(filled(args, inert)) * further.reduce((sum, more) => sum + more, 2)
}

/**
 * Where arguments do not fit their schema, with all references at their lower ends, at their upper ends,
 * and with each closed value. Places that join values are refused before, so corners need no joining.
 * The caller has bounded `trialWork`; after as many faults as an answer lists no more are looked for.
 */
export function templateFaults(node: PlanNode, tool: KnownTool): readonly ArgsFault[] {
  const { found } = referencesIn(node.args)
  if (found.length === 0) return tool.faults(node.args)
  const faults = new Map<string, ArgsFault>()
  for (const values of fillings(found)) {
    for (const fault of tool.faults(filled(node.args, values))) faults.set(fault.at, fault)
    if (faults.size >= limits.violationsMax) break
  }
  return [...faults.values()]
}

/** Everything that is wrong with the references of one node. */
export function referenceViolations(
  plan: Plan,
  i: number,
  given: { readonly tools: Tools; readonly sources: Sources },
): Violation[] {
  const { tools, sources } = given
  const node = plan.nodes[i]
  if (node === undefined) return []
  const out = referencesIn(node.args).malformed.map(({ at, message }): Violation => ({
    code: 'reference_malformed',
    at: `/nodes/${i}/args${at}`,
    message,
  }))
  const root = tools.get(node.tool)?.entry.args_schema ?? {}
  for (const { at, from } of referencesOfNode(node)) {
    const inside = at.slice('/args'.length)
    const source = sources.of(from)
    const fault = !source.ok
      ? source.error
      : at.length > limits.conversionAtCharsMax
        ? `its place is longer than ${limits.conversionAtCharsMax} characters`
        : 'enum' in from
          ? closedFault(source.value, from, root, inside)
          : numberFault(source.value, from, root, inside)
    if (fault === null) continue
    out.push({ code: 'reference_invalid', at: `/nodes/${i}${at}`, message: fault })
  }
  return out
}

/** How many values of the run a plan names: each number is one, each closed value is one. */
export function referenceCount({ nodes }: Plan): number {
  return nodes
    .flatMap((node) => referencesOfNode(node))
    .reduce((sum, { from }) => sum + ('enum' in from ? from.enum.length : 1), 0)
}
