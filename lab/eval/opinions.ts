// Recorded opinions, by plan and seat, in place of what a panel said: for asking what a decision does
// with real opinions. The prompts are passed by, so a recording outlives their wording; what a finding
// cites still counts only if the site or the plan's own packet knows it.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { answerSchema } from '../../protocol/evidence.ts'
import {
  chiefOpinionSchema,
  judgeFindingSchema,
  type ChiefOpinion,
  type Opinion,
} from '../../protocol/opinion.ts'
import { planSchema, type Plan } from '../../protocol/plan.ts'
import type { Packet } from '../../protocol/records.ts'
import type { Registry } from '../../protocol/registry.ts'
import { concernSchema, verdictSchema } from '../../protocol/verdict.ts'
import { riskOf } from '../../verify/decide/severity.ts'
import { ruleId, toolId } from '../../verify/panel/context.ts'
import { placeExists } from '../../verify/panel/reply.ts'

/** One line of a file of opinions; `chief` is the chief's seat. */
const lineSchema = z.object({
  id: z.string().min(1),
  seat: z.string().min(1).max(60),
  verdict: verdictSchema,
  confidence: z.number().min(0).max(1).default(0.5),
  concern: concernSchema.default('none'),
  findings: z.array(judgeFindingSchema.omit({ substantiated: true }).loose()).default([]),
  /** To the doubts of the packet, by their numbers there. */
  answers: z.array(answerSchema).default([]),
  reasoning: z.array(z.string()).default([]),
  vendor: z.string().max(40).default('recorded'),
  ms: z.number().min(0).default(0),
})
type Line = z.infer<typeof lineSchema>

/** Recorded lines by plan id, in the order of the file. */
export type Recorded = ReadonlyMap<string, readonly Line[]>

/** Reads a JSONL file of opinions; a line that is none is an error that names it. */
export async function readOpinions(file: string): Promise<Recorded> {
  const byPlan = new Map<string, Line[]>()
  for (const [index, text] of (await readFile(file, 'utf8')).split('\n').entries()) {
    if (text.trim() === '') continue
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new Error(`${file}: line ${index + 1}: not JSON`)
    }
    const line = lineSchema.safeParse(value)
    if (!line.success) throw new Error(`${file}: line ${index + 1}: ${z.prettifyError(line.error)}`)
    const list = byPlan.get(line.data.id) ?? []
    if (list.some((other) => other.seat === line.data.seat)) {
      throw new Error(`${file}: line ${index + 1}: a second opinion of ${line.data.seat}`)
    }
    byPlan.set(line.data.id, [...list, line.data])
  }
  if (byPlan.size === 0) throw new Error(`${file}: no opinions`)
  return byPlan
}

const noCost = { input_tokens: 0, output_tokens: 0, cost_usd: null }

/** What a seat could know: rules and tools of the site, and what the plan's grounding had found. */
function knownIds(packet: Packet, registry: Registry): ReadonlySet<string> {
  return new Set([
    ...registry.rules.map((rule) => ruleId(rule.id)),
    ...registry.tools.map((tool) => toolId(tool.name)),
    ...(packet.grounding?.nodes ?? []),
  ])
}

function opinionOf(line: Line, plan: Plan, known: ReadonlySet<string>): Opinion {
  const findings = line.findings.map(
    ({ code, concern, at, severity, likelihood, claim, cites }) => ({
      code,
      concern,
      at,
      severity,
      likelihood,
      claim,
      cites,
      // A judge cites beside its evidence; one citation that was there is enough for a recording.
      substantiated: placeExists(plan, at) && cites.some((id) => known.has(id)),
    }),
  )
  return {
    judge: line.seat,
    vendor: line.vendor,
    wire: null,
    model: null,
    outcome: 'answered',
    failure: null,
    verdict: line.verdict,
    confidence: line.confidence,
    concern: line.concern,
    risk: riskOf(findings),
    findings,
    answers: line.answers,
    reasoning: line.reasoning.slice(0, 20),
    usage: noCost,
    ms: line.ms,
  }
}

function chiefOf(line: Line): ChiefOpinion {
  return chiefOpinionSchema.parse({
    seat: 'chief',
    vendor: line.vendor,
    model: null,
    outcome: 'answered',
    failure: null,
    verdict: line.verdict,
    classification: line.concern,
    weights: {},
    reasons: [],
    input_digest: '',
    usage: noCost,
    ms: line.ms,
  })
}

/**
 * The packet as it would be had these seats judged: facts and evidence stay. What the recording does
 * not hold is a panel that is missing: facts may still refuse the plan, and nothing accepts it.
 */
export function withOpinions(
  packet: Packet,
  lines: readonly Line[],
  about: { readonly plan: Record<string, unknown>; readonly registry: Registry },
): Packet {
  const plan = planSchema.parse(about.plan)
  const known = knownIds(packet, about.registry)
  const seats = lines.filter((line) => line.seat !== 'chief')
  const chief = lines.find((line) => line.seat === 'chief')
  return {
    ...packet,
    opinions: seats.map((line) => opinionOf(line, plan, known)),
    chief: chief === undefined ? null : chiefOf(chief),
    depth: {
      ...packet.depth,
      panel: 'models',
      short: null,
      seats: seats.length,
      expected: seats.map((line) => line.seat),
    },
  }
}
