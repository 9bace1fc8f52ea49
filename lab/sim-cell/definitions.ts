// The tool definitions that the cell publishes, and the validators of their arguments. A real
// device vendor ships these; the site pins their digests.
import { Validator } from '@cfworker/json-schema'
import type { ToolDefinition } from '../../protocol/definition.ts'
import type { JsonObject } from '../../protocol/json.ts'
import published from './tools.json' with { type: 'json' }

export type CellTool = Omit<ToolDefinition, 'outputSchema'> & {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: { type: 'object'; [key: string]: unknown }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** Every tool of the cell, with the safe-stops. */
export const cellTools: readonly CellTool[] = published as readonly CellTool[]

const validators = new Map<string, Validator>()

/** A sentence that says what is wrong with the arguments, or null. */
export function argsProblem(tool: CellTool, args: JsonObject): string | null {
  let validator = validators.get(tool.name)
  if (validator === undefined) {
    validator = new Validator(tool.inputSchema, '2020-12', false)
    validators.set(tool.name, validator)
  }
  const found = validator.validate(args)
  if (found.valid) return null
  const last = found.errors.at(-1)
  return `${last?.instanceLocation ?? '#'}: ${last?.error ?? 'does not match the schema'}`
}
