// Asks the chief once and reads its answer. Whatever goes wrong is a missing chief, and a missing
// chief escalates; an answer can only raise what the rule over the panel gives.
import { z } from 'zod'
import { digest } from '../../protocol/digest.ts'
import { limits } from '../../protocol/limits.ts'
import type { ChiefOpinion, SeatOutcome } from '../../protocol/opinion.ts'
import type { ModelSeat, Policy } from '../../protocol/policy.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { concernSchema, verdictSchema } from '../../protocol/verdict.ts'
import type { Hiding } from '../hide/index.ts'
import { noUsage, type Clock, type ModelPort, type ModelUsage } from '../panel/port.ts'
import { clip, replyJson, wireSchema } from '../panel/reply.ts'
import { underDeadline } from '../panel/run.ts'
import { chiefInput, type ChiefSource } from './input.ts'
import { chiefPrompt } from './prompt.ts'

export const chiefReplySchema = z.strictObject({
  request: z.string(),
  verdict: verdictSchema,
  classification: concernSchema,
  weights: z.array(z.strictObject({ judge: z.string(), weight: z.number().min(0).max(1) })).max(50),
  reasons: z.array(z.string()).max(50),
})
export type ChiefReply = z.infer<typeof chiefReplySchema>

const schema = wireSchema(chiefReplySchema)

/** Reads a reply; errors as for judges, plus `weights` when a judge has none or a stranger has one. */
export function readChiefReply(
  text: string,
  echo: string,
  judges: ReadonlyMap<string, string>,
): Result<ChiefReply & { readonly byName: Record<string, number> }, string> {
  const json = replyJson(text)
  if (!json.ok) return err(json.error)
  const reply = chiefReplySchema.safeParse(json.value)
  if (!reply.success) return err('wrong_shape')
  if (reply.data.request !== echo) return err('other_request')
  const byName: Record<string, number> = {}
  for (const { judge, weight } of reply.data.weights) {
    const name = judges.get(judge)
    if (name === undefined || Object.hasOwn(byName, name)) return err('weights')
    byName[name] = weight
  }
  if (Object.keys(byName).length !== judges.size) return err('weights')
  return ok({ ...reply.data, byName })
}

export type ChiefRun = {
  readonly seat: ModelSeat
  readonly promptVersion: Policy['prompt_version']
  readonly hiding: Hiding
  readonly source: ChiefSource
  readonly model: ModelPort
  readonly clock: Clock
  readonly deadlineMs: number
  readonly nonce: (label: string) => string
  readonly signal: AbortSignal
}

type Ending = {
  readonly outcome: SeatOutcome
  readonly failure: string | null
  readonly usage: ModelUsage
  readonly ms: number
  readonly input_digest: string
}

function silent(run: ChiefRun, ending: Ending): ChiefOpinion {
  const reach = run.model.reach(run.seat.endpoint, run.seat.model)
  return {
    seat: run.seat.name,
    vendor: reach?.vendor ?? 'unknown',
    wire: reach?.wire ?? null,
    model: run.seat.model,
    verdict: 'escalate',
    classification: 'none',
    weights: {},
    reasons: [],
    ...ending,
    failure: ending.failure === null ? null : clip(ending.failure, 200),
  }
}

/** The chief's opinion. Resolves for every failure of the model; never rejects for one. */
export async function runChief(run: ChiefRun): Promise<ChiefOpinion> {
  const input = chiefInput(run.source)
  const input_digest = await digest('chief', input.claims)
  const started = run.clock.nowMs()
  const end = (outcome: SeatOutcome, failure: string | null, usage: ModelUsage): Ending => ({
    outcome,
    failure,
    usage,
    ms: Math.max(0, run.clock.nowMs() - started),
    input_digest,
  })
  if (run.model.reach(run.seat.endpoint, run.seat.model) === null) {
    return silent(run, end('failed', 'endpoint_unusable', noUsage))
  }
  const echo = run.nonce('echo/chief')
  const delimiter = run.nonce('delimiter/chief')
  const prompt = chiefPrompt(run.hiding.hide(input.claims), run.promptVersion, { delimiter, echo })
  if (!prompt.ok) return silent(run, end('failed', prompt.error, noUsage))
  const { system, parts } = prompt.value
  const request = {
    seat: run.seat.name,
    sample: 0,
    endpoint: run.seat.endpoint,
    model: run.seat.model,
    max_tokens: run.seat.max_tokens,
    temperature: run.seat.temperature ?? null,
    system,
    prompt: parts,
    schema,
    schema_name: 'chief_judgement',
    fresh: { delimiter, echo },
  }
  const reply = await underDeadline(
    (signal) => run.model.ask(request, signal, () => {}),
    run.clock,
    run.deadlineMs,
    run.signal,
  )
  if (!reply.ok) return silent(run, end(reply.outcome, reply.failure, reply.usage))
  const read = readChiefReply(reply.text, echo, input.judges)
  if (!read.ok) return silent(run, end('malformed', read.error, reply.usage))
  return {
    ...silent(run, end('answered', null, reply.usage)),
    verdict: read.value.verdict,
    classification: read.value.classification,
    weights: read.value.byName,
    reasons: read.value.reasons.slice(0, 20).map((reason) => clip(reason, limits.claimCharsMax)),
  }
}
