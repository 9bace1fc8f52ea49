// Self-consistency (Wang et al., 2022), turned towards caution: a judge that is asked several times
// speaks with one voice, and disagreement with itself is doubt, never a reason to average a risk away.
import { limits } from '../../protocol/limits.ts'
import type { Answer } from '../../protocol/evidence.ts'
import type { JudgeFinding, Opinion, SeatOutcome } from '../../protocol/opinion.ts'
import type { ModelSeat } from '../../protocol/policy.ts'
import type { Concern, Verdict } from '../../protocol/verdict.ts'
import { riskOf } from '../decide/severity.ts'
import type { ModelUsage, Reach } from './port.ts'
import { clip, type CheckedReply } from './reply.ts'

/** How one sample of a seat ended. */
export type Sample =
  | { readonly outcome: 'answered'; readonly reply: CheckedReply; readonly usage: ModelUsage }
  | {
      readonly outcome: Exclude<SeatOutcome, 'answered'>
      readonly failure: string
      readonly usage: ModelUsage
    }

function totalUsage(samples: readonly Sample[]): Opinion['usage'] {
  const total: { input_tokens: number; output_tokens: number; cost_usd: number | null } = {
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
  }
  for (const { usage } of samples) {
    total.input_tokens += usage.input_tokens
    total.output_tokens += usage.output_tokens
    total.cost_usd =
      total.cost_usd === null || usage.cost_usd === null ? null : total.cost_usd + usage.cost_usd
  }
  return total
}

/** More than half of the samples decide; where they are split, the seat is in doubt: escalate. */
function commonVerdict(replies: readonly CheckedReply[]): Verdict {
  const count = (verdict: Verdict) => replies.filter((r) => r.verdict === verdict).length
  if (count('accept') === replies.length) return 'accept'
  return count('reject') * 2 > replies.length ? 'reject' : 'escalate'
}

const worseFinding = (a: JudgeFinding, b: JudgeFinding): JudgeFinding => {
  if (a.substantiated !== b.substantiated) return a.substantiated ? a : b
  return riskOf([b]) > riskOf([a]) ? b : a
}

/**
 * One finding per code and place, the worst of its kind. Its likelihood is scaled by the share of
 * samples that made it: seen once in three, it is a third as likely, and still seen.
 */
function commonFindings(replies: readonly CheckedReply[]): JudgeFinding[] {
  const groups = new Map<string, { worst: JudgeFinding; samples: Set<number> }>()
  replies.forEach((reply, index) => {
    for (const finding of reply.findings) {
      const key = `${finding.code} ${finding.at}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { worst: finding, samples: new Set([index]) })
      else {
        group.worst = worseFinding(group.worst, finding)
        group.samples.add(index)
      }
    }
  })
  return [...groups.values()]
    .map(({ worst, samples }) => ({
      ...worst,
      likelihood: worst.likelihood * (samples.size / replies.length),
    }))
    .sort((a, b) => riskOf([b]) - riskOf([a]))
    .slice(0, 50)
}

/** A seat settles a doubt only if each of its samples does. */
function commonAnswers(replies: readonly CheckedReply[]): Answer[] {
  return (replies[0]?.answers ?? []).map((first) => {
    const all = replies.every((reply) =>
      reply.answers.some((own) => own.doubt === first.doubt && own.answer === 'settled'),
    )
    return all ? first : { doubt: first.doubt, answer: 'open', citation: null }
  })
}

function commonConcern(
  findings: readonly JudgeFinding[],
  replies: readonly CheckedReply[],
): Concern {
  const stated = replies.map((r) => r.concern).filter((c) => c !== 'none')
  return findings[0]?.concern ?? stated[0] ?? 'none'
}

/**
 * The opinion of one seat from all its samples. The seat has answered only if every sample has; the
 * evidence of those that did is kept either way, since evidence may raise but never lower.
 */
export function opinionOf(
  seat: Pick<ModelSeat, 'name' | 'model'>,
  reach: Reach | null,
  samples: readonly Sample[],
  ms: number,
): Opinion {
  const replies = samples.flatMap((s) => (s.outcome === 'answered' ? [s.reply] : []))
  const broken = samples.find((s) => s.outcome !== 'answered')
  const findings = replies.length === 0 ? [] : commonFindings(replies)
  const base = {
    judge: seat.name,
    vendor: reach?.vendor ?? 'unknown',
    wire: reach?.wire ?? null,
    model: seat.model,
    findings,
    // Settling needs every sample; with one broken, nothing is settled.
    answers: broken === undefined ? commonAnswers(replies) : [],
    reasoning: replies
      .flatMap((r) => r.reasoning)
      .slice(0, limits.reasoningStepsMax)
      .map((step) => clip(step, limits.claimCharsMax)),
    usage: totalUsage(samples),
    ms,
    concern: commonConcern(findings, replies),
    risk: riskOf(findings),
  }
  if (replies.length === 0 || broken !== undefined) {
    const outcome = broken?.outcome ?? 'failed'
    return {
      ...base,
      outcome,
      failure: broken === undefined ? 'no_sample' : clip(broken.failure, 200),
      verdict: 'escalate',
      confidence: 0,
    }
  }
  const verdict = commonVerdict(replies)
  const agreeing = replies.filter((r) => r.verdict === verdict)
  const sure = agreeing.reduce((sum, r) => sum + r.confidence, 0) / replies.length
  return { ...base, outcome: 'answered', failure: null, verdict, confidence: Math.min(1, sure) }
}
