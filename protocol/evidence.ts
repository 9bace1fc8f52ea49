// The three kinds of evidence that rules give about a plan, and how the third is answered. A breach is
// a fact, an unknown is a limit or need whose inputs are not known, a doubt was read in words. Only a
// doubt is a question to models; nothing here is ever lowered by a model.
import { z } from 'zod'
import { findingCodes, type FindingCode } from './finding-codes.ts'
import { limits } from './limits.ts'

const codeNames = Object.keys(findingCodes) as [FindingCode, ...FindingCode[]]
const codeSchema = z.enum(codeNames)

/** Small facts that explain it: numbers, ids, names. Never long plan text. */
export const factsSchema = z.record(
  z.string().max(40),
  z.union([z.string().max(200), z.number(), z.boolean()]),
)

/** JSON pointer (RFC 6901) into the plan; '' is the whole plan. */
const pointerSchema = z.string().max(300)

/** A fact: floor, dry run, rule or graph. It binds in every mode. */
export const breachSchema = z.strictObject({
  code: codeSchema,
  /** Id of the node; null when it is about the plan or its text. */
  node: z.string().max(limits.idCharsMax).nullable(),
  at: pointerSchema,
  /** What it does: a fact never makes a plan milder. */
  verdict: z.enum(['escalate', 'reject']),
  facts: factsSchema,
  /** Id of the site's rule that is broken, where there is one. */
  rule: z.string().max(120).optional(),
  /** What to change, in the words of the rule; else that of the code. */
  remedy: z.string().max(limits.claimCharsMax).optional(),
})
export type Breach = z.infer<typeof breachSchema>

/** A rule, limit or need is touched whose inputs are not known. Escalates; no model lifts it. */
export const unknownSchema = z.strictObject({
  code: codeSchema,
  node: z.string().max(limits.idCharsMax).nullable(),
  at: pointerSchema,
  /** What is not known, as a constant sentence with bounded slots. */
  what: z.string().max(limits.claimCharsMax),
  facts: factsSchema,
})
export type Unknown = z.infer<typeof unknownSchema>

/**
 * What a doubt is about, and whether models may settle it at all. False is closed: no row of a rule,
 * no site and no policy can make one of those settleable.
 */
export const doubtFamilies = {
  /** Who somebody or something is. */
  identity: false,
  /** That somebody agreed, signed, ordered or is allowed. */
  approval: false,
  /** Material or images of people. */
  consent: false,
  /** Text in a language or script that was not read. */
  language: false,
  /** Text that orders people or agents, or speaks to whoever checks. */
  orders: false,
  /** The injection score is at its warning threshold. */
  injection: false,
  /** Something like it failed or was refused before. */
  memory: false,
  /** A thing that the site marks as held. */
  held: false,
  /** Instructions and steps say different things, or not clearly the same. */
  mismatch: true,
  /** Energy, motion, heat, people beside machines. */
  physical: true,
  /** Substances, organisms, vessels, waste. */
  material: true,
  /** Truth and traceability of data and results. */
  integrity: true,
  /** Product or method could be misused. */
  misuse: true,
  /** A step that the goal does not need, or another scale. */
  scope: true,
  /** Data, code or messages that go somewhere. */
  data: true,
  /** Everything else that was read in words. */
  practice: true,
} as const satisfies Record<string, boolean>
export type DoubtFamily = keyof typeof doubtFamilies
const familyNames = Object.keys(doubtFamilies) as [DoubtFamily, ...DoubtFamily[]]
export const doubtFamilySchema = z.enum(familyNames)

/** Doubts of one plan that models are asked about; a plan that raises more goes to a person. */
export const doubtsAskedMax = 12

/** What a rule raises; `raiseDoubts` gives it its number. */
export const raisedDoubtSchema = z.strictObject({
  code: codeSchema,
  /** The question: a constant sentence with bounded slots, never text of the plan. */
  text: z.string().min(1).max(limits.claimCharsMax),
  /** JSON pointer to what it is about. */
  subject: pointerSchema,
  family: doubtFamilySchema,
  /** False in a settleable family: this one is for people all the same. */
  settleable: z.boolean(),
})
export type RaisedDoubt = z.infer<typeof raisedDoubtSchema>

export const doubtSchema = raisedDoubtSchema.extend({
  /** From 1, in the record's order. */
  id: z.int().min(1).max(limits.findingsMax),
})
export type Doubt = z.infer<typeof doubtSchema>

/** One seat's answer to one doubt, after its citation was checked. */
export const answerSchema = z.strictObject({
  /** `id` of the doubt. */
  doubt: z.int().min(1).max(limits.findingsMax),
  answer: z.enum(['settled', 'open']),
  /** What settles it: pointer to a node argument, or id of state, site row or graph; null when open. */
  citation: z.string().max(300).nullable(),
})
export type Answer = z.infer<typeof answerSchema>

/** All that rules say about one plan. */
export const evidenceSchema = z.strictObject({
  breaches: z.array(breachSchema).max(limits.findingsMax),
  unknowns: z.array(unknownSchema).max(limits.findingsMax),
  doubts: z.array(doubtSchema).max(limits.findingsMax),
})
export type Evidence = z.infer<typeof evidenceSchema>

export const noEvidence: Evidence = { breaches: [], unknowns: [], doubts: [] }

/** True when models may be asked about it: its family allows it and its rule does not forbid it. */
export function maySettle(doubt: Pick<Doubt, 'family' | 'settleable'>): boolean {
  return doubtFamilies[doubt.family] && doubt.settleable
}

/** The doubts that stand in the judges' prompt: the settleable ones, at most twelve, lowest first. */
export function askedDoubts(doubts: readonly Doubt[]): Doubt[] {
  return doubts
    .filter(maySettle)
    .toSorted((a, b) => a.id - b.id)
    .slice(0, doubtsAskedMax)
}

const keyOf = (doubt: RaisedDoubt): string =>
  JSON.stringify([doubt.code, doubt.subject, doubt.family, doubt.text])

/**
 * Numbers what rules raised: each question once (settleable only if every rule that raised it says so),
 * in an order that does not depend on the order of rules or nodes in their arrays.
 */
export function raiseDoubts(raised: readonly RaisedDoubt[]): Doubt[] {
  const byKey = new Map<string, RaisedDoubt>()
  for (const doubt of raised) {
    const key = keyOf(doubt)
    const before = byKey.get(key)
    byKey.set(key, { ...doubt, settleable: doubt.settleable && (before?.settleable ?? true) })
  }
  return [...byKey.keys()]
    .toSorted()
    .flatMap((key) => byKey.get(key) ?? [])
    .slice(0, limits.findingsMax)
    .map((doubt, i) => ({ id: i + 1, ...doubt }))
}

const inOrder = <T extends { readonly code: string; readonly at: string }>(
  list: readonly T[],
): T[] =>
  list.toSorted((a, b) => {
    const [x, y] = [JSON.stringify([a.code, a.at, a]), JSON.stringify([b.code, b.at, b])]
    return x < y ? -1 : x > y ? 1 : 0
  })

/**
 * The record of what rules found, in an order of its own. Beyond the bound the mildest breaches go
 * first; what is left weighs as much as all of it did.
 */
export function collectEvidence(found: {
  readonly breaches: readonly Breach[]
  readonly unknowns: readonly Unknown[]
  readonly doubts: readonly RaisedDoubt[]
}): Evidence {
  const breaches = inOrder(found.breaches)
  const rank = { reject: 0, escalate: 1 } as const
  return {
    breaches: breaches
      .toSorted((a, b) => rank[a.verdict] - rank[b.verdict])
      .slice(0, limits.findingsMax),
    unknowns: inOrder(found.unknowns).slice(0, limits.findingsMax),
    doubts: raiseDoubts(found.doubts),
  }
}
