// What a reviewer's page reads beside the record, as the door shows it.
import { z } from 'zod'
import { jsonObjectSchema } from '../protocol/json.ts'

export const reviewSchemas = {
  Citations: z.strictObject({
    graph_version: z.string().nullable(),
    items: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string().nullable().describe('Null when the graph of today has no such entry.'),
        category: z.string().nullable(),
        text: z.string().nullable(),
      }),
    ),
  }),
  PlanTrace: z.strictObject({
    trace: jsonObjectSchema.describe(
      'Steps with what each changes, and what was found; its digest is the `trace_digest` of the packet.',
    ),
  }),
} as const
