// The way of a plan, listed once: parse ▸ admit ▸ screen ▸ read ▸ simulate ▸ ground ▸ remember ▸ panel ▸
// chief ▸ decide. Each stage takes what the one before it made, and no other way leads to that type, so a
// later stage cannot be called on a plan that has not earned it. Nothing here stores or asks the clock.
import { digest } from '../protocol/digest.ts'
import { collectEvidence, noEvidence } from '../protocol/evidence.ts'
import type { Floor } from '../protocol/finding.ts'
import { topologicalOrder } from '../protocol/graph.ts'
import type { MemoryMatch } from '../protocol/memory.ts'
import type { Opinion } from '../protocol/opinion.ts'
import type { Violation } from '../protocol/reasons.ts'
import { packetSchema, type Decision, type Packet } from '../protocol/records.ts'
import type { PacketTrace } from '../protocol/packet-trace.ts'
import type { StandingUse } from '../protocol/standing.ts'
import { ok, type Result } from '../protocol/result.ts'
import { floorVerdict } from '../protocol/verdict.ts'
import { admit, type Parsed } from './admit/index.ts'
import { decide } from './decide/decide.ts'
import { packetExpiry } from './decide/expiry.ts'
import { ground } from './ground/ground.ts'
import { happeningsOf } from './ground/happenings.ts'
import type { Knowledge as KnowledgePort } from './ground/port.ts'
import { judgePlan, type Bench, type JudgePorts } from './judge.ts'
import { packetTraceOf } from './packet-trace.ts'
import { bearing } from './panel/context.ts'
import { readScene } from './read/index.ts'
import { vocabulary } from './read/vocabulary.ts'
import { planFeatures, type Linked } from './remember/features.ts'
import { matchAll, type Recalled } from './remember/match.ts'
import { judgeByRules } from './rules/index.ts'
import { runWithRules } from './rules/run.ts'
import { screen } from './screen/index.ts'
import {
  cellSeen,
  earn,
  planFactsOf,
  type Admitted,
  type Asked,
  type Decided,
  type Facts,
  type Findings,
  type Grounded,
  type Judged,
  type PlanFacts,
  type Read,
  type Remembered,
  type Screened,
  type Simulated,
} from './stages.ts'

export { parse } from './admit/index.ts'

/** Admission of a parsed body, or every reason why it is answered 422. */
export async function admitPlan(
  body: Parsed,
  asked: Asked,
): Promise<Result<Admitted, Violation[]>> {
  const admitted = await admit(body, asked.snapshot.registry, asked.submitter.planner)
  if (!admitted.ok) return admitted
  const { plan, plan_digest } = admitted.value
  return ok(earn<Admitted>({ ...asked, plan, plan_digest }))
}

/** The deterministic checks, at intake, again at binding and when a record is derived again. */
export async function checkPlan(admitted: Admitted): Promise<Screened> {
  const { plan, snapshot, submitter, received_ms } = admitted
  const floor = await screen(plan, snapshot, submitter, received_ms)
  return earn<Screened>({ ...planFactsOf(admitted), floor })
}

/** A plan that was admitted before it was stored, under the site as it was then or as it is now. */
export const admittedBefore = (stored: PlanFacts): Admitted => earn<Admitted>(planFactsOf(stored))

/** A plan that was screened before it was stored. */
export function screenedBefore(stored: PlanFacts & { readonly floor: Floor }): Screened {
  return earn<Screened>({ ...admittedBefore(stored), floor: stored.floor })
}

/** The one reading: steps as acts, sentences beside them, names and substances resolved. */
export function readPlan(screened: Screened): Read {
  const { plan, snapshot } = screened
  const order = topologicalOrder(plan.nodes)
  const scene = readScene(plan, order, snapshot.registry, cellSeen(screened).cell_state, vocabulary)
  return earn<Read>({ ...screened, scene })
}

/** The one dry run, from the state of the cell in the snapshot, and what rules find in it. */
export function simulatePlan(read: Read): Simulated {
  const { scene, snapshot, submitter } = read
  const { registry } = snapshot
  const { cell_state: state, at_ms: now_ms } = cellSeen(read)
  const trace = runWithRules(scene, registry, state, { now_ms })
  const { planner } = submitter
  const evidence = collectEvidence(judgeByRules({ scene, trace, registry, state, planner }))
  return earn<Simulated>({ ...read, trace, evidence })
}

/** Packets keep this many of each; the limits are those of the packet's schema. */
const nodesMax = 500
const findingsMax = 100

/** Links the plan to the graph. A store that is down gives null, and nothing is then accepted. */
export async function groundPlan(screened: Simulated, port: KnowledgePort): Promise<Grounded> {
  const { plan, snapshot, scene, trace } = screened
  const happenings = happeningsOf(scene, trace, snapshot.registry, cellSeen(screened).cell_state)
  const found = await ground({ plan, site: snapshot.site, happenings, knowledge: port })
  const known = found.ok
    ? {
        grounding: {
          degraded: found.value.degraded,
          nodes: found.value.nodes.slice(0, nodesMax).map((node) => node.id),
          findings: found.value.findings.slice(0, findingsMax),
        },
        graph_version: found.value.graph_version,
        // Of these nodes those that bear on the plan, with their text.
        knowledge: bearing(
          {
            nodes: found.value.nodes.map(({ id, category, name, text }) => ({
              id,
              category,
              title: name,
              text,
            })),
            edges: found.value.edges,
          },
          new Set(Object.values(found.value.linked).flat()),
          new Set(found.value.findings.flatMap((finding) => finding.kg)),
        ),
        linked: found.value.linked,
        failure: null,
      }
    : {
        grounding: null,
        graph_version: null,
        knowledge: null,
        linked: {},
        failure: `${found.error.code}: ${found.error.message}`,
      }
  return earn<Grounded>({ ...screened, ...known })
}

/** The features by which memory is asked about a plan. */
export function featuresOf({ plan, snapshot, linked }: Grounded): string[] {
  return planFeatures(plan, { registry: snapshot.registry, linked })
}

/** Adds what memory gave; null says that it did not answer. */
export function rememberPlan(grounded: Grounded, recalled: Recalled | null): Remembered {
  return earn<Remembered>({ ...grounded, recalled })
}

export type Judging = {
  readonly ports: JudgePorts
  /** Who judges this plan: the policy's panel, with `auto` resolved. */
  readonly bench: Bench
  /** Opinions that an earlier pass over the same plan has made durable. */
  readonly done: readonly Opinion[]
  readonly signal: AbortSignal
  /** True when a recording answers: it knows all answers, and not who came first. */
  readonly replayed: boolean
  /** True asks every judge and the chief although a rejection is certain. */
  readonly askAll: boolean
  /** The standing approval that the plan names and that does not cover it; null: it names none. */
  readonly standing: StandingUse | null
  /** Makes one opinion durable. */
  readonly checkpoint: (opinion: Opinion) => Promise<void> | void
}

const codesIn = (found: readonly { readonly code: string }[]): string[] =>
  found.map(({ code }) => code)

/** What the judges are told of the dry run: its sentences, and what remains on at the end. */
function stepsOf({ trace }: Pick<Simulated, 'trace'>): string[] {
  const left = trace.left_on.map(({ thing, shown }) => `At the end ${thing} remains on: ${shown}.`)
  return [...trace.steps.map(({ sentence }) => sentence), ...left]
}

/** Panel and chief over what rules found. An outage is a missing opinion, which only raises. */
export async function judgeRemembered(plan: Remembered, how: Judging): Promise<Judged> {
  const { snapshot, floor, recalled, knowledge, evidence } = plan
  const { registry, policy, window } = snapshot
  const checked = [...floor.findings, ...(plan.grounding?.findings ?? [])]
  const raised = codesIn(checked.filter((found) => floorVerdict(found.effect) !== 'accept'))
  // Rules are pure and at hand: what they find tells memory whose failures may speak here.
  const ruled = codesIn([
    ...checked,
    ...evidence.breaches,
    ...evidence.unknowns,
    ...evidence.doubts,
  ])
  const matched = (opinions: readonly Opinion[]): MemoryMatch[] => {
    if (recalled === null) return []
    const codes = [...ruled, ...opinions.flatMap((opinion) => codesIn(opinion.findings))]
    return matchAll(recalled.memories, { ...recalled.plan, codes, raised })
  }
  // Without memory nobody knows what was refused before: the same as a graph that is down.
  const grounding = recalled === null ? null : plan.grounding
  const judged = await judgePlan(
    how.ports,
    {
      plan: plan.plan,
      registry,
      policy,
      bench: how.bench,
      floor,
      evidence,
      steps: stepsOf(plan),
      memory: matched([]),
      window,
      grounding,
      knowledge,
      done: how.done,
      signal: how.signal,
      earlyStop: !how.replayed,
      askAll: how.askAll,
    },
    how.checkpoint,
  )
  // Once more with what the models found: a fault that only they see is not mended by not asking.
  const memory = matched(judged.opinions)
  const shown = await shownTraceOf(plan)
  const { graph_version } = plan
  const found: Findings = { ...judged, grounding, trace: shown, evidence, memory, graph_version }
  return judgedAs(plan, { ...found, ...ofStanding(how.standing) }, plan.linked)
}

const ofStanding = (standing: StandingUse | null): Pick<Findings, 'standing'> =>
  standing === null ? {} : { standing }

const shownTraceOf = (plan: Remembered): Promise<PacketTrace> => {
  const { cell_state, changed } = cellSeen(plan)
  return packetTraceOf(plan.trace, cell_state, changed)
}

/** A run that a standing approval covers: people have answered for it, and no judge is asked again. */
export async function coveredByStanding(plan: Remembered, standing: StandingUse): Promise<Judged> {
  const { recalled, floor, evidence, graph_version } = plan
  const checked = [...floor.findings, ...(plan.grounding?.findings ?? [])]
  const raised = codesIn(checked.filter((one) => floorVerdict(one.effect) !== 'accept'))
  const { breaches, unknowns, doubts } = evidence
  const codes = codesIn([...checked, ...breaches, ...unknowns, ...doubts])
  const memory =
    recalled === null ? [] : matchAll(recalled.memories, { ...recalled.plan, codes, raised })
  const found: Findings = {
    // Without memory nobody knows whether such a run failed before.
    grounding: recalled === null ? null : plan.grounding,
    trace: await shownTraceOf(plan),
    evidence,
    memory,
    graph_version,
    opinions: [],
    chief: null,
    citations: [],
    depth: { panel: 'rules', required: 1, seats: 0, short: null, expected: [], reads_only: false },
    standing,
  }
  return judgedAs(plan, found, plan.linked)
}

/**
 * A plan that no judge was asked about: the floor blocked it, or every pass died. What is missing speaks
 * against it; `opinions` are those that landed before.
 */
export function unjudged(screened: Screened, opinions: readonly Opinion[]): Judged {
  const depth: Packet['depth'] = {
    panel: 'rules',
    required: 1,
    seats: 0,
    // A block needs no judge; else every pass has died, and a person is told that.
    short: screened.floor.level === 'block' ? null : 'judging_failed',
    expected: [],
    reads_only: false,
  }
  const blocked = screened.floor.level === 'block'
  const what = 'The plan could not be judged: what rules would have found is not known.'
  const unknown = { code: 'JUDGE_OTHER' as const, node: null, at: '', what, facts: {} }
  const evidence = blocked ? noEvidence : { ...noEvidence, unknowns: [unknown] }
  const none = {
    grounding: null,
    trace: null,
    evidence,
    chief: null,
    memory: [],
    citations: [],
    graph_version: null,
  }
  return judgedAs(screened, { ...none, opinions: [...opinions], depth }, {})
}

function judgedAs(plan: Facts<Screened>, found: Findings, linked: Linked): Judged {
  const { floor } = plan
  return earn<Judged>({ ...planFactsOf(plan), floor, found, linked })
}

/** Closes the packet at `now_ms` and decides. */
export async function decideJudged(judged: Judged, now_ms: number): Promise<Decided> {
  const { found, floor, linked, snapshot } = judged
  const { policy, registry_digest, policy_version } = snapshot
  const machine = decide({ ...found, floor, policy })
  const expires = packetExpiry(machine, policy, now_ms)
  const { plan_digest } = judged
  // Parsed before it is stored: a packet that cannot be read back would lock the plan.
  const packet = packetSchema.parse({
    plan_digest,
    floor,
    ...found,
    registry_digest,
    policy_version,
    expires,
  })
  const packet_digest = await digest('packet', packet)
  const { verdict, reasons, classification: concern } = machine
  const valid_until = verdict === 'escalate' ? expires : now_ms + policy.decision_valid_ms
  const decision: Decision = { packet_digest, verdict, reasons, approvals: [], valid_until }
  const decision_digest = await digest('decision', decision)
  return earn<Decided>({ packet, packet_digest, concern, decision, decision_digest, linked })
}
