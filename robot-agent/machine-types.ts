// The state of one session as the agent sees it, what can happen to it, and what it asks for. Plain
// values: the whole of it can be played in a test without a socket, a clock or a device.
import type { NodeProgress } from '../protocol/frames.ts'
import type { MissedRead, Outcome } from '../protocol/tokens.ts'

export type OrphanPolicy = 'stop' | 'hold' | 'finish'

/** Where the one node in flight stands. */
export type Work =
  | { readonly at: 'idle' }
  | { readonly at: 'pulled' }
  | { readonly at: 'waiting' }
  | { readonly at: 'checking'; readonly nid: string }
  /** The signed start has left; only a `go` for it may come. */
  | { readonly at: 'starting'; readonly nid: string }
  /** The `go` is being verified. */
  | { readonly at: 'confirming'; readonly nid: string }
  /** The call has been written to the device. */
  | { readonly at: 'running'; readonly nid: string; readonly policy: OrphanPolicy }
  /** The report is being signed and written down. */
  | { readonly at: 'settling'; readonly nid: string }

/** A signed report that the gateway has not acknowledged yet. */
export type PendingReport = {
  readonly nid: string
  readonly text: string
  readonly actuated: boolean
}

/** Why no further node will run here. */
export type Over = {
  readonly reason: string
  /** Completed as planned: the devices need no safe-stop. */
  readonly completed: boolean
  /** The gateway knows already; otherwise it is told by an abort. */
  readonly told: boolean
}

export type MachineState = {
  readonly link: 'down' | 'up' | 'none'
  readonly work: Work
  readonly over: Over | null
  readonly reports: readonly PendingReport[]
  /** Nodes that this agent has finished, with their outcome. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** Whether the devices that this session moved have been brought to their safe state. */
  readonly safe: 'no' | 'asked' | 'done'
  /** The session is over and at rest, and only an acknowledgement is awaited: the timer runs. */
  readonly owing: boolean
  /** Signed word of how the devices stand, which the gateway has not acknowledged. */
  readonly restOwed: boolean
  readonly closed: boolean
}

export type NodeEnd = {
  readonly nid: string
  readonly outcome: Outcome
  readonly reason: string | null
  readonly result_digest: string | null
  readonly actuated: boolean
  /** The sensor that kept it from starting. */
  readonly missed?: MissedRead
  /** Of a skipped node: what its condition compared. */
  readonly values?: readonly (string | number | boolean)[]
}

export type AbortReason =
  | 'local_stop'
  | 'shutdown'
  | 'pin_changed'
  | 'server_lost'
  | 'receipt_invalid'
  | 'context_mismatch'
  | 'token_invalid'
  | 'go_invalid'
  | 'server_restarted'
  | 'list_unreadable'
  | 'ledger_failed'
  | 'reference_missed'
  | 'require_not_met'

/** Why this agent itself ends a session, in its own words; on the wire it is an abort. */
export type LocalEnd = 'local_stop' | 'shutdown' | 'ledger_failed' | 'server_restarted'

export type MachineEvent =
  /** The welcome was accepted; what the gateway holds of each node. */
  | { readonly type: 'welcomed'; readonly progress: ReadonlyMap<string, NodeProgress> }
  | { readonly type: 'welcome_refused'; readonly reason: AbortReason; readonly detail: string }
  | { readonly type: 'link_lost' }
  | { readonly type: 'token'; readonly nid: string }
  | { readonly type: 'token_good'; readonly nid: string }
  /** Its condition did not hold: there will be no start, only the signed word. */
  | { readonly type: 'token_skipped'; readonly end: NodeEnd }
  | {
      readonly type: 'token_refused'
      readonly nid: string
      readonly reason: AbortReason
      readonly detail: string
    }
  /** A sensor of the node's row did not say what it must: nothing was asked for, nothing moved. */
  | { readonly type: 'precondition_missed'; readonly nid: string; readonly missed: MissedRead }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'done'; readonly status: 'completed' | 'terminated' }
  | { readonly type: 'go'; readonly nid: string }
  | { readonly type: 'go_good'; readonly nid: string; readonly policy: OrphanPolicy }
  | { readonly type: 'go_refused'; readonly nid: string; readonly reason: string }
  | { readonly type: 'go_spent'; readonly nid: string }
  /** In the tick of the call something was not as it must be: nothing was written. */
  | {
      readonly type: 'not_actuated'
      readonly nid: string
      readonly reason: string
      readonly abort: AbortReason | null
      readonly missed?: MissedRead
    }
  | { readonly type: 'tool_ended'; readonly end: NodeEnd }
  | { readonly type: 'reported'; readonly end: NodeEnd; readonly text: string }
  | { readonly type: 'ack'; readonly nid: string }
  | { readonly type: 'rest'; readonly owed: boolean }
  | { readonly type: 'halt'; readonly reason: string }
  /** The gateway knows no such session for this key: nobody is left to report to. */
  | { readonly type: 'forsaken'; readonly reason: string }
  /** Every device that this session has moved has confirmed its safe-stop. */
  | { readonly type: 'safe' }
  /** A person at the cell, SIGTERM, or a ledger that can keep nothing any more. */
  | { readonly type: 'local_end'; readonly reason: LocalEnd }
  | { readonly type: 'timer'; readonly timer: Timer; readonly nid: string | null }

/**
 * `go`: half a second for an answer. `lost`: the gateway is away. `hold`: a held tool's grace. `owed`:
 * a report of a session that is over gets no answer.
 */
export type Timer = 'go' | 'lost' | 'hold' | 'pull' | 'owed' | 'farewell'

export type Effect =
  | { readonly do: 'send_pull' }
  | { readonly do: 'check_token'; readonly nid: string }
  | { readonly do: 'send_start'; readonly nid: string }
  | { readonly do: 'check_go'; readonly nid: string }
  /** Look once more, write the ledger, write the call: all in one tick. */
  | { readonly do: 'actuate'; readonly nid: string }
  | { readonly do: 'cancel'; readonly nid: string }
  /** Sign the report and write it down; answered by `reported`. */
  | { readonly do: 'settle'; readonly end: NodeEnd }
  | { readonly do: 'send_report'; readonly report: PendingReport }
  | { readonly do: 'send_abort'; readonly reason: AbortReason; readonly detail: string }
  | { readonly do: 'acked'; readonly nid: string }
  | { readonly do: 'forget'; readonly nid: string }
  /** The safe-stop of the tool that runs now, after its hold. */
  | { readonly do: 'safe_stop_running'; readonly nid: string }
  /** Every device that this session has moved goes to its declared safe state. */
  | { readonly do: 'safe_stop_all'; readonly cause: string }
  | {
      readonly do: 'timer'
      readonly timer: Timer
      readonly ms: number | null
      readonly nid: string | null
    }
  | { readonly do: 'clear_timer'; readonly timer: Timer }
  | { readonly do: 'log'; readonly event: string; readonly detail: string }
  | { readonly do: 'close'; readonly reason: string }

export type Step = { readonly state: MachineState; readonly effects: readonly Effect[] }

/** A session that was just assigned, with what an earlier process of this agent left behind. */
export function initialState(left: {
  readonly reports: readonly PendingReport[]
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** A node that an earlier process handed to a device did not succeed: nothing goes on. */
  readonly over: Over | null
}): MachineState {
  return {
    link: 'down',
    work: { at: 'idle' },
    over: left.over,
    reports: left.reports,
    outcomes: left.outcomes,
    safe: 'no',
    owing: false,
    restOwed: false,
    closed: false,
  }
}
