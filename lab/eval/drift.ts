// `npm run eval -- drift PACKETS`: stored plans judged again by the gateway as it is now, under other
// models, prompts, rules or another graph, and what changed. The floor, memory and graph findings of
// the stored packet stay, so that what is compared are the judges.
import { loadSite } from '../local/demo-site.ts'
import { startGatewayWithGraph } from '../local/graph.ts'
import { digest } from '../../protocol/digest.ts'
import { policySchema } from '../../protocol/policy.ts'
import type { Packet } from '../../protocol/records.ts'
import { driftReport, type JudgedAgain } from '../../verify/drift.ts'
import type { JudgesChoice } from './judges-option.ts'
import { readPackets, type StoredPacket } from './packets.ts'
import { inParallel } from './parallel.ts'
import { openSite, readReview, submitPlan } from './site-run.ts'

export type DriftOptions = {
  readonly site: string | null
  readonly parallel: number
  readonly judges: JudgesChoice
}

/** How many plans differ in something that is not the judges. */
function surroundings(items: readonly { stored: StoredPacket; now: Packet }[], registry: string) {
  const count = (differs: (item: (typeof items)[number]) => boolean) => items.filter(differs).length
  return {
    registry_changed: count(({ stored }) => stored.packet.registry_digest !== registry),
    policy_changed: count(({ stored, now }) => stored.packet.policy_version !== now.policy_version),
    graph_changed: count(({ stored, now }) => stored.packet.graph_version !== now.graph_version),
    floor_changed: count(
      ({ stored, now }) =>
        JSON.stringify(codes(stored.packet)) !== JSON.stringify(codes(now)) ||
        stored.packet.floor.level !== now.floor.level,
    ),
  }
}

const codes = (packet: Packet): string[] => packet.floor.findings.map((found) => found.code).sort()

/** Judges every stored plan again and returns the report; progress goes to stderr. */
export async function evaluateDrift(file: string, options: DriftOptions) {
  const packets = await readPackets(file)
  const { registry, proven } = await loadSite(options.site ?? undefined)
  const gateway = await startGatewayWithGraph({ vars: options.judges.vars })
  try {
    const again = await inParallel(packets, options.parallel, async (stored, i) => {
      const policy = policySchema.parse({ ...options.judges.policy(stored.policy), mode: 'shadow' })
      const site = await openSite(gateway, `drift-${i}`, { registry, policy, proven })
      try {
        if (stored.state !== undefined) await site.record(stored.state)
        const answer = await submitPlan(site, stored)
        const now = answer.ok ? (await readReview(site, answer.plan.plan)).packet : null
        return { stored, policy, now }
      } finally {
        site.close()
      }
    })
    const judged = again.flatMap(({ now, ...rest }) => (now === null ? [] : [{ ...rest, now }]))
    const items = judged.map(({ stored, policy, now }): JudgedAgain => ({
      stored: {
        plan: stored.id,
        packet: stored.packet,
        policy: stored.policy,
        person: stored.person,
      },
      again: { opinions: now.opinions, chief: now.chief, depth: now.depth },
      policy,
      graph_version: now.graph_version,
    }))
    return {
      judges: options.judges.kind,
      ...driftReport(items),
      /** Plans that the door no longer takes, e.g. because a tool is gone. */
      not_judged: again.filter(({ now }) => now === null).map(({ stored }) => stored.id),
      ...surroundings(judged, await digest('registry', registry)),
    }
  } finally {
    await gateway.close()
  }
}
export type DriftDocument = Awaited<ReturnType<typeof evaluateDrift>>
