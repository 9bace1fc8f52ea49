// Intents that a plan states in words: rows of data, one file a family. A row raises a doubt; it
// refuses by itself only where it says `rejects`, steps of the plan carry it out, and its
// counter-examples stay quiet in the gate (test/node/rules/intents.test.ts).
import { z } from 'zod'
import { actNames } from '../../protocol/acts.ts'
import { doubtFamilySchema } from '../../protocol/evidence.ts'
import { findingCodes, type FindingCode } from '../../protocol/finding-codes.ts'
import { concept, type Concept } from './concept.ts'
import authority from './intents/authority.json' with { type: 'json' }
import devices from './intents/devices.json' with { type: 'json' }
import harm from './intents/harm.json' with { type: 'json' }
import identity from './intents/identity.json' with { type: 'json' }
import integrity from './intents/integrity.json' with { type: 'json' }
import judgement from './intents/judgement.json' with { type: 'json' }
import misuse from './intents/misuse.json' with { type: 'json' }
import organisms from './intents/organisms.json' with { type: 'json' }
import people from './intents/people.json' with { type: 'json' }
import practice from './intents/practice.json' with { type: 'json' }
import security from './intents/security.json' with { type: 'json' }
import verifier from './intents/verifier.json' with { type: 'json' }

const codeNames = Object.keys(findingCodes) as [FindingCode, ...FindingCode[]]
const wordSchema = z.string().regex(/^[^|*]{1,60}\*?( [^|* ]{1,40}\*?){0,6}$/)

export const intentRowSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9_]{1,60}$/),
  /** Why it is here, as a constant sentence; also what a reviewer reads. */
  claim: z.string().min(5).max(200),
  /** Every family must occur; the first is the act and must not be negated. */
  families: z.array(z.array(wordSchema).min(1)).min(1).max(4),
  none: z.array(wordSchema).default([]),
  negation_counts: z.boolean().default(false),
  reach: z.int().min(1).max(60).default(14),
  ordered: z.boolean().default(false),
  /** Acts whose steps carry it out; empty: any step at all. */
  carried_by: z.array(z.enum(actNames)).default([]),
  /** Refuses without models when steps carry it out. */
  rejects: z.boolean().default(false),
  /** `told`: goal and instructions; `all`: texts that leave or are kept as well. */
  within: z.enum(['told', 'all', 'every']).default('told'),
  unless: z.enum(['filed_as_estimated', 'only_sets_aside', 'record_settles']).optional(),
  examples: z.array(z.string().max(300)).default([]),
  counter_examples: z.array(z.string().max(300)).default([]),
})
export type IntentRow = z.infer<typeof intentRowSchema>

export const intentFileSchema = z.strictObject({
  family: z.string().max(40),
  doubt: doubtFamilySchema,
  code: z.enum(codeNames),
  source: z.string().max(300),
  intents: z.array(intentRowSchema).min(1).max(200),
})

export type Intent = {
  readonly row: IntentRow
  readonly code: FindingCode
  readonly doubt: z.infer<typeof doubtFamilySchema>
  readonly concept: Concept
}

/** Every file by its name, as it stands on disk; the gate checks each row's examples. */
export const intentFiles = {
  authority,
  devices,
  harm,
  identity,
  integrity,
  judgement,
  misuse,
  organisms,
  people,
  practice,
  security,
  verifier,
} as const

/** All intents, compiled once. Throws when a file breaks its schema: a programmer's mistake. */
export const intents: readonly Intent[] = Object.values(intentFiles).flatMap((value) => {
  const file = intentFileSchema.parse(value)
  return file.intents.map((row) => {
    return { row, code: file.code, doubt: file.doubt, concept: concept(row) }
  })
})
