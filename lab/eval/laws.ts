// Laws of decision over recorded opinions: the gateway's own and what was tried beside it. Facts bind
// under every one of them (floor, graph, breaches, unknowns, memory); they differ in what they make of
// what models say. How many seats there were, and a chief that was not recorded, are not held against
// a plan: neither says anything about it.
import type { Opinion } from '../../protocol/opinion.ts'
import type { Policy } from '../../protocol/policy.ts'
import type { DecisionReason, Packet } from '../../protocol/records.ts'
import { floorVerdict, worse, type Verdict } from '../../protocol/verdict.ts'
import { rederive } from '../../verify/decide/decide.ts'
import { atLeastSevere } from '../../verify/decide/severity.ts'

export type Law = {
  readonly name: string
  readonly says: string
  readonly decide: (packet: Packet, policy: Policy) => Verdict
}

const aboutThePanel: ReadonlySet<DecisionReason> = new Set(['depth_short', 'chief_missing'])

/** The gateway's decision, not held to a number of seats nor, where none was recorded, to a chief. */
export function gatewayVerdict(packet: Packet, policy: Policy): Verdict {
  const { verdict, reasons } = rederive(packet, { ...policy, panel: 'live' })
  const left = reasons.filter((reason) => !aboutThePanel.has(reason) && reason !== 'all_accept')
  return left.length === 0 ? 'accept' : verdict
}

/** What facts alone give, before anybody is heard. */
export function factsVerdict({ floor, grounding, evidence, memory }: Packet): Verdict {
  let verdict = floorVerdict(floor.level)
  for (const f of grounding?.findings ?? []) verdict = worse(verdict, floorVerdict(f.effect))
  for (const breach of evidence.breaches) verdict = worse(verdict, breach.verdict)
  if (evidence.unknowns.length > 0) verdict = worse(verdict, 'escalate')
  if (grounding === null) verdict = worse(verdict, 'escalate')
  if (memory.some((match) => match.effect === 'escalates')) verdict = worse(verdict, 'escalate')
  return verdict
}

const count = (packet: Packet, verdict: Verdict): number =>
  packet.opinions.filter((o) => o.outcome === 'answered' && o.verdict === verdict).length

/** The verdict that most of the seats share; a person where none has most. */
export function modelsMajority(packet: Packet): Verdict {
  const seats = packet.depth.expected.length
  for (const verdict of ['reject', 'escalate', 'accept'] as const) {
    if (count(packet, verdict) * 2 > seats) return verdict
  }
  return 'escalate'
}

/** Whoever was not heard accepts nothing, under every law. */
const beside = (said: (packet: Packet) => Verdict) => (packet: Packet) =>
  worse(factsVerdict(packet), packet.opinions.length === 0 ? 'escalate' : said(packet))

function threshold(share: number): (packet: Packet) => Verdict {
  return (packet) => {
    const seats = packet.depth.expected.length
    if (count(packet, 'reject') > share * seats) return 'reject'
    return count(packet, 'accept') === seats ? 'accept' : 'escalate'
  }
}

const doubtsOpen = (packet: Packet): Verdict =>
  packet.evidence.doubts.length > 0 ? 'escalate' : 'accept'

/** A severe, likely and substantiated finding counts as a rejection whatever its seat's verdict says. */
const gradesReject = (o: Opinion): boolean =>
  o.findings.some(
    (f) =>
      f.substantiated &&
      atLeastSevere(f, 'high') &&
      (f.likelihood >= 0.5 || o.verdict === 'reject'),
  )

const meanRisk = (packet: Packet): number =>
  packet.opinions.reduce((sum, o) => sum + o.risk, 0) / Math.max(1, packet.opinions.length)

const withVotes =
  (change: Partial<Policy['votes']>) =>
  (packet: Packet, policy: Policy): Verdict =>
    gatewayVerdict(packet, { ...policy, votes: { ...policy.votes, ...change } })

const withoutDoubts = (packet: Packet): Packet => ({
  ...packet,
  evidence: { ...packet.evidence, doubts: [] },
})

/** In the order of the table: the gateway's first. */
export const laws: readonly Law[] = [
  {
    name: 'gateway',
    says: 'majority of the expected seats rejects with substance; all accept and no doubt is open: accept',
    decide: gatewayVerdict,
  },
  {
    name: 'gateway, doubts off',
    says: 'the same, but what rules read in words is not asked',
    decide: (packet, policy) => gatewayVerdict(withoutDoubts(packet), policy),
  },
  {
    name: 'gateway, medium suffices',
    says: 'a rejection needs a finding of medium severity only',
    decide: withVotes({ reject_severity: 'medium' }),
  },
  {
    name: 'gateway, seven in ten',
    says: 'a rejection needs more than 0.7 of the seats',
    decide: withVotes({ majority: 0.7 }),
  },
  {
    name: 'facts alone',
    says: 'nobody is asked',
    decide: (packet) => worse(factsVerdict(packet), doubtsOpen(packet)),
  },
  {
    name: 'plain majority',
    says: 'most reject: reject; all accept: accept; substance, severity and doubts do not matter',
    decide: beside(threshold(0.5)),
  },
  {
    name: 'unanimous rejection',
    says: 'every seat rejects: reject; all accept: accept',
    decide: beside((packet) => threshold(0.999)(packet)),
  },
  {
    name: 'any rejection',
    says: 'one seat rejects: reject; all accept: accept',
    decide: beside(threshold(0)),
  },
  {
    name: 'majority accepts too',
    says: 'what most seats say, both ways',
    decide: beside(modelsMajority),
  },
  {
    name: 'grades reject',
    says: 'a severe, likely finding rejects whatever the verdict beside it; rules vote',
    decide: (packet) => {
      const voted = worse(factsVerdict(packet), doubtsOpen(packet))
      if (packet.opinions.some(gradesReject)) return 'reject'
      return worse(voted, beside(threshold(1))(packet))
    },
  },
  {
    name: 'mean risk',
    says: 'mean of severity × likelihood: above 0.6 reject, below 0.2 accept',
    decide: beside((packet) => {
      const risk = meanRisk(packet)
      if (risk > 0.6) return 'reject'
      return risk < 0.2 ? 'accept' : 'escalate'
    }),
  },
]
