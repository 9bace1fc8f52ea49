// A made-up cell for the tests of the dry run, and a small builder for scenes: names mean nothing here
// and belong to no lab. Quantities are given as they stand in a site file (`20 uL`).
import type { ActName } from '../../../protocol/acts.ts'
import { actSpec } from '../../../protocol/acts.ts'
import type { PlanNode } from '../../../protocol/plan.ts'
import { registrySchema, type Registry, type ToolEntry } from '../../../protocol/registry.ts'
import { cellStateSchema, type CellState } from '../../../protocol/state.ts'
import { measuredOf } from '../../../protocol/units.ts'
import type {
  Interval,
  RoleValue,
  Scene,
  SceneAct,
  Step,
  SubstanceRef,
} from '../../../verify/read/scene.ts'
import { thingIndex } from '../../../verify/read/things.ts'
import { dryRun, simulate, type DryRun } from '../../../verify/simulate/run.ts'
import { portsOf } from '../../../verify/simulate/ports.ts'
import type { Trace, TraceFinding } from '../../../verify/simulate/trace.ts'

export const now_ms = 1_800_000_000_000

type Given = Record<string, unknown>

const tables = {
  sandboxes: [],
  rotors: {},
  waste_streams: {},
  trusted_firmware_signers: [],
  approved_external_domains: [],
  units: {},
}
const base = {
  registry_version: '1',
  tools: [],
  planners: {},
  rules: [],
  ...('reference' in registrySchema.shape ? { reference: tables } : {}),
}

/** A registry of site rows alone. */
export function registry(site: Given): Registry {
  return registrySchema.parse({ ...base, ...site })
}

export function cellState(inventory: readonly Given[], facts: readonly Given[] = []): CellState {
  return cellStateSchema.parse({
    cell: 'cell',
    version: 1,
    inventory,
    facts: facts.map((fact) => ({ source: 'person', by: 'p', at_ms: now_ms - 60_000, ...fact })),
    approvals: [],
  })
}

/** One act by role: `plate:A1` is a part, `20 uL` a quantity, `~name` a substance. */
export type ActGiven = { readonly act: ActName; readonly relative?: true } & {
  readonly [role: string]: unknown
}

export type StepGiven = {
  readonly id: string
  readonly acts: readonly ActGiven[]
  readonly after?: readonly string[]
  /** Runs only if its condition holds. */
  readonly when?: true
  readonly row?: ToolEntry
  readonly opaque?: Step['opaque']
  readonly require?: PlanNode['require']
}

export type Bench = { readonly registry: Registry; readonly state: CellState }

const indexes = new WeakMap<Bench, ReturnType<typeof thingIndex>>()

function indexOf(bench: Bench): ReturnType<typeof thingIndex> {
  const known = indexes.get(bench) ?? thingIndex(bench.registry, bench.state)
  indexes.set(bench, known)
  return known
}

function roleValue(
  bench: Bench,
  act: ActName,
  role: string,
  given: unknown,
  at: string,
): RoleValue {
  const spec = actSpec(act).roles[role]
  if (spec === undefined) throw new Error(`no role ${role} in ${act}`)
  switch (spec.kind) {
    case 'thing':
    case 'place': {
      const [name = '', ...rest] = String(given).split(':')
      const part = rest.length === 0 ? undefined : rest.join(':')
      const ref = indexOf(bench).resolve(name, role, part ?? null)
      return { kind: spec.kind, at, ref: { ...ref, raw: name } }
    }
    case 'quantity': {
      if (typeof given === 'object' && given !== null) {
        const dim = spec.dims?.[0] ?? 'count'
        return { kind: 'quantity', at, dim, value: given as Interval, shown: 'a result' }
      }
      const read = measuredOf(typeof given === 'number' ? `${given} 1` : String(given))
      if (read === null) throw new Error(`not a quantity: ${String(given)}`)
      const value = { lo: read.value, hi: read.value }
      return { kind: 'quantity', at, dim: read.dim, value, shown: String(given) }
    }
    case 'substance':
      return { kind: 'substance', at, substance: substance(bench, String(given)) }
    case 'flag':
      return { kind: 'flag', at, value: given === true }
    case 'choice':
      return { kind: 'choice', at, raw: String(given), means: String(given) }
    case 'text':
    case 'address':
      return { kind: spec.kind, at, text: String(given) }
    default:
      throw new Error(`no such kind of role: ${String(spec.kind)}`)
  }
}

export const substance = (bench: Bench, name: string): SubstanceRef =>
  portsOf(bench.registry).substance(name)

function sceneAct(bench: Bench, given: ActGiven, at: string): SceneAct {
  const { act, relative, ...roles } = given
  const spec = actSpec(act)
  const read = Object.entries(roles).map(([role, value]) => {
    const many = Array.isArray(value) ? (value as readonly unknown[]) : [value]
    const pointer = `${at}/args/${role}`
    return [
      role,
      many.map((one, i) =>
        roleValue(bench, act, role, one, Array.isArray(value) ? `${pointer}/${i}` : pointer),
      ),
    ] as const
  })
  return {
    act,
    family: spec.family,
    roles: Object.fromEntries(read),
    missing: Object.keys(spec.roles).filter(
      (role) => spec.roles[role]?.needed === true && !(role in roles),
    ),
    one_of: [],
    relative: relative === true,
    maybe: false,
  }
}

/** A scene of steps in the order given. Without `after` a step follows the one before it. */
export function scene(bench: Bench, steps: readonly StepGiven[]): Scene {
  const closure = new Map<string, Set<string>>()
  const skippable = new Set<string>()
  const read = steps.map((given, i): Step => {
    const depends_on = [...(given.after ?? (i === 0 ? [] : [steps[i - 1]?.id ?? '']))]
    const after = new Set(depends_on.flatMap((id) => [id, ...(closure.get(id) ?? [])]))
    closure.set(given.id, after)
    const when = given.when === true
    if (when || depends_on.some((id) => skippable.has(id))) skippable.add(given.id)
    const at = `/nodes/${i}`
    const node: PlanNode = {
      id: given.id,
      tool: given.row?.name ?? given.id,
      args: {},
      depends_on,
      sandbox: null,
      ...(when ? { when: { result: { node: 'x', pointer: '/y' }, eq: true } } : {}),
      ...(given.require === undefined ? {} : { require: given.require }),
    }
    return {
      i,
      node,
      at,
      row: given.row ?? null,
      opaque: given.opaque ?? null,
      acts: given.acts.map((act) => sceneAct(bench, act, at)),
      inert: [],
      uncovered: [],
      certain: !skippable.has(given.id),
      after,
      texts: [],
    }
  })
  return {
    goal: '',
    instructions: [],
    steps: read,
    sentences: [],
    unasked: [],
    things: new Map(),
    substances: [],
    text_only: false,
  }
}

export const run = (bench: Bench, steps: readonly StepGiven[]): Trace =>
  simulate(scene(bench, steps), bench.registry, bench.state, now_ms)

export const runFully = (bench: Bench, steps: readonly StepGiven[]): DryRun =>
  dryRun(scene(bench, steps), bench.registry, bench.state, now_ms)

export const codesOf = (trace: Trace, kind?: TraceFinding['kind']): string[] =>
  trace.findings
    .filter((f) => kind === undefined || f.kind === kind)
    .map((f) => f.code.replace('DRYRUN_', ''))
