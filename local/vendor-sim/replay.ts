// Replay over real sockets: a server that answers a whole gateway's judges from a recording, so that an
// evaluation runs again without cost and without keys. It never asks anybody.
import {
  delimiterHole,
  echoHole,
  callDigest,
  type RecordedCall,
} from '../../verify/panel/record.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { delimiterOf, requestIdOf } from './read-prompt.ts'
import { startVendorSim, type VendorSim } from './server.ts'
import type { SimFault, SimRequest } from './types.ts'

type Body = {
  max_tokens?: number
  max_completion_tokens?: number
  temperature?: number
  output_config?: { format?: { schema?: JsonObject } }
  response_format?: { json_schema?: { schema?: JsonObject } }
}

/** The fresh values of a request, read from its prompt. */
export function freshOf(prompt: string): { delimiter: string; echo: string } {
  return { delimiter: delimiterOf(prompt), echo: requestIdOf(prompt) }
}

/** The digest under which the gateway's own recorder would have stored this request. */
export function digestOf(request: Pick<SimRequest, 'raw' | 'model' | 'system' | 'prompt'>) {
  const body = JSON.parse(request.raw) as Body
  return callDigest(
    {
      model: request.model,
      max_tokens: body.max_tokens ?? body.max_completion_tokens ?? 0,
      temperature: body.temperature ?? null,
      system: request.system,
      prompt: request.prompt,
      schema: body.output_config?.format?.schema ?? body.response_format?.json_schema?.schema ?? {},
    },
    freshOf(request.prompt),
  )
}

/** A recorded failure as a fault that gives a missing judge again; its name may differ. */
function faultFor(call: RecordedCall): SimFault | null {
  if (call.reply.ok) return null
  const status = /^http_(\d{3})$/.exec(call.reply.failure)?.[1]
  if (status !== undefined) return { kind: 'status', status: Number(status), retryAfterS: 600 }
  if (call.reply.outcome === 'refused') return { kind: 'refusal' }
  if (call.reply.failure === 'truncated') return { kind: 'truncated' }
  // An outage without a status, or a judge that was late: at once, so that a replay does not wait.
  return { kind: 'status', status: 503, retryAfterS: 600 }
}

export type Replay = {
  readonly sim: VendorSim
  /** Requests that the recording does not hold. */
  readonly missed: () => number
}

/**
 * Starts the replay. The same request asked again takes the next recording of it, the last one for
 * ever; what was not recorded is answered 404, which makes a missing judge, and is counted.
 */
export async function startReplay(calls: readonly RecordedCall[]): Promise<Replay> {
  const queues = new Map<string, RecordedCall[]>()
  for (const call of calls) queues.set(call.request, [...(queues.get(call.request) ?? []), call])
  const picked = new Map<number, RecordedCall | null>()
  let missed = 0
  const sim = await startVendorSim({
    answer: (request) => {
      const call = picked.get(request.n)
      if (call === undefined || call === null || !call.reply.ok) return '{}'
      const { delimiter, echo } = freshOf(request.prompt)
      return call.reply.text.replaceAll(echoHole, echo).replaceAll(delimiterHole, delimiter)
    },
  })
  sim.setFault(async (request) => {
    const queue = queues.get(await digestOf(request))
    const call = queue !== undefined && queue.length > 1 ? queue.shift() : queue?.[0]
    picked.set(request.n, call ?? null)
    if (call !== undefined) return faultFor(call)
    missed += 1
    return { kind: 'status', status: 404 }
  })
  return { sim, missed: () => missed }
}
