// What one call does: the acts of its tool row over its own arguments. A row that leaves an argument
// without meaning is opaque: nobody knows what else the call does.
import { acts } from '../../protocol/acts-table.ts'
import { actSpec } from '../../protocol/acts.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { PlanNode } from '../../protocol/plan.ts'
import type { ToolEntry } from '../../protocol/registry.ts'
import type { Binding, ToolMeaning } from '../../protocol/tool-meaning.ts'
import { bindValue, withParts, type Names } from './bind.ts'
import {
  isReference,
  leavesOf,
  scalarText,
  schemaLeaves,
  valuesAt,
  type Leaf,
  type SchemaLeaf,
} from './pointers.ts'
import type { Opacity, RoleValue, SceneAct, Step } from './scene.ts'
import { keptFor } from '../lexicon/remembered.ts'

type RowAct = ToolMeaning['acts'][number]
type Meanings = ReadonlyMap<string, ReadonlyMap<string, string>>

/** What is the same for every call of one tool. */
export type Row = {
  readonly entry: ToolEntry
  readonly meaning: ToolMeaning
  readonly schema: ReadonlyMap<string, SchemaLeaf>
  readonly choices: Meanings
  /** Declared arguments that nothing covers. */
  readonly bare: readonly string[]
  /** Acts that only know or read: their other arguments can do no harm. */
  readonly readsOnly: boolean
}

const pointersOf = (binding: Binding): string[] => {
  if (typeof binding === 'string') return [binding]
  if ('const' in binding) return []
  return binding.unit_arg === undefined ? [binding.arg] : [binding.arg, binding.unit_arg]
}

const inertAt = (meaning: ToolMeaning, pattern: string): boolean =>
  meaning.inert.some(({ at }) => pattern === at || pattern.startsWith(`${at}/`))

/** Roles that exist in the act; a binding to another one says nothing. */
function knownBinds(act: RowAct): [role: string, binding: Binding][] {
  const { roles } = actSpec(act.act)
  return Object.entries(act.bind).filter(([role]) => Object.hasOwn(roles, role))
}

/** True when every closed value of a choice has a meaning. */
function choiceClosed(leaf: SchemaLeaf, meaning: ToolMeaning, means: Meanings): boolean {
  const given = means.get(leaf.pattern)
  const whens = meaning.acts.flatMap(({ when }) =>
    when !== undefined && 'eq' in when && when.arg === leaf.pattern ? [when.eq] : [],
  )
  if (leaf.boolean && (given !== undefined || whens.length > 0)) return true
  return (
    leaf.values !== null &&
    leaf.values.every(
      (value) => given?.has(scalarText(value) ?? '') === true || whens.some((eq) => eq === value),
    )
  )
}

function coveredByRow(leaf: SchemaLeaf, meaning: ToolMeaning, means: Meanings): boolean {
  if (inertAt(meaning, leaf.pattern)) return true
  const bound = meaning.acts.flatMap((act) =>
    knownBinds(act)
      .filter(([, binding]) => pointersOf(binding).includes(leaf.pattern))
      .map(([role]) => ({ role, kind: actSpec(act.act).roles[role]?.kind })),
  )
  // A part or a unit is its own meaning; other closed values need one.
  const needsMeaning = ({ role, kind }: (typeof bound)[number]): boolean =>
    kind === 'choice' && role !== 'part' && !role.endsWith('_part') && role !== 'unit'
  if (bound.some((one) => !needsMeaning(one))) return true
  return choiceClosed(leaf, meaning, means)
}

/** Reads a tool row once; null: it says nothing about what the call does. */
export const rowOf = keptFor((entry: ToolEntry): Row | null => {
  const { meaning } = entry
  if (meaning === undefined) return null
  const schema = schemaLeaves(entry.args_schema)
  const choices = new Map(
    meaning.choices.map(({ at, means }) => [at, new Map(Object.entries(means))] as const),
  )
  const readsOnly =
    entry.risk_class === 'read' &&
    meaning.acts.every(({ act }) => acts[act].family === 'knowing' || act === 'read_record')
  const bare = [...schema.values()]
    .filter((leaf) => !coveredByRow(leaf, meaning, choices))
    .map((leaf) => leaf.pattern)
  return { entry, meaning, schema, choices, bare, readsOnly }
})

type Place = { readonly role: string | null; readonly kind: Step['texts'][number]['kind'] }
type Call = {
  readonly row: Row
  readonly args: JsonValue
  readonly at: string
  readonly names: Names
  /** What each argument was read as, by its pointer inside the arguments. */
  readonly read: Map<string, Place>
}

/** Whether a conditional act happens: yes, no, or only for some values of a reference. */
function happens(act: RowAct, call: Call): boolean | 'maybe' {
  const { when } = act
  if (when === undefined) return true
  if ('given' in when) return valuesAt(call.args, when.arg, undefined).length > 0
  const defaults = call.row.meaning.acts
    .flatMap((one) => Object.values(one.bind))
    .flatMap((binding) =>
      typeof binding === 'object' && 'arg' in binding && binding.arg === when.arg
        ? [binding.default]
        : [],
    )
  const found = valuesAt(
    call.args,
    when.arg,
    defaults.find((one) => one !== undefined),
  )
  const list = found.map(({ value }) => {
    if (!isReference(value)) return value === when.eq
    const from = value['$from']
    const closed = typeof from === 'object' && from !== null && 'enum' in from ? from['enum'] : null
    const may =
      !Array.isArray(closed) || (closed as readonly JsonValue[]).some((v) => v === when.eq)
    return may ? 'maybe' : false
  })
  for (const { at } of found) call.read.set(at, { role: null, kind: 'choice' })
  return list.includes(true) ? true : list.includes('maybe') ? 'maybe' : false
}

function unitFor(binding: Binding, call: Call, pointer: string, at: string): string | null {
  if (typeof binding === 'object') {
    if (binding.unit !== undefined) return binding.unit
    if ('unit_arg' in binding && binding.unit_arg !== undefined) {
      const units = valuesAt(call.args, binding.unit_arg)
      for (const unit of units) call.read.set(unit.at, { role: null, kind: 'choice' })
      // A unit beside each element, or one for all of them.
      const near =
        units.find((one) => parent(one.at) === parent(at)) ??
        (units.length === 1 ? units[0] : undefined)
      const written = near?.value
      return typeof written === 'string'
        ? (call.row.choices.get(binding.unit_arg)?.get(written) ?? written)
        : null
    }
  }
  return call.row.schema.get(pointer)?.unit ?? null
}

const parent = (at: string): string => at.slice(0, at.lastIndexOf('/'))

type RoleReading = { readonly values: RoleValue[]; readonly oneOf: boolean }

function bindRole(role: string, binding: Binding, act: RowAct, call: Call): RoleReading {
  const spec = actSpec(act.act).roles[role]
  if (spec === undefined) return { values: [], oneOf: false }
  if (typeof binding === 'object' && 'const' in binding) {
    const reading = { role, spec, unit: binding.unit ?? null, of: null, means: null }
    const { values } = bindValue(binding.const, call.at, reading, call.names)
    // The row's own constant is its own meaning.
    if (values.length === 0 && spec.kind === 'choice') {
      const raw = String(binding.const)
      return { values: [{ kind: 'choice', at: call.at, raw, means: raw }], oneOf: false }
    }
    return { values: [...values], oneOf: false }
  }
  const pointer = typeof binding === 'string' ? binding : binding.arg
  const absent = typeof binding === 'string' ? undefined : binding.default
  const of = typeof binding === 'string' ? null : (binding.of ?? null)
  const values: RoleValue[] = []
  let oneOf = false
  for (const found of valuesAt(call.args, pointer, absent)) {
    if (found.value === null) {
      // Null is nothing given; of a switch nobody knows what the device makes of it.
      if (spec.kind !== 'flag') call.read.set(found.at, { role, kind: spec.kind })
      continue
    }
    const unit = unitFor(binding, call, pointer, found.at)
    const means = call.row.choices.get(pointer) ?? null
    const at = `${call.at}/args${found.at}`
    const bound = bindValue(found.value, at, { role, spec, unit, of, means }, call.names)
    if (bound.values.length > 0 && !call.read.has(found.at)) {
      call.read.set(found.at, { role, kind: spec.kind })
    }
    values.push(...bound.values)
    oneOf ||= bound.oneOf
  }
  return { values, oneOf }
}

function bindAct(act: RowAct, call: Call): SceneAct | null {
  const does = happens(act, call)
  const roles: Record<string, readonly RoleValue[]> = {}
  const oneOf: string[] = []
  for (const [role, binding] of knownBinds(act)) {
    const read = bindRole(role, binding, act, call)
    if (read.values.length > 0) roles[role] = read.values
    if (read.oneOf) oneOf.push(role)
  }
  if (does === false) return null
  const spec = actSpec(act.act)
  const missing = Object.entries(spec.roles)
    .filter(([role, { needed }]) => needed === true && roles[role] === undefined)
    .map(([role]) => role)
  return {
    act: act.act,
    family: spec.family,
    roles: withParts(roles),
    missing,
    one_of: oneOf,
    relative: act.relative === true,
    maybe: does === 'maybe',
  }
}

/** Roles whose text has a grammar of its own. */
const programs: Readonly<Record<string, string>> = { run_code: 'code', load_program: 'program' }

/** A program that is neither sandboxed work that reaches nothing nor one of the listed ones. */
function freeProgram(found: readonly SceneAct[], row: Row): boolean {
  if (row.meaning.reaches?.length === 0) return false
  return row.meaning.acts.some((act) => {
    const role = programs[act.act]
    const binding = role === undefined ? undefined : act.bind[role]
    if (binding === undefined || (typeof binding === 'object' && 'const' in binding)) return false
    if (!found.some((one) => one.act === act.act)) return false
    const pointer = typeof binding === 'string' ? binding : binding.arg
    const listed = row.choices.get(pointer)
    const values = found.flatMap((one) => (role === undefined ? [] : (one.roles[role] ?? [])))
    const isListed = (value: RoleValue): boolean => {
      if (value.kind !== 'text' && value.kind !== 'address') return false
      const asWhen = row.meaning.acts.some(
        ({ when }) =>
          when !== undefined && 'eq' in when && when.arg === pointer && when.eq === value.text,
      )
      return asWhen || listed?.has(value.text) === true
    }
    return !values.every(isListed)
  })
}

type Reading = Pick<Step, 'opaque' | 'acts' | 'inert' | 'uncovered' | 'texts'>

/** Where a leaf stands in the reading of the call. */
function placeOf(leaf: Leaf, row: Row, read: ReadonlyMap<string, Place>): Place {
  const known = read.get(leaf.at)
  if (known !== undefined) return known
  if (inertAt(row.meaning, leaf.pattern) || inertAt(row.meaning, leaf.at)) {
    return { role: null, kind: 'inert' }
  }
  const meant = row.choices.get(leaf.pattern)
  if (meant?.has(scalarText(leaf.value) ?? '') === true) return { role: null, kind: 'choice' }
  return { role: null, kind: 'uncovered' }
}

/** Reads one call by its row. `at` is the node's pointer in the plan. */
export function readCall(node: PlanNode, at: string, row: Row | null, names: Names): Reading {
  const leaves = leavesOf(node.args)
  const pointer = (leaf: { readonly at: string }): string => `${at}/args${leaf.at}`
  if (row === null) {
    const texts = leaves.flatMap((leaf) =>
      typeof leaf.value === 'string'
        ? [{ at: pointer(leaf), text: leaf.value, role: null, kind: 'uncovered' as const }]
        : [],
    )
    const uncovered = leaves.map(pointer)
    return { opaque: 'not_described', acts: [], inert: [], uncovered, texts }
  }
  const read = new Map<string, Place>()
  const call: Call = { row, args: node.args, at, names, read }
  const found = row.meaning.acts
    .map((act) => bindAct(act, call))
    .filter((act): act is SceneAct => act !== null)
  const placed = leaves.map((leaf) => ({ leaf, place: placeOf(leaf, row, read) }))
  const open = placed
    .filter(({ place }) => place.kind === 'uncovered')
    .map(({ leaf }) => pointer(leaf))
  const bare = row.bare.map((pattern) => `${at}/args${pattern}`)
  const uncovered = [...new Set([...open, ...bare])]
  let opaque: Opacity | null = null
  if (uncovered.length > 0 && !row.readsOnly) opaque = 'argument_not_described'
  else if (freeProgram(found, row)) opaque = 'free_program'
  return {
    opaque,
    acts: found,
    inert: placed.filter(({ place }) => place.kind === 'inert').map(({ leaf }) => pointer(leaf)),
    uncovered,
    texts: placed.flatMap(({ leaf, place }) =>
      typeof leaf.value === 'string' ? [{ at: pointer(leaf), text: leaf.value, ...place }] : [],
    ),
  }
}
