// The life of one plan after its admission: ten states, what is known in each, what moves it and what
// follows. Plain values only: the object that holds them writes every change before anybody is told, and
// after a crash begins again from exactly these values.
import { z } from 'zod'
import type { Floor } from '../../protocol/finding.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import {
  bindRefusalSchema,
  terminationReasonSchema,
  type BindRefusal,
  type TerminationReason,
} from '../../protocol/reasons.ts'
import {
  approvalSchema,
  decisionSchema,
  type Context,
  type Packet,
} from '../../protocol/records.ts'
import type { Result } from '../../protocol/result.ts'
import { digestSchema } from '../../protocol/registry.ts'
import type { SiteSnapshot } from '../../protocol/snapshot.ts'
import { holeValuesSchema, standingRecordSchema, type Suspension } from '../../protocol/standing.ts'
import type { SeenAgain } from '../../protocol/packet-trace.ts'
import { concernSchema } from '../../protocol/verdict.ts'
import type { CellState } from '../../protocol/state.ts'
import type { Difference } from '../simulate/compare.ts'
import type { Decided, Facts, PlanFacts, Screened } from '../stages.ts'

/** Milliseconds since the epoch. */
const timeMs = z.number()

/** What was decided last. */
const standingSchema = z.strictObject({
  decision: decisionSchema,
  concern: concernSchema,
  decided_ms: timeMs,
})
export type Standing = z.infer<typeof standingSchema>

/** The one session that may ever run the plan; written before that session exists. */
const runSchema = z.strictObject({
  session: z.string().max(limits.idCharsMax),
  bound_ms: timeMs,
})
export type Run = z.infer<typeof runSchema>

const assigneeSchema = z.strictObject({
  person: z.string().max(limits.idCharsMax),
  by: z.string().max(limits.idCharsMax),
  at_ms: timeMs,
})

const standing = { standing: standingSchema }
const run = { ...standing, run: runSchema }

/** A state holds what is known in it and nothing else. */
export const reviewStateSchema = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('judging'),
    /** Passes of the judges that were begun: counted before each, so that one that dies counts. */
    passes: z.int().min(0),
    /** When the next pass is due, unless the present one ends before. */
    next_ms: timeMs,
  }),
  z.strictObject({
    state: z.literal('escalated'),
    ...standing,
    /** Of the packet that is displayed; more than one where the policy asks for several people. */
    approvals: z.array(approvalSchema).max(limits.reviewApproversMax),
    /** When reviewers are reminded next; null where the site has no webhook. */
    remind_ms: timeMs.nullable(),
    /** When everybody is told that it will soon expire; left out where the site wants no mail, or it was told. */
    near_expiry_ms: timeMs.optional(),
    /** Who looks at it. It gives no right and takes none; left out for nobody. */
    assignee: assigneeSchema.optional(),
  }),
  z.strictObject({ state: z.literal('rejected'), ...standing }),
  /** Accepted and not to be run: a text without steps, or a site in shadow mode. */
  z.strictObject({ state: z.literal('accepted'), ...standing }),
  z.strictObject({ state: z.literal('queued'), ...standing }),
  z.strictObject({ state: z.literal('bound'), ...run }),
  z.strictObject({ state: z.literal('completed'), ...run, ended_ms: timeMs }),
  z.strictObject({
    state: z.literal('terminated'),
    ...run,
    ended_ms: timeMs,
    reason: terminationReasonSchema.nullable(),
    /** The node whose device failed or is unknown; null when none did. */
    node: z.string().nullable(),
  }),
  /** `standing` is null when the plan was withdrawn before it was decided. */
  z.strictObject({ state: z.literal('withdrawn'), standing: standingSchema.nullable() }),
  z.strictObject({
    state: z.literal('expired'),
    ...standing,
    /** Why the site would not run an accepted plan; null when time alone ended it. */
    refusal: bindRefusalSchema.nullable(),
    /** The session that refused it after it was bound, or null. */
    run: runSchema.nullable(),
  }),
])
export type ReviewState = z.infer<typeof reviewStateSchema>
export type In<Name extends ReviewState['state']> = Extract<ReviewState, { state: Name }>

/** What a plan is started with; never changed afterwards. */
export type ReviewSpec = PlanFacts & { readonly plan_id: string } & Pick<Screened, 'floor'> & {
    /** The standing approval that it is asked for as a run of, as it stood then; left out for all others. */
    readonly standing?: StandingAsk
    /** The planner's `traceparent`; left out where it brought none. */
    readonly traceparent?: string
  }

/** What a run brings: the record that its approvers were shown, its digest, and what stands in the holes. */
export const standingAskSchema = z.strictObject({
  record: standingRecordSchema,
  digest: digestSchema,
  values: holeValuesSchema,
  approvers: z.array(z.string().max(limits.idCharsMax)).max(limits.reviewApproversMax),
  /** Under which they signed; under others it is another approval. */
  credentials: z.array(z.string().max(limits.idCharsMax)).max(limits.reviewApproversMax),
})
export type StandingAsk = z.infer<typeof standingAskSchema>

/** What the step may look at besides the state. */
export type ReviewFacts = {
  readonly spec: ReviewSpec
  /** The packet as it was closed; null before. */
  readonly packet: Packet | null
}

/** Who asks to run the plan, and the site as it is now. */
export type BindAsk = {
  readonly session: string
  readonly cell: string
  readonly agent: string
  /** RFC 7638 thumbprint of the agent's key. */
  readonly agent_jkt: string
  /** What the agent said at its upgrade that it can do; without `signed-rows` C names no rows. */
  readonly features: readonly string[]
  /** The agent's process as the hub knows it; left out or null for one that has not said hello. */
  readonly boot_id?: string | null
  readonly snapshot: SiteSnapshot
}

export type Review = {
  /** The person who answers for the reviewing credential. */
  readonly approver: string
  readonly verdict: 'accept' | 'reject'
  readonly rationale: string
  /** The packet that the person was shown. */
  readonly packet_digest: string
  /** A fresh touch of the person's key that signs this very packet, checked by the door; left out: none. */
  readonly touch?: Touch
}

/** What a person's key has signed, and all that is needed to check that again. */
export type Touch = {
  readonly passkey: string
  /** COSE key; this and the next three in base64url. */
  readonly public_key: string
  readonly client_data: string
  readonly authenticator_data: string
  readonly signature: string
  /** The text whose SHA-256 was the challenge: what is signed, by whom, and a number used once. */
  readonly about: string
}

/** Who shall look at a plan: taken, given or let go, by somebody who saw who had it. */
export type Assigning = {
  readonly by: string
  readonly to: string | null
  /** Who had it when `by` looked. */
  readonly seen: string | null
}
export type AssignRefusal =
  | 'not_found'
  | 'not_escalated'
  | 'stale_assignee'
  | 'conflict_of_interest'

/** What a mail is about. */
export type MailEvent = 'waiting' | 'near_expiry' | 'assigned'

/** Everything that can happen to a plan. */
export type ReviewEvent =
  /** Time has passed. `idle` is false while a pass of the judges runs in this very process. */
  | { readonly type: 'tick'; readonly idle: boolean }
  | { readonly type: 'judged'; readonly decided: Facts<Decided> }
  /** `outdated`: the site is no longer the one that the plan was judged for. */
  | { readonly type: 'review'; readonly review: Review; readonly outdated: boolean }
  | { readonly type: 'withdraw'; readonly by: string }
  | { readonly type: 'assign'; readonly assign: Assigning }
  | {
      readonly type: 'bind'
      readonly ask: BindAsk
      /** The floor over the site as it is now; null when the plan did not wait and nobody looked. */
      readonly floor: Floor | null
      /** What the dry run over the cell as it is now gives beyond what was shown. */
      readonly differences: readonly Difference[]
      /** The cell in which they differ; null when nobody looked. */
      readonly cell_state: CellState | null
      /** True when the session that asks has ended already, for the totals of the site: it must not run. */
      readonly session_over: boolean
      /** Tool → digest of its row, of every row that the agent may use. */
      readonly rows: Readonly<Record<string, string>>
      readonly decision_digest: string
    }
  /** The session was asked to open, and what it said. */
  | {
      readonly type: 'opened'
      readonly session: string
      readonly answer: Result<void, { code: BindRefusal }>
    }
  /** The hub will not take the plan into its queue, for good. */
  | { readonly type: 'not_queued'; readonly code: BindRefusal }
  | {
      readonly type: 'ended'
      readonly session: string
      readonly status: 'completed' | 'terminated'
      readonly reason: TerminationReason | null
      readonly node: string | null
      readonly ended_ms: number
      /** True when no agent ever said hello in the session; left out by older ones. */
      readonly untouched?: boolean
    }
  /** A message that nobody took was given up. */
  | { readonly type: 'given_up'; readonly kind: string; readonly attempts: number }

export type ReviewRefusal =
  | 'not_found'
  | 'not_escalated'
  | 'stale_packet'
  | 'already_resolved'
  | 'conflict_of_interest'
  | 'same_approver'
  | 'outdated'
  | 'expired'
  | 'touch_needed'

/** Data for the shell. All that is stored is written in one transaction, then the rest is done. */
export type ReviewEffect =
  | {
      readonly do: 'trail'
      readonly actor: string
      readonly event: string
      readonly facts: JsonObject
    }
  /** Stored once, with what failure memory needs beside it. */
  | { readonly do: 'packet'; readonly decided: Facts<Decided> }
  /** The decision that the next state holds, sealed by its digest and written into the trail. */
  | { readonly do: 'decided' }
  /** `cell`: over which a run under a standing approval was compared, where it is not the one at intake. */
  | {
      readonly do: 'context'
      readonly context: Context
      readonly cell?: Pick<SeenAgain, 'cell_state' | 'at_ms'>
    }
  /** The plan is judged once more, over the cell as it is now; what was said of it before is void. */
  | { readonly do: 'look_again'; readonly seen: SeenAgain }
  /** Index and window learn the state as it is now. */
  | { readonly do: 'announce' }
  /** Failure memory learns the outcome, if there is anything of it to remember. */
  | { readonly do: 'remember' }
  /** The skill of judges is measured by what a person decided. */
  | { readonly do: 'skill' }
  | { readonly do: 'enqueue'; readonly valid_until_ms: number }
  | { readonly do: 'dequeue' }
  | { readonly do: 'withdraw_ancestor'; readonly plan: string; readonly by: string }
  /** Tells the site's webhook: that a review waits, that none waits any more, that a run broke off. */
  | {
      readonly do: 'notify'
      readonly event: 'review_waiting' | 'review_closed' | 'plan_expired' | 'run_terminated'
    }
  /** Mail to reviewers, where the site wants it. */
  | { readonly do: 'mail'; readonly event: MailEvent }
  /** Begins a pass of the judges; without models once too many passes have died. */
  | { readonly do: 'judge'; readonly ask: 'judges' | 'nobody' }
  | { readonly do: 'stop_judging' }
  /** The standing approval of a run covers no more until people have looked. */
  | { readonly do: 'suspend'; readonly why: Suspension }
  /** The cell learns what the run left: nothing, certain values, or that it is not known. */
  | { readonly do: 'left'; readonly how: 'untouched' | 'completed' | 'broken_off' }
  /** Opens the session of the bound plan; the same at every asking. */
  | { readonly do: 'open' }

/** Why nothing was done; the state is then as it was before, but for what time did to it. */
export type StepRefusal = {
  readonly code: ReviewRefusal | AssignRefusal | BindRefusal | 'too_late'
}

export type ReviewStep = {
  readonly state: ReviewState
  readonly effects: readonly ReviewEffect[]
  readonly refused: StepRefusal | null
}
