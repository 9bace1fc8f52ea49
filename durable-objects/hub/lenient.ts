// Reading the hub's own rows. They were checked before they were written, perhaps by the release after
// this one: a field that is not known here is left alone, a value that cannot be read is the careful one.
import { z } from 'zod'
import {
  outOfServiceSchema,
  serverReasonSchema,
  type AgentHealth,
} from '../../protocol/snapshot.ts'

const health = z.object({
  agent: z.string(),
  cell: z.string(),
  reported_at_ms: z.number(),
  servers: z.record(
    z.string(),
    z.object({
      state: z.string(),
      // A reason that is not known here says no less that the server is down.
      reason: serverReasonSchema.optional().catch(undefined),
      instance: z.number().optional().catch(undefined),
      address: z.string().optional().catch(undefined),
      list: z.object({ digest: z.string(), bytes: z.number() }).optional().catch(undefined),
      tools: z.record(z.string(), z.string()),
    }),
  ),
  sandboxes: z.record(z.string(), z.string()),
  // Nor does an agent take sessions for a reason that is not known here.
  out_of_service: outOfServiceSchema.optional().catch('not_at_rest'),
  clock_skew_ms: z.number().optional(),
})

const state = (word: string): 'up' | 'down' => (word === 'up' ? 'up' : 'down')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** What an agent said of itself; null when it cannot be read, and then nothing is operable. */
export function readHealth(text: string): AgentHealth | null {
  const read = health.safeParse(parsed(text))
  if (!read.success) return null
  const { servers, sandboxes, out_of_service, clock_skew_ms, ...rest } = read.data
  return {
    ...rest,
    ...(out_of_service === undefined ? {} : { out_of_service }),
    ...(clock_skew_ms === undefined ? {} : { clock_skew_ms }),
    servers: Object.fromEntries(
      Object.entries(servers).map(([name, server]) => [
        name,
        {
          state: state(server.state),
          ...(server.reason === undefined ? {} : { reason: server.reason }),
          ...(server.instance === undefined ? {} : { instance: server.instance }),
          ...(server.address === undefined ? {} : { address: server.address }),
          ...(server.list === undefined ? {} : { list: server.list }),
          tools: server.tools,
        },
      ]),
    ),
    sandboxes: Object.fromEntries(
      Object.entries(sandboxes).map(([name, word]) => [name, state(word)]),
    ),
  }
}

/** A list of texts that the hub wrote itself. */
export function readTexts(value: unknown): string[] {
  const list: unknown = typeof value === 'string' ? parsed(value) : null
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}
