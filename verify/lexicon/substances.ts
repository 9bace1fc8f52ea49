// Substances, ordinary materials, organisms and pairs that must not meet: data files, checked
// against their schema when they are loaded.
import { z } from 'zod'
import { quantityTextSchema } from '../../protocol/condition.ts'
import incompatibleData from './incompatible.json' with { type: 'json' }
import materialsData from './materials.json' with { type: 'json' }
import organismsData from './organisms.json' with { type: 'json' }
import substancesData from './substances.json' with { type: 'json' }

const nameSchema = z.string().min(1).max(80)
const idSchema = z.string().regex(/^[a-z0-9_]{1,60}$/)
const reason = z.string().min(3).max(300)

const substanceRowSchema = z.strictObject({
  id: idSchema,
  /** Lower-case words and phrases; `stem*` for every word with that start. */
  names: z.array(nameSchema).min(1).max(40),
  cas: z.array(z.string().regex(/^\d{2,7}-\d{2}-\d$/)).optional(),
  groups: z.array(idSchema),
  hazards: z.array(idSchema),
  boils: quantityTextSchema.optional(),
  flash: quantityTextSchema.optional(),
  reason,
  source: reason,
})
export type SubstanceRow = z.infer<typeof substanceRowSchema>

const namesSchema = z.strictObject({ names: z.array(nameSchema), reason })

const substancesSchema = z.strictObject({
  note: z.string(),
  lookalikes: namesSchema,
  rows: z.array(substanceRowSchema),
})

const materialsSchema = z.strictObject({
  note: z.string(),
  rows: z.array(
    z.strictObject({ id: idSchema, names: z.array(nameSchema), groups: z.array(idSchema), reason }),
  ),
  of_people: namesSchema,
  unidentified: namesSchema,
  qualifiers: namesSchema,
})

const organismsSchema = z.strictObject({
  note: z.string(),
  rows: z.array(
    z.strictObject({
      id: idSchema,
      names: z.array(nameSchema).min(1),
      risk_group: z.int().min(1).max(4).optional(),
      scheduled: z.literal(true).optional(),
      needs_review: z.literal(true).optional(),
      reason,
      source: reason,
    }),
  ),
})

const incompatibleSchema = z.strictObject({
  note: z.string(),
  rows: z.array(
    z.strictObject({
      a: idSchema,
      b: idSchema,
      when: z.enum(['always', 'strong']),
      /** Only when `a` is added to what holds `b`; the other order is the right one. */
      into: z.literal('b').optional(),
      ask: z.enum(['refuse', 'person']),
      product: z.string().min(3).max(120),
      source: reason,
    }),
  ),
})
export type IncompatiblePair = z.infer<typeof incompatibleSchema>['rows'][number]

export type SubstanceLexicon = {
  readonly substances: z.infer<typeof substancesSchema>
  readonly materials: z.infer<typeof materialsSchema>
  readonly organisms: z.infer<typeof organismsSchema>
}

/** The shipped lists of substances, materials and organisms. */
export const substanceLexicon: SubstanceLexicon = {
  substances: substancesSchema.parse(substancesData),
  materials: materialsSchema.parse(materialsData),
  organisms: organismsSchema.parse(organismsData),
}

/** Pairs of chemical groups that must not meet, each with what happens. */
export const incompatiblePairs: readonly IncompatiblePair[] =
  incompatibleSchema.parse(incompatibleData).rows
