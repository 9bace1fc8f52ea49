// One grammar for everything that can be true or false of a lab: rules say `if` and `needs`, nodes
// `when` and `require`, preconditions and template holes use the same. Closed, bounded, without
// loops, so that it can be evaluated over intervals: true, false or unknown.
import { z } from 'zod'
import { limits } from './limits.ts'
import { totalPeriods, totalScopes } from './totals.ts'

/** A number with a UCUM unit, as people write it: `40 Cel`, `0.1 L`, `250 mm/s`, `3 {positions}`. */
export const quantityTextSchema = z
  .string()
  .regex(
    /^[+-]?\d{1,12}(\.\d{1,12})?(e[+-]?\d{1,3})? \S{1,40}$/,
    'a number, one blank, a UCUM unit',
  )
  .describe('A number and a UCUM unit, e.g. "40 Cel" or "0.1 L".')

/**
 * How a condition names a thing: `$role` is what the step binds to that role, `$role.zone` and so
 * on what the site file says of it; anything else is an id of the site file or the inventory.
 */
export const thingTermSchema = z
  .string()
  .min(1)
  .max(120)
  .describe('`$role`, `$role.zone`, `$role.device`, `$role.stream`, `$role.barriers`, or an id.')

/** What may be asked of a thing's state. Times are seconds since it was set. */
export const factNames = [
  'contents_volume',
  'temperature',
  'set_temperature',
  'rotation',
  'speed',
  'pressure',
  'flow',
  'opening',
  'open',
  'locked',
  'energised',
  'mode',
  'holds',
  'place',
  'tip',
  'mass',
  'inspected_within',
  'expires_in',
  'held',
  'people',
  'contents',
  'risk_group',
  'consent',
] as const

/** Lists of the site file that an address or a name may be found in. */
export const siteLists = [
  'domains',
  'pages',
  'channels',
  'hosts',
  'sandboxes',
  'signers',
  'people',
  'person_fields',
  'relied_on_fields',
  'raw_fields',
  'approval_fields',
  'consent_fields',
] as const
export type SiteList = (typeof siteLists)[number]
export const factNameSchema = z.enum(factNames)
export type FactName = (typeof factNames)[number]

const pointerSchema = z
  .string()
  .max(300)
  .regex(/^(\/[^/]{0,200})*$/, 'a JSON pointer')

/** What is compared: a role of the step, a fact of a thing, a declared limit, a result, a total. */
export const termSchema = z.union([
  z.strictObject({ role: z.string().min(1).max(40) }).describe('The value that the step binds.'),
  z
    .strictObject({
      fact: factNameSchema,
      of: thingTermSchema,
      part: z.string().max(40).optional(),
      at: z.enum(['before', 'after', 'end']).default('before'),
    })
    .describe('The state of a thing before the step, after it, or when the plan has ended.'),
  z
    .strictObject({ limit: z.string().min(1).max(40), of: thingTermSchema })
    .describe('A limit that the site file declares for a thing, e.g. its greatest speed.'),
  z
    .strictObject({
      result: z.strictObject({ node: z.string().max(limits.idCharsMax), pointer: pointerSchema }),
    })
    .describe('A declared result of an earlier node of the same run.'),
  z
    .strictObject({
      total: z.string().min(1).max(40),
      of: thingTermSchema.optional(),
      over: z.enum(['plan', ...totalPeriods]),
      whose: z.enum(totalScopes).optional(),
    })
    .describe(
      'The sum of a role over steps that meet the rule, for each thing where `of` names one: in this ' +
        'plan, or with everything that ran or is reserved in the time before now, at the site or (`owner`) ' +
        'by all planners of one person.',
    ),
  z
    .strictObject({
      most: z.string().min(1).max(40).describe('The role whose largest value so far is meant.'),
      of: thingTermSchema.optional(),
      times: z
        .number()
        .positive()
        .max(1_000)
        .optional()
        .describe('How many times that; left out: once.'),
    })
    .describe(
      'The most of a role that a step which meets the rule has had here and succeeded with, or that the ' +
        'rule says is proven, times a factor. Not known before the first.',
    ),
])
export type Term = z.infer<typeof termSchema>

const literalSchema = z.union([quantityTextSchema, z.string().max(200), z.number(), z.boolean()])
const operandSchema = z.union([literalSchema, termSchema])

const comparisonSchema = z.strictObject({
  is: termSchema,
  eq: operandSchema.optional(),
  ne: operandSchema.optional(),
  lt: operandSchema.optional(),
  le: operandSchema.optional(),
  gt: operandSchema.optional(),
  ge: operandSchema.optional(),
  in: z.array(literalSchema).min(1).max(200).optional(),
  not_in: z.array(literalSchema).min(1).max(200).optional(),
  known: z.literal(true).optional(),
})

/** Contents, or a named substance, belong to a chemical group or carry a hazard class. */
const substanceTestSchema = z.strictObject({
  substance: z.union([
    z.strictObject({ role: z.string().max(40) }),
    z.strictObject({ in: thingTermSchema }),
  ]),
  group: z.string().max(80).optional(),
  hazard: z.string().max(80).optional(),
  id: z.string().max(120).optional(),
})

/** Two contents would meet in a way that the graph or the site forbids. */
const meetsSchema = z.strictObject({
  meets: z.strictObject({ a: z.string().max(80), b: z.string().max(80) }),
  in: thingTermSchema,
})

/** A thing is of a declared kind, class or list. */
const kindTestSchema = z.strictObject({
  thing: thingTermSchema,
  kind: z.string().max(80).optional(),
  class: z.string().max(40).optional(),
  zone: z.string().max(80).optional(),
  /** Somebody may be there, or may be seen by it. */
  people: z.boolean().optional(),
  /** In this list: a domain covers the addresses under it, a page the files below its path. */
  listed: z.enum(siteLists).optional(),
})

/** People recorded an approval of a thing or record, at least so many of them. */
const approvalTestSchema = z.strictObject({
  approved: thingTermSchema,
  by: z.int().min(1).max(8).default(1),
  for: z.string().max(120).optional(),
})

/** Something must have been done before: an act on a thing by a step that cannot be skipped. */
const orderTestSchema = z.strictObject({
  before: z.strictObject({ act: z.string().max(40), of: thingTermSchema.optional() }),
})

type Leaf =
  | z.infer<typeof comparisonSchema>
  | z.infer<typeof substanceTestSchema>
  | z.infer<typeof meetsSchema>
  | z.infer<typeof kindTestSchema>
  | z.infer<typeof orderTestSchema>
  | z.infer<typeof approvalTestSchema>

export type Condition =
  | Leaf
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }

/** Leaves and inner nodes of one condition together. */
export const conditionNodesMax = 64

function sizeOf(condition: Condition): number {
  if ('all' in condition) return 1 + condition.all.reduce((sum, c) => sum + sizeOf(c), 0)
  if ('any' in condition) return 1 + condition.any.reduce((sum, c) => sum + sizeOf(c), 0)
  if ('not' in condition) return 1 + sizeOf(condition.not)
  return 1
}

const anyConditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    comparisonSchema,
    substanceTestSchema,
    meetsSchema,
    kindTestSchema,
    orderTestSchema,
    approvalTestSchema,
    z.strictObject({ all: z.array(anyConditionSchema).min(1).max(32) }),
    z.strictObject({ any: z.array(anyConditionSchema).min(1).max(32) }),
    z.strictObject({ not: anyConditionSchema }),
  ]),
)

export const conditionSchema = anyConditionSchema.refine(
  (condition) => sizeOf(condition) <= conditionNodesMax,
  `a condition has at most ${conditionNodesMax} parts`,
)

/** What a node may ask at run time: comparisons of declared results, and nothing of the state. */
const resultComparisonSchema = z
  .strictObject({
    result: z.strictObject({ node: z.string().max(limits.idCharsMax), pointer: pointerSchema }),
    unit: z
      .string()
      .max(40)
      .optional()
      .describe('UCUM; the result is converted before it is compared.'),
    eq: z.union([z.number(), z.boolean(), z.string().max(200)]).optional(),
    ne: z.union([z.number(), z.boolean(), z.string().max(200)]).optional(),
    lt: z.number().optional(),
    le: z.number().optional(),
    gt: z.number().optional(),
    ge: z.number().optional(),
  })
  .refine(
    (c) => [c.eq, c.ne, c.lt, c.le, c.gt, c.ge].some((operand) => operand !== undefined),
    'a comparison needs at least one of eq, ne, lt, le, gt, ge',
  )

export type RunCondition =
  | z.infer<typeof resultComparisonSchema>
  | { readonly all: readonly RunCondition[] }
  | { readonly any: readonly RunCondition[] }
  | { readonly not: RunCondition }

/** At most 16 comparisons, as the design of conditional plans says. */
export const runConditionNodesMax = 32

function runSizeOf(condition: RunCondition): number {
  if ('all' in condition) return 1 + condition.all.reduce((sum, c) => sum + runSizeOf(c), 0)
  if ('any' in condition) return 1 + condition.any.reduce((sum, c) => sum + runSizeOf(c), 0)
  if ('not' in condition) return 1 + runSizeOf(condition.not)
  return 1
}

const anyRunConditionSchema: z.ZodType<RunCondition> = z.lazy(() =>
  z.union([
    resultComparisonSchema,
    z.strictObject({ all: z.array(anyRunConditionSchema).min(1).max(16) }),
    z.strictObject({ any: z.array(anyRunConditionSchema).min(1).max(16) }),
    z.strictObject({ not: anyRunConditionSchema }),
  ]),
)

export const runConditionSchema = anyRunConditionSchema.refine(
  (condition) => runSizeOf(condition) <= runConditionNodesMax,
  `a condition of a node has at most ${runConditionNodesMax} parts`,
)
