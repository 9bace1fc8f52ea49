// A model port that answers from a recording, for evaluations that are run again. It asks a server on
// this machine that holds the recording, and no vendor: what is not recorded is an outage.
import { z } from 'zod'
import { wireSchema } from '../../protocol/opinion.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { ModelPort, ModelReply } from '../../verify/panel/port.ts'
import { recordedCallSchema, replyAgain, requestDigest } from '../../verify/panel/record.ts'
import { bad } from './outcome.ts'
import type { Fetch } from './watched-fetch.ts'

const replaySchema = z.strictObject({
  url: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ }),
  /** How each model of the recording was reached, by `endpoint model`, for the records. */
  reaches: z.record(z.string(), z.strictObject({ wire: wireSchema, vendor: z.string().max(60) })),
})
export type Replay = z.infer<typeof replaySchema>

/** Reads `MODEL_REPLAY`. */
export function parseReplay(text: string): Result<Replay, string> {
  try {
    const parsed = replaySchema.safeParse(JSON.parse(text))
    return parsed.success ? ok(parsed.data) : err(`MODEL_REPLAY: ${z.prettifyError(parsed.error)}`)
  } catch {
    return err('MODEL_REPLAY: not JSON')
  }
}

/** The place of a call in the recording: digest, sample and, where several fit, the seat. */
export function replayPath(call: { request: string; sample: number; seat: string }): string {
  return `/${[call.request, call.sample, call.seat].map(encodeURIComponent).join('/')}`
}

/** A port over a recording. Failures: `not_recorded`, `replay_down`, and those that were recorded. */
export function createReplayPort(replay: Replay, fetch: Fetch): ModelPort {
  return {
    reach: (endpoint, model) => {
      const key = `${endpoint} ${model}`
      return Object.hasOwn(replay.reaches, key) ? (replay.reaches[key] ?? null) : null
    },
    async ask(request, signal, onHeaders): Promise<ModelReply> {
      const { sample, seat } = request
      const path = replayPath({ request: await requestDigest(request), sample, seat })
      try {
        const answer = await fetch(`${replay.url}${path}`, { signal })
        onHeaders()
        const text = await answer.text()
        if (answer.status === 404) return bad('failed', 'not_recorded')
        const reply = recordedCallSchema.shape.reply.safeParse(JSON.parse(text))
        return reply.success ? replyAgain(reply.data, request.fresh) : bad('failed', 'replay_down')
      } catch {
        return signal.aborted ? bad('cancelled', 'aborted') : bad('failed', 'replay_down')
      }
    },
  }
}
