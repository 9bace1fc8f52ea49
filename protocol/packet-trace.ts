// What a packet keeps of a dry run: one sentence a step, what was found, what it started from and what
// remains on. The states in between are derived again from the record (invariant 8).
import { z } from 'zod'
import { factsSchema } from './evidence.ts'
import { limits } from './limits.ts'
import { digestSchema } from './registry.ts'
import { cellStateSchema } from './state.ts'

const thingSchema = z.string().max(120)

export const packetTraceSchema = z.strictObject({
  /** Digest of the cell's state that the run started from. */
  state_digest: digestSchema,
  /** Digest of the whole trace, with the state before and after each step. */
  trace_digest: digestSchema,
  steps: z
    .array(
      z.strictObject({
        node: z.string().max(limits.idCharsMax),
        at: z.string().max(300),
        /** What happens, with the values that it happens with. */
        sentence: z.string().max(1_000),
        /** Rules of the site that speak about it. */
        rules: z.array(z.string().max(40)).max(500),
      }),
    )
    .max(limits.nodesMax),
  /** What is still on, open or flowing at the end. */
  left_on: z
    .array(
      z.strictObject({ thing: thingSchema, fact: z.string().max(40), shown: z.string().max(200) }),
    )
    .max(500),
  /** Facts of the state that the findings rest on. */
  rested_on: z
    .array(
      z.strictObject({
        thing: thingSchema,
        part: z.string().max(40).nullable(),
        fact: z.string().max(40),
      }),
    )
    .max(2_000),
  /** What differed from the state that the plan was decided for; empty the first time. */
  changed: z.array(factsSchema).max(50),
})
export type PacketTrace = z.infer<typeof packetTraceSchema>

/** The cell as it was looked at again, after it was no longer as a plan had been decided for. */
export const seenAgainSchema = z.strictObject({
  cell_state: cellStateSchema,
  /** Milliseconds since the epoch. */
  at_ms: z.number(),
  changed: packetTraceSchema.shape.changed,
})
export type SeenAgain = z.infer<typeof seenAgainSchema>
