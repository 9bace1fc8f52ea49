// What a plan has earned on its way, stage by stage. No other way leads to these types than the stages of
// pipeline.ts, so a later stage cannot be called on a plan that an earlier one has not seen.
import type { Evidence } from '../protocol/evidence.ts'
import type { Floor } from '../protocol/finding.ts'
import type { SeenAgain } from '../protocol/packet-trace.ts'
import type { Decision, Packet } from '../protocol/records.ts'
import type { SiteSnapshot, Submitter } from '../protocol/snapshot.ts'
import type { Concern } from '../protocol/verdict.ts'
import type { AdmittedPlan } from './admit/index.ts'
import type { Knowledge } from './panel/context.ts'
import type { Linked } from './remember/features.ts'
import type { Scene } from './read/scene.ts'
import type { Trace } from './simulate/trace.ts'
import type { Recalled } from './remember/match.ts'

declare const earned: unique symbol
/** Facts that only the stage of that name hands out. */
type Earned<Stage extends string, Given> = Given & { readonly [earned]: Stage }

/** The facts of a stage, without the proof that it was passed. */
export type Facts<Stage> = Omit<Stage, typeof earned>

/** Hands out the proof. Called by the stages of the pipeline and by nobody else. */
export function earn<Stage extends { readonly [earned]: string }>(facts: Facts<Stage>): Stage {
  return facts as Stage
}

export type { Parsed } from './admit/index.ts'

/** Who submitted, when, and the site as it was then. */
export type Asked = {
  readonly submitter: Submitter
  readonly snapshot: SiteSnapshot
  /** Milliseconds since the epoch. */
  readonly received_ms: number
}

export type PlanFacts = Asked &
  Pick<AdmittedPlan, 'plan' | 'plan_digest'> & {
    /** The cell as it was when the plan came back from binding; left out the first time. */
    readonly seen?: SeenAgain
  }

/** The cell that a plan is judged over, and when it was looked at: at intake, or again at binding. */
export const cellSeen = ({
  seen,
  snapshot,
  received_ms,
}: Pick<PlanFacts, 'seen' | 'snapshot' | 'received_ms'>): SeenAgain =>
  seen ?? { cell_state: snapshot.cell_state, at_ms: received_ms, changed: [] }

const seenOf = ({ seen }: Pick<PlanFacts, 'seen'>): Pick<PlanFacts, 'seen'> =>
  seen === undefined ? {} : { seen }

/** Everything that every stage hands on. */
export function planFactsOf(given: PlanFacts): PlanFacts {
  const { plan, plan_digest, snapshot, submitter, received_ms } = given
  return { plan, plan_digest, snapshot, submitter, received_ms, ...seenOf(given) }
}

/** Well formed, known tools, fitting arguments: a plan that may be judged. */
export type Admitted = Earned<'admitted', PlanFacts>

/** With the floor of the deterministic checks. */
export type Screened = Earned<'screened', PlanFacts & { readonly floor: Floor }>

/** With the one scene that every later stage reads. */
export type Read = Earned<'read', Facts<Screened> & { readonly scene: Scene }>

/** With the trace of the dry run, and what rules found in both. */
export type Simulated = Earned<
  'simulated',
  Facts<Read> & { readonly trace: Trace; readonly evidence: Evidence }
>

/** With what the graph knows about it; `grounding` is null when the store did not answer. */
export type Grounded = Earned<
  'grounded',
  Facts<Simulated> & {
    readonly grounding: Packet['grounding']
    readonly graph_version: string | null
    /** The text behind the ids of `grounding`, for prompts. */
    readonly knowledge: Knowledge | null
    readonly linked: Linked
    /** Why the store gave nothing; null when it answered. */
    readonly failure: string | null
  }
>

/** With the earlier failures that may speak about it; null when the store of memories is down. */
export type Remembered = Earned<
  'remembered',
  Facts<Grounded> & { readonly recalled: Recalled | null }
>

/** What the packet gets from everything that can err. */
export type Findings = Pick<
  Packet,
  | 'grounding'
  | 'trace'
  | 'evidence'
  | 'opinions'
  | 'chief'
  | 'memory'
  | 'citations'
  | 'graph_version'
  | 'depth'
> &
  Partial<Pick<Packet, 'standing'>>
export type Judged = Earned<
  'judged',
  Facts<Screened> & { readonly found: Findings; readonly linked: Linked }
>

/** The closed packet and the machine's decision on it. */
export type Decided = Earned<
  'decided',
  {
    readonly packet: Packet
    readonly packet_digest: string
    readonly concern: Concern
    readonly decision: Decision
    readonly decision_digest: string
    readonly linked: Linked
  }
>
