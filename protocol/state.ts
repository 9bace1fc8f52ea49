// What is known of a cell's things now, and what stands where. Records by people, sensors and ended
// sessions; no planner's credential writes any of it, and what is not recorded is not known.
import { z } from 'zod'
import { factNameSchema, quantityTextSchema } from './condition.ts'
import { limits } from './limits.ts'
import { totalsSchema } from './totals.ts'

const thingIdSchema = z.string().min(1).max(80)

/** Something in a vessel or part: a substance, how much, and how strong. */
export const contentSchema = z.strictObject({
  substance: z.string().min(1).max(120),
  volume: quantityTextSchema.optional(),
  mass: quantityTextSchema.optional(),
  concentration: quantityTextSchema.optional(),
})

export const factValueSchema = z.union([
  quantityTextSchema,
  z.string().max(120),
  z.number(),
  z.boolean(),
  z.null().describe('Recorded as not known.'),
  z.array(contentSchema).max(64).describe('Contents.'),
])

const factShape = {
  thing: thingIdSchema,
  part: z.string().max(40).optional().describe('A well, tube or position.'),
  fact: factNameSchema,
  value: factValueSchema,
} as const

/** A fact of the site file's `starts`. */
export const startFactSchema = z.strictObject(factShape)

export const factSourceSchema = z.enum(['session', 'person', 'sensor', 'starts'])

/** One known fact with its source and time. */
export const stateFactSchema = z.strictObject({
  ...factShape,
  source: factSourceSchema,
  /** The session, person or sensor. */
  by: z.string().max(limits.idCharsMax),
  at_ms: z.number(),
})
export type StateFact = z.infer<typeof stateFactSchema>

/** One thing of a declared kind: where it stands, what is in it, whose it is. */
export const inventoryItemSchema = z.strictObject({
  thing: thingIdSchema,
  names: z.array(z.string().min(1).max(80)).max(20).default([]),
  kind: z.string().min(1).max(limits.idCharsMax),
  at: z.string().max(80).optional(),
  lot: z.string().max(80).optional(),
  contents: z
    .array(z.strictObject({ part: z.string().max(40).optional(), ...contentSchema.shape }))
    .max(400)
    .default([]),
  inspected_on: z.string().max(40).optional(),
  expires_on: z.string().max(40).optional(),
  /** Reserved, quarantined, awaiting a decision: nothing moves it without a person. */
  held: z.boolean().default(false),
  /** Needs recorded approvals before it is taken (controlled substances). */
  controlled: z.boolean().default(false),
  /** Material of a person; its consent is looked up, never told. */
  human: z.boolean().default(false),
  /** What a person recorded of the consent for its use. */
  consent: z.enum(['active', 'withdrawn', 'unclear', 'none']).optional(),
})
export type InventoryItem = z.infer<typeof inventoryItemSchema>

/** A person's record of a cell, as `PUT` by an operator or carried by an evaluation row. */
export const cellRecordSchema = z.strictObject({
  inventory: z.array(inventoryItemSchema).max(5_000).default([]),
  facts: z.array(z.strictObject(factShape)).max(5_000).default([]),
  /** Approvals that people recorded, looked up by the gateway and never told by a plan. */
  approvals: z
    .array(
      z.strictObject({
        subject: thingIdSchema.describe('The thing or record that it is about.'),
        by: z.array(z.string().max(limits.idCharsMax)).min(1).max(8),
        for: z.string().max(120).optional(),
      }),
    )
    .max(500)
    .default([]),
})
export type CellRecord = z.infer<typeof cellRecordSchema>

/** Everything known of a cell at one moment; its digest is `state_digest`. */
export const cellStateSchema = z.strictObject({
  cell: z.string().max(limits.idCharsMax),
  /** Rises with every change. */
  version: z.int().min(0),
  inventory: z.array(inventoryItemSchema).max(5_000),
  facts: z.array(stateFactSchema).max(20_000),
  approvals: cellRecordSchema.shape.approvals,
  /** Sums over the plans of the site that its rules limit; left out where nobody told them. */
  totals: totalsSchema.optional(),
})
export type CellState = z.infer<typeof cellStateSchema>

/** Nothing is known of a cell: what stands there, what is in it, what is open. */
export const unknownState: CellState = {
  cell: '',
  version: 0,
  inventory: [],
  facts: [],
  approvals: [],
}
