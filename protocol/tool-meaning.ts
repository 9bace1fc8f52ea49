// What a tool row says about what its call does: acts and their bindings, what each argument means,
// what a result means, when the effect is there. A row without this is opaque: a person decides.
import { z } from 'zod'
import { actNames, vocabularyVersion } from './acts.ts'
import choiceWords from './choice-meanings.json' with { type: 'json' }
import { limits } from './limits.ts'
import { quantityTextSchema } from './condition.ts'
import { jsonObjectSchema } from './json.ts'

const idSchema = z.string().min(1).max(limits.idCharsMax)

/** Where in the arguments: a JSON pointer in which `*` stands for every element of an array. */
export const argPointerSchema = z
  .string()
  .min(1)
  .max(300)
  .regex(/^(\/[^/]{1,120})+$/, 'a JSON pointer such as /volume_ul or /tubes/*/mass_g')

const scalarSchema = z.union([z.string().max(200), z.number(), z.boolean()])

/** What the values of an enumeration may mean: by kind of choice, word → plain English. */
export const choiceMeanings: Readonly<Record<string, Readonly<Record<string, string>>>> =
  choiceWords

const choiceWordSet: ReadonlySet<string> = new Set(
  Object.values(choiceMeanings).flatMap((words) => Object.keys(words)),
)

/** How one role of an act gets its value. */
export const bindingSchema = z.union([
  argPointerSchema.describe('The argument at this pointer; a number is in the unit of the schema.'),
  z.strictObject({
    arg: argPointerSchema,
    unit: z.string().max(40).optional().describe('UCUM unit of the number.'),
    unit_arg: argPointerSchema.optional().describe('The argument that names the unit.'),
    default: scalarSchema.optional().describe('What the device does when the argument is absent.'),
    of: idSchema
      .optional()
      .describe('Prefix thing: the value is a part of it (a slot of a device).'),
  }),
  z.strictObject({ const: scalarSchema, unit: z.string().max(40).optional() }),
])
export type Binding = z.infer<typeof bindingSchema>

export const rowActSchema = z.strictObject({
  act: z.enum(actNames),
  bind: z.record(z.string().max(40), bindingSchema),
  /**
   * The call does this act only when the argument has this value. Such an argument counts as bound
   * when every value of its enumeration is named by some act of the row; others leave it opaque.
   */
  when: z
    .union([
      z.strictObject({ arg: argPointerSchema, eq: scalarSchema }),
      z
        .strictObject({ arg: argPointerSchema, given: z.literal(true) })
        .describe(
          'Only when the call gives the argument: left out, the device leaves this as it is.',
        ),
    ])
    .optional(),
  /** Relative (by) instead of absolute (to): needs a known state. */
  relative: z.boolean().optional(),
})

/** An argument that changes nothing that any rule reads, with the reason why. */
export const inertSchema = z.strictObject({
  at: argPointerSchema,
  reason: z.string().min(3).max(300),
})

/** The meaning of every value of an enumeration that is not the name of a thing. */
export const choiceMeaningSchema = z.strictObject({
  at: argPointerSchema,
  /** value → one of the words of `choiceMeanings`, or a quantity. */
  means: z.record(
    z.string().max(120),
    z.union([
      quantityTextSchema,
      z.string().refine((word) => choiceWordSet.has(word), 'not a word of choiceMeanings'),
    ]),
  ),
})

export const resultMeaningSchema = z.strictObject({
  quantity: z
    .string()
    .max(60)
    .nullable()
    .describe('What it is, e.g. mass, temperature; null: no quantity.'),
  unit: z.string().max(40).optional(),
  /** Where the result itself names its unit, which then must be this one. */
  unit_at: argPointerSchema.optional(),
  /** The role or thing that it was observed of. */
  of: z.string().max(80).optional(),
  kind: z.enum(['observed', 'echo', 'stored', 'computed']),
  /** Closed texts that the result may be. */
  values: z.array(z.string().max(120)).max(64).optional(),
})

export const doneSchema = z.union([
  z.literal('returns'),
  z.strictObject({ settles_by: z.string().max(limits.toolNameCharsMax) }),
  z.strictObject({ after: quantityTextSchema }),
])

export const preconditionSchema = z.strictObject({
  tool: z.string().min(1).max(limits.toolNameCharsMax),
  args: jsonObjectSchema,
  pointer: z.string().max(300),
  unit: z.string().max(40).optional(),
  eq: scalarSchema.optional(),
  ge: z.number().optional(),
  le: z.number().optional(),
  /** Age of the reading from its request to the call, at most. */
  fresh: quantityTextSchema,
})
export type Precondition = z.infer<typeof preconditionSchema>

/** The part of a tool row that says what the call does. */
export const toolMeaningSchema = z.strictObject({
  vocabulary: z.literal(vocabularyVersion).default(vocabularyVersion),
  acts: z.array(rowActSchema).min(1).max(8),
  inert: z.array(inertSchema).max(64).default([]),
  choices: z.array(choiceMeaningSchema).max(32).default([]),
  results: z.record(z.string().max(300), resultMeaningSchema).default({}),
  done: doneSchema.default('returns'),
  /** How success looks where the server does not say it by `isError`. */
  success: z.strictObject({ pointer: z.string().max(300), eq: scalarSchema }).optional(),
  preconditions: z.array(preconditionSchema).max(limits.preconditionsMax).default([]),
  /** Sandboxed or offline work that reaches no device; its text may then be free. */
  reaches: z.array(idSchema).max(64).optional(),
})
export type ToolMeaning = z.infer<typeof toolMeaningSchema>
