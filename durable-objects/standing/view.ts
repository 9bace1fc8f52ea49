// A standing approval as the door reads it.
import { z } from 'zod'
import { standingRecordSchema } from '../../protocol/standing.ts'
import { digestSchema } from '../../protocol/registry.ts'
import { standingRowSchema } from '../../verify/standing/step.ts'

export const standingStoredSchema = z.strictObject({
  record: standingRecordSchema,
  /** Of the record: what a signature names. */
  digest: digestSchema,
  row: standingRowSchema,
})
export type StandingStored = z.infer<typeof standingStoredSchema>
