// What texts and names hold by their form: code, reaches of code, credentials, data of people. The lists
// are data under signs/; a gate holds their shapes, runs every row's examples and counter-examples and
// proves each expression linear (test/node/screen/signs-lexicon.test.ts), not each start.
import { z } from 'zod'
import code from './signs/code.json' with { type: 'json' }
import fields from './signs/fields.json' with { type: 'json' }
import reach from './signs/reach.json' with { type: 'json' }
import shapes from './signs/shapes.json' with { type: 'json' }

const prose = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])
const words = z.array(z.string().min(1).max(60)).min(1)
const texts = z.array(z.string().min(1).max(200)).min(1)
const head = { about: prose, source: prose }

/** Every sign has one of these; most laboratory text has none, and the rows are not asked. */
const lookFirst = prose

const row = {
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** What a finding calls it. */
  kind: z.string().min(1).max(40),
  reason: z.string().min(10).max(200),
  /** From the linear subset; pieces are joined without a space. */
  pattern: prose,
  flags: z.enum(['i', 'm']).optional(),
  /** Texts that must hit. */
  examples: texts,
  /** Texts that come close and must not hit. */
  counter_examples: texts,
}

/** One family of expressions of which any is enough. */
const anyOf = z.strictObject({
  reason: z.string().min(10).max(200),
  any_of: z.array(z.string().min(1)).min(1),
  flags: z.enum(['i', 'iu']).optional(),
  examples: texts,
  counter_examples: texts,
})

/** The shapes of the four files. */
export const signsSchemas = {
  code: z.strictObject({
    kind: z.literal('code'),
    ...head,
    look_first: lookFirst,
    rows: z.array(z.strictObject(row)),
    /** Endings of files whose content runs when it is opened or called. */
    runnable_files: words,
    /** Endings of packed or serialised files that carry code when they are unpacked or loaded. */
    files_that_carry_code: words,
    runs_its_input: anyOf,
  }),
  reach: z.strictObject({
    kind: z.literal('reach'),
    ...head,
    modules: z.strictObject({ network: words, device: words, host: words }),
    rows: z.array(
      z.strictObject({
        ...row,
        kind: z.enum(['network', 'device', 'host', 'hidden']),
        effect: z.enum(['flag', 'block']),
      }),
    ),
  }),
  shapes: z.strictObject({
    kind: z.literal('shapes'),
    ...head,
    look_first: lookFirst,
    /** Words in capitals after "patient" or "donor" that are no names. */
    no_names: words,
    rows: z.array(
      z.strictObject({
        ...row,
        label: z.enum(['identifiers', 'credentials']),
        /** `sure` blocks where the label may not go; `likely` flags. */
        weight: z.enum(['sure', 'likely']),
      }),
    ),
    credential_nouns: anyOf,
    owned_access: anyOf,
  }),
  fields: z.strictObject({
    kind: z.literal('fields'),
    ...head,
    /** Words that mean a person whose data the site holds. */
    person: words,
    /** One word that names a person by itself. */
    person_alone: words,
    /** Words that together name a person; every word of one row must occur. */
    person_together: words,
    /** An address of a machine is no address of a person. */
    machine: words,
    /** Contact data of an organisation names no person. */
    organisation: words,
    credential_alone: words,
    credential_together: words,
    /** A count, length or end of a secret reveals nothing of it. */
    reveals_nothing: words,
  }),
} as const

type Shapes = { [name in keyof typeof signsSchemas]: z.infer<(typeof signsSchemas)[name]> }
type Reach = Shapes['reach']['rows'][number]
type Shape = Shapes['shapes']['rows'][number]

type Written = {
  readonly pattern: string | readonly string[]
  readonly flags?: string | undefined
}

const familyOf = ({ any_of, flags }: { any_of: readonly string[]; flags?: string }): RegExp =>
  new RegExp(any_of.join('|'), flags)

const expression = ({ pattern, flags }: Written): RegExp =>
  new RegExp(typeof pattern === 'string' ? pattern : pattern.join(''), flags)

const ending = (names: readonly string[]): RegExp => new RegExp(`\\.(?:${names.join('|')})$`, 'i')

export type CodeRule = { readonly kind: string; readonly pattern: RegExp }

/** Signs of code in any argument of a tool that does not run code. */
export const codeSigns: readonly CodeRule[] = code.rows.map((one) => ({
  kind: one.kind,
  pattern: expression(one),
}))

/** Whether a text can hold a sign of code at all. */
export const codeLooks = expression({ pattern: code.look_first, flags: 'i' })

/** Whether a text can hold a form of a credential or of a person's data at all. */
export const shapeLooks = expression({ pattern: shapes.look_first, flags: 'i' })

/** File names whose content runs when it is opened or called. */
export const runnableFile = ending(code.runnable_files)

/** Code that runs or unpacks what it is given. */
export const runsInput = familyOf(code.runs_its_input)

/** Something that proves identity and that belongs to its owner alone. */
export const credentialNoun = familyOf(shapes.credential_nouns)

/** A means of access with its owner named: "the officer’s code". */
export const ownedAccess = familyOf(shapes.owned_access)

/** Packed or serialised things that carry code when they are unpacked or loaded. */
export const carriesCode = ending(code.files_that_carry_code)

export type ReachRule = Pick<Reach, 'kind' | 'effect'> & { readonly pattern: RegExp }

/** What code in a sandbox says when it wants out. */
export const reachRules: readonly ReachRule[] = (reach.rows as Reach[]).map((one) => ({
  kind: one.kind,
  effect: one.effect,
  pattern: expression(one),
}))

/** Python modules and R packages that open a network, a bus or the host. */
export const reachingModules: ReadonlyMap<string, keyof Shapes['reach']['modules']> = new Map(
  (['network', 'device', 'host'] as const).flatMap((kind) =>
    reach.modules[kind].map((name) => [name, kind] as const),
  ),
)

export type ShapeRule = Pick<Shape, 'label' | 'kind' | 'weight'> & { readonly pattern: RegExp }

/** Forms of credentials and of data that identify a person. */
export const shapeRules: readonly ShapeRule[] = (shapes.rows as Shape[]).map((one) => ({
  label: one.label,
  kind: one.kind,
  weight: one.weight,
  pattern: expression(one),
}))

export const noNames: ReadonlySet<string> = new Set(shapes.no_names)

const rowsOf = (rows: readonly string[]): readonly (readonly string[])[] =>
  rows.map((one) => one.split(' '))

/** Words of names of fields, arguments and files. */
export const fieldWords = {
  person: new Set(fields.person),
  personAlone: new Set(fields.person_alone),
  personTogether: rowsOf(fields.person_together),
  machine: new Set(fields.machine),
  organisation: new Set(fields.organisation),
  credentialAlone: new Set(fields.credential_alone),
  credentialTogether: rowsOf(fields.credential_together),
  revealsNothing: new Set(fields.reveals_nothing),
} as const
