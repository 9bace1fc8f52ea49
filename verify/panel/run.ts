// Runs the panel: all judges start together, each under its own deadline, and every opinion is handed
// on the moment it exists, so that a restart asks only those that are missing. Nothing that a judge
// does, or fails to do, can stop or change another one.
import type { Opinion } from '../../protocol/opinion.ts'
import type { ModelSeat } from '../../protocol/policy.ts'
import { poolSize } from '../decide/depth.ts'
import { Pool } from './pool.ts'
import { noUsage, type Clock, type ModelPort, type ModelReply, type ModelRequest } from './port.ts'
import { requestLine, type JudgePrompt } from './prompts.ts'
import { judgeReplySchema, readJudgeReply, wireSchema } from './reply.ts'
import { opinionOf, type Sample } from './samples.ts'

export type PanelRun = {
  readonly seats: readonly ModelSeat[]
  readonly prompt: JudgePrompt
  readonly model: ModelPort
  readonly clock: Clock
  readonly deadlineMs: number
  /** Fresh random text for the given label, at least 120 bits; unknown to planners. */
  readonly nonce: (label: string) => string
  /** Opinions of an earlier run of this panel: those judges are not asked again. */
  readonly done: readonly Opinion[]
  /** Gets each new opinion once, one at a time. It must be durable when the promise resolves. */
  readonly checkpoint: (opinion: Opinion) => Promise<void> | void
  /** True once a rejection can no longer change; the seats that are left are then cut off. */
  readonly fixed: (opinions: readonly Opinion[]) => boolean
  /** Ends the whole panel; what is unfinished is recorded as cancelled. */
  readonly signal: AbortSignal
}

const schema = wireSchema(judgeReplySchema)

/** The request for one sample of one seat. */
export function judgeRequest(
  seat: ModelSeat,
  sample: number,
  prompt: JudgePrompt,
  echo: string,
): ModelRequest {
  return {
    seat: seat.name,
    sample,
    endpoint: seat.endpoint,
    model: seat.model,
    max_tokens: seat.max_tokens,
    temperature: seat.temperature ?? null,
    system: prompt.system,
    prompt: [...prompt.parts, requestLine(echo)],
    schema,
    schema_name: 'judgement',
    fresh: { delimiter: prompt.delimiter.value, echo },
  }
}

/** Runs `ask` under a deadline that holds even when the port ignores its signal. */
export async function underDeadline(
  ask: (signal: AbortSignal) => Promise<ModelReply>,
  clock: Clock,
  deadlineMs: number,
  outer: AbortSignal,
): Promise<ModelReply> {
  const cancelled: ModelReply = {
    ok: false,
    outcome: 'cancelled',
    failure: 'stopped',
    usage: noUsage,
  }
  if (outer.aborted) return cancelled
  const inner = new AbortController()
  const timer = new AbortController()
  const stopped = new Promise<ModelReply>((resolve) => {
    outer.addEventListener('abort', () => resolve(cancelled), { once: true, signal: timer.signal })
  })
  const late = clock
    .sleep(deadlineMs, timer.signal)
    .then((): ModelReply => ({ ok: false, outcome: 'late', failure: 'deadline', usage: noUsage }))
  const asked = ask(inner.signal).catch(
    // A port that throws broke its contract; for the panel it is one more way to be missing.
    (): ModelReply => ({ ok: false, outcome: 'failed', failure: 'port_threw', usage: noUsage }),
  )
  const reply = await Promise.race([asked, stopped, late])
  // The reason tells a recorder what the panel saw, which the port by itself cannot know.
  inner.abort(reply.ok ? 'answered' : reply.failure)
  timer.abort()
  return reply
}

async function askSample(
  run: PanelRun,
  seat: ModelSeat,
  sample: number,
  shared: { readonly pool: Pool; readonly stop: AbortSignal },
): Promise<Sample> {
  const echo = run.nonce(`echo/${seat.name}/${sample}`)
  const request = judgeRequest(seat, sample, run.prompt, echo)
  const ask = async (signal: AbortSignal): Promise<ModelReply> => {
    const release = await shared.pool.take()
    signal.addEventListener('abort', release, { once: true })
    try {
      if (signal.aborted) {
        return { ok: false, outcome: 'cancelled', failure: 'stopped', usage: noUsage }
      }
      return await run.model.ask(request, signal, release)
    } finally {
      release()
    }
  }
  // The wait for a free connection counts: the panel as a whole ends within one deadline.
  const reply = await underDeadline(ask, run.clock, run.deadlineMs, shared.stop)
  if (!reply.ok) {
    const failure = reply.outcome === 'cancelled' ? 'stopped' : reply.failure
    return { outcome: reply.outcome, failure, usage: reply.usage }
  }
  const read = readJudgeReply(reply.text, echo, run.prompt.context)
  return read.ok
    ? { outcome: 'answered', reply: read.value, usage: reply.usage }
    : { outcome: 'malformed', failure: read.error, usage: reply.usage }
}

async function askSeat(
  run: PanelRun,
  seat: ModelSeat,
  shared: { readonly pool: Pool; readonly stop: AbortSignal },
): Promise<Opinion> {
  const reach = run.model.reach(seat.endpoint, seat.model)
  const started = run.clock.nowMs()
  if (reach === null) {
    const none: Sample = { outcome: 'failed', failure: 'endpoint_unusable', usage: noUsage }
    return opinionOf(seat, null, [none], 0)
  }
  const samples = await Promise.all(
    Array.from({ length: seat.samples }, (_, i) => askSample(run, seat, i, shared)),
  )
  return opinionOf(seat, reach, samples, Math.max(0, run.clock.nowMs() - started))
}

/**
 * All opinions of the panel in the order of the seats. Stops early only once a rejection can no longer
 * change: the seats that are left are cancelled and recorded as such. Rejects only if `checkpoint` does.
 */
export async function runPanel(run: PanelRun): Promise<Opinion[]> {
  const opinions = new Map(run.done.map((opinion) => [opinion.judge, opinion]))
  const stop = new AbortController()
  const relay = () => stop.abort()
  run.signal.addEventListener('abort', relay, { once: true })
  if (run.signal.aborted || run.fixed(run.done)) stop.abort()
  const shared = { pool: new Pool(poolSize), stop: stop.signal }
  let chain: Promise<void> = Promise.resolve()
  try {
    await Promise.all(
      run.seats
        .filter((seat) => !opinions.has(seat.name))
        .map(async (seat) => {
          const opinion = await askSeat(run, seat, shared)
          opinions.set(seat.name, opinion)
          // Stop before the write: the others should not run on while storage is slow.
          if (run.fixed([...opinions.values()])) stop.abort()
          // Cut off from outside is not an opinion: a restart has to ask this judge again.
          if (opinion.outcome === 'cancelled' && run.signal.aborted) return
          chain = chain.then(() => run.checkpoint(opinion))
          await chain
        }),
    )
  } finally {
    stop.abort()
    run.signal.removeEventListener('abort', relay)
  }
  return run.seats.flatMap((seat) => opinions.get(seat.name) ?? [])
}
