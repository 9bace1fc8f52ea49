// A value that an earlier node of the same run will produce, inside bounds that the plan states and
// the decision covers. Nothing else ever reaches a tool that was not in the accepted plan.
import { z } from 'zod'
import type { JsonValue } from './json.ts'
import { limits } from './limits.ts'
import { pointerStep } from './pointer.ts'

const from = {
  node: z.string().min(1).max(limits.idCharsMax).describe('The node whose result is used.'),
  pointer: z
    .string()
    .max(300)
    .regex(/^(\/[^/]{0,200})+$/, 'a JSON pointer')
    .describe('Where in the structured result, as the tool row declares it.'),
} as const

export const numberReferenceSchema = z
  .strictObject({
    ...from,
    unit: z.string().max(40).optional().describe('UCUM unit in which the argument wants it.'),
    min: z.number(),
    max: z.number(),
  })
  .refine((r) => r.min <= r.max, 'min is above max')

export const closedReferenceSchema = z.strictObject({
  ...from,
  enum: z
    .array(z.union([z.string().max(200), z.boolean()]))
    .min(1)
    .max(64),
})

export const referenceSchema = z
  .strictObject({ $from: z.union([numberReferenceSchema, closedReferenceSchema]) })
  .describe(
    'A result of an earlier node as an argument: a number between bounds, or a closed text.',
  )
export type Reference = z.infer<typeof referenceSchema>

export type PlacedReference = {
  /** JSON pointer inside the arguments. */
  readonly at: string
  readonly reference: Reference['$from']
}

/** Every reference in some arguments, and every object that only looks like one. */
export function referencesIn(args: JsonValue): {
  readonly found: readonly PlacedReference[]
  readonly malformed: readonly { readonly at: string; readonly message: string }[]
} {
  const found: PlacedReference[] = []
  const malformed: { at: string; message: string }[] = []
  const walk = (value: JsonValue, at: string): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const [i, item] of (value as readonly JsonValue[]).entries()) walk(item, `${at}/${i}`)
      return
    }
    if (Object.hasOwn(value, '$from')) {
      const parsed = referenceSchema.safeParse(value)
      if (parsed.success) found.push({ at, reference: parsed.data.$from })
      else malformed.push({ at, message: parsed.error.issues[0]?.message ?? 'not a reference' })
      return
    }
    for (const [key, item] of Object.entries(value)) {
      walk(item, `${at}/${pointerStep(key)}`)
    }
  }
  walk(args, '')
  return { found, malformed }
}
