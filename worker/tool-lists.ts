// What the device servers of a site list now, as its agents report it: each list is named in an agent's health
// by digest, and fetched from it piece by piece. What a server says of its tools is its own word, never fact.
import { parseJsonText } from '../protocol/parse.ts'
import { limits } from '../protocol/limits.ts'
import type { Env } from '../durable-objects/env.ts'
import type { Offer } from '../verify/onboard/draft.ts'
import { toolListSchema } from '../verify/onboard/example.ts'
import { siteHub } from './objects.ts'
import { partStream } from './part-stream.ts'

/** One server of one agent, and what became of its list. */
export type ListSource = {
  agent: string
  server: string
  /**
   * `same`, `another`: an earlier agent shows this server with the same list, or another one. `not_told`: an older
   * agent, or a server that is away. `too_much`: with it the file would be larger than one may be.
   */
  what: 'taken' | 'same' | 'another' | 'not_told' | 'agent_away' | 'unreadable' | 'too_much'
  tools: number
}

type Listed = { digest: string; bytes: number }

async function listOf(
  env: Env,
  site: string,
  agent: string,
  { digest, bytes }: Listed,
): Promise<Offer['tools'] | null> {
  const hub = siteHub(env, site)
  const part = { digest, bytes, type: 'application/json' }
  const stream = await partStream((ask) => hub.part(ask), {
    agent,
    part,
    mediaOnly: false,
    // The pump ends with the stream, which is read to its end here.
    background: () => undefined,
  })
  if (!stream.ok) return null
  try {
    const json = parseJsonText(await new Response(stream.value).text(), {
      bytesMax: limits.toolListBytesMax,
      depthMax: limits.jsonDepthMax,
      valuesMax: limits.registryValuesMax,
    })
    const read = json.ok ? toolListSchema.safeParse(json.value) : null
    return read?.success === true ? read.data : null
  } catch {
    // It broke off, or it was not what its digest says.
    return null
  }
}

/** Every server's list once. Where two agents show one name with two lists, the first by name stands. */
export async function toolLists(
  env: Env,
  site: string,
): Promise<{ offers: Offer[]; sources: ListSource[] }> {
  const agents = (await siteHub(env, site).agents()).filter(({ revoked }) => !revoked)
  const offers = new Map<string, Offer & { digest: string }>()
  const sources: ListSource[] = []
  const room = { tools: limits.toolsMax, bytes: limits.registryBytesMax / 2 }
  for (const { agent, online, health } of agents) {
    for (const [server, { list }] of Object.entries(health?.servers ?? {})) {
      const told = (what: ListSource['what'], tools = 0): void =>
        void sources.push({ agent, server, what, tools })
      const known = offers.get(server)
      if (!online) told('agent_away')
      else if (list === undefined) told('not_told')
      else if (list.bytes > room.bytes) told('too_much')
      else if (known !== undefined) told(known.digest === list.digest ? 'same' : 'another')
      else {
        const tools = await listOf(env, site, agent, list)
        if (tools === null) told('unreadable')
        else if (tools.length > room.tools) told('too_much')
        else {
          room.tools -= tools.length
          room.bytes -= list.bytes
          offers.set(server, { server, tools, digest: list.digest })
          told('taken', tools.length)
        }
      }
    }
  }
  return { offers: [...offers.values()].map(({ server, tools }) => ({ server, tools })), sources }
}
