// A judge's reply, from bytes to findings. Only the named fields count: a verdict that stands in
// the reasoning is text. A reply to another request, of another shape or of another length than
// announced is malformed, and a malformed judge is a missing judge.
import { z } from 'zod'
import { groundCodes } from '../../protocol/codes/ground.ts'
import { judgementCodes } from '../../protocol/codes/judgement.ts'
import type { Answer } from '../../protocol/evidence.ts'
import type { FindingCode } from '../../protocol/finding-codes.ts'
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import { severitySchema, type JudgeFinding } from '../../protocol/opinion.ts'
import { parseJsonText } from '../../protocol/parse.ts'
import type { Plan } from '../../protocol/plan.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { concernSchema, verdictSchema } from '../../protocol/verdict.ts'
import { isCitation, type CitationContext } from './citation.ts'
import { valueAt } from './place.ts'
import type { Question } from './questions.ts'

const codes = [...Object.keys(judgementCodes), ...Object.keys(groundCodes)] as [
  FindingCode,
  ...FindingCode[],
]
const findingsMax = 50

const findingReplySchema = z.strictObject({
  code: z.enum(codes),
  concern: concernSchema.exclude(['none']),
  at: z.string().max(300),
  severity: severitySchema,
  likelihood: z.number().min(0).max(1),
  claim: z.string(),
  cites: z.array(z.string()).max(50),
})

const answerReplySchema = z.strictObject({
  question: z.int(),
  answer: z.enum(['settled', 'open']),
  /** Empty when it is open. */
  citation: z.string(),
})

/** What a judge must answer. Texts may be longer than we keep; everything that decides may not. */
export const judgeReplySchema = z.strictObject({
  request: z.string(),
  verdict: verdictSchema,
  confidence: z.number().min(0).max(1),
  concern: concernSchema,
  findings: z.array(findingReplySchema).max(findingsMax),
  answers: z.array(answerReplySchema).max(50),
  reasoning: z.array(z.string()).max(100),
})
export type JudgeReply = z.infer<typeof judgeReplySchema>

/** JSON schema of a zod schema in the subset that vendors take: no bounds, no defaults, closed. */
export function wireSchema(schema: z.ZodType): JsonObject {
  const strip = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map((item: JsonValue) => strip(item))
    if (typeof value !== 'object' || value === null) return value
    const drop = new Set([
      '$schema',
      'minimum',
      'maximum',
      'maxLength',
      'minLength',
      'maxItems',
      'minItems',
      'default',
    ])
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !drop.has(key))
        .map(([key, item]) => [key, strip(item)]),
    )
  }
  return strip(z.toJSONSchema(schema) as JsonValue) as JsonObject
}

/** One text, cut at a code point so that no half character is stored. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** The JSON of a reply: the whole text, or the whole inside of one code fence around it. */
export function replyJson(text: string): Result<JsonValue, string> {
  if (text.length > limits.judgeReplyBytesMax) return err('too_large')
  const trimmed = text.trim()
  const body = /^```(?:json)?\n([\s\S]*)\n```$/.exec(trimmed)?.[1] ?? trimmed
  const parsed = parseJsonText(body, {
    bytesMax: limits.judgeReplyBytesMax,
    depthMax: 8,
    valuesMax: 5_000,
  })
  return parsed.ok ? ok(parsed.value) : err('not_json')
}

/** True when the pointer names an existing place in the goal, an instruction or a node. */
export function placeExists(plan: Plan, pointer: string): boolean {
  return /^\/(goal|instructions\/|nodes\/)/.test(pointer) && valueAt(plan, pointer) !== undefined
}

export type ReplyContext = CitationContext & {
  /** The questions that the prompt asked. */
  readonly questions: readonly Question[]
}

/** One finding with its substance checked: an existing place, at least one citation, all known. */
export function checkFinding(
  reply: z.infer<typeof findingReplySchema>,
  context: Pick<ReplyContext, 'plan' | 'citable'>,
): JudgeFinding {
  const known = reply.cites.length > 0 && reply.cites.every((id) => context.citable.has(id))
  return {
    code: reply.code,
    concern: reply.concern,
    at: reply.at,
    severity: reply.severity,
    likelihood: reply.likelihood,
    claim: clip(reply.claim, limits.claimCharsMax),
    cites: reply.cites.slice(0, 20).map((id) => clip(id, 120)),
    substantiated: known && placeExists(context.plan, reply.at),
  }
}

/**
 * The answers by doubt. An unknown or repeated question number, or a settled decoy, voids the reply: it
 * was not read with care, or not written by a judge. A settled answer without evidence is open.
 */
export function checkAnswers(
  replies: readonly z.infer<typeof answerReplySchema>[],
  context: ReplyContext,
): Result<Answer[], 'unknown_question' | 'question_twice' | 'decoy_settled'> {
  const byNumber = new Map(context.questions.map((question) => [question.number, question]))
  const seen = new Set<number>()
  const answers: Answer[] = []
  for (const { question, answer, citation } of replies) {
    const asked = byNumber.get(question)
    if (asked === undefined) return err('unknown_question')
    if (seen.has(question)) return err('question_twice')
    seen.add(question)
    if (asked.doubt === null) {
      if (answer === 'settled') return err('decoy_settled')
      continue
    }
    const settled = answer === 'settled' && citation.length <= 300 && isCitation(citation, context)
    answers.push({
      doubt: asked.doubt,
      answer: settled ? 'settled' : 'open',
      citation: settled ? citation : null,
    })
  }
  return ok(answers.sort((a, b) => a.doubt - b.doubt))
}

/** What is kept of a valid reply. */
export type CheckedReply = {
  readonly verdict: JudgeReply['verdict']
  readonly confidence: number
  readonly concern: JudgeReply['concern']
  readonly findings: JudgeFinding[]
  readonly answers: Answer[]
  readonly reasoning: string[]
}

/** Reads a reply that must repeat `echo`. The error is a stable word, never text of the reply. */
export function readJudgeReply(
  text: string,
  echo: string,
  context: ReplyContext,
): Result<CheckedReply, string> {
  const json = replyJson(text)
  if (!json.ok) return err(json.error)
  const reply = judgeReplySchema.safeParse(json.value)
  if (!reply.success) return err('wrong_shape')
  if (reply.data.request !== echo) return err('other_request')
  const answers = checkAnswers(reply.data.answers, context)
  if (!answers.ok) return err(answers.error)
  return ok({
    verdict: reply.data.verdict,
    confidence: reply.data.confidence,
    concern: reply.data.concern,
    findings: reply.data.findings.map((f) => checkFinding(f, context)),
    answers: answers.value,
    reasoning: reply.data.reasoning
      .slice(0, limits.reasoningStepsMax)
      .map((step) => clip(step, limits.claimCharsMax)),
  })
}
