// From an act that a person names to a whole description of a call: acts with bindings, the class of risk
// and where its input leaves to. Each proposal is complete enough to be taken as it is, or is marked with
// what it lacks. Classes are the strict ones: an administrator lowers them, a draft never does.
import { actSpec, type ActName } from '../../protocol/acts.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import type { Registry, RiskClass, ToolEntry } from '../../protocol/registry.ts'
import { bindAct, type BoundAct } from './bind.ts'
import type { Edit } from './edits.ts'
import { guessActs, harmless, type Hints, type Told } from './guess.ts'
import { leavesOf, type Leaf } from './leaves.ts'

export const hintsOf = (registry: Registry, tool: string): Hints => {
  const all = registry.notes?.['server_hints'] as Record<string, JsonObject> | undefined
  const own = all !== undefined && Object.hasOwn(all, tool) ? (all[tool] ?? {}) : {}
  return {
    ...(typeof own['readOnlyHint'] === 'boolean' ? { readOnly: own['readOnlyHint'] } : {}),
    ...(typeof own['destructiveHint'] === 'boolean' ? { destructive: own['destructiveHint'] } : {}),
  }
}

export const toldOf = (registry: Registry, row: ToolEntry): Told => ({
  name: row.mcp_tool,
  says: row.description,
  leaves: leavesOf(row.args_schema),
  hints: hintsOf(registry, row.name),
})

export function riskOf(act: ActName): RiskClass {
  if (harmless.has(act)) return 'read'
  if (act === 'run_code') return 'code'
  const { family } = actSpec(act)
  if (family === 'change') return 'admin'
  return family === 'speech' ? 'network' : 'hazardous_actuation'
}

/** Where the input of an act leaves to: the place that may do most harm until a person says another. */
function sinkOf(act: ActName): ToolEntry['sink'] {
  if (act === 'send_out') return 'external_mail'
  if (act === 'message' || act === 'fetch') return 'external_http'
  return act === 'write_record' || act === 'delete_record' ? 'record_system' : null
}

function emitsOf(act: ActName): ToolEntry['emits'] {
  if (act === 'observe') return ['images', 'images_of_people']
  if (act === 'read_record') return ['identifiers', 'study_data']
  if (act === 'fetch') return ['external_content']
  if (act === 'run_code') return ['code_output']
  return act === 'measure' ? ['study_data', 'device_state'] : ['device_state']
}

/** A choice of the call that decides between acts: `{ action: open | close }`. */
function splitting(told: Told): { leaf: Leaf; byValue: Map<string, ActName> } | null {
  for (const leaf of told.leaves) {
    if (leaf.values === null || !leaf.required || leaf.values.length < 2) continue
    const byValue = new Map<string, ActName>()
    for (const value of leaf.values) {
      const [act] = guessActs({
        name: `${value}_${told.name}`,
        says: '',
        leaves: told.leaves,
        hints: { readOnly: false },
      })
      const [alone] = guessActs({ name: value, says: '', leaves: [], hints: { readOnly: false } })
      if (alone !== undefined && act !== undefined) byValue.set(value, alone)
    }
    if (byValue.size === leaf.values.length && new Set(byValue.values()).size > 1) {
      return { leaf, byValue }
    }
  }
  return null
}

export type Description = {
  readonly acts: readonly BoundAct[]
  readonly edits: readonly Edit[]
}

function describe(row: ToolEntry, acts: readonly BoundAct[]): Description {
  const worst = acts.map(({ act }) => act)
  const class_of = worst.map(riskOf)
  const order: RiskClass[] = ['admin', 'code', 'hazardous_actuation', 'network', 'read']
  const risk = order.find((one) => class_of.includes(one)) ?? 'hazardous_actuation'
  const meaning = {
    acts: acts.map(({ act, bind, when }) => ({
      act,
      bind,
      ...(when === undefined ? {} : { when }),
    })),
  } as unknown as JsonValue
  const sinks = worst.map(sinkOf).filter((sink) => sink !== null)
  const set = (key: string, value: JsonValue): Edit => ({ path: ['tools', row.name, key], value })
  return {
    acts,
    edits: [
      set('meaning', meaning),
      set('risk_class', risk),
      set('sink', sinks[0] ?? null),
      set('emits', [...new Set(worst.flatMap(emitsOf))]),
      set('sandbox_required', risk === 'code'),
    ],
  }
}

/** The whole description if the call does that one act. */
export function describeAs(registry: Registry, row: ToolEntry, act: ActName): Description {
  const { leaves } = toldOf(registry, row)
  return describe(row, [bindAct(act, leaves, { tool: row.mcp_tool, server: row.server })])
}

/** At most three descriptions, likeliest first. */
export function proposals(registry: Registry, row: ToolEntry): Description[] {
  const told = toldOf(registry, row)
  const call = { tool: row.mcp_tool, server: row.server }
  const split = splitting(told)
  const out: Description[] = []
  if (split !== null) {
    const rest = told.leaves.filter((leaf) => leaf.at !== split.leaf.at)
    const acts = [...split.byValue].map(([value, act]) => ({
      ...bindAct(act, rest, call),
      when: { arg: split.leaf.at, eq: value },
    }))
    if (acts.length <= 8) out.push(describe(row, acts))
  }
  for (const act of guessActs(told)) out.push(describeAs(registry, row, act))
  return out.slice(0, 3)
}

/**
 * One more act of a call that is described already: the one that an argument brings, which holds only where the
 * argument is given if it may be left out. A dose that also stirs is such a call.
 */
export function alsoAct(row: ToolEntry, act: ActName, leaf: Leaf): BoundAct {
  const bound = bindAct(act, [leaf], { tool: row.mcp_tool, server: row.server })
  return leaf.required ? bound : { ...bound, when: { arg: leaf.at, given: true } }
}

/** The edit that adds it. */
export function alsoEdit(row: ToolEntry, { act, bind, when }: BoundAct): Edit {
  const more = { act, bind, ...(when === undefined ? {} : { when }) }
  const acts = [...(row.meaning?.acts ?? []), more]
  return { path: ['tools', row.name, 'meaning', 'acts'], value: acts as unknown as JsonValue }
}

/** Arguments of a described call that are neither bound, inert nor a choice with a meaning. */
export function uncoveredOf(row: ToolEntry): Leaf[] {
  const { meaning } = row
  if (meaning === undefined) return []
  const bound = new Set<string>()
  for (const { bind, when } of meaning.acts) {
    if (when !== undefined) bound.add(when.arg)
    for (const one of Object.values(bind)) {
      if (typeof one === 'string') bound.add(one)
      else if ('arg' in one) {
        bound.add(one.arg)
        if (one.unit_arg !== undefined) bound.add(one.unit_arg)
      }
    }
  }
  for (const { at } of [...meaning.inert, ...meaning.choices]) bound.add(at)
  const within = (at: string): boolean =>
    [...bound].some((one) => at === one || at.startsWith(`${one}/`))
  return leavesOf(row.args_schema).filter(({ at }) => !within(at))
}
