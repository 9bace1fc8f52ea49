// Proposed bindings of one act: which argument is which role, by unit, type and name. What does not fit is
// left out and asked about. Danger: a number that is bound in a unit that nobody stated.
import { actSpec, type ActName, type RoleSpec } from '../../protocol/acts.ts'
import type { Binding } from '../../protocol/tool-meaning.ts'
import { unitOf } from '../../protocol/units.ts'
import type { Leaf } from './leaves.ts'
import { barrierNouns, roleWords, stemsOf, wordsOf } from './words.ts'

export type BoundAct = {
  readonly act: ActName
  readonly bind: Record<string, Binding>
  readonly when?:
    | { readonly arg: string; readonly eq: string | number | boolean }
    | { readonly arg: string; readonly given: true }
  /** Needed roles that no argument carries. */
  readonly missing: readonly string[]
  readonly used: readonly string[]
}

function nameScore(role: string, leaf: Leaf): number {
  const own = new Set(leaf.own.flatMap(stemsOf))
  const around = new Set(leaf.around.flatMap(stemsOf))
  let score = 0
  for (const word of roleWords[role] ?? [role]) {
    if (own.has(word)) score += 3
    if (around.has(word)) score += 2
  }
  return score
}

/** How well an argument fits a role; 0: not at all. */
function fit(role: string, spec: RoleSpec, leaf: Leaf): number {
  if (leaf.at.includes('*') && spec.many !== true && spec.kind === 'quantity') return 0
  const named = nameScore(role, leaf)
  switch (spec.kind) {
    case 'quantity': {
      if (leaf.type !== 'number') return 0
      const unit = leaf.unit === null ? null : unitOf(leaf.unit)
      const dims = spec.dims ?? []
      if (unit === null) return leaf.unit === null && dims[0] === 'count' ? named : 0
      return dims.includes(unit.dim) ? 2 + named : 0
    }
    case 'flag':
      return leaf.type === 'flag' ? named : 0
    case 'thing':
    case 'place':
      return (leaf.type === 'text' || leaf.type === 'number') && leaf.unit === null ? named : 0
    case 'text':
      return leaf.type === 'text' || leaf.type === 'number' ? named : 0
    case 'address':
    case 'choice':
    case 'substance':
      return leaf.type === 'text' ? named : 0
  }
}

function bindingOf(spec: RoleSpec, leaf: Leaf): Binding {
  if (spec.kind === 'quantity') {
    const unit = leaf.unit ?? '1'
    const stated = leaf.default === null ? {} : { default: leaf.default }
    return { arg: leaf.at, unit, ...stated }
  }
  return leaf.default === null ? leaf.at : { arg: leaf.at, default: leaf.default }
}

/** Roles that stand for the device of the call when no argument names one. */
const ofDevice = new Set(['device', 'with'])

/** A name of a device for calls that name none: what stands before the verb, else the server. */
export function deviceNameOf(tool: string, server: string): string {
  const parts = tool.split(/[./]/)
  const group = parts.length > 1 ? parts.slice(0, -1).join('_') : server
  return group.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)
}

/** One act with the bindings that the arguments suggest. */
export function bindAct(act: ActName, leaves: readonly Leaf[], call: Call): BoundAct {
  const { roles } = actSpec(act)
  const bind: Record<string, Binding> = {}
  const used = new Set<string>()
  const pairs = Object.entries(roles).flatMap(([role, spec]) =>
    leaves.map((leaf) => ({ role, spec, leaf, score: fit(role, spec, leaf) })),
  )
  const ranked = pairs
    .filter(({ score }) => score > 0)
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        Number(b.spec.needed ?? false) - Number(a.spec.needed ?? false) ||
        Number(b.leaf.required) - Number(a.leaf.required),
    )
  for (const { role, spec, leaf } of ranked) {
    if (bind[role] !== undefined || used.has(leaf.at)) continue
    bind[role] = bindingOf(spec, leaf)
    used.add(leaf.at)
  }
  const device = deviceNameOf(call.tool, call.server)
  const nouns = wordsOf(call.tool).filter((word) => barrierNouns.has(word))
  for (const [role, spec] of Object.entries(roles)) {
    if (bind[role] !== undefined || spec.needed !== true) continue
    if (ofDevice.has(role)) bind[role] = { const: device }
    else if (role === 'barrier') bind[role] = { const: [device, ...nouns].join('_') }
    // What a pump or head draws from, or gives to, is the device itself until somebody says more.
    else if (role === 'from' || role === 'in' || (role === 'to' && bind['from'] !== undefined)) {
      bind[role] = { const: device }
    } else if (role === 'record' || role === 'field') bind[role] = { const: device }
  }
  const missing = Object.entries(roles).flatMap(([role, spec]) =>
    spec.needed === true && bind[role] === undefined ? [role] : [],
  )
  return { act, bind, missing, used: [...used] }
}

export type Call = { readonly tool: string; readonly server: string }
