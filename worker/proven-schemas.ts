// Bodies that say which rows of a registry are proven: what people read, state and take back.
import { z } from 'zod'
import { provenRowsSchema } from '../protocol/proven.ts'
import { digestSchema } from '../protocol/registry.ts'

/** A row as it is now, and what has shown that it is right. */
export const rowViewSchema = z.strictObject({
  tool: z.string(),
  row: digestSchema.describe('Of what is called and what the row says that it does.'),
  proven: z
    .strictObject({
      by: z.string(),
      session: z.string().nullable().describe('The run that showed it.'),
      at_ms: z.number(),
    })
    .nullable()
    .describe('Null: its next use waits for a person.'),
})

export const provenSchemas = {
  RowsProvenInput: z.strictObject({
    rows: provenRowsSchema.describe(
      'Tool → digest of its row, as `rows` of the registry shows it.',
    ),
  }),
  RowsProven: z.strictObject({ tools: z.array(z.string()) }),
  RowTakenBack: z.strictObject({ tool: z.string(), proven: z.literal(false) }),
}
