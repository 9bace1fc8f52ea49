// References in arguments: each takes a declared result of a node before it, in a unit that can be
// converted, and whatever value its bounds allow fits the schema of the argument.
import { conversionOf, unchanged } from '../../protocol/conversion.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import { referencesOfNode } from '../../protocol/plan-needs.ts'
import type { Plan, PlanNode } from '../../protocol/plan.ts'
import type { Violation } from '../../protocol/reasons.ts'
import { referenceSchema, referencesIn, type Reference } from '../../protocol/reference.ts'
import { numberPlace, placeOf } from './argument-place.ts'
import { sourceOf, type Declared } from './result-source.ts'
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

/** The arguments with a value in place of every reference. */
function filled(args: JsonObject, value: (from: From, at: string) => JsonValue): JsonObject {
  const walk = (part: JsonValue, at: string): JsonValue => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) {
      return (part as readonly JsonValue[]).map((item, i) => walk(item, `${at}/${i}`))
    }
    const read = Object.hasOwn(part, '$from') ? referenceSchema.safeParse(part) : null
    if (read?.success === true) return value(read.data.$from, at)
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [
        key,
        walk(item, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
      ]),
    )
  }
  return walk(args, '') as JsonObject
}

/**
 * Where arguments do not fit their schema, with all references at their lower ends, at their upper ends,
 * and with each closed value. Places that join values are refused before, so corners need no joining.
 */
export function templateFaults(node: PlanNode, tool: KnownTool): readonly ArgsFault[] {
  const { found } = referencesIn(node.args)
  if (found.length === 0) return tool.faults(node.args)
  const closed = found.flatMap(({ at, reference }) =>
    'enum' in reference ? reference.enum.slice(1).map((value) => ({ at, value })) : [],
  )
  const first = (from: From): JsonValue => ('enum' in from ? (from.enum[0] ?? '') : from.min)
  const last = (from: From): JsonValue => ('enum' in from ? (from.enum[0] ?? '') : from.max)
  const tried = [
    filled(node.args, first),
    filled(node.args, last),
    ...closed.map((one) =>
      filled(node.args, (from, at) => (at === one.at ? one.value : first(from))),
    ),
  ]
  const faults = new Map(tried.flatMap((args) => tool.faults(args).map((x) => [x.at, x] as const)))
  return [...faults.values()]
}

/** Everything that is wrong with the references of one node. */
export function referenceViolations(plan: Plan, i: number, tools: Tools): Violation[] {
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
    const source = sourceOf(plan, tools, { by: node.id, ...from })
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
