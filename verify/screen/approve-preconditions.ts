// Preconditions of a registry's rows: each names a sensor that only reads, and a bound that its reading can
// be held against. The danger: a condition that can never be read stops every run, and one whose unit is
// guessed lets a run through.
import type { PathStep } from '../../protocol/pointer.ts'
import { comparable, freshMsOf } from '../../protocol/precondition.ts'
import type { Registry, ToolEntry } from '../../protocol/registry.ts'
import type { Precondition } from '../../protocol/tool-meaning.ts'
import { knownTools } from '../admit/tools.ts'

export type PreconditionFault = { readonly path: readonly PathStep[]; readonly message: string }

/** What keeps one precondition from ever being read or compared; null when nothing does. */
function faultOf(one: Precondition, registry: Registry): string | null {
  const known = knownTools(registry).get(one.tool)
  if (known === undefined) return `there is no tool "${one.tool}"`
  const { entry, faults } = known
  if (entry.risk_class !== 'read') return `"${one.tool}" is not of class read`
  if ((entry.meaning?.preconditions ?? []).length > 0) {
    return `"${one.tool}" has preconditions of its own`
  }
  const [wrong] = faults(one.args)
  if (wrong !== undefined) return `"${one.tool}" does not take these arguments: ${wrong.message}`
  if (freshMsOf(one) <= 0) return '`fresh` is a time, such as "2 s"'
  return boundFault(one, entry)
}

function boundFault(one: Precondition, { meaning }: ToolEntry): string | null {
  const { eq, ge, le, unit, pointer, tool } = one
  const result = Object.hasOwn(meaning?.results ?? {}, pointer)
    ? meaning?.results[pointer]
    : undefined
  if (result === undefined) return `"${tool}" declares no result ${pointer}`
  if (result.kind !== 'observed') return `the result ${pointer} of "${tool}" is not observed`
  if (eq === undefined && ge === undefined && le === undefined) return 'it needs eq, ge or le'
  if (ge !== undefined && le !== undefined && ge > le) return '`ge` is above `le`'
  const isNumber = typeof eq === 'number' || ge !== undefined || le !== undefined
  if (!isNumber) return unit === undefined ? null : 'only a number has a unit'
  if (comparable(0, result.unit, unit) !== null) return null
  return `its unit is not that of the result, "${result.unit ?? 'none'}", and cannot be converted to it`
}

/** Everything that is wrong with the preconditions of a registry. */
export function preconditionFaults(registry: Registry): PreconditionFault[] {
  return registry.tools.flatMap((entry, i) =>
    (entry.meaning?.preconditions ?? []).flatMap((one, j) => {
      const message = faultOf(one, registry)
      const path = ['tools', i, 'meaning', 'preconditions', j]
      return message === null ? [] : [{ path, message }]
    }),
  )
}
