// The tools of a registry, ready to check arguments with: JSON Schema 2020-12 by a validator that needs
// no `eval`. Compiled once per registry object, since an approved registry never changes.
import { Validator, type OutputUnit } from '@cfworker/json-schema'
import type { JsonObject } from '../../protocol/json.ts'
import type { Registry, ToolEntry } from '../../protocol/registry.ts'
import { keptFor } from '../lexicon/remembered.ts'

export type KnownTool = {
  readonly entry: ToolEntry
  /** Where and why arguments do not fit; empty when they do. Pointers are relative to the arguments. */
  readonly faults: (args: JsonObject) => ArgsFault[]
}
export type ArgsFault = { readonly at: string; readonly message: string }

/** Keywords that only say that something below them failed; the fault itself has its own line. */
const wrappers = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'if',
])

/** The library writes locations as URI fragments (RFC 6901 §6). */
function pointerOf(location: string): string {
  return decodeURIComponent(location.replace(/^#/, ''))
}

function faultsOf(errors: readonly OutputUnit[]): ArgsFault[] {
  const own = errors.filter((unit) => !wrappers.has(unit.keyword))
  const listed = own.length > 0 ? own : errors
  return listed.map((unit) => ({ at: pointerOf(unit.instanceLocation), message: unit.error }))
}

function compile(entry: ToolEntry): KnownTool {
  // `args_schema` is an object by the registry's own schema; its keywords were checked at approval.
  const validator = new Validator(entry.args_schema, '2020-12', false)
  return {
    entry,
    faults: (args) => {
      try {
        const outcome = validator.validate(args)
        return outcome.valid ? [] : faultsOf(outcome.errors)
      } catch {
        // An unresolvable $ref throws: what cannot be checked is not admitted.
        return [{ at: '', message: "the tool's schema cannot be applied" }]
      }
    },
  }
}

/** The tools by name. Absence is the refusal. */
export const knownTools = keptFor(
  (registry: Registry): ReadonlyMap<string, KnownTool> =>
    new Map(registry.tools.map((entry) => [entry.name, compile(entry)])),
)
