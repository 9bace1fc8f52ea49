// What a trial is given, as it is written down: example plans, and lists of tools as servers answer them.
import { z } from 'zod'
import type { ToolDefinition } from '../../protocol/definition.ts'
import { jsonObjectSchema } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import { planSchema } from '../../protocol/plan.ts'
import { cellRecordSchema } from '../../protocol/state.ts'
import { verdictSchema } from '../../protocol/verdict.ts'
import type { Example } from './trial.ts'

const wire = ['goal', 'instructions', 'planner', 'nodes', 'agent'] as const

const shape = {
  id: z.string().max(120).optional(),
  instructions: z.array(z.unknown()).min(1),
  nodes: z.array(z.unknown()).default([]),
  expect: verdictSchema.optional().describe('What should come out.'),
  label: verdictSchema.optional().describe('The same under the name that evaluations use.'),
  state: cellRecordSchema.optional(),
}

/** A plan, and beside it what should come out and what a person recorded of the cell. Files may say more. */
export const exampleSchema = z.looseObject(shape)

/** The same over the wire, where what is not known is refused. */
export const closedExampleSchema = z.strictObject({
  ...shape,
  goal: z.string().max(limits.goalCharsMax),
  planner: planSchema.shape.planner.optional(),
  agent: planSchema.shape.agent,
  nodes: z.array(jsonObjectSchema).max(limits.nodesMax).default([]),
})

/** The example of a row; one without an id is named by its line, from 1. */
export function exampleOf(row: z.infer<typeof exampleSchema>, line: number): Example {
  const plan = Object.fromEntries(
    wire.flatMap((key) => (row[key] === undefined ? [] : [[key, row[key]]])),
  )
  const expect = row.expect ?? row.label ?? null
  return { id: row.id ?? `line-${line}`, plan, state: row.state ?? null, expect }
}

const toolSchema: z.ZodType<ToolDefinition> = z.looseObject({
  name: z.string().min(1).max(limits.toolNameCharsMax),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.looseObject({}),
  outputSchema: z.looseObject({}).optional(),
  annotations: z.looseObject({}).optional(),
})

/** A list of tools, bare or as `tools/list` answers it. */
export const toolListSchema = z
  .union([z.array(toolSchema), z.looseObject({ tools: z.array(toolSchema) })])
  .transform((found) => (Array.isArray(found) ? found : found.tools))
