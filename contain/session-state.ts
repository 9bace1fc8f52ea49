// The state of one session, and what moves it. Plain values only: the object that holds them writes
// every change before anything leaves, and after a crash begins again from exactly these values.
import type { Result } from '../protocol/result.ts'
import type { GatewaySessionFrame, NodeProgress } from '../protocol/frames.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { NodeResult } from '../protocol/node-result.ts'
import type { FrameError, TerminationReason } from '../protocol/reasons.ts'
import type { FlowLabel } from '../protocol/registry.ts'
import type { NodeTokenClaims, ReportClaims, RestClaims, StartClaims } from '../protocol/tokens.ts'
import type { ToolRow } from '../protocol/tool-row.ts'
import type { AgentSignedFailure } from './agent-signed.ts'
import type { Bound, OpenedToken } from './checks.ts'

/** What the session needs to know of a tool. */
export type BoundTool = {
  readonly physical: boolean
  readonly timeout_ms: number
  /** The device that it moves. */
  readonly server: string
  /** What its results may carry; left out in a binding of a release that did not keep it. */
  readonly emits?: readonly FlowLabel[]
  /** How long its call may say nothing; left out: as long as it likes. */
  readonly quiet_ms?: number
}

/** Fixed at binding, never changed afterwards. */
export type SessionBinding = Bound & {
  readonly plan_id: string
  readonly planner: string
  readonly epoch: number
  readonly receipt: string
  readonly manifest: string
  readonly tools: ReadonlyMap<string, BoundTool>
  /** The rows that go with the welcome; none for an agent of the version before. */
  readonly rows: readonly ToolRow[]
  readonly opened_ms: number
  /** Node id → milliseconds that the step lasts at least; none for one bound by the release before. */
  readonly told?: Readonly<Record<string, number>>
  /** How long results are kept after the end, as the site's policy said; left out: the default. */
  readonly result_keep_ms?: number
  /** The trace of the plan; none for one bound by the release before. */
  readonly traceparent?: string
}

export type NodeState = {
  readonly state: NodeProgress
  /** Stable word for failed and unknown. */
  readonly reason: string | null
  readonly started_ms: number | null
  /** What the report says; null without a report. Only a signed `false` means nothing moved. */
  readonly actuated: boolean | null
  /** The signed report itself, kept as evidence. */
  readonly report: string | null
}

export type SessionState = {
  readonly status: 'bound' | 'active' | 'completed' | 'terminated'
  readonly reason: TerminationReason | null
  /** The agent process that proved itself last; frames of any other are stale. */
  readonly boot_id: string | null
  /** Without a proven connection until then, the agent counts as lost; null while connected. */
  readonly grace_until: number | null
  readonly ended_ms: number | null
  /** True when a person must look at the cell before it is used again. */
  readonly latch: boolean
  /** Frames on record; bounded by limits.framesPerSessionMax. */
  readonly frames: number
  readonly nodes: ReadonlyMap<string, NodeState>
  /** Answers of nodes that something later refers to, as their signed reports cover them. */
  readonly results: ReadonlyMap<string, NodeResult>
  /** What the agent last said, signed, of its devices; null before its first word. */
  readonly rest: RestReport | null
}

/** A report of rest as it is kept: which process made it, and which one of its reports it is. */
export type RestReport = Pick<RestClaims, 'boot_id' | 'seq' | 'devices'>

/** How a frame was answered, so that an identical one is answered alike. */
export type FrameAnswer =
  | { readonly type: 'token'; readonly nid: string }
  | { readonly type: 'go'; readonly nid: string }
  | { readonly type: 'ack'; readonly nid: string }
export type FrameRecord = { readonly body: string; readonly answer: FrameAnswer }

/** A proven frame: `fid`, digest of everything but the connection, and what is on record for it. */
export type Framed = {
  readonly fid: string
  readonly body: string
  readonly seen: FrameRecord | null
  /** The process behind the connection, as its `hello` proved. */
  readonly boot_id: string
}

export type StartPresented = {
  readonly nid: string
  readonly opened: OpenedToken
  readonly start: Result<StartClaims, AgentSignedFailure>
}

/** Everything that can happen to a session. Signatures are verified before, over bytes alone. */
export type SessionEvent =
  | {
      readonly type: 'hello'
      readonly fid: string
      readonly boot_id: string
      /** Another process of the agent is connected and answers: then there are two of them. */
      readonly older_lives: boolean
      readonly ledger: readonly { readonly nid: string; readonly state: string }[]
    }
  | ({ readonly type: 'pull' } & Framed)
  /** A start has arrived: check, then ask the site. */
  | ({ readonly type: 'start' } & Framed & StartPresented)
  /** The site has answered: check everything again, then act in the same turn. */
  | ({
      readonly type: 'authorized'
      readonly authority: Result<void, { reason: TerminationReason }>
      /** False when the connection that asked has closed: nobody would hear the `go`. */
      readonly connected: boolean
    } & Framed &
      StartPresented)
  | ({
      readonly type: 'report'
      readonly nid: string
      readonly text: string
      readonly report: Result<ReportClaims, AgentSignedFailure>
      /** What the device answered; the report's signed digest is its own. */
      readonly result?: NodeResult
    } & Framed)
  /** How the devices stand; taken at any time, also after the end. */
  | ({
      readonly type: 'rest'
      readonly rest: Result<RestClaims, AgentSignedFailure>
    } & Framed)
  | ({ readonly type: 'abort'; readonly reason: string; readonly detail: string } & Framed)
  | { readonly type: 'stop'; readonly reason: TerminationReason; readonly by: string }
  /** A proven connection closed, or all did (reset): how many are left. */
  | { readonly type: 'lost'; readonly proven_left: number }
  | { readonly type: 'tick' }

/** Data for the shell. Every persistent one is written before any frame leaves. */
export type Effect =
  /** The one insert that decides: a second one for the node must fail, and then no `go` leaves. */
  | { readonly do: 'execute'; readonly nid: string; readonly jti: string }
  /** A result to keep, once per node: it came with the report that was taken. */
  | {
      readonly do: 'result'
      readonly nid: string
      readonly digest: string
      readonly result: NodeResult
    }
  | { readonly do: 'record'; readonly fid: string; readonly record: FrameRecord }
  | {
      readonly do: 'audit'
      readonly event: string
      readonly actor: string
      readonly facts: JsonObject
    }
  /** Ask the site for fresh authority, then come back with `authorized`. */
  | { readonly do: 'ask'; readonly nid: string; readonly tool: string }
  | {
      readonly do: 'go'
      readonly re: string
      readonly token: NodeTokenClaims
      readonly start: StartClaims
      /** What the call gets, when that is not what the plan says: `go` names its digest. */
      readonly args: JsonObject | null
    }
  | { readonly do: 'send'; readonly to: 'asker' | 'proven'; readonly frame: GatewaySessionFrame }
  | {
      readonly do: 'refuse'
      readonly re: string
      readonly code: FrameError
      readonly detail: string
    }
  /** Connections of an older process of the agent are closed. */
  | { readonly do: 'close_stale'; readonly boot_id: string }

export type Step = { readonly state: SessionState; readonly effects: readonly Effect[] }

/** A session as it is opened: every node pending, the agent expected within the grace. */
export function openedState(binding: SessionBinding, graceMs: number): SessionState {
  const fresh: NodeState = {
    state: 'pending',
    reason: null,
    started_ms: null,
    actuated: null,
    report: null,
  }
  return {
    status: 'bound',
    reason: null,
    boot_id: null,
    grace_until: binding.opened_ms + graceMs,
    ended_ms: null,
    latch: false,
    frames: 0,
    rest: null,
    results: new Map(),
    nodes: new Map(binding.context.order.map((nid) => [nid, fresh])),
  }
}

/** True once nothing can change any more. */
export function hasEnded(state: SessionState): boolean {
  return state.status === 'completed' || state.status === 'terminated'
}

/** The one node in flight, or null. */
export function executingNode(state: SessionState): string | null {
  for (const [nid, node] of state.nodes) if (node.state === 'executing') return nid
  return null
}
